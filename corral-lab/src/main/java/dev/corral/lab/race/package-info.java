/** The race: one strategy after the other, same shop, same load. */
@NullMarked
package dev.corral.lab.race;

import org.jspecify.annotations.NullMarked;
