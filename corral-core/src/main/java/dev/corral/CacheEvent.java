package dev.corral;

import java.time.Duration;

/**
 * Something an operator may want to know. Every failure that a caller does not see is one of these, and a counter in
 * {@link CacheStats}.
 */
public sealed interface CacheEvent {
    /** The cache it happened in. */
    String cache();

    /** A load ended well after that time. */
    record Loaded(String cache, Object key, Duration cost) implements CacheEvent {}

    /** A load ended with an exception; nobody in the cluster loads the key before the back-off is over. */
    record LoadFailed(String cache, Object key, Throwable cause, Duration backOff) implements CacheEvent {}

    /** A load ran past the maximum load time: it was interrupted and lost its protection. */
    record LoadOverdue(String cache, Object key, Duration after) implements CacheEvent {}

    /** A lease ended before its load did; another node may load now. */
    record LeaseLost(String cache, Object key) implements CacheEvent {}

    /** A load's value was not stored: an invalidation, a put or a later load came first. */
    record CommitRejected(String cache, Object key) implements CacheEvent {}

    /** A background load could not begin. */
    record RefreshRefused(String cache, Object key, String reason) implements CacheEvent {}

    /** A caller waited until its bound. */
    record WaitTimedOut(String cache, Object key, Duration waited) implements CacheEvent {}

    /** The limiter turned a load away. */
    record LoadRejected(String cache, Object key) implements CacheEvent {}

    /** Bytes in the store could not be decoded; the key is loaded anew. */
    record EntryUnreadable(String cache, Object key) implements CacheEvent {}

    /** A step was not carried out by the store. */
    record StoreFailed(String cache, String step, String reason) implements CacheEvent {}

    /** The store is out of reach: outage mode. */
    record StoreLost(String cache, String reason) implements CacheEvent {}

    /** The store is back; so many queued writes are replayed before their keys are trusted again. */
    record StoreRecovered(String cache, long toReplay) implements CacheEvent {}

    /** Announcements no longer arrive: near entries end at their own time to live. */
    record ChannelLost(String cache) implements CacheEvent {}

    /** Announcements arrive again; the near tier was emptied. */
    record ChannelRestored(String cache) implements CacheEvent {}

    /** A scheduled value was not regenerated when it was due. */
    record PrecomputeOverdue(String cache, Object key, Duration since) implements CacheEvent {}
}
