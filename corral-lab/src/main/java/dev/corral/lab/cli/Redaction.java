package dev.corral.lab.cli;

import java.util.regex.Pattern;

/** Takes passwords out of what is printed. */
final class Redaction {
    private static final Pattern IN_USER_INFO = Pattern.compile("(//)\\S*@");
    private static final Pattern IN_PARAMETERS = Pattern.compile("(?i)((?:password|sslpassword|user)=)[^&\\s'\"]*");

    private Redaction() {}

    /** An address alone, whatever it is: a password may hold any character, also such that end it in a line of text. */
    static String ofAddress(String address) {
        return address.replaceFirst("(?s)^.*@", "***@").replaceFirst("(?s)\\?.*$", "?***");
    }

    /** A line of text. */
    static String of(String text) {
        String withoutUserInfo = IN_USER_INFO.matcher(text).replaceAll("$1***@");
        return IN_PARAMETERS.matcher(withoutUserInfo).replaceAll("$1***");
    }
}
