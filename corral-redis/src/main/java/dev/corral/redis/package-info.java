/** The store on Redis and Valkey: {@link dev.corral.redis.RedisStore}, and codecs for values. */
@NullMarked
package dev.corral.redis;

import org.jspecify.annotations.NullMarked;
