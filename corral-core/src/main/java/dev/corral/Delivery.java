package dev.corral;

/** What has become of a write. */
public enum Delivery {
    /** The store has carried it out: no read that begins from now on yields an older value. */
    APPLIED,
    /**
     * The store could not be reached. Locally it is applied; in the store the key is invalidated before it is trusted
     * again. Other nodes may serve the older value until then, at the latest until it expires.
     */
    QUEUED
}
