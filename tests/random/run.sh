#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs random programs: run.sh "SIMULATOR COMMAND" FIRST_SEED COUNT INSTRUCTIONS
#
# The program is the last argument of the command; it must end with status 0 and print
# nothing on standard output. The seeds of seeds.txt come first. A failure is reduced:
# chunks, iterations, repetitions and operations are omitted as long as it fails in the
# same way, that is with the same status and, except for numbers, the same first line on
# standard error. Prints one paragraph per failure, then a summary.
#
# Variables: RANDOM_PROGRAM is the generator, RANDOM_WORK the folder for files, RANDOM_MIX
# the subject of the programs, RANDOM_TIMEOUT seconds per program, RANDOM_JOBS the number
# of parallel jobs, RANDOM_FAILURES the number of failures after which to stop,
# RANDOM_SEEDS another file of seeds (/dev/null: none), RANDOM_SHRINK=0 disables
# reduction.
set -u -o pipefail
export LC_ALL=C
here=$(dirname "$0")
program=${RANDOM_PROGRAM:-build/random/random-program}
work=${RANDOM_WORK:-build/random/work}
mix=${RANDOM_MIX:-all}
limit=${RANDOM_TIMEOUT:-60}
jobs=${RANDOM_JOBS:-1}
enough=${RANDOM_FAILURES:-3}
seeds=${RANDOM_SEEDS:-$here/seeds.txt}

if [ $# != 4 ] || [[ ! "$2$3$4" =~ ^[0-9]+$ ]]; then
	echo "usage: run.sh \"SIMULATOR COMMAND\" FIRST_SEED COUNT INSTRUCTIONS" >&2
	exit 2
fi
simulator=$1
if ! mkdir -p "$work" || [ ! -x "$program" ]; then
	echo "run.sh: $program: not there" >&2
	exit 2
fi

# Runs a program; prints nothing, or one line with the failure.
verdict() { # ELF
	local status=0 first
	# shellcheck disable=SC2086 # the command is words
	timeout -k 1 "$limit" $simulator "$1" > "$1.out" 2> "$1.err" < /dev/null || status=$?
	first=$(head -n 1 "$1.err" | sed -E 's/0x[0-9a-f]+/N/g; s/[0-9]+/N/g')
	case $status in
	0) [ ! -s "$1.out" ] || echo "printed something" ;;
	124 | 137) echo "no end in $limit s" ;;
	*) echo "status $status${first:+: $first}" ;;
	esac
}

# Generates and runs a program, using one slot of the files.
try() { # SLOT GENERATOR_OPTIONS...
	local elf=$work/$1.elf
	if ! "$program" "${@:2}" -o "$elf" 2> "$elf.err"; then
		echo "the generator failed: $(head -n 1 "$elf.err")"
		return
	fi
	verdict "$elf"
}

# Prints "0-2,5" for the numbers below $1 that are not among the others.
others() { # COUNT KEPT...
	seq 0 $(($1 - 1)) | awk -v kept=" ${*:2} " '
		function flush() { if (n) list = list (list ? "," : "") first (n > 1 ? "-" last : "") }
		index(kept, " " $1 " ") { next }
		n && $1 == last + 1 { last = $1; n++; next }
		{ flush(); first = last = $1; n = 1 }
		END { flush(); print list }'
}

# Finds a minimal subset of the numbers below COUNT with which TEST still succeeds; sets
# kept.
reduce() { # COUNT TEST
	local part size i rest
	# shellcheck disable=SC2207 # numbers
	kept=($(seq 0 $(($1 - 1))))
	for ((part = 2; ${#kept[@]} > 1; )); do
		size=$(((${#kept[@]} + part - 1) / part))
		for ((i = 0; i < ${#kept[@]}; i += size)); do
			rest=("${kept[@]:0:i}" "${kept[@]:i+size}")
			[ ${#rest[@]} != 0 ] && "$2" "${rest[@]}" && break
		done
		if [ "$i" -lt ${#kept[@]} ]; then
			kept=("${rest[@]}")
			part=$((part > 2 ? part - 1 : 2))
		elif [ "$size" = 1 ]; then
			break
		else
			part=$((part * 2 < ${#kept[@]} ? part * 2 : ${#kept[@]}))
		fi
	done
}

# Prints the number of operations of the largest chunk.
operations() { # GENERATOR_OPTIONS...
	"$program" "$@" --list | awk '!/skipped$/ && $6 > most { most = $6 } END { print most + 0 }'
}

shrink() { # KIND GENERATOR_OPTIONS...; sets small
	local kind=$1 count n list kept
	small=("${@:2}")
	count=$("$program" "${small[@]}" --list | wc -l)
	fails() { # MORE_OPTIONS...
		[ "$(try shrunk "${small[@]}" "$@")" = "$kind" ]
	}
	fails_with() { # CHUNKS...
		list=$(others "$count" "$@")
		fails ${list:+--skip "$list"}
	}
	fails_doing() { # OPERATIONS...
		list=$(others "$count" "$@")
		fails ${list:+--drop "$list"}
	}
	for ((n = 1; n <= 64; n *= 2)); do
		fails --iterations "$n" && small+=(--iterations "$n") && break
	done
	reduce "$count" fails_with
	list=$(others "$count" "${kept[@]}")
	small+=(${list:+--skip "$list"})
	for n in 1 2 3; do
		fails --repeats "$n" && small+=(--repeats "$n") && break
	done
	count=$(operations "${small[@]}")
	reduce "$count" fails_doing
	list=$(others "$count" "${kept[@]}")
	small+=(${list:+--drop "$list"})
}

report() { # KIND GENERATOR_OPTIONS...
	local kind=$1 name=$work/failed-$3 small
	echo "random: seed $3: $kind"
	echo "  repeat: $program ${*:2} -o x.elf; $simulator x.elf"
	[ "${RANDOM_SHRINK:-1}" = 1 ] || return
	shrink "$@"
	try shrunk "${small[@]}" > /dev/null
	mv "$work/shrunk.elf" "$name.elf"
	mv "$work/shrunk.elf.err" "$name.err"
	"$program" "${small[@]}" --list | grep -v 'skipped$' > "$name.chunks"
	riscv64-unknown-elf-objdump -d "$name.elf" > "$name.dis" 2> /dev/null
	echo "  shrunk: $program ${small[*]} -o x.elf; $simulator x.elf"
	echo "  see $name.elf, .dis, .err, .chunks"
}

# Prints the arguments of all programs, one per line: the stored seeds, then the new ones.
programs() { # FIRST COUNT INSTRUCTIONS
	local seed size about rest
	while read -r seed size about rest; do
		[[ $seed =~ ^[0-9]+$ ]] && echo "--seed $seed --instructions $size --mix $about"
	done < "$seeds"
	for ((seed = $1; seed < $1 + $2; seed++)); do
		echo "--seed $seed --instructions $3 --mix $mix"
	done
}

# Runs every jobs-th line from the first-th; reports failures on standard output.
lane() { # FIRST
	local line kind
	# shellcheck disable=SC2086 # options are words
	programs "${range[@]}" | awk -v n="$jobs" -v i="$1" 'NR % n == i % n' |
		while read -r line; do
			[ "$(grep -c . "$work/failures")" -lt "$enough" ] || break
			kind=$(try "lane$1" $line)
			[ -z "$kind" ] || printf '%s\t%s\n' "$kind" "$line" >> "$work/failures"
			echo 'ran'
		done | wc -l > "$work/lane$1.count"
}

range=("$2" "$3" "$4")
: > "$work/failures"
for ((i = 1; i <= jobs; i++)); do
	lane "$i" &
done
wait
ran=0
for ((i = 1; i <= jobs; i++)); do
	ran=$((ran + $(cat "$work/lane$i.count")))
done
failed=0
while IFS=$'\t' read -r kind line; do
	failed=$((failed + 1))
	# shellcheck disable=SC2086
	report "$kind" $line
done < "$work/failures"
echo "random: $ran programs of about $4 instructions, $failed failed"
[ "$failed" = 0 ] && [ "$ran" -gt 0 ]
