/** The early refresh policies. */
@NullMarked
package dev.corral.engine.policy;

import org.jspecify.annotations.NullMarked;
