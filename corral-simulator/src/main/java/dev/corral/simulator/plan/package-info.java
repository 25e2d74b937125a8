/** Planning beyond one machine: the real engine on as many nodes as asked for, with readers that are aggregated. */
@NullMarked
package dev.corral.simulator.plan;

import org.jspecify.annotations.NullMarked;
