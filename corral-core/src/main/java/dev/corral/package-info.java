/**
 * Stampede-proof caching: {@link dev.corral.Corral} builds a {@link dev.corral.Cache}. Start there.
 */
@NullMarked
package dev.corral;

import org.jspecify.annotations.NullMarked;
