package dev.corral.lab.chaos;

/** {@code kill -9} of Redis, and an empty one on the same port. */
final class RedisKilled extends RedisAway {
    RedisKilled() {
        super(0);
    }

    @Override
    public String name() {
        return "Redis is killed under load and started again, empty (`kill -9`)";
    }

    @Override
    public String promise() {
        return "no errors and no waiting but for the load; 4 loads at once on a node, one per key and near TTL";
    }

    @Override
    void leave(ChaosRedis redis) {
        redis.kill();
    }

    @Override
    void comeBack(ChaosRedis redis) {
        redis.start();
    }
}
