# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Measurement functions of the bench: the best of several runs, and alternating pairs,
# because the machines are shared and their speed changes from minute to minute.
#
# A measurement that fails is the word `failed` instead of a number. All that is calculated
# with it is `failed` as well, and so is the verdict on its figure.
set -o pipefail # a pipe of which a part fails measures nothing

is_number() { [[ $1 =~ ^-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?$ ]]; }

# calculate FORMAT WORD...: the value of an expression, of which each number and each operator
# is a word. It is `failed` if one of the numbers or the value is not a number.
calculate() {
	local format=$1 word value
	shift
	for word; do
		[[ $word == [-+*/\<\>?:\(\)] ]] || is_number "$word" || { echo failed; return; }
	done
	value=$(awk "BEGIN { printf \"$format\", ($*) }" 2> /dev/null) && is_number "$value" || value=failed
	echo "$value"
}

# figure NAME VALUE UNIT [min|max LIMIT [LOW HIGH]]: short beyond the limit, with a spread
# from LOW to HIGH only if all of that is. It is `failed` if one of them is not a number, or
# VALUE is not positive.
figure() {
	local name=$1 value=${2:-failed} unit=$3 sense=${4:-} limit=${5:--} verdict=ok
	local low=${6-$2} high=${7-$2}
	if ! is_number "$value" || ! is_number "$low" || ! is_number "$high" ||
		{ [ -n "$sense" ] && ! is_number "$limit"; } ||
		! awk "BEGIN { exit !($value > 0 || ($value == 0 && ${from_zero:-0})) }"; then
		verdict=failed
	elif [ "$sense" = min ]; then
		awk "BEGIN { exit !($value < $limit && $high < $limit) }" && verdict=short
	elif [ "$sense" = max ]; then
		awk "BEGIN { exit !($value > $limit && $low > $limit) }" && verdict=short
	fi
	printf '%s\t%s\t%s\t%s\t%s%s\n' "$name" "$value" "$unit" "$limit" "$verdict" \
		"${6:+$(printf '\t%s-%s' "$low" "$high")}" | tee -a "$tsv"
}

# The same of a figure that may be 0.
figure_from_zero() { from_zero=1 figure "$@"; }

# Names the figures that are not ok, and returns 1 if there are such, or none at all.
end_figures() {
	awk -F '\t' '$5 != "ok" { others = others " " $1 }
		END {
			if (!NR) others = " there is no figure"
			if (others) print "bench: not ok:" others > "/dev/stderr"
			exit others != ""
		}' "$tsv"
}

# once WHAT COMMAND_LINE: its seconds; WHAT is %R (wall time) or %U (CPU time).
once() {
	local elapsed status=0
	elapsed=$({ TIMEFORMAT=$1; time bash -e -o pipefail -c "$2" > /dev/null 2>&1; } 2>&1) || status=$?
	if [ $status != 0 ]; then
		echo "bench: status $status: $2" >&2
		elapsed=failed
	fi
	echo "$elapsed"
}

lower() { calculate %s "$2" \< "$1" \? "$2" : "$1"; }
higher() { calculate %s "$2" \> "$1" \? "$2" : "$1"; }

# best WHAT COMMAND_LINE...: the least seconds of each, one a line; they take turns. The
# seconds of each round are a line of $out/rounds.
best() {
	local what=$1 i t least=() round
	shift
	: > "$out/rounds"
	for _ in $(seq "$runs"); do
		round=()
		for ((i = 1; i <= $#; i++)); do
			t=$(once "$what" "${!i}")
			least[i]=$(lower "${least[i]:-$t}" "$t")
			round+=("$t")
		done
		echo "${round[@]}" >> "$out/rounds"
	done
	printf '%s\n' "${least[@]}"
}

# compare NAME A B [min|max LIMIT [DIGITS]]: the figure of the least seconds of command A of
# the last `best` over those of B. Its spread is the middle half of the ratios of the rounds.
compare() {
	local value low high
	read -r value low high < <(awk -v a="$2" -v b="$3" -v digits="${6:-2}" '
		!($a + 0 > 0 && $b + 0 > 0) { failed = 1; exit }
		{ ratio[NR] = $a / $b
		  for (i = NR; i > 1 && ratio[i] < ratio[i - 1]; i--) {
			t = ratio[i]; ratio[i] = ratio[i - 1]; ratio[i - 1] = t }
		  if (NR == 1 || $a < x) x = $a
		  if (NR == 1 || $b < y) y = $b }
		END { if (failed || !NR) { print "failed failed failed"; exit }
		  f = "%." digits "f"
		  printf f " " f " " f "\n", x / y, ratio[int((NR + 3) / 4)], ratio[int((3 * NR + 3) / 4)] }' "$out/rounds")
	figure "$1" "$value" times "${4:-}" "${5:--}" "$low" "$high"
}

seconds() { best %R "$1"; }
ratio() { calculate "%.${3:-2}f" "$1" / "$2"; }
mega() { calculate "%.${3:-2}f" "$1" / "$2" / 1e6; }
info() { # TRACE KEY: the value that tr-info tells
	local value
	value=$("$bin/tr-info" "$1" | awk -v key="$2" '$1 == key && !n++ { print $2 }') && is_number "$value" || value=failed
	echo "$value"
}

# The prefix of a command whose instructions count, and the sum over all such processes of
# COMMAND_LINE, for each cycle from SHORT to LONG: %d in it is the number of cycles. The start
# does not count so.
counted="valgrind --tool=callgrind --callgrind-out-file=/dev/null"
per_cycle() { # SHORT LONG COMMAND_LINE
	local cycles sum status sums=()
	for cycles in "$1" "$2"; do
		status=0
		sum=$(bash -e -o pipefail -c "${3//%d/$cycles}" 2>&1 > /dev/null < /dev/null |
			awk '/ Collected : / { sum += $NF } END { if (sum) printf "%.0f", sum }') || status=$?
		if [ $status != 0 ]; then
			echo "bench: status $status: ${3//%d/$cycles}" >&2
			sum=failed
		fi
		sums+=("$sum")
	done
	calculate %.0f \( "${sums[1]}" - "${sums[0]}" \) / \( "$2" - "$1" \)
}
