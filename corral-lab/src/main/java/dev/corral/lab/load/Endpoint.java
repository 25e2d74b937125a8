package dev.corral.lab.load;

/** What a request asked for. */
public enum Endpoint {
    /** The popular page, behind the cache. */
    HOT,
    /** The page of one product: no cache, but the same connection pool. */
    UNRELATED
}
