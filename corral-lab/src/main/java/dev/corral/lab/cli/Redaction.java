package dev.corral.lab.cli;

import java.util.regex.Pattern;

/** Takes passwords out of what is printed. */
final class Redaction {
    private static final Pattern IN_USER_INFO = Pattern.compile("(//)[^/@\\s]*@");
    private static final Pattern IN_PARAMETERS = Pattern.compile("(?i)((?:password|sslpassword|user)=)[^&\\s'\"]*");

    private Redaction() {}

    static String of(String text) {
        String withoutUserInfo = IN_USER_INFO.matcher(text).replaceAll("$1***@");
        return IN_PARAMETERS.matcher(withoutUserInfo).replaceAll("$1***");
    }
}
