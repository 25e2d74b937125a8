package dev.corral.redis;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;

/** What may lie where an entry should be, as a change of a good one. */
interface ForeignBytes {
    byte[] instead(byte[] entry);

    /** Bytes of any kind, some of which begin as an entry does. */
    static Arbitrary<ForeignBytes> any() {
        return Arbitraries.oneOf(List.of(random(), headed(), truncated(), ofAnotherVersion(), flipped(), payload()));
    }

    static Arbitrary<ForeignBytes> random() {
        return bytes(300).map(wild -> named("random", entry -> wild));
    }

    /** As many bytes of a good entry as lead into the middle of something, then random ones. */
    static Arbitrary<ForeignBytes> headed() {
        Arbitrary<Integer> kept = Arbitraries.of(1, 2, 3, 4, 12, 20, 28, 36, 52, 68, Envelope.HEAD);
        return Combinators.combine(kept, bytes(300))
                .as((good, wild) -> named("random after " + good, entry -> {
                    byte[] mixed = Arrays.copyOf(entry, good + wild.length);
                    System.arraycopy(wild, 0, mixed, good, wild.length);
                    return mixed;
                }));
    }

    static Arbitrary<ForeignBytes> truncated() {
        return Arbitraries.integers()
                .between(0, Envelope.HEAD - 1)
                .map(length -> named("truncated to " + length, entry -> Arrays.copyOf(entry, length)));
    }

    /** Of another version of the envelope, or of another program. */
    static Arbitrary<ForeignBytes> ofAnotherVersion() {
        Arbitrary<Byte> other = Arbitraries.bytes().filter(version -> version != 1 && version != (byte) 0xC0);
        return Combinators.combine(Arbitraries.of(0, 1), other)
                .as((where, value) -> named("byte " + where + " is " + value, entry -> {
                    byte[] changed = entry.clone();
                    changed[where] = value;
                    return changed;
                }));
    }

    static Arbitrary<ForeignBytes> flipped() {
        return Arbitraries.integers()
                .between(0, Integer.MAX_VALUE)
                .list()
                .ofMinSize(1)
                .ofMaxSize(4)
                .map(bits -> named("flipped " + bits, entry -> {
                    byte[] changed = entry.clone();
                    bits.stream()
                            .map(bit -> bit % (8 * entry.length))
                            .forEach(bit -> changed[bit / 8] ^= (byte) (1 << bit % 8));
                    return changed;
                }));
    }

    /** A good head, and instants that make sense or not, before a payload that is another codec's. */
    static Arbitrary<ForeignBytes> payload() {
        Arbitrary<Long> instant = Arbitraries.longs();
        return Combinators.combine(instant, instant, instant, Arbitraries.of(true, false), bytes(50))
                .as((written, soft, hard, insane, wild) -> named("instants and payload", entry -> {
                    byte[] changed = Arrays.copyOf(entry, Envelope.HEAD + wild.length);
                    System.arraycopy(wild, 0, changed, Envelope.HEAD, wild.length);
                    if (insane) {
                        ByteBuffer.wrap(changed)
                                .position(4)
                                .putLong(written)
                                .putLong(soft)
                                .putLong(hard);
                    }
                    return changed;
                }));
    }

    private static Arbitrary<byte[]> bytes(int most) {
        return Arbitraries.bytes().array(byte[].class).ofMaxSize(most);
    }

    /** With a name, for the report of a failure. */
    private static ForeignBytes named(String name, ForeignBytes change) {
        return new ForeignBytes() {
            @Override
            public byte[] instead(byte[] entry) {
                return change.instead(entry);
            }

            @Override
            public String toString() {
                return name;
            }
        };
    }
}
