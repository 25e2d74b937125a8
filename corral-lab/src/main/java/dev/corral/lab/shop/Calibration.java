package dev.corral.lab.shop;

import java.time.Duration;
import java.util.List;

/**
 * What the query costs on this machine, and with how much data.
 *
 * @param queryAlone Q: the median of {@code runs}, each with nothing else running
 * @param runs the runs, in their order
 * @param lines order lines in the shop
 * @param window how far back the query looks
 */
public record Calibration(Duration queryAlone, List<Duration> runs, int lines, Duration window) {}
