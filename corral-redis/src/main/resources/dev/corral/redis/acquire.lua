-- Asks for the right to load: hands a fresh entry over, says why not, or grants.
-- KEYS: value, record, generation
-- ARGV: token, lease ms, known commit id or '', new generation, new epoch, record ms, not after ms

-- Whoever asked has given up long ago: a lease would be nobody's.
if now > tonumber(ARGV[7]) then
  return {clock, 'L'}
end

local generation = redis.call('GET', KEYS[3])
if not generation then
  generation = ARGV[4]
  redis.call('SET', KEYS[3], generation)
end

-- The head alone tells whether the entry is worth its bytes. What readers would not read (Envelope.read says what that is)
-- is not fresh: nobody could do anything with it, and nothing would ever replace it.
local function isFresh(head)
  if type(head) ~= 'string' or #head < 76 or head:byte(1) ~= 192 or head:byte(2) ~= 1
      or head:sub(69, 76) ~= generation then
    return false
  end
  local written, soft, hard = struct.unpack('>I8I8I8', head, 5)
  return written > 0 and written <= soft and soft <= hard and hard < 9223372036854 and soft > now
end

local head = redis.pcall('GETRANGE', KEYS[1], 0, 75)
if isFresh(head) and head:sub(53, 68) ~= ARGV[3] then
  return {clock, 'F', redis.call('GET', KEYS[1])}
end

local record = redis.call('HMGET', KEYS[2], 'e', 'g', 'o', 't', 'd', 'n', 'f', 'm', 'p')
if not record[1] or record[2] ~= generation then
  redis.call('DEL', KEYS[2])
  redis.call('HSET', KEYS[2], 'e', ARGV[5], 'g', generation, 'o', '0', 's', '0')
  record = {ARGV[5], generation, '0', false, false, false, false, false, false}
end
local failures = tonumber(record[6] or '0')
local leased = record[4] and tonumber(record[5]) > now

if leased and record[4] == ARGV[1] then
  redis.call('HSET', KEYS[2], 'd', string.format('%.0f', now + tonumber(ARGV[2])))
  redis.call('PEXPIRE', KEYS[2], ARGV[6])
  return {clock, 'G', record[1], tonumber(record[9] or record[3]), failures}
end
if record[7] and tonumber(record[7]) > now then
  return {clock, 'W', tonumber(record[7]) - now, record[8]}
end
local lease = tonumber(ARGV[2])
if lease > 0 and leased then
  return {clock, 'B', tonumber(record[5]) - now}
end
local order = redis.call('HINCRBY', KEYS[2], 'o', 1)
if lease > 0 then
  redis.call('HSET', KEYS[2], 't', ARGV[1], 'd', string.format('%.0f', now + lease), 'p', order)
  redis.call('HDEL', KEYS[2], 'y')
end
redis.call('PEXPIRE', KEYS[2], ARGV[6])
return {clock, 'G', record[1], order, failures}
