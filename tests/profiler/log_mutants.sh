#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# log_mutants.sh FACTS PRINTED PROCESS GLOBAL: changes what follow-log and prof-log have printed, in
# one place at a time. log.awk, which finds nothing wrong in FACTS and PRINTED as they are, must see
# each of the changes, and so must log_sums.awk, which compares PROCESS with GLOBAL.
set -eu -o pipefail
folder=$(dirname "$0")
facts=$1 printed=$2 process=$3 global=$4
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# judge, sum FILE: with this one in place of the file of its name
judge() {
	awk -f "$folder/log.awk" "$([ "${1##*/}" = facts ] && echo "$1" || echo "$facts")" \
		"$([ "${1##*/}" = facts ] && echo "$printed" || echo "$1")" > "$work/said"
}
sum() {
	awk -f "$folder/log_sums.awk" "$([ "${1##*/}" = process ] && echo "$1" || echo "$process")" \
		"$([ "${1##*/}" = process ] && echo "$global" || echo "$1")" > "$work/said"
}
judge "$printed" && sum "$global" || { cat "$work/said" >&2; exit 1; }

seen=0 missed=0
# change NAME WHICH ACTION [FILE JUDGE]: does ACTION in the middle one of the lines that WHICH, both
# of awk, chooses.
change() {
	local file=${4:-facts} lines name
	name=$work/$file
	[ "$file" != printed ] || name=$work/${printed##*/}
	lines=$(awk "$2 { n++ } END { print n + 0 }" "${!file}")
	[ "$lines" -gt 0 ] || { echo "log_mutants: no line for: $1" >&2; exit 1; }
	awk -v middle=$(((lines + 1) / 2)) "$2 && ++n == middle { $3 } { print }" "${!file}" > "$name"
	if ${5:-judge} "$name"; then
		echo "log_mutants: not seen: $1"
		missed=$((missed + 1))
	else
		seen=$((seen + 1))
	fi
}

whole='$1 == "log" && $4 == "whole" && $13 ~ /^[0-9]+:[0-9]+:/'
change 'a call more in a log' "$whole" 'split($13, p, ":"); $13 = p[1] ":" p[2] + 1 ":" p[3]'
change 'a call less in a log' "$whole" 'split($13, p, ":"); $13 = p[1] ":" p[2] - 1 ":" p[3]'
change 'calls of another function' "$whole" 'split($13, p, ":"); $13 = p[1] + 1 ":" p[2] ":" p[3]'
change 'a function without its calls' "$whole" 'sub(/ [0-9]+:[0-9]+:[0-9]+/, "")'
change 'a sample more of a function' "$whole" 'split($13, p, ":"); $13 = p[1] ":" p[2] ":" p[3] + 1'
change 'a sample more of a process' "$whole" '$10++'
change 'a sample more of all' "$whole" '$11++'
change 'a lost sample more' "$whole" '$12++'
change 'a snapshot of another time' "$whole" '$6 += 1000000'
change 'a longer span' "$whole" '$7 += 1000000'
change 'a log of another process' "$whole" '$3++'
change 'an execution more' '$1 == "pass"' '$(NF) = $(NF) + 1'
change 'a function that was executed' '$1 == "pass"' '$8++'
change 'a pass less' '$1 == "pass"' 'next'
user='$1 == "sample" && $6 == "user"'
change 'a sample of another process' "$user" '$4++'
change 'a sample of another thread' "$user" '$5++'
change 'a sample of another mode' "$user" '$6 = "kernel"'
change 'a sample at another pc' "$user" '$7 = "1" $7'
change 'a sample at another time' "$user" '$8 += 10000'
change 'a sample of another hart' "$user" '$3++'
change 'a sample that was not read' "$user" 'next'
change 'a sample that was read twice' "$user" 'print'
change 'an interrupt that was not there' '$1 == "tick"' 'next'
change 'an interrupt more' '$1 == "tick"' 'print'
change 'an interrupt in another function' '$1 == "tick" && $9 >= 0' '$9++'
change 'a call more that was printed' '/,calls,/' 'split($0, c, ","); sub("," c[4] ",", "," c[4] + 1 ",")' printed
change 'a sample more that was printed' '/,calls,[1-9]/' 'split($0, c, ","); sub(",calls," c[6] ",", ",calls," c[6] + 1 ",")' printed
change 'a call more of a process' '$1 == "log"' 'split($13, p, ":"); $13 = p[1] ":" p[2] + 1 ":" p[3]' process sum
change 'a process less' '$1 == "log"' 'next' process sum
change 'a call more of all' '$1 == "log"' 'split($13, p, ":"); $13 = p[1] ":" p[2] + 1 ":" p[3]' global sum
change 'an execution more by a process' '$1 == "life"' 'split($5, p, ":"); $5 = p[1] ":" p[2] + 1' global sum
echo "log_mutants: $seen changes seen, $missed not"
[ "$missed" = 0 ]
