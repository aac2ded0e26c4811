#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the results of `make tma` in the folder $1, of the benchmarks that follow: each
# benchmark built for a class loses more than half of its lost cycles to it, and the
# functions add up to the whole.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit
passed=0 failed=0
# The classes that the benchmarks must have, and the number of columns class.*
expected=tests/tma/expected.txt columns=19
[ "${TMA_CORE:-inorder}" = inorder ] || expected=tests/tma/expected-ooo.txt columns=24

check() { # NAME COMMAND...
	if "${@:2}"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "tma: $1: failed"; fi
}

most() { # BENCHMARK CLASS
	awk -v name="$1" -v class="$2" '$1 == name { seen = 1; ok = $(NF - 1) == class && $NF > 50 }
		END { exit !(seen && ok) }' "$results/classes.txt"
}

# The columns of classes equal the tree above them, and the cycles those of the trace.
adds_up() { # BENCHMARK
	awk '/^$/ { part = 1; next }
	part == 0 && FNR > 1 { n = $1; sub(/^ *[0-9]+ +[0-9.]+ +[0-9.]+ +/, ""); sub(/.*: /, ""); tree[$0] = n }
	part == 1 { sub(/^ +/, ""); columns = split($0, column, /  +/); part = 2; next }
	part == 2 && !/ % of / { self += $1; for (i = 1; i <= columns; i++) sum[column[i]] += $i }
	END {
		bad = !tree["all"] || self != tree["all"] || sum["retiring"] != tree["retiring"]
		for (name in sum)
			if (split(name, of, ".") == 2) {
				bad = bad || sum[name] != tree[of[2]]
				lost += sum[name]
			}
		exit bad || lost + tree["retiring"] + tree["not traced"] != tree["all"]
	}' "$results/$1.txt"
}

# The counters of the core over the window equal the same tree, but for slots at its end, which the
# trace has no token for.
as_counted() { # BENCHMARK
	awk 'FNR == 1 { file++ }
	file == 1 && /^$/ { part = 1 }
	file == 1 && !part && FNR > 1 { n = $1; sub(/^ *[0-9]+ +[0-9.]+ +[0-9.]+ +/, ""); sub(/.*: /, ""); tree[$0] = n }
	file == 2 && FNR == 3 { columns = split($0, label, ",") }
	file == 2 && FNR == 8 { split($0, first, ",") }
	file == 2 { line = $0 }
	# Whether a count is not that of the tree.
	function differs(count, of) { return count < of || count > of + tree["not traced"] }
	END {
		split(line, last, ",")
		for (i = 1; i <= columns; i++) {
			count = last[i] - first[i]
			if (label[i] == "class.none" || label[i] == "instructions_retired")
				bad = bad || differs(count, tree["retiring"])
			else if (label[i] == "class.other")
				bad = bad || count
			else if (split(label[i], of, ".") == 3 && of[1] == "class")
				bad = bad || differs(count, tree[of[3]] + 0)
			classes += label[i] ~ /^class/
		}
		exit bad || classes != wanted
	}' wanted=$columns "$results/$1.txt" "$results/$1.csv"
}

results=$1
for name in "${@:2}"; do
	check "$name: the functions add up to the whole" adds_up "$name"
	check "$name: its counters are those of the trace" as_counted "$name"
	class=$(awk -v name="$name" '$1 == name { print $2 }' $expected)
	[ -z "$class" ] || check "$name: most is lost for $class" most "$name" "$class"
done
echo "tma: $passed passed, $failed failed"
[ "$failed" = 0 ]
