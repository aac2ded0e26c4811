-- SPDX-License-Identifier: Apache-2.0
-- The calls of golden/linux/lua: recursion, a tail call, an error, a coroutine, and callbacks.
local function fib(n) if n < 2 then return n end return fib(n - 1) + fib(n - 2) end
local function last(n) return fib(n) end
local function fails() error("deep") end
local function inner() coroutine.yield() return 1 end
local function outer() return 1 + inner() end
fib(7)
last(2)
pcall(fails)
local co = coroutine.wrap(outer)
co()
co()
local text = ("a b c"):gsub("%a", function(letter) return letter end)
local list = {3, 1, 2}
table.sort(list, function(a, b) return a < b end)
