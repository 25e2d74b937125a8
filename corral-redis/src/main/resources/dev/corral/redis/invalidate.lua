-- Deletes values and records of one bucket, and announces each.
-- KEYS: value, record, value, record, ...
-- ARGV: channel, message, message, ...

redis.call('DEL', unpack(KEYS))
for i = 2, #ARGV do
  redis.call('PUBLISH', ARGV[1], ARGV[i])
end
return {clock}
