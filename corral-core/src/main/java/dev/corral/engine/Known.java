package dev.corral.engine;

import dev.corral.spi.Cost;
import dev.corral.spi.Token;

/** An entry that a caller has seen and that will not do: about to expire, expired, or unreadable. */
record Known(Token commitId, Cost cost) {}
