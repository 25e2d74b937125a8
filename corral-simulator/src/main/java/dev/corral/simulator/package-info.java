/** The real engine in virtual time, among faults; {@code docs/simulation.md} is its map. */
@NullMarked
package dev.corral.simulator;

import org.jspecify.annotations.NullMarked;
