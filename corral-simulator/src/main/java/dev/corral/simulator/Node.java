package dev.corral.simulator;

import dev.corral.Cache;
import dev.corral.CacheBuilder;
import dev.corral.CacheEvent;
import dev.corral.Corral;
import dev.corral.EarlyRefresh;
import dev.corral.LoadLimiter;
import dev.corral.Strategy.Who;
import dev.corral.spi.Platform;
import java.time.Duration;

/** One incarnation of an application's process: a machine, its way to the store, its cache. */
final class Node {
    final int index;
    final Life life;
    final Machine machine;
    final Link link;
    final LoadLimiter limiter;
    final Cache<String, Row> cache;
    final Loads loads;

    Node(int index, int incarnation, World world, Server server, Database database, History history) {
        Scenario scenario = history.scenario;
        this.index = index;
        this.life = new Life("node" + index + (incarnation == 0 ? "" : "." + incarnation));
        this.machine = new Machine(world, life, scenario);
        Platform platform = machine.platform();
        this.link = new Link(machine, platform, server, history);
        this.limiter = LoadLimiter.of(scenario.permits(), scenario.queue());
        this.loads = new Loads(this, world, database, history);
        this.cache = builder(scenario, platform).build(loads::load);
        loads.nestedReads(cache);
    }

    private CacheBuilder<String, Row> builder(Scenario scenario, Platform platform) {
        CacheBuilder<Object, Object> builder = Corral.newBuilder("rows")
                .platform(platform)
                .store(link)
                .limit(limiter)
                .strategy(scenario.strategy())
                .expireAfterWrite(scenario.ttl())
                .jitter(scenario.jitter())
                .serveStaleWhileRefreshing(scenario.staleWhileRefreshing())
                .serveStaleOnError(scenario.staleOnError())
                .waitTimeout(scenario.patient())
                .maximumLoadTime(scenario.maximumLoad())
                .lease(scenario.lease())
                .pollInterval(scenario.poll())
                .nestedWait(Duration.ofMillis(300))
                .backOff(scenario.backOff(), scenario.backOff().multipliedBy(4))
                .storeTimeout(scenario.storeTimeout())
                .earlyRefresh(scenario.adaptive() ? EarlyRefresh.adaptive() : EarlyRefresh.xfetch());
        Duration soft = scenario.soft();
        Duration hard = scenario.hard();
        Duration near = scenario.near();
        if (soft != null) {
            builder.softTimeout(soft);
        }
        if (hard != null) {
            builder.hardTimeout(hard);
        }
        if (near != null) {
            builder.near(options -> options.maximumSize(10_000).expireAfter(near));
        }
        if (scenario.strategy().who() == Who.JOB) {
            builder.precompute(job -> job.keys(Scenario.WATCHED));
        }
        builder.onEvent(this::happened);
        CacheBuilder<String, Row> typed =
                builder.keyType(String.class).expireAfter((String key, Row row) -> scenario.ttl());
        return scenario.bulkLoader() ? typed.bulkLoader(loads::loadAll) : typed;
    }

    private void happened(CacheEvent event) {
        if (!life.isDead()) {
            loads.heard(event);
        }
    }

    /** The faults are over. */
    void heal() {
        link.onStep = () -> {};
        link.up.heal();
        link.down.heal();
        link.news.heal();
        machine.heal();
    }

    boolean isAlive() {
        return !life.isDead();
    }

    @Override
    public String toString() {
        return life.name;
    }
}
