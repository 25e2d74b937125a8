package dev.corral.lab.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into a resource. */
public final class VersionText implements IVersionProvider {

    @Override
    public String[] getVersion() throws IOException {
        return new String[] {"corral " + version() + " on Java " + Runtime.version()};
    }

    private static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream in = VersionText.class.getResourceAsStream("version.properties")) {
            if (in != null) {
                properties.load(in);
            }
        }
        return properties.getProperty("version", "unknown");
    }
}
