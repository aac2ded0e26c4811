# SPDX-License-Identifier: Apache-2.0
# Calls of all kinds: recursion, generators, exceptions, classes, decorators, comprehensions, calls
# by functions of C.
def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)

def gen(n):
    for i in range(n):
        yield i

def outer(n):
    yield from gen(n)

def fails(n):
    if n == 0:
        raise ValueError("deep")
    try:
        fails(n - 1)
    finally:
        pass

def deco(f):
    def wrapper(*args, **kwargs):
        return f(*args, **kwargs)
    return wrapper

@deco
def decorated(a, b=1):
    return a + b

class Thing:
    def __init__(self, n):
        self.n = n
    def __del__(self):
        self.n = None
    def __lt__(self, other):
        return self.n < other.n
    @property
    def value(self):
        return self.n
    def __getattr__(self, name):
        return name
    @classmethod
    def make(cls, n):
        return cls(n)

def key(x):
    return -x

def main():
    fib(12)
    sum(gen(10))
    list(outer(7))
    g = gen(5)
    next(g); next(g); g.close()
    for i in range(4):
        try:
            fails(i)
        except ValueError:
            pass
    for i in range(3):
        decorated(i, b=i)
    things = [Thing.make(i) for i in (3, 1, 2)]
    things.sort()
    [t.value for t in things]
    things[0].nothing
    del things
    sorted([5, 3, 8, 1], key=key)
    sorted(range(6), key=lambda x: x % 3)
    {x: fib(3) for x in range(3)}
    list(map(key, range(5)))
    eval("key(3)")
    exec("def inner():\n  return key(1)\ninner()")

main()
