/** The lab: real servers, real load, and the {@code corral} command line in front of them. */
@NullMarked
package dev.corral.lab;

import org.jspecify.annotations.NullMarked;
