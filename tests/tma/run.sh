#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks the results of `make tma` in the folder $1, of the benchmarks that follow: each
# benchmark built for a class loses more than half of its lost cycles to it, the functions
# add up to the whole, and out of order the slots of dispatch too; the formulas are wrong
# where and as expected.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit
passed=0 failed=0
# The classes that the benchmarks must have, the number of columns class.*, and of slots in a cycle
expected=tests/tma/expected.txt columns=19 width=1
[ "${TMA_CORE:-inorder}" = inorder ] || expected=tests/tma/expected-ooo.txt columns=24 width=4

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

# The counters of the core over the window equal the same tree, but for slots of the cycles in which it
# begins and ends, fewer than there are in a cycle: the trace has those behind its first instruction and
# not those behind its last one, the counters have all of the last cycle alone.
as_counted() { # BENCHMARK
	awk 'FNR == 1 { file++ }
	file == 1 && /^$/ { part = 1 }
	file == 1 && !part && FNR > 1 { n = $1; sub(/^ *[0-9]+ +[0-9.]+ +[0-9.]+ +/, ""); sub(/.*: /, ""); tree[$0] = n }
	file == 2 && FNR == 3 { columns = split($0, label, ",") }
	file == 2 && FNR == 8 { split($0, first, ",") }
	file == 2 { line = $0 }
	# Adds up by how many slots a count is above that of the tree, and below it.
	function compare(count, of) {
		if (count > of)
			above += count - of
		else
			below += of - count
	}
	END {
		split(line, last, ",")
		for (i = 1; i <= columns; i++) {
			count = last[i] - first[i]
			if (label[i] == "instructions_retired")
				retired = count
			else if (label[i] == "class.none")
				compare(none = count, tree["retiring"])
			else if (label[i] == "class.other")
				bad = bad || count
			else if (split(label[i], of, ".") == 3 && of[1] == "class")
				compare(count, tree[of[3]] + 0)
			classes += label[i] ~ /^class/
		}
		exit bad || above >= width + tree["not traced"] || below >= width || retired != none || classes != wanted
	}' wanted=$columns width=$width "$results/$1.txt" "$results/$1.csv"
}

# The slots of dispatch are four in each cycle, and commit retires what the counter counts.
dispatch_adds_up() { # BENCHMARK
	awk -F, 'FNR == 3 { for (i = 1; i <= NF; i++) column[$i] = i }
	FNR == 8 { split($0, first) }
	FNR > 8 { split($0, last) }
	function count(name) {
		if (!(name in column))
			exit bad = 1
		return last[column[name]] - first[column[name]]
	}
	END {
		slots = count("instructions_dispatched") + count("fetch_stall") + count("recovery") + count("backend_stall")
		exit bad || slots != 4 * count("local_cycle") || count("instructions_retired") != count("class.none") ||
			count("recovery_fetch") > count("recovery") || count("fetch_latency") > count("fetch_stall")
	}' "$results/$1.csv" && grep -q '^100.000 % of .* (4 a cycle.*) have a class' "$results/$1.txt"
}

# The reason for which a formula is outside both accounts, - if it is inside.
wrong_for() { # BENCHMARK FORMULA PART REASON
	"$results/../bin/tr-report" counters --formulas --format csv "$results/$1.csv" |
		awk -F, -v formula="$2" -v part="$3" -v reason="${4#-}" '
		NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i }
		$2 == part { seen = 1; ok = $column[formula "_because"] == reason }
		END { exit !(seen && ok) }'
}

results=$1
for name in "${@:2}"; do
	check "$name: the functions add up to the whole" adds_up "$name"
	check "$name: its counters are those of the trace" as_counted "$name"
	class=$(awk -v name="$name" '$1 == name { print $2 }' $expected)
	[ -z "$class" ] || check "$name: most is lost for $class" most "$name" "$class"
done
if [ "${TMA_CORE:-inorder}" != inorder ]; then
	for name in "${@:2}"; do check "$name: the slots of dispatch add up" dispatch_adds_up "$name"; done
	while IFS=$'\t' read -r name formula part reason; do
		[[ $name == \#* || " ${*:2} " != *" $name "* ]] ||
			check "$name: $formula, $part: $reason" wrong_for "$name" "$formula" "$part" "$reason"
	done < tests/tma/formulas-ooo.txt
fi
echo "tma: $passed passed, $failed failed"
[ "$failed" = 0 ]
