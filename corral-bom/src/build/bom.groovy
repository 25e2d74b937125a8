import groovy.xml.MarkupBuilder

// Writes the BOM that users import: one line for each module of the parent that is published.
// A module is a directory that the parent's pom names; it is published unless it sets maven.deploy.skip.

def fail(String why) {
    throw new IllegalStateException(why)
}

def parent = project.parent
def names = parent.modules.findAll { new File(parent.basedir, it).canonicalFile != project.basedir.canonicalFile }
def modules = names.collect { name ->
    def module = session.allProjects.find { it.basedir == new File(parent.basedir, name).canonicalFile }
    if (module == null) {
        fail("${name} is a module of ${parent.artifactId}, but not of this build: run Maven in the root folder")
    }
    module
}
def published = modules.findAll { it.properties['maven.deploy.skip'] != 'true' }

if (published.empty) {
    fail('no module is published')
}
published.each { module ->
    if (module.groupId != project.groupId || module.version != project.version) {
        fail("${module.id} does not have the group and version of ${project.id}")
    }
    if (module.packaging != 'jar') {
        fail("${module.id} is no jar, so a BOM cannot name it")
    }
    module.dependencies.findAll { it.groupId == project.groupId && it.scope in ['compile', 'runtime'] }.each { dependency ->
        if (!published.any { it.artifactId == dependency.artifactId }) {
            fail("${module.artifactId} is published, but its dependency ${dependency.artifactId} is not")
        }
    }
}

def bom = new File(project.build.directory, "${project.artifactId}.pom")
bom.parentFile.mkdirs()
bom.withWriter('UTF-8') { writer ->
    def xml = new MarkupBuilder(writer)
    xml.doubleQuotes = true
    xml.mkp.xmlDeclaration(version: '1.0', encoding: 'UTF-8')
    xml.project(
            'xmlns': 'http://maven.apache.org/POM/4.0.0',
            'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
            'xsi:schemaLocation': 'http://maven.apache.org/POM/4.0.0 http://maven.apache.org/xsd/maven-4.0.0.xsd') {
        modelVersion('4.0.0')
        groupId(project.groupId)
        artifactId(project.artifactId)
        version(project.version)
        packaging('pom')
        name(project.name)
        description(project.description)
        licenses {
            project.licenses.each { known ->
                license {
                    name(known.name)
                    url(known.url)
                }
            }
        }
        dependencyManagement {
            dependencies {
                published.sort { it.artifactId }.each { module ->
                    dependency {
                        groupId(module.groupId)
                        artifactId(module.artifactId)
                        version(module.version)
                    }
                }
            }
        }
    }
}
project.pomFile = bom
log.info("${bom.name}: ${published*.artifactId.join(', ')}")
