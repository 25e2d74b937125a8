-- Deletes values and records of one bucket, and announces each.
-- KEYS: value, record, value, record, ...
-- ARGV: channel, message, message, ...
local time = redis.call('TIME')
local clock = time[1] * 1000000 + time[2]

redis.call('DEL', unpack(KEYS))
for i = 2, #ARGV do
  redis.call('PUBLISH', ARGV[1], ARGV[i])
end
return {clock}
