# SPDX-License-Identifier: Apache-2.0
# count.py SCRIPT: runs the script, and prints how often each of its functions was called, as
# sys.setprofile() tells: "CALLS py:NAME (FILE:LINE)".
import sys

calls = {}


def profile(frame, event, argument):
    if event == "call":
        code = frame.f_code
        key = (code.co_qualname, code.co_filename.rpartition("/")[2], code.co_firstlineno)
        calls[key] = calls.get(key, 0) + 1


script = sys.argv[1]
with open(script) as file:
    code = compile(file.read(), script, "exec")
names = {"__name__": "__main__"}
sys.setprofile(profile)
exec(code, names)
sys.setprofile(None)
for (name, file, line), count in sorted(calls.items()):
    print(count, f"py:{name} ({file}:{line})")
