-- Stores a value and ends all loads under way. Comes it too late, it does nothing: a later invalidation may be over.
-- KEYS: value, record, generation
-- ARGV: token, flags, costs, payload, fresh ms, stale ms, new generation, not after ms, channel, message

if now > tonumber(ARGV[8]) then
  return {clock, 'L'}
end
local generation = redis.call('GET', KEYS[3])
if not generation then
  generation = ARGV[7]
  redis.call('SET', KEYS[3], generation)
end
store(KEYS[1], generation, ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5], ARGV[6])
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[9], ARGV[10])
return {clock, 'S'}
