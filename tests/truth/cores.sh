#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs programs on both cores and compares their stacks, folded by instructions, byte for byte:
#
#	cores.sh BIN WORK STACKS OPTIONS RUN...
#
# BIN has soc-sim, soc-sim-ooo and the filters, OPTIONS are soc-sim's, in one word, as RUN is: the
# files that it runs, or before them the list of its binaries, NAME.lst. STACKS are those that are
# compared: `all`; `untimed`, without interrupts and what the supervisor measures at its start; or
# `user`, in U-mode alone, of each program of a kernel that takes turns by a timer.
#
# Programs whose path depends on time are in cores.txt: they must differ or, by chance, may.
set -uo pipefail
export LC_ALL=C
here=$(dirname "$0")
bin=$1 work=$2 stacks=$3 options=$4
shift 4
mkdir -p "$work"
failed=0 same=0 timed=()
: > "$work/same.folded"

fail() {
	echo "cores: $1: $2"
	failed=$((failed + 1))
}

keep_compared() {
	case $stacks in
	untimed) grep -v -e '\[[a-z ]*interrupt\]' -e ';timer_init[; ]' ;;
	user) grep '^U-mode;' ;;
	*) cat ;;
	esac
}

# run_and_fold NAME CORE: prints the exit status of the run.
run_and_fold() {
	local stem=$work/$1-$2 by=joined input=$here/../isa/$1.in status=0
	[ "$stacks" != user ] || by=privilege
	[ -e "$input" ] || input=/dev/null
	# shellcheck disable=SC2086 # options and files are words
	timeout -k 1 900 "$bin/soc-sim" --core "$2" $options --trace "$stem.tr" $files < "$input" > "$stem.txt" 2>&1 || status=$?
	"$bin/tr-match" --bins "$bins" "$stem.tr" 2> "$stem.log" | "$bin/tr-unwind" 2>> "$stem.log" |
		"$bin/tr-fold" --by $by --unit instructions 2>> "$stem.log" | keep_compared > "$stem.folded" || return
	rm "$stem.tr"
	echo "$status"
}

# compare_stacks NAME INORDER OOO
compare_stacks() {
	local reason
	reason=$(sed -n "s,^$1: ,,p" "$here/cores.txt")
	if ! cmp -s "$2" "$3"; then
		[ -z "$reason" ] || { timed+=("$1"); return; }
		fail "$1" 'the stacks are not the same:'
		diff "$2" "$3" | head -n 6 | cut -c1-300
	elif [ -n "$reason" ] && [ "${reason#by chance}" = "$reason" ]; then
		fail "$1" 'the stacks are the same, but by cores.txt the path depends on time'
	else
		same=$((same + 1))
		cat "$2" >> "$work/same.folded"
	fi
}

# compare_programs NAME INORDER OOO: of one run.
compare_programs() {
	local program
	for program in $(cut -d';' -f2 "$2" "$3" | sort -u); do
		grep -F "U-mode;$program;" "$2" > "$work/program-inorder.folded"
		grep -F "U-mode;$program;" "$3" > "$work/program-ooo.folded"
		compare_stacks "$1/$program" "$work/program-inorder.folded" "$work/program-ooo.folded"
	done
}

compare_run() {
	local inorder ooo compare=compare_stacks
	[ "$stacks" != user ] || compare=compare_programs
	inorder=$(run_and_fold "$1" inorder) && ooo=$(run_and_fold "$1" ooo) || { fail "$1" "no stacks: see $work"; return; }
	[ "$inorder" = "$ooo" ] || { fail "$1" "exit status $inorder in order, $ooo out of order"; return; }
	$compare "$1" "$work/$1-inorder.folded" "$work/$1-ooo.folded"
}

for run; do
	bins=${run%% *} files=$run
	[ "${bins%.lst}" = "$bins" ] || files=${run#* }
	name=$(basename "$run" .elf)
	compare_run "${name%-image}"
done
awk -v programs="$same" -v stacks="$stacks" -v timed="${timed[*]}" '{ n += $NF } END {
	printf "cores: %d programs, %d stacks, %d instructions (%s): the same on both cores%s\n", programs, NR, n, stacks,
		timed == "" ? "" : "; the path depends on time: " timed }' "$work/same.folded"
[ "$failed" = 0 ] && [ -s "$work/same.folded" ]
