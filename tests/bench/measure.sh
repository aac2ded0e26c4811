# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# How the bench measures: the best of some runs, and pairs that take turns, as
# the machines are shared and their speed changes from minute to minute.

# figure NAME VALUE UNIT [min|max LIMIT]
figure() {
	local name=$1 value=$2 unit=$3 sense=${4:-} limit=${5:--} verdict=ok
	case $sense in
	min) awk "BEGIN { exit !($value < $limit) }" && verdict=short ;;
	max) awk "BEGIN { exit !($value > $limit) }" && verdict=short ;;
	esac
	[ $verdict = ok ] || failed=1
	printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$value" "$unit" "$limit" "$verdict" |
		tee -a "$tsv"
}

# once WHAT COMMAND_LINE: its seconds, WHAT being %R (wall) or %U (of the processes).
once() {
	{ TIMEFORMAT=$1; time bash -o pipefail -c "$2" > /dev/null 2>&1; } 2>&1
}

lower() { awk "BEGIN { print ($2 < $1) ? $2 : $1 }"; }

# best WHAT COMMAND_LINE...: the least seconds of each, one a line; they take turns.
best() {
	local what=$1 i least=()
	shift
	for _ in $(seq "$runs"); do
		for ((i = 1; i <= $#; i++)); do
			least[i]=$(lower "${least[i]:-1e9}" "$(once "$what" "${!i}")")
		done
	done
	printf '%s\n' "${least[@]}"
}

seconds() { best %R "$1"; }
ratio() { awk "BEGIN { printf \"%.${3:-2}f\", $1 / $2 }"; }
mega() { awk "BEGIN { printf \"%.${3:-2}f\", $1 / $2 / 1e6 }"; }
info() { "$bin/tr-info" "$1" | awk -v key="$2" '$1 == key { print $2; exit }'; }
