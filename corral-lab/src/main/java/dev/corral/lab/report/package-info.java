/** Results as a table, as words and as JSON. */
@NullMarked
package dev.corral.lab.report;

import org.jspecify.annotations.NullMarked;
