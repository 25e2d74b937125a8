package dev.corral.spi;

/**
 * The right to load a key and to commit the result.
 *
 * @param token the owner
 * @param epoch the record's random epoch; an invalidation ends it
 * @param order the place of this load among those of the epoch, in the order they began
 * @param failures how many loads in a row have failed before
 */
public record Grant(Token token, long epoch, long order, int failures) {}
