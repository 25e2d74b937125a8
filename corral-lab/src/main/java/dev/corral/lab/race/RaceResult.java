package dev.corral.lab.race;

import dev.corral.lab.shop.Calibration;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a race showed.
 *
 * @param ttl the TTL it was run with
 * @param versions of what took part, by name
 * @param counting how queries were counted
 * @param took the whole race, from the start of the servers
 */
public record RaceResult(
        RaceSettings settings,
        Calibration calibration,
        Duration ttl,
        Map<String, String> versions,
        String counting,
        List<StrategyResult> strategies,
        Duration took) {}
