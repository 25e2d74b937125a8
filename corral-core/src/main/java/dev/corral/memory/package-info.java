/** The store for one process. */
@NullMarked
package dev.corral.memory;

import org.jspecify.annotations.NullMarked;
