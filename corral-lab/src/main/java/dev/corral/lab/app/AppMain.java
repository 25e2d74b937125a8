package dev.corral.lab.app;

import java.io.IOException;

/**
 * The application process. Says on standard output which port it listens on, serves until its standard input closes, and
 * is gone then: when the driver is killed, so are its applications.
 */
public final class AppMain {
    /** Before the port number, on the line that says it. */
    static final String PORT = "PORT ";

    private AppMain() {}

    /** Started by {@link AppProcess}. */
    public static void main(String[] arguments) throws IOException {
        int status = 1;
        try {
            ShopApp app = ShopApp.start(AppSettings.from(System.getenv()));
            System.out.println(PORT + app.port());
            while (System.in.read() >= 0) {}
            status = 0;
        } finally {
            Runtime.getRuntime().halt(status);
        }
    }
}
