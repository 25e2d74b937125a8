-- Stores what a load has brought, if nothing came first.
-- KEYS: value, record, generation
-- ARGV: token, epoch, order, flags, costs, payload, fresh ms, stale ms, channel, message

local generation = redis.call('GET', KEYS[3])
local record = redis.call('HMGET', KEYS[2], 'e', 'g', 's', 't', 'y', 'p')
local ours = record[4] == ARGV[1]
local order = tonumber(ARGV[3])
local stored = tonumber(record[3] or '0')

if not generation or record[1] ~= ARGV[2] or record[2] ~= generation or stored > order then
  if ours then
    redis.call('HDEL', KEYS[2], 't', 'd', 'y')
  end
  return {clock, 'R'}
end
-- Committed twice, and answered as before. By the commit id: a failover may have given one order to two.
if stored == order and redis.pcall('GETRANGE', KEYS[1], 52, 67) == ARGV[1] then
  return {clock, record[5] and tonumber(record[6]) == order and 'A' or 'S'}
end

local fits, refusal = pcall(store, KEYS[1], generation, ARGV[1], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8])
if not fits then
  -- The server is full. Nobody is to wait for a load that is over.
  if ours then
    redis.call('HDEL', KEYS[2], 't', 'd', 'y')
  end
  error(refusal, 0)
end
redis.call('HSET', KEYS[2], 's', ARGV[3])
redis.call('HDEL', KEYS[2], 'n', 'f', 'm')
local again = ours and record[5]
if ours then
  -- The dirty mark stays until the next lease, should this be committed again.
  redis.call('HDEL', KEYS[2], 't', 'd')
end
redis.call('PUBLISH', ARGV[9], ARGV[10])
return {clock, again and 'A' or 'S'}
