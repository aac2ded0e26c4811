-- SPDX-License-Identifier: Apache-2.0
-- Calls of all kinds, which it counts itself by the line at which a function is defined:
-- recursion, tail calls, errors, coroutines, also of several functions, callbacks of C,
-- metamethods, closures, calls with many arguments.
local calls = {}
local function count()
  local line = debug.getinfo(2, "S").linedefined
  calls[line] = (calls[line] or 0) + 1
end

local function fib(n)
  count()
  if n < 2 then return n end
  return fib(n - 1) + fib(n - 2)
end
local function tail(n)
  count()
  if n == 0 then return 0 end
  return tail(n - 1)
end
local function other(n)
  count()
  return tail(n)
end
local function fails(n)
  count()
  if n == 0 then error("deep") end
  fails(n - 1)
end
local function deep(n)
  count()
  if n > 0 then return 1 + deep(n - 1) end
  return 0
end

fib(10)
tail(50)
for i = 1, 4 do other(i) end
for i = 1, 5 do pcall(fails, i) end
deep(150)

-- A coroutine that yields in a function of a function, and one that ends by an error.
local function inner(m)
  count()
  for i = 1, m do coroutine.yield(i) end
end
local function middle(m)
  count()
  inner(m)
  inner(m)
end
local outer = coroutine.wrap(function()
  count()
  middle(3)
  return "end"
end)
for i = 1, 7 do outer() end
local broken = coroutine.create(function()
  count()
  coroutine.yield()
  fails(2)
end)
coroutine.resume(broken)
coroutine.resume(broken)
-- Two that take turns.
local function turn(name)
  count()
  return coroutine.create(function()
    count()
    for i = 1, 3 do coroutine.yield(fib(i)) end
  end)
end
local one, two = turn("one"), turn("two")
while coroutine.resume(one) do coroutine.resume(two) end

-- Functions that C calls.
local text = ("hello wide world"):gsub("%w+", function(word)
  count()
  return word:upper()
end)
local list = {5, 2, 9, 1, 7, 3}
table.sort(list, function(a, b)
  count()
  return a < b
end)
local meta = {}
meta.__index = function(t, k)
  count()
  return k
end
meta.__add = function(a, b)
  count()
  return 1
end
meta.__call = function(self, n)
  count()
  return n
end
meta.__lt = function(a, b)
  count()
  return true
end
meta.__close = function()
  count()
end
local object = setmetatable({}, meta)
local sum = #object.foo + (object + object) + object(3)
local less = object < object
do local closed <close> = object end
local function many(...)
  count()
  return select("#", ...)
end
many(1, 2, 3)
many(table.unpack(list))
load("local count = ... count() return count")(count)

local lines = {}
for line in pairs(calls) do lines[#lines + 1] = line end
table.sort(lines)
for _, line in ipairs(lines) do print(line, calls[line]) end
