#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Makes COUNT mutants of FILE... and counts those that running programs detects, as run.sh
# does for C. A change that causes a Verilator warning or gives identical C++ does not
# count.
#
#   CXX=... VERILATOR=... KNOWN=... HDL=... PEERS=... OBJECTS=... LDLIBS=... \
#       BENCH_VERILATOR=... BENCHES=... HDL_NAME=... OBJECTS_NAME=... \
#       tests/mutants/run-rtl.sh WORK PROGRAMS SEED COUNT KILLED FILE...
#
# VERILATOR is the command with its options, KNOWN the version for shorten.sh, HDL what it
# is to read, in that order, PEERS the C++ that includes what it writes, OBJECTS the rest of
# the simulator. A change of a file in HDL_NAME is first tested with the bench of the module NAME,
# for each NAME of BENCHES: these files under BENCH_VERILATOR, and OBJECTS_NAME. Then come the
# programs of first_programs().
# WORK holds the program `mutate`; PROGRAMS is for check-rtl.sh.
set -eu -o pipefail
shopt -s extglob
# shellcheck source=tests/mutants/draw.sh
. "$(dirname "$0")/draw.sh"

# Registers that begin as 0 all the same; see verilate().
ZERO='rst_nq|u_retire__DOT__rd_q|u_fma__DOT__valid_4_q|regs_q\[\w*\]|u_cover_\w*__DOT__(count_q|lanes_q|edges_q)(\[\w*\])?'

# Favours compile time, because a mutant does not run for long.
FLAGS="-std=gnu++17 -w -O1"

compile() { # DIRECTORY SOURCE OBJECT [FLAG...]
	# shellcheck disable=SC2086 # flags are words
	$CXX $CPPFLAGS -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 -I"$1" -I"$INCLUDE" \
		-I"$INCLUDE/vltstd" $FLAGS "${@:4}" -c -o "$3" "$2"
}

# Generates DIRECTORY/gen from the sources, with CHANGED in place of FILE. With
# power-up.cc registers start with random values, except inputs, the reset registered in
# soc.sv, because it is held, the registers x and f, which are 0 in the model, the number
# of the register that M may write before the reset, whether the FPU writes one then, and
# the counts of cover points.
verilate() { # DIRECTORY [FILE CHANGED]
	local sources=$HDL
	[ $# = 1 ] || sources=${sources//"$2"/"$3"}
	mkdir -p "$1/gen"
	# shellcheck disable=SC2086
	timeout 600 $VERILATOR --x-initial unique -Wall --Mdir "$1/gen" $sources > /dev/null 2>&1 ||
		return 1
	sed -i -E "/vlSelf->([a-z_]*_n?i|\w*__DOT__($ZERO)) = VL_RAND_RESET/s/VL_RAND.*/0;/" \
		"$1"/gen/*Slow.cpp
	sim/verilated/shorten.sh "$1/gen" "$KNOWN" > /dev/null 2>&1
}

# Two parts: code that runs every cycle, and code that runs at the start.
part() { # DIRECTORY fast|slow
	if [ "$2" = fast ]; then
		(cd "$1/gen" && ls Vsoc*__[0-9].cpp)
	else
		(cd "$1/gen" && find Vsoc*.cpp ! -name '*__[0-9].cpp')
	fi
}

same() { # DIRECTORY FILE...
	local directory=$1 file
	shift
	for file; do cmp -s "$directory/gen/$file" "$WORK/base/gen/$file" || return 1; done
}

# Reuses the objects of the base where nothing changed.
build() { # DIRECTORY
	local headers kind name again=
	headers=$(cd "$1/gen" && ls ./*.h)
	# shellcheck disable=SC2086 # names are words
	[ "$1" != "$WORK/base" ] && same "$1" $headers && again=1
	for kind in fast slow; do
		# shellcheck disable=SC2046
		[ -n "$again" ] && same "$1" $(part "$1" $kind) &&
			ln "$WORK/base/$kind.o" "$1/" && continue
		part "$1" $kind | sed 's/.*/#include "&"/' > "$1/$kind.cc"
		# shellcheck disable=SC2046 # one flag or none
		compile "$1/gen" "$1/$kind.cc" "$1/$kind.o" $([ $kind = fast ] || echo -O0)
	done
	for name in $PEERS; do
		kind=$(basename "$name" .cc)
		[ -n "$again" ] && ln "$WORK/base/$kind.o" "$1/" && continue
		compile "$1/gen" "$name" "$1/$kind.o"
	done
	# shellcheck disable=SC2086
	$CXX -o "$1/sim" "$1"/*.o "$WORK"/runtime/*.o $OBJECTS $LDLIBS
}

mutant() { # DIRECTORY
	mkdir "$1"
}

# Prints which programs use what is in the file, and hence run first.
first_programs() { # FILE
	case $1 in
	rtl/nic/*) echo 'nic-*' ;;
	rtl/mem/copy*) echo 'copy-*' ;;
	rtl/mem/dma*) echo '@(nic|copy)-*' ;;
	esac
}

# Returns whether a bench of the file fails with CHANGED in its place. No program runs on such a
# module faster.
bench_fails() { # DIRECTORY FILE CHANGED
	local bench hdl
	for bench in $BENCHES; do
		hdl=HDL_$bench
		[[ " ${!hdl} " != *" $2 "* ]] || ! one_fails "$bench" "$@" || return 0
	done
	return 1
}

one_fails() { # BENCH DIRECTORY FILE CHANGED
	local hdl=HDL_$1 objects=OBJECTS_$1 top=$1 name
	shift
	rm -rf "$1/bench"
	# shellcheck disable=SC2086
	timeout 600 $BENCH_VERILATOR --top-module "$top" --Mdir "$1/bench" ${!hdl//"$2"/"$3"} > /dev/null 2>&1 || return 1
	for name in "$1"/bench/Vdut*.cpp; do echo "#include \"$name\""; done > "$1/bench/dut.cc"
	compile "$1/bench" "$1/bench/dut.cc" "$1/bench/dut.o" -DVL_TIME_CONTEXT
	# shellcheck disable=SC2086
	$CXX -o "$1/bench/bench" "$1/bench/dut.o" ${!objects} -lpthread
	! (ulimit -t 60 && timeout 600 "$1/bench/bench" > /dev/null 2>&1)
}

verdict() { # FILE DIRECTORY AT LENGTH NEW FILE:NUMBER:_OLD_→_NEW
	local file reason
	file=$2/$(basename "$1")
	changed "$1" "$3" "$4" "$5" > "$file"
	verilate "$2" "$1" "$file" || { echo 'not accepted' && return; }
	diff -rq -x '*__ver*' -x '*.mk' "$2/gen" "$WORK/base/gen" > /dev/null &&
		echo 'same code' && return
	bench_fails "$2" "$1" "$file" 2> /dev/null && echo 'killed by the bench' && return
	build "$2" 2> /dev/null || { echo 'does not compile' && return; }
	if reason=$(tests/mutants/check-rtl.sh "$2" "$WORK/want" "$PROGRAMS" "$(first_programs "$1")" 2> /dev/null); then
		survival "$6"
	else
		echo "killed by $reason"
	fi
}

if [ "$1" = --one ]; then
	try_one "$2"
	exit
fi

WORK=$(cd "$1" && pwd) PROGRAMS=$(realpath "$2") seed=$3 count=$4 needed=$5
INCLUDE=$($VERILATOR --getenv VERILATOR_ROOT)/include
export WORK PROGRAMS INCLUDE
shift 5
rm -rf "$WORK"/{src,base,unchanged,runtime,want,verdicts,changes} "$WORK"/mutant-*
mkdir -p "$WORK"/{src/objects,base,runtime,want,verdicts}
# Copies everything that may change during the run.
# shellcheck disable=SC2086
cp --parents $HDL $PEERS sim/verilated/shorten.sh sim/*.h sim/*/*.h filters/lib/*/*.h tests/mutants/*.{sh,txt} "$WORK/src"
# Copies objects to a folder, and prints where they are.
keep() { # OBJECT...
	local object
	for object; do
		cp "$object" "$WORK/src/objects/${object//\//_}"
		echo "$WORK/src/objects/${object//\//_}"
	done | paste -sd ' '
}
# shellcheck disable=SC2086
OBJECTS=$(keep $OBJECTS)
for bench in $BENCHES; do
	objects=OBJECTS_$bench
	# shellcheck disable=SC2086
	export "$objects=$(keep ${!objects})"
done
export OBJECTS
# A file that only some programs use must have such.
for file; do
	early=$(first_programs "$file")
	while read -r name _; do
		# shellcheck disable=SC2053 # a pattern
		[[ $name == $early ]] && continue 2
	done < "$PROGRAMS"
	[ -z "$early" ] || { echo "mutants: no program is named $early, for $file" >&2; exit 2; }
done
"$WORK/mutate" "$seed" "$@" > "$WORK/changes"
cd "$WORK/src"
for name in verilated verilated_threads; do
	compile "$WORK" "$INCLUDE/$name.cpp" "$WORK/runtime/$name.o"
done
verilate "$WORK/base" && build "$WORK/base"
mkdir "$WORK/unchanged"
for bench in $BENCHES; do
	module=$(grep -oE "rtl/\S*/$bench\.sv" <<< "$HDL")
	if bench_fails "$WORK/unchanged" "$module" "$module" || [ ! -x "$WORK/unchanged/bench/bench" ]; then
		echo "mutants: without a change the bench of $module fails" >&2
		exit 2
	fi
done
reason=$(tests/mutants/check-rtl.sh --record "$WORK/base" "$WORK/want" "$PROGRAMS") || {
	echo "mutants: without a change fails: $reason" >&2
	exit 2
}
draw "$WORK/src/tests/mutants/run-rtl.sh" "$count" "$needed"
