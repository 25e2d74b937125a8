/** Open-loop load: requests leave on schedule, whatever the answers do. */
@NullMarked
package dev.corral.lab.load;

import org.jspecify.annotations.NullMarked;
