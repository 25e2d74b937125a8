-- Stores what a load has brought, if nothing came first.
-- KEYS: value, record, generation
-- ARGV: token, epoch, order, flags, costs, payload, fresh ms, stale ms, channel, message
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local clock = time[1] * 1000000 + time[2]

local generation = redis.call('GET', KEYS[3])
local record = redis.call('HMGET', KEYS[2], 'e', 'g', 's', 't', 'y')
local ours = record[4] == ARGV[1]
local order = tonumber(ARGV[3])
local stored = tonumber(record[3] or '0')

if not generation or record[1] ~= ARGV[2] or record[2] ~= generation or stored > order then
  if ours then
    redis.call('HDEL', KEYS[2], 't', 'd', 'y')
  end
  return {clock, 'R'}
end
if stored == order then
  return {clock, 'S'}
end

local fresh = tonumber(ARGV[7])
if fresh > 0 then
  local soft = now + fresh
  local hard = soft + tonumber(ARGV[8])
  local entry = '\192\1' .. ARGV[4] .. '\0' .. struct.pack('>I8I8I8', now, soft, hard)
      .. ARGV[5] .. ARGV[1] .. generation .. ARGV[6]
  redis.call('SET', KEYS[1], entry, 'PX', string.format('%.0f', hard - now))
else
  redis.call('DEL', KEYS[1])
end
redis.call('HSET', KEYS[2], 's', ARGV[3])
redis.call('HDEL', KEYS[2], 'n', 'f', 'm')
local again = ours and record[5]
if ours then
  redis.call('HDEL', KEYS[2], 't', 'd', 'y')
end
redis.call('PUBLISH', ARGV[9], ARGV[10])
return {clock, again and 'A' or 'S'}
