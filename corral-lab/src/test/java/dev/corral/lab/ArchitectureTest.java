package dev.corral.lab;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The arrows of docs/architecture.md. */
class ArchitectureTest {
    private static JavaClasses all;

    @BeforeAll
    static void read() {
        all = new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.corral");
    }

    @Test
    void coreKnowsNobodyButCaffeineAndSlf4j() {
        classes()
                .that()
                .resideInAnyPackage("dev.corral", "dev.corral.spi", "dev.corral.memory", "dev.corral.engine..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.corral",
                        "dev.corral.spi",
                        "dev.corral.memory",
                        "dev.corral.engine..",
                        "com.github.benmanes.caffeine..",
                        "org.slf4j..",
                        "org.jspecify..",
                        "java..")
                .check(all);
    }

    @Test
    void storesDoNotKnowTheEngine() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.corral.spi", "dev.corral.memory", "dev.corral.redis")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.corral.engine..")
                .check(all);
    }

    @Test
    void onlyTheApiOpensTheEnginesDoor() {
        noClasses()
                .that()
                .resideOutsideOfPackages("dev.corral", "dev.corral.engine..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.corral.engine..")
                .check(all);
    }

    @Test
    void redisDoesNotKnowTheLab() {
        noClasses()
                .that()
                .resideInAPackage("dev.corral.redis")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("dev.corral.lab..")
                .check(all);
    }

    @Test
    void theSimulatorKnowsOnlyTheCore() {
        classes()
                .that()
                .resideInAPackage("dev.corral.simulator")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.corral",
                        "dev.corral.spi",
                        "dev.corral.memory",
                        "dev.corral.simulator",
                        "org.jspecify..",
                        "java..")
                .check(all);
    }

    @Test
    void thePlanKnowsOnlyTheSimulatorAndTheCore() {
        classes()
                .that()
                .resideInAPackage("dev.corral.simulator.plan")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "dev.corral",
                        "dev.corral.spi",
                        "dev.corral.memory",
                        "dev.corral.simulator",
                        "dev.corral.simulator.plan",
                        "org.jspecify..",
                        "java..")
                .check(all);
    }

    /** Nothing but the platform reads a clock, so that everything runs in virtual time. */
    @Test
    void theEngineReadsNoClockOfItsOwn() {
        noClasses()
                .that()
                .resideInAnyPackage("dev.corral", "dev.corral.memory", "dev.corral.engine..")
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .callMethod(Thread.class, "sleep", long.class)
                .check(all);
    }

    @Test
    void namesSayWhatThingsAre() {
        noClasses()
                .should()
                .haveSimpleNameEndingWith("Manager")
                .orShould()
                .haveSimpleNameEndingWith("Helper")
                .orShould()
                .haveSimpleNameEndingWith("Util")
                .orShould()
                .haveSimpleNameEndingWith("Utils")
                .check(all);
    }

    @Test
    void nothingIsJavaSerialized() {
        noClasses()
                .should()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectInputStream")
                .orShould()
                .dependOnClassesThat()
                .haveFullyQualifiedName("java.io.ObjectOutputStream")
                .check(all);
    }
}
