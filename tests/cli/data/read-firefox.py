# SPDX-License-Identifier: Apache-2.0
"""Reads a processed profile of the Firefox Profiler, checks its structure by the rules of
version 70 of the format, and prints its stacks as folded text, without the groups.

    read-firefox.py profile.json [--threads]
"""
import json
import sys
from collections import Counter

COLUMNS = {
    "stackTable": "frame prefixOffset",
    "frameTable": "address lib inlineDepth category subcategory func nativeSymbol "
                  "innerWindowID line column originalLocation",
    "funcTable": "name isJS relevantForJS resource source lineNumber columnNumber "
                 "originalLocation",
    "resourceTable": "name host type",
    "nativeSymbols": "libIndex address name functionSize",
    "sources": "id filename startLine startColumn sourceMapURL content",
    "sourceLocationTable": "source line column",
}
COLORS = ("transparent purple green orange yellow lightblue blue brown magenta red lightred "
          "darkgrey grey").split()


def need(condition, *what):
    if not condition:
        sys.exit("profile: " + " ".join(map(str, what)))


def check_table(name, table, columns):
    need(set(table) == set(columns.split()) | {"length"}, name, "has other columns:",
         sorted(set(table) ^ (set(columns.split()) | {"length"})))
    for column in columns.split():
        need(isinstance(table[column], list), name, column, "is no array")
        need(len(table[column]) == table["length"], name, column, "has another length")


def check_index(what, values, limit, none=()):
    for i, value in enumerate(values):
        need(value in none or (type(value) is int and 0 <= value < limit), what, i,
             "is out of range:", value)


def check_meta(profile):
    meta = profile["meta"]
    need(meta["preprocessedProfileVersion"] == 70, "version")
    need(meta["interval"] > 0, "interval")
    need(meta["stackwalk"] in (0, 1) and type(meta["processType"]) is int, "meta")
    need(type(meta["version"]) is int and isinstance(meta["product"], str), "meta")
    need(isinstance(meta["markerSchema"], list), "markerSchema")
    need(any(c["color"] == "grey" for c in meta["categories"]), "no default category")
    for category in meta["categories"]:
        need(category["color"] in COLORS, "colour", category["color"])
        need(category["subcategories"][0] == "Other", "subcategory")
    for section in meta["extra"]:
        for entry in section["entries"]:
            need(set(entry) == {"label", "format", "value"}, "extra")
    threads = len(profile["threads"])
    for key in ("initialVisibleThreads", "initialSelectedThreads"):
        check_index(key, meta[key], threads)
        need(bool(meta[key]) == bool(threads), key, "is empty")


def check_libs(libs):
    for lib in libs:
        for key in "arch name path debugName debugPath breakpadId".split():
            need(isinstance(lib[key], str), "lib", key)
        need(lib["codeId"] is None or isinstance(lib["codeId"], str), "codeId")


def check_shared(profile):
    shared = profile["shared"]
    need(set(shared) == set(COLUMNS) | {"stringArray"}, "shared")
    for name, columns in COLUMNS.items():
        check_table(name, shared[name], columns)
    need(all(isinstance(s, str) for s in shared["stringArray"]), "stringArray")
    strings, libs = len(shared["stringArray"]), len(profile["libs"])
    stacks, frames = shared["stackTable"], shared["frameTable"]
    funcs, resources = shared["funcTable"], shared["resourceTable"]
    check_index("stack's frame", stacks["frame"], frames["length"])
    for i, offset in enumerate(stacks["prefixOffset"]):
        need(type(offset) is int and 0 <= offset <= i, "prefixOffset", i, offset)
    check_index("frame's func", frames["func"], funcs["length"])
    check_index("frame's lib", frames["lib"], libs, (-1,))
    check_index("frame's category", frames["category"], len(profile["meta"]["categories"]))
    check_index("frame's address", frames["address"], 2**53, (-1,))
    check_index("func's name", funcs["name"], strings)
    check_index("func's resource", funcs["resource"], resources["length"], (-1,))
    check_index("resource's name", resources["name"], strings)
    parents = [i - offset if offset else None for i, offset in
               enumerate(stacks["prefixOffset"])]
    need(len(set(zip(stacks["frame"], parents))) == stacks["length"], "a stack occurs twice")
    need([shared["stringArray"][i] for i in resources["name"]] ==
         [lib["name"] for lib in profile["libs"]], "resources are not the libraries")
    need(set(funcs["isJS"] + funcs["relevantForJS"]) <= {False}, "JavaScript")


def check_thread(thread, stacks):
    for key in "processType processStartupTime processShutdownTime registerTime " \
               "unregisterTime pausedRanges name isMainThread pid tid samples markers".split():
        need(key in thread, "thread has no", key)
    need(isinstance(thread["pid"], str) and isinstance(thread["name"], str), "pid, name")
    samples = thread["samples"]
    need(samples["weightType"] == "samples", "weightType")
    columns = dict(samples)
    del columns["weightType"]
    check_table("samples", columns, "stack time weight")
    check_table("markers", thread["markers"], "data name startTime endTime phase category")
    check_index("sample's stack", samples["stack"], stacks, (None,))
    need(samples["time"] == sorted(samples["time"]), "times go back")
    need(samples["time"][:1] == [0], "the first time is not 0")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        profile = json.load(file)
    need(set(profile) == {"meta", "libs", "shared", "threads"}, "keys")
    check_meta(profile)
    check_libs(profile["libs"])
    check_shared(profile)
    shared = profile["shared"]
    stacks, frames, funcs = (shared[t] for t in ("stackTable", "frameTable", "funcTable"))
    sums = Counter()
    for thread in profile["threads"]:
        check_thread(thread, stacks["length"])
        interval, before = profile["meta"]["interval"], 0
        path, seen = [], set()
        for stack, time, weight in zip(*(thread["samples"][c]
                                         for c in ("stack", "time", "weight"))):
            need(abs(time - before * interval) <= 1e-9 * time, "time of a sample", time)
            before += weight
            names, last, path = [], path, []
            at = stack
            while at is not None:
                path.append(at)
                names.append(shared["stringArray"][funcs["name"][frames["func"][
                    stacks["frame"][at]]]])
                at = at - stacks["prefixOffset"][at] if stacks["prefixOffset"][at] else None
            # As in a flame graph, a frame is not left and entered again.
            need(not seen & set(path) - set(last), "a frame is in two places", names)
            need(stack not in seen, "a frame comes after its callees", names)
            seen |= set(path)
            need(bool(names) == bool(weight), "a sample without stack or weight")
            if names:
                sums[";".join(reversed(names))] += weight
        if "--threads" in sys.argv:
            print("thread", ascii(thread["name"]), sum(thread["samples"]["weight"]))
    for stack in sorted(sums, key=lambda s: s.encode()):
        print(ascii(stack), sums[stack])


main()
