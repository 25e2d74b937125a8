package dev.corral.engine;

import dev.corral.BulkLoader;
import dev.corral.Lookup;
import dev.corral.engine.OneByOne.Miss;
import dev.corral.spi.Reading;
import dev.corral.spi.StoreException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The reads of one {@code getAll}: one batch to the store, then the loads of the keys that are missing. */
final class Batch<K, V> {
    private final Engine<K, V> engine;
    private final CallerLane lane;
    private final List<Request<K, V>> requests = new ArrayList<>();
    private final Map<K, V> answers = new LinkedHashMap<>();

    Batch(Engine<K, V> engine, CallerLane lane) {
        this.engine = engine;
        this.lane = lane;
    }

    void ask(Request<K, V> request) {
        requests.add(request);
    }

    void answered(K key, Lookup<V> answer) {
        if (answer.value() != null) {
            answers.put(key, answer.value());
        }
    }

    List<Request<K, V>> requests() {
        return requests;
    }

    void start() {
        List<Request<K, V>> unread = new ArrayList<>();
        List<Miss<K, V>> missing = new ArrayList<>();
        for (Request<K, V> request : requests) {
            request.guard(() -> {
                if (!request.servedByNear()) {
                    if (engine.usesStore(request.key)) {
                        unread.add(request);
                    } else {
                        missing.add(new Miss<>(request, null, false));
                    }
                }
            });
        }
        if (unread.isEmpty()) {
            miss(missing);
            return;
        }
        Map<K, Long> epochs = new HashMap<>();
        unread.forEach(request -> epochs.put(request.key, engine.epochs.of(request.key)));
        long sent = engine.now();
        List<K> keys = unread.stream().map(request -> request.key).toList();
        Stages.then(engine.steps.readAll(keys), lane, (readings, trouble) -> {
            for (Request<K, V> request : unread) {
                request.guard(() -> {
                    Miss<K, V> miss = read(request, readings, trouble, epochs, sent);
                    if (!request.isDone()) {
                        missing.add(miss);
                    }
                });
            }
            miss(missing);
        });
    }

    private Miss<K, V> read(
            Request<K, V> request,
            @Nullable Map<K, Reading> readings,
            @Nullable StoreException trouble,
            Map<K, Long> epochs,
            long sent) {
        Reading reading = readings == null ? null : readings.get(request.key);
        long epoch = epochs.getOrDefault(request.key, -1L);
        return new Miss<>(request, request.servedByStore(reading, epoch, sent), trouble != null);
    }

    private void miss(List<Miss<K, V>> missing) {
        BulkLoader<K, V> loader = engine.parts.bulkLoader();
        if (missing.isEmpty()) {
            return;
        }
        if (loader != null) {
            BulkLoad<K, V> together = new BulkLoad<>(engine, loader, lane, missing.size());
            missing.forEach(miss -> miss.request().loadWith(together));
            missing.forEach(miss -> miss.request().missed(miss.known(), miss.storeFailed()));
        } else if (engine.laneForLoader(lane) != null) {
            new OneByOne<>(lane, missing).next();
        } else { // on the executor, where one does not wait for the other
            missing.forEach(miss -> miss.request().missed(miss.known(), miss.storeFailed()));
        }
    }

    Map<K, V> values(Function<Request<K, V>, @Nullable V> answerOf) {
        for (Request<K, V> request : requests) {
            V value = answerOf.apply(request);
            if (value != null) {
                answers.put(request.key, value);
            }
        }
        return answers;
    }
}
