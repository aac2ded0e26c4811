# SPDX-License-Identifier: Apache-2.0
"""Prints the cycles of each stack of an evented speedscope file, as folded lines: one for
each time between two events. Fails if an event goes back in time or does not nest."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    trace = json.load(file)
frames = trace["shared"]["frames"]
for profile in trace["profiles"]:
    assert profile["type"] == "evented" and profile["unit"] == "none", profile["name"]
    stack, at = [], profile["startValue"]
    for event in profile["events"]:
        assert event["at"] >= at, "time goes back"
        if stack and event["at"] > at:
            print(";".join(frames[frame]["name"] for frame in stack), event["at"] - at)
        at = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert stack.pop() == event["frame"], "a slice that does not nest"
    assert not stack and at <= profile["endValue"], "a slice does not end"
