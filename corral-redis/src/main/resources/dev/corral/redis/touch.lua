-- Marks a load under way as begun before a change.
-- KEYS: record, generation

local record = redis.call('HMGET', KEYS[1], 't', 'd', 'g')
if not record[1] or tonumber(record[2]) <= now or record[3] ~= redis.call('GET', KEYS[2]) then
  return {clock, 0}
end
redis.call('HSET', KEYS[1], 'y', '1')
return {clock, 1}
