/** The shop: its tables, its expensive query, and how expensive that is on this machine. */
@NullMarked
package dev.corral.lab.shop;

import org.jspecify.annotations.NullMarked;
