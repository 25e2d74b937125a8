package dev.corral.engine;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.corral.CacheSettings.NearSettings;
import dev.corral.TestSettings;
import dev.corral.spi.Cost;
import dev.corral.spi.Token;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@link NearTier} and {@link Epochs} between any two of their steps: a key or everything is invalidated after a reader has
 * asked for the epoch, after it has read the source, after the fill has looked at the epoch and before its entry is there,
 * and while another fill or an older entry is in its place. Who looks afterwards finds nothing older, also in the end. The
 * switches are inside of Caffeine too; its maintenance, which no promise needs, is left out.
 */
@Tag("interleavings")
class InvalidationWinsOverFillsTest {
    private static final String KEY = "key";

    /** One key of the near tier, and a source whose version each invalidation raises. */
    public static class Tier {
        private final Epochs epochs = new Epochs();
        private final AtomicInteger weighed = new AtomicInteger();
        private final NearTier<String, Integer> near = new NearTier<>(
                new NearSettings(-1, 10, Duration.ofSeconds(5)),
                (key, value) -> weigh(),
                new Freshness(TestSettings.defaults()),
                epochs,
                new HitCounter(),
                maintenance -> {});
        private final AtomicInteger source = new AtomicInteger(1);
        private final AtomicInteger invalidated = new AtomicInteger();
        private volatile boolean resurrected;

        /** A read of the source, or a load, that fills the tier. */
        public void read() {
            long epoch = epochs.of(KEY);
            fill(source.get(), epoch);
        }

        public void invalidate() {
            int version = source.incrementAndGet();
            forget(epochs);
            invalidated.accumulateAndGet(version, Math::max);
        }

        public void invalidateAll() {
            int version = source.incrementAndGet();
            epochs.raiseAll();
            clear();
            invalidated.accumulateAndGet(version, Math::max);
        }

        public void find() {
            int oldest = invalidated.get();
            Integer found = found();
            resurrected |= found != null && found < oldest;
        }

        @Validate
        public void promises() {
            find();
            Interleavings.promise(!resurrected, "an invalidated value was found");
        }

        void fill(int version, long epoch) {
            near.fill(KEY, entry(version), epoch, 0);
        }

        void forget(Epochs known) {
            known.raise(KEY);
            near.remove(KEY);
        }

        void remove() {
            near.remove(KEY);
        }

        void clear() {
            near.clear();
        }

        Integer found() {
            NearEntry<Integer> entry = near.find(KEY);
            return entry == null ? null : entry.value;
        }

        /** Caffeine asks between the look and the entry's being there; Lincheck switches before what is shared. */
        int weigh() {
            weighed.incrementAndGet();
            return 1;
        }

        long epochNow() {
            return epochs.of(KEY);
        }

        private static Entry<Integer> entry(int version) {
            long minute = 60_000_000_000L;
            return new Entry<>(version, 0, minute, minute, minute, Cost.UNKNOWN, new Token(1, version));
        }
    }

    @Test
    void aKeyIsInvalidatedBetweenTheStepsOfAFill() {
        Interleavings.of(Tier.class, 300)
                .thread("read")
                .thread("invalidate", "find")
                .keepPromises();
    }

    @Test
    void everythingIsInvalidatedBetweenTheStepsOfAFill() {
        Interleavings.of(Tier.class, 300)
                .thread("read")
                .thread("invalidateAll", "find")
                .keepPromises();
    }

    @Test
    void theFillReplacesAnEntry() {
        Interleavings.of(Tier.class, 300)
                .thread("read", "read")
                .thread("invalidate", "find")
                .keepPromises();
    }

    @Test
    void twoFillsAndAnInvalidation() {
        Interleavings.of(Tier.class, 300)
                .thread("read")
                .thread("read")
                .thread("invalidate", "find")
                .keepPromises();
    }

    @Test
    void aKeyAndEverythingAtOnce() {
        Interleavings.of(Tier.class, 300)
                .thread("read", "find")
                .thread("invalidate", "find")
                .thread("invalidateAll")
                .keepPromises();
    }

    // ---- mistakes made on purpose

    /** The real tier, but its invalidation removes first and raises the epoch afterwards. */
    public static final class RemovesFirst extends Tier {
        @Override
        void forget(Epochs known) {
            remove();
            known.raise(KEY);
        }
    }

    /** A tier that looks at the epoch, then puts. */
    public static class LooksThenPuts extends Tier {
        private final Cache<String, Integer> entries = Caffeine.newBuilder()
                .maximumSize(10)
                .executor(maintenance -> {})
                .build();

        @Override
        void fill(int version, long epoch) {
            if (epochNow() == epoch) {
                entries.put(KEY, version);
            }
        }

        @Override
        void forget(Epochs known) {
            known.raise(KEY);
            entries.invalidate(KEY);
        }

        @Override
        void clear() {
            entries.invalidateAll();
        }

        @Override
        Integer found() {
            return entries.getIfPresent(KEY);
        }

        final Cache<String, Integer> entries() {
            return entries;
        }
    }

    /** A tier that looks and puts in one step, but is emptied where a new one should begin. */
    public static final class IsEmptied extends LooksThenPuts {
        @Override
        void fill(int version, long epoch) {
            entries().asMap().compute(KEY, (key, old) -> epochNow() == epoch ? Integer.valueOf(version) : old);
        }
    }

    @Test
    void aRemovalBeforeTheEpochIsRaisedIsFoundToLeaveTheOldValue() {
        Interleavings.of(RemovesFirst.class, 300)
                .thread("read")
                .thread("invalidate", "find")
                .areFoundToBreak("an invalidated value was found");
    }

    @Test
    void aLookBeforeThePutIsFoundToLeaveTheOldValue() {
        Interleavings.of(LooksThenPuts.class, 300)
                .thread("read")
                .thread("invalidate", "find")
                .areFoundToBreak("an invalidated value was found");
    }

    @Test
    void aTierThatIsEmptiedIsFoundToKeepWhatIsPutMeanwhile() {
        Interleavings.of(IsEmptied.class, 300)
                .thread("read")
                .thread("invalidateAll", "find")
                .areFoundToBreak("an invalidated value was found");
    }
}
