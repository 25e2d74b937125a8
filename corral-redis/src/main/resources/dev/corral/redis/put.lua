-- Stores a value and ends all loads under way. Comes it too late, it does nothing: a later invalidation may be over.
-- KEYS: value, record, generation
-- ARGV: token, flags, costs, payload, fresh ms, stale ms, new generation, not after ms, channel, message
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local clock = time[1] * 1000000 + time[2]

if now > tonumber(ARGV[8]) then
  return {clock, 'L'}
end
local generation = redis.call('GET', KEYS[3])
if not generation then
  generation = ARGV[7]
  redis.call('SET', KEYS[3], generation)
end
local fresh = tonumber(ARGV[5])
if fresh > 0 then
  local soft = now + fresh
  local hard = soft + tonumber(ARGV[6])
  local entry = '\192\1' .. ARGV[2] .. '\0' .. struct.pack('>I8I8I8', now, soft, hard)
      .. ARGV[3] .. ARGV[1] .. generation .. ARGV[4]
  redis.call('SET', KEYS[1], entry, 'PX', string.format('%.0f', hard - now))
else
  redis.call('DEL', KEYS[1])
end
redis.call('DEL', KEYS[2])
redis.call('PUBLISH', ARGV[9], ARGV[10])
return {clock, 'S'}
