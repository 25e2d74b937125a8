-- Ends a load without a value; leaves a failure marker if there is a back-off.
-- KEYS: record, generation
-- ARGV: token, epoch, back-off ms, reason, failures, record ms, channel, message, order

local record = redis.call('HMGET', KEYS[1], 'e', 'g', 't', 'd', 's')
if record[1] == ARGV[2] and record[2] == redis.call('GET', KEYS[2]) then
  local leased = record[3] and tonumber(record[4]) > now
  local superseded = tonumber(record[5] or '0') > tonumber(ARGV[9])
  if not superseded and (not leased or record[3] == ARGV[1]) then
    redis.call('HDEL', KEYS[1], 't', 'd', 'y')
    local backOff = tonumber(ARGV[3])
    if backOff > 0 then
      redis.call('HSET', KEYS[1], 'n', ARGV[5], 'f', string.format('%.0f', now + backOff), 'm', ARGV[4])
      redis.call('PEXPIRE', KEYS[1], string.format('%.0f', backOff + tonumber(ARGV[6])))
    end
  end
end
redis.call('PUBLISH', ARGV[7], ARGV[8])
return {clock}
