package dev.corral.redis;

import dev.corral.spi.Acquisition;
import dev.corral.spi.Committed;
import dev.corral.spi.Draft;
import dev.corral.spi.Grant;
import dev.corral.spi.Platform;
import dev.corral.spi.Reading;
import dev.corral.spi.Region;
import dev.corral.spi.RegionListener;
import dev.corral.spi.RegionSettings;
import dev.corral.spi.StoreClock;
import dev.corral.spi.StoreException;
import dev.corral.spi.StoreException.Reason;
import dev.corral.spi.Token;
import dev.corral.spi.Touched;
import io.lettuce.core.KeyValue;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The lease protocol in Redis: reads are plain, every other step is a script of one round trip. */
final class RedisRegion<K> implements Region<K> {
    private static final byte[] NO_ID = {};
    private static final int MOST_KEYS = 1_000; // of one script: Lua's stack has room for 8,000 names

    private final Link link;
    private final Platform platform;
    private final RegionSettings<K> settings;
    private final Layout layout;
    private final Subscription<K> subscription;
    private final byte[] recordMillis;

    RedisRegion(
            Link link,
            Channels channels,
            Platform platform,
            String prefix,
            RegionSettings<K> settings,
            RegionListener<K> listener) {
        this.link = link;
        this.platform = platform;
        this.settings = settings;
        this.layout = new Layout(prefix, settings.name(), settings.schemaVersion());
        this.recordMillis = number(settings.recordTime().toMillis());
        this.subscription = new Subscription<>(channels, layout.channel(), platform, settings, listener, this);
        subscription.start();
    }

    // ---- reads

    @Override
    public CompletionStage<Reading> read(K key) {
        Layout.Names names = names(key);
        byte[] value = names.value();
        byte[] generation = names.generation();
        return plainly(redis -> redis.mget(value, generation))
                .thenApply(found -> Envelope.read(bytesOf(found.get(0)), bytesOf(found.get(1))));
    }

    @Override
    public CompletionStage<Map<K, Reading>> readAll(Collection<K> keys) {
        List<K> asked = List.copyOf(keys);
        if (asked.isEmpty()) {
            return CompletableFuture.completedFuture(Map.of());
        }
        List<byte[]> names = new ArrayList<>();
        Map<Integer, Integer> generations = new HashMap<>();
        int[] buckets = new int[asked.size()];
        for (int i = 0; i < asked.size(); i++) {
            Layout.Names key = names(asked.get(i));
            buckets[i] = key.bucket;
            names.add(key.value());
        }
        for (int bucket : buckets) {
            if (generations.putIfAbsent(bucket, names.size()) == null) {
                names.add(layout.generation(bucket));
            }
        }
        return plainly(redis -> redis.mget(names.toArray(new byte[0][]))).thenApply(found -> {
            Map<K, Reading> readings = new HashMap<>();
            for (int i = 0; i < asked.size(); i++) {
                byte[] generation = bytesOf(found.get(generations.getOrDefault(buckets[i], 0)));
                readings.put(asked.get(i), Envelope.read(bytesOf(found.get(i)), generation));
            }
            return readings;
        });
    }

    private static byte @Nullable [] bytesOf(KeyValue<byte[], byte[]> found) {
        return found.hasValue() ? found.getValue() : null;
    }

    private <T> CompletionStage<T> plainly(Function<RedisAsyncCommands<byte[], byte[]>, CompletionStage<T>> command) {
        return link.run(settings.timeout(), command);
    }

    // ---- steps

    @Override
    public CompletionStage<Acquisition> acquire(K key, Token token, Duration lease, @Nullable Token known) {
        Layout.Names names = names(key);
        return step(
                        Scripts.ACQUIRE,
                        keys(names),
                        Envelope.id(token),
                        number(lease.toMillis()),
                        known == null ? NO_ID : Envelope.id(known),
                        newGeneration(),
                        number(platform.random().nextLong()),
                        recordMillis,
                        notAfter())
                .thenApply(answer -> acquisition(answer, token));
    }

    private static Acquisition acquisition(List<Object> answer, Token token) {
        return switch (text(answer.get(1))) {
            case "L" -> throw tooLate();
            case "F" -> new Acquisition.Fresh(Envelope.entry((byte[]) answer.get(2)));
            case "B" -> new Acquisition.Busy(TimeUnit.MILLISECONDS.toNanos((Long) answer.get(2)));
            case "W" ->
                new Acquisition.BackingOff(TimeUnit.MILLISECONDS.toNanos((Long) answer.get(2)), text(answer.get(3)));
            case "G" ->
                new Acquisition.Granted(new Grant(
                        token, Long.parseLong(text(answer.get(2))), (Long) answer.get(3), Math.toIntExact((Long)
                                answer.get(4))));
            default -> throw new IllegalStateException("acquire answered " + text(answer.get(1)));
        };
    }

    @Override
    public CompletionStage<Boolean> renew(K key, Token token, Duration lease) {
        Layout.Names names = names(key);
        return step(Scripts.RENEW, recordKeys(names), Envelope.id(token), number(lease.toMillis()), recordMillis)
                .thenApply(answer -> isOne(answer.get(1)));
    }

    @Override
    public CompletionStage<Committed> commit(K key, Grant grant, Draft draft) {
        Layout.Names names = names(key);
        return step(
                        Scripts.COMMIT,
                        keys(names),
                        Envelope.id(grant.token()),
                        number(grant.epoch()),
                        number(grant.order()),
                        Envelope.flags(draft),
                        Envelope.costs(draft.cost()),
                        Envelope.payload(draft),
                        number(draft.freshFor().toMillis()),
                        number(draft.staleFor().toMillis()),
                        layout.channel(),
                        subscription.news(News.Kind.STORED, names.key))
                .thenApply(answer -> switch (text(answer.get(1))) {
                    case "S" -> Committed.STORED;
                    case "A" -> Committed.STORED_LOAD_AGAIN;
                    case "R" -> Committed.REJECTED;
                    default -> throw new IllegalStateException("commit answered " + text(answer.get(1)));
                });
    }

    @Override
    public CompletionStage<Void> fail(K key, Grant grant, Duration backOff, String reason) {
        Layout.Names names = names(key);
        return step(
                        Scripts.FAIL,
                        recordKeys(names),
                        Envelope.id(grant.token()),
                        number(grant.epoch()),
                        number(backOff.toMillis()),
                        reason.getBytes(StandardCharsets.UTF_8),
                        number(grant.failures() + 1L),
                        recordMillis,
                        layout.channel(),
                        subscription.news(News.Kind.FAILED, names.key),
                        number(grant.order()))
                .thenApply(answer -> null);
    }

    @Override
    public CompletionStage<Void> put(K key, Token token, Draft draft) {
        Layout.Names names = names(key);
        return step(
                        Scripts.PUT,
                        keys(names),
                        Envelope.id(token),
                        Envelope.flags(draft),
                        Envelope.costs(draft.cost()),
                        Envelope.payload(draft),
                        number(draft.freshFor().toMillis()),
                        number(draft.staleFor().toMillis()),
                        newGeneration(),
                        notAfter(),
                        layout.channel(),
                        subscription.news(News.Kind.PUT, names.key))
                .thenApply(answer -> {
                    if (text(answer.get(1)).equals("L")) {
                        throw tooLate();
                    }
                    return null;
                });
    }

    @Override
    public CompletionStage<Touched> touch(K key) {
        Layout.Names names = names(key);
        return step(Scripts.TOUCH, recordKeys(names))
                .thenApply(answer -> isOne(answer.get(1)) ? Touched.MARKED : Touched.FREE);
    }

    @Override
    public CompletionStage<Void> invalidate(Collection<K> keys) {
        // One script for each bucket, or for a part of its keys as large as Lua takes, all sent at once.
        Map<Integer, List<Layout.Names>> byBucket = new HashMap<>();
        keys.stream()
                .map(this::names)
                .forEach(key -> byBucket.computeIfAbsent(key.bucket, bucket -> new ArrayList<>())
                        .add(key));
        CompletableFuture<?>[] all = byBucket.values().stream()
                .flatMap(RedisRegion::parts)
                .map(some -> invalidateBucket(some).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(all);
    }

    private static Stream<List<Layout.Names>> parts(List<Layout.Names> keys) {
        return IntStream.iterate(0, from -> from < keys.size(), from -> from + MOST_KEYS)
                .mapToObj(from -> keys.subList(from, Math.min(keys.size(), from + MOST_KEYS)));
    }

    private CompletionStage<Void> invalidateBucket(List<Layout.Names> keys) {
        byte[][] names = new byte[2 * keys.size()][];
        byte[][] arguments = new byte[1 + keys.size()][];
        arguments[0] = layout.channel();
        for (int i = 0; i < keys.size(); i++) {
            names[2 * i] = keys.get(i).value();
            names[2 * i + 1] = keys.get(i).record();
            arguments[1 + i] = subscription.news(News.Kind.INVALIDATED, keys.get(i).key);
        }
        return step(Scripts.INVALIDATE, names, arguments).thenApply(answer -> null);
    }

    /** Another schema version has written the key: the first node to hear of it invalidates it for this one. */
    void relay(byte[] key, long event) {
        Layout.Names names = layout.of(key);
        byte[][] keys = {names.value(), names.record(), names.event(event)};
        step(Scripts.RELAY, keys, layout.channel(), subscription.news(News.Kind.RELAYED, key));
    }

    /**
     * Deletes the generation of every bucket, which makes all its values and records void; whoever loads next makes a new
     * one. Needs no memory, so a full server does it too. Then the announcement, on the same connection and so after it.
     */
    @Override
    public CompletionStage<Void> invalidateAll() {
        byte[][] generations = new byte[Layout.BUCKETS][];
        for (int bucket = 0; bucket < Layout.BUCKETS; bucket++) {
            generations[bucket] = layout.generation(bucket);
        }
        byte[] news = subscription.news(News.Kind.ALL, new byte[0]);
        return plainly(redis -> CompletableFuture.allOf(
                redis.del(generations).toCompletableFuture(),
                redis.publish(layout.channel(), news).toCompletableFuture()));
    }

    @Override
    public StoreClock clock() {
        return link.clock().now();
    }

    @Override
    public void close() {
        subscription.close();
    }

    // ---- bytes

    /** Steps that would harm when they are carried out long after their caller has given up carry this instant. */
    private byte[] notAfter() {
        long now = link.clock().now().latestMillis(platform.time().nanoTime());
        return number(now + settings.timeout().toMillis());
    }

    private static StoreException tooLate() {
        return new StoreException(Reason.TIMEOUT, "the step reached the server too late", null);
    }

    private CompletionStage<List<Object>> step(Scripts script, byte[][] keys, byte[]... arguments) {
        long sent = platform.time().nanoTime();
        return plainly(redis -> script.run(redis, keys, arguments)).thenApply(answer -> {
            link.clock().measured(sent, (Long) answer.get(0));
            return answer;
        });
    }

    private Layout.Names names(K key) {
        return layout.of(settings.keyCodec().encode(key));
    }

    private static byte[][] keys(Layout.Names names) {
        return new byte[][] {names.value(), names.record(), names.generation()};
    }

    private static byte[][] recordKeys(Layout.Names names) {
        return new byte[][] {names.record(), names.generation()};
    }

    private byte[] newGeneration() {
        return ByteBuffer.allocate(Envelope.GENERATION)
                .putLong(platform.random().nextLong())
                .array();
    }

    private static byte[] number(long value) {
        return Long.toString(value).getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(Object answer) {
        return new String((byte[]) answer, StandardCharsets.UTF_8);
    }

    private static boolean isOne(Object answer) {
        return (Long) answer == 1;
    }
}
