/** What happened, counted by the database and the operating system, not by Corral. */
@NullMarked
package dev.corral.lab.measure;

import org.jspecify.annotations.NullMarked;
