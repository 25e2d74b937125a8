package dev.corral.spi;

import java.util.HexFormat;

/**
 * A random 128-bit name: of a lease owner while it loads, and of what it committed afterwards.
 *
 * @param high the first eight bytes
 * @param low the last eight bytes
 */
public record Token(long high, long low) {

    /** Draws a new token. */
    public static Token random(RandomSource random) {
        return new Token(random.nextLong(), random.nextLong());
    }

    /** Thirty-two lower-case hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
