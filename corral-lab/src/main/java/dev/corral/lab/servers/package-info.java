/** Redis and PostgreSQL for the length of one run: embedded ones that leave nothing behind, or the user's own. */
@NullMarked
package dev.corral.lab.servers;

import org.jspecify.annotations.NullMarked;
