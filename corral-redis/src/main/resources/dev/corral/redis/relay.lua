-- Carries a write under another schema version over to this one, once for all nodes that have heard of it: a second time
-- would end the load that followed the first.
-- KEYS: value, record, event
-- ARGV: channel, message

if redis.call('SET', KEYS[3], '', 'NX', 'PX', 10000) then
  redis.call('DEL', KEYS[1], KEYS[2])
  redis.call('PUBLISH', ARGV[1], ARGV[2])
end
return {clock}
