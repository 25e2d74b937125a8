package dev.corral.engine;

/** Texts of failures, as far as they travel. */
final class Text {
    private static final int LONGEST = 300;

    private Text() {}

    static String brief(Object failure) {
        String text = String.valueOf(failure);
        return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
    }
}
