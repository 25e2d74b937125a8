package dev.corral.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

/**
 * What this node remembers of keys whose expiry is near: how often it reads them, and until when it need not ask for
 * their lease again because the store has just refused it. Bounded; forgetting costs one question more.
 */
final class KeyNotes<K> {
    private static final long MAXIMUM = 10_000;

    private final Cache<K, Note> notes =
            Caffeine.newBuilder().maximumSize(MAXIMUM).executor(Runnable::run).build();

    /** The smoothed gap between reads, this one included; {@link Long#MAX_VALUE} at the first. */
    long gapAfterRead(K key, long now) {
        Note note = note(key);
        synchronized (note) {
            long last = now - note.lastRead;
            boolean first = !note.read;
            note.read = true;
            note.lastRead = now;
            if (first) {
                return note.gap;
            }
            note.gap = note.gap == Long.MAX_VALUE ? last : note.gap + (last - note.gap) / 8;
            return note.gap;
        }
    }

    /** A new value has come: the time until its own window opens is not a gap between reads. */
    void renewed(K key) {
        Note note = notes.getIfPresent(key);
        if (note != null) {
            synchronized (note) {
                note.read = false;
                note.quiet = false;
            }
        }
    }

    boolean isQuiet(K key, long now) {
        Note note = notes.getIfPresent(key);
        if (note == null) {
            return false;
        }
        synchronized (note) {
            return note.quiet && now - note.quietUntil < 0;
        }
    }

    void quietUntil(K key, long until) {
        Note note = note(key);
        synchronized (note) {
            note.quiet = true;
            note.quietUntil = until;
        }
    }

    void clear() {
        notes.invalidateAll();
    }

    private Note note(K key) {
        @Nullable Note note = notes.get(key, k -> new Note());
        return note == null ? new Note() : note;
    }

    private static final class Note {
        private boolean read;
        private long lastRead;
        private long gap = Long.MAX_VALUE;
        private boolean quiet;
        private long quietUntil;
    }
}
