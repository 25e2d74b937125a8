package dev.corral.testkit;

import dev.corral.spi.RegionListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Writes down what a region tells its cache. */
public final class HeardNews implements RegionListener<String> {
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** A listener that has heard nothing. */
    public HeardNews() {}

    /** What it has heard, in order: {@code stored k}, {@code invalidated k}, {@code failed k}, {@code all}, … */
    public List<String> heard() {
        return List.copyOf(heard);
    }

    @Override
    public void stored(String key) {
        heard.add("stored " + key);
    }

    @Override
    public void invalidated(String key) {
        heard.add("invalidated " + key);
    }

    @Override
    public void failed(String key) {
        heard.add("failed " + key);
    }

    @Override
    public void invalidatedAll() {
        heard.add("all");
    }

    @Override
    public void subscriptionLost() {
        heard.add("lost");
    }

    @Override
    public void subscribed() {
        heard.add("subscribed");
    }
}
