package dev.corral.engine;

/** What the flights of one {@code getAll} have to do with each other. May be called on any thread. */
interface Together<K, V> {
    /** The flight has its lease; true if it is loaded with others, false if it is to load for itself. */
    boolean takes(Flight<K, V> flight);

    /** Nobody waits for the flight any more; true if it was to be loaded with others, and now is not. */
    boolean letsGo(Flight<K, V> flight);

    /** The flight has its answer without a load, or has to wait for somebody else's. */
    void goesWithout(Flight<K, V> flight);

    /** The key's request leads no flight: it has joined one that was there, or has its answer. */
    void leadsNone(K key);
}
