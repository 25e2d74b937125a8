/** The command line's options, their checks and its one-line errors. */
@NullMarked
package dev.corral.lab.cli;

import org.jspecify.annotations.NullMarked;
