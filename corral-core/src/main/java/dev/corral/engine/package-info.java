/** The engine: not part of the API. {@code docs/architecture.md} is its map. */
@NullMarked
package dev.corral.engine;

import org.jspecify.annotations.NullMarked;
