package dev.corral.lab.chaos;

/** {@code SIGSTOP} of Redis: it takes connections and bytes, and answers nothing. Then {@code SIGCONT}. */
final class RedisFrozen extends RedisAway {
    RedisFrozen() {
        super(2);
    }

    @Override
    public String name() {
        return "Redis freezes under load and goes on (`SIGSTOP`, `SIGCONT`)";
    }

    @Override
    public String promise() {
        return "no errors; at most two time-outs of 1 s and the load, then no waiting;"
                + " 4 loads at once on a node, one per key and near TTL";
    }

    @Override
    void leave(ChaosRedis redis) {
        redis.stop();
    }

    @Override
    void comeBack(ChaosRedis redis) {
        redis.goOn();
    }
}
