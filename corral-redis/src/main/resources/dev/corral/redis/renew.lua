-- Prolongs the owner's lease.
-- KEYS: record, generation
-- ARGV: token, lease ms, record ms

local record = redis.call('HMGET', KEYS[1], 't', 'd', 'g')
if record[1] ~= ARGV[1] or tonumber(record[2]) <= now or record[3] ~= redis.call('GET', KEYS[2]) then
  return {clock, 0}
end
redis.call('HSET', KEYS[1], 'd', string.format('%.0f', now + tonumber(ARGV[2])))
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return {clock, 1}
