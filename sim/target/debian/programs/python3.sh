# SPDX-License-Identifier: Apache-2.0
# Classes, generators, exceptions, JSON, regular expressions and modules in C. The modules
# in Python are compiled before, as the script of their package does.
cat > /work.py <<'END'
import collections, functools, hashlib, itertools, json, math, re, zlib

class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y
    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)
    def length(self):
        return math.hypot(self.x, self.y)

def numbers(seed):
    while True:
        seed = (seed * 1103515245 + 12345) % 2**31
        yield seed >> 16

@functools.lru_cache(maxsize=None)
def paths(x, y):
    return 1 if x == 0 or y == 0 else paths(x - 1, y) + paths(x, y - 1)

taken = list(itertools.islice(numbers(1), 1000))
total = functools.reduce(lambda a, b: a + b, (Point(n % 7, n % 11) for n in taken))
print("point", total.x, total.y, "%.6f" % total.length())
print("most common", collections.Counter(n % 13 for n in taken).most_common(2))
text = json.dumps({"numbers": sorted(taken), "nested": [{"n": n} for n in taken[:200]]})
assert json.loads(text)["numbers"] == sorted(taken)
print("json", len(text), hashlib.sha256(text.encode()).hexdigest()[:16])
print("ones", len(re.findall(r"\b1\d*1\b", text)), "packed", zlib.decompress(zlib.compress(text.encode())) == text.encode())
print("paths", paths(12, 12))
caught = 0
for n in taken[:500]:
    try:
        caught += [1, 2, 3][n % 5]
    except IndexError:
        caught += 100
print("caught", caught)
END
python3 -c 'import collections, functools, hashlib, itertools, json, math, re, zlib'
traced /usr/bin/python3 /work.py
