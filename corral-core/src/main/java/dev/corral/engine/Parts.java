package dev.corral.engine;

import dev.corral.BulkLoader;
import dev.corral.CacheEvent;
import dev.corral.Codec;
import dev.corral.KeyCodec;
import dev.corral.Loader;
import dev.corral.spi.Platform;
import dev.corral.spi.Store;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.ToIntBiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a cache is made of besides its settings: the user's functions and the things it shares with other caches. */
public record Parts<K, V>(
        Platform platform,
        Store store,
        KeyCodec<K> keyCodec,
        @Nullable Codec<V> codec,
        @Nullable Loader<K, V> loader,
        @Nullable BulkLoader<K, V> bulkLoader,
        @Nullable Loader<K, V> oldPath,
        @Nullable BiFunction<K, V, Duration> expiry,
        @Nullable ToIntBiFunction<K, V> weigher,
        Set<K> precomputeKeys,
        Permits permits,
        UnaryOperator<Runnable> context,
        List<Consumer<? super CacheEvent>> listeners) {}
