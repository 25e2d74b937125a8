package dev.corral.engine;

import dev.corral.KeyCodec;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The codecs of the types that need none from the user. */
public final class KeyCodecs {
    private KeyCodecs() {}

    /** See {@link KeyCodec#of}. */
    public static <K> KeyCodec<K> of(Class<K> type) {
        KeyCodec<K> found = find(type);
        if (found == null) {
            throw new IllegalArgumentException("keyType must be text, a number, a UUID or an enum, got "
                    + type.getName() + ": write keyCodec(...) with a codec that turns it into bytes and back");
        }
        return found;
    }

    /** A codec that settles on the type of the first key it meets. */
    public static <K> KeyCodec<K> byFirstKey(String cache) {
        return new FirstKey<>(cache);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static <K> @Nullable KeyCodec<K> find(Class<?> type) {
        KeyCodec<?> found = null;
        if (type == String.class) {
            found = text(Function.identity(), Object::toString);
        } else if (type == Integer.class) {
            found = text(Integer::valueOf, Object::toString);
        } else if (type == Long.class) {
            found = text(Long::valueOf, Object::toString);
        } else if (type == Short.class) {
            found = text(Short::valueOf, Object::toString);
        } else if (type == Byte.class) {
            found = text(Byte::valueOf, Object::toString);
        } else if (type == BigInteger.class) {
            found = text(BigInteger::new, Object::toString);
        } else if (type == UUID.class) {
            found = text(UUID::fromString, Object::toString);
        } else if (type.isEnum()) {
            Class<? extends Enum> constants = (Class<? extends Enum>) type;
            found = text(name -> Enum.valueOf(constants, name), constant -> ((Enum<?>) constant).name());
        }
        return (KeyCodec<K>) found;
    }

    private static KeyCodec<Object> text(Function<String, ?> parse, Function<Object, String> print) {
        return new KeyCodec<>() {
            @Override
            public byte[] encode(Object key) {
                return utf8(print.apply(key));
            }

            @Override
            public Object decode(byte[] bytes) {
                return parse.apply(utf8(bytes));
            }
        };
    }

    private static byte[] utf8(String text) {
        try {
            // The lenient encoder would turn two different broken strings into the same question marks.
            ByteBuffer bytes = StandardCharsets.UTF_8
                    .newEncoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .encode(java.nio.CharBuffer.wrap(text));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("a key with an unpaired surrogate has no UTF-8 form", e);
        }
    }

    private static String utf8(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Types are erased, so the keys' type shows with the first key; another one later is a mistake that it names. */
    private static final class FirstKey<K> implements KeyCodec<K> {
        private final String cache;
        private volatile @Nullable Settled<K> settled;

        FirstKey(String cache) {
            this.cache = cache;
        }

        @Override
        public byte[] encode(K key) {
            return settledOn(typeOf(key)).codec.encode(key);
        }

        @Override
        public K decode(byte[] bytes) {
            Settled<K> known = settled;
            if (known == null) {
                throw new IllegalArgumentException("cache " + cache + " has not met a key yet");
            }
            return known.codec.decode(bytes);
        }

        private Settled<K> settledOn(Class<?> type) {
            Settled<K> known = settled;
            if (known == null) {
                known = settle(type);
            }
            if (known.type != type) {
                throw new IllegalArgumentException(
                        "cache " + cache + " has keys of " + known.type.getName() + ", got one of " + type.getName()
                                + ": two kinds of keys in one cache read each other's values");
            }
            return known;
        }

        private synchronized Settled<K> settle(Class<?> type) {
            Settled<K> known = settled;
            if (known == null) {
                KeyCodec<K> codec = find(type);
                if (codec == null) {
                    throw new IllegalArgumentException("cache " + cache + " has keys of " + type.getName()
                            + ", which have no codec of their own: write keyCodec(...) on its builder");
                }
                known = new Settled<>(type, codec);
                settled = known;
            }
            return known;
        }

        private static Class<?> typeOf(Object key) {
            return key instanceof Enum<?> constant ? constant.getDeclaringClass() : key.getClass();
        }

        private record Settled<K>(Class<?> type, KeyCodec<K> codec) {}
    }
}
