package dev.corral.simulator;

/**
 * A row as it was read or written, which is all that the caches hold. It says where it comes from, so that the checker
 * can decide whether a read may have it.
 *
 * @param key the row's key
 * @param version raised by each write
 * @param readAt the virtual instant at which the database had this version
 * @param origin the load or the put that brought it into the cache
 */
record Row(String key, long version, long readAt, Origin origin) {

    /** A load or a put. */
    interface Origin {
        /** When it began. */
        long began();

        /** When it was over; {@link Long#MAX_VALUE} while it is not. */
        long ended();

        /** The process it ran in. */
        Life life();
    }

    @Override
    public String toString() {
        return key + "=v" + version + " of " + origin;
    }
}
