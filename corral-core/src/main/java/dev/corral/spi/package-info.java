/**
 * What a store implements and what the engine takes from outside: the lease protocol, the store's clock and breaker,
 * and time, randomness, delays and threads. Applications do not need this package.
 */
@NullMarked
package dev.corral.spi;

import org.jspecify.annotations.NullMarked;
