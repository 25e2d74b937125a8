-- Stands before every script.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local clock = time[1] * 1000000 + time[2]

-- Writes an entry in its envelope, or leaves the key without one if it is fresh for zero time.
local function store(key, generation, token, flags, costs, payload, fresh, stale)
  if tonumber(fresh) > 0 then
    local soft = now + tonumber(fresh)
    local hard = soft + tonumber(stale)
    local entry = '\192\1' .. flags .. '\0' .. struct.pack('>I8I8I8', now, soft, hard)
        .. costs .. token .. generation .. payload
    redis.call('SET', key, entry, 'PX', string.format('%.0f', hard - now))
  else
    redis.call('DEL', key)
  end
end
