/** One application process of the race, and the driver's side of it. */
@NullMarked
package dev.corral.lab.app;

import org.jspecify.annotations.NullMarked;
