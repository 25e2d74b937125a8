/** What a hit costs, beside the libraries that a reader would compare it with. */
@NullMarked
package dev.corral.benchmarks;

import org.jspecify.annotations.NullMarked;
