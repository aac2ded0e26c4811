# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Measurement functions of the bench: the best of several runs, and alternating pairs,
# because the machines are shared and their speed changes from minute to minute.

# figure NAME VALUE UNIT [min|max LIMIT [LOW HIGH]]: short beyond the limit, with a spread
# from LOW to HIGH only if all of that is.
figure() {
	local name=$1 value=$2 unit=$3 sense=${4:-} limit=${5:--} verdict=ok
	local low=${6:-$2} high=${7:-$2}
	case $sense in
	min) awk "BEGIN { exit !($value < $limit && $high < $limit) }" && verdict=short ;;
	max) awk "BEGIN { exit !($value > $limit && $low > $limit) }" && verdict=short ;;
	esac
	[ $verdict = ok ] || failed=1
	printf '%s\t%s\t%s\t%s\t%s%s\n' "$name" "$value" "$unit" "$limit" "$verdict" \
		"${6:+$(printf '\t%s-%s' "$low" "$high")}" | tee -a "$tsv"
}

# once WHAT COMMAND_LINE: its seconds; WHAT is %R (wall time) or %U (CPU time).
once() {
	{ TIMEFORMAT=$1; time bash -o pipefail -c "$2" > /dev/null 2>&1; } 2>&1
}

lower() { awk "BEGIN { print ($2 < $1) ? $2 : $1 }"; }

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
			least[i]=$(lower "${least[i]:-1e9}" "$t")
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
		{ ratio[NR] = $b > 0 ? $a / $b : 0
		  for (i = NR; i > 1 && ratio[i] < ratio[i - 1]; i--) {
			t = ratio[i]; ratio[i] = ratio[i - 1]; ratio[i - 1] = t }
		  if (NR == 1 || $a < x) x = $a
		  if (NR == 1 || $b < y) y = $b }
		END { f = "%." digits "f"
		  printf f " " f " " f "\n", x / y, ratio[int((NR + 3) / 4)], ratio[int((3 * NR + 3) / 4)] }' "$out/rounds")
	figure "$1" "$value" times "${4:-}" "${5:--}" "$low" "$high"
}

seconds() { best %R "$1"; }
ratio() { awk "BEGIN { printf \"%.${3:-2}f\", $1 / $2 }"; }
mega() { awk "BEGIN { printf \"%.${3:-2}f\", $1 / $2 / 1e6 }"; }
info() { "$bin/tr-info" "$1" | awk -v key="$2" '$1 == key && !n++ { print $2 }'; }

# The prefix of a command whose instructions count, and the sum over all such processes of
# COMMAND_LINE, for each cycle from SHORT to LONG: %d in it is the number of cycles. The start
# does not count so.
counted="valgrind --tool=callgrind --callgrind-out-file=/dev/null"
per_cycle() { # SHORT LONG COMMAND_LINE
	local cycles sums=()
	for cycles in "$1" "$2"; do
		sums+=("$(bash -o pipefail -c "${3//%d/$cycles}" 2>&1 > /dev/null < /dev/null |
			awk '/ Collected : / { sum += $NF } END { printf "%.0f", sum }')")
	done
	awk "BEGIN { printf \"%.0f\", (${sums[1]} - ${sums[0]}) / ($2 - $1) }"
}
