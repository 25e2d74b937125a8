package dev.corral.lab.chaos;

import dev.corral.Delivery;

/** An invalidation that a node has made, after the row had got that version. */
record Write(String node, String key, long version, Delivery delivery, long ended) {

    boolean applied() {
        return delivery == Delivery.APPLIED;
    }
}
