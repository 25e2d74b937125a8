package dev.corral.lab.app;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * What an application process says about itself at {@code /metrics}.
 *
 * @param poolActive database connections in use now
 * @param poolWaiting requests waiting for one now
 * @param poolWaitingMax most requests waiting for one since the last reset
 * @param openRequests requests being served now
 * @param openRequestsMax most requests being served at once since the last reset
 * @param cpuMillis processor time used since the process started
 * @param cacheReads reads of the cache since the process started
 * @param cacheHits those of them answered at once
 * @param cacheLoads loads the cache ran in this process
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record AppMetrics(
        int poolActive,
        int poolWaiting,
        int poolWaitingMax,
        int openRequests,
        int openRequestsMax,
        long cpuMillis,
        long cacheReads,
        long cacheHits,
        long cacheLoads) {}
