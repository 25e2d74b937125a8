package dev.corral.lab.report;

/** Text in a page. */
final class Html {
    private Html() {}

    /** With what has a meaning in HTML written so that it has none. */
    static String text(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
