#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What the pipeline view of the out-of-order core shows of instructions whose way is known.
# window.sh BIN-FOLDER PROGRAM LATENCIES LATENCIES-SOURCE, for window.S and isa/ooo-latency.S
set -eu -o pipefail
export LC_ALL=C
bin=$1 program=$2 latencies=$3 source=$4
rows=$(dirname "$0")/rows.awk
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "view: $1" >&2; exit 1; }

# draw NAME SIMULATOR-OPTIONS PROGRAM: its trace and its rows, with and without skips.
draw() {
	local name=$1
	shift
	"$bin/soc-sim" --trace "$work/$name.tr" --kanata "$work/$name.kanata" "$@" > /dev/null
	"$bin/soc-sim" --no-skip --trace "$work/whole.tr" --kanata "$work/$name.whole" "$@" > /dev/null
	cmp "$work/$name.kanata" "$work/$name.whole" || fail "$name: other lines without skips"
	awk -v cores=ooo -f "$rows" "$work/$name.kanata" > "$work/$name.rows" || fail "$name: the log is not right"
	"$bin/tr-text" --tokens "$work/$name.tr" > "$work/$name.text"
	# All cycles are drawn: what retires is the trace.
	sed -n 's/^token 0x\([0-9a-f]*\) .* cycle=\([0-9]*\).*/\1 \2/p' "$work/$name.text" > "$work/tokens"
	awk '$3 == "retired" { print $2, $4 }' "$work/$name.rows" | cmp "$work/tokens" - ||
		fail "$name: the pipeline retires other instructions than the trace"
}

# ---------------------------------------------------------------- latencies

# The last of the four runs of each chain: its cycles and its instruction are those of the source.
draw latencies --isa rv64gc "$latencies"
sed -n 's/^\tTAKES\t[0-9]*, \([0-9]*\), .*/\1/p' "$source" > "$work/cycles"
awk -v cycles="$work/cycles" -v log_="$work/latencies.kanata" '
	function fail(what) { print "view: chain " chain ": " what > "/dev/stderr"; failed = 1; exit 1 }
	BEGIN {
		while ((getline line < cycles) > 0) takes[++chains] = line
		# csrr a1, mcycle and csrr a2, mcycle
		while ((getline line < log_) > 0) {
			split(line, field, "\t")
			if (field[1] == "L" && field[3] == 0) bits[field[2]] = substr(field[4], index(field[4], " ") + 1)
		}
	}
	$1 == "wait" { waits[$2] = waits[$2] " " $3; next }
	{ at[NR - 1] = $0; rows = NR }
	END {
		if (failed) exit 1
		for (i = 0; i < rows; i++) {
			split(at[i], field, " ")
			if (field[3] != "retired") continue
			if (bits[i] == "b00025f3") { n = 0; inside = 1; continue }
			if (bits[i] == "b0002673") { inside = 0; if (++runs % 4 == 0) check() }
			if (inside) row[n++] = i
		}
		if (runs != 4 * chains || chains < 9) fail(runs " runs of " chains " chains")
	}
	function start(i, stage, text) {
		text = at[i]
		if (!sub(".* " stage "@", "", text)) return -1
		return text + 0
	}
	function check(k) {
		chain++
		if (n != 64) fail(n " instructions")
		for (k = 0; k < n; k++) {
			# From its issue to its result, and to the issue of the next one, which waits for it
			if (start(row[k], "C") - start(row[k], "X") != takes[chain])
				fail("not " takes[chain] " cycles: " at[row[k]])
			if (k > 0 && start(row[k], "X") - start(row[k - 1], "X") != takes[chain])
				fail("not " takes[chain] " cycles after the one before: " at[row[k]])
			if (k > 0 && index(waits[row[k]] " ", " " row[k - 1] " ") == 0)
				fail("does not wait for the one before: " at[row[k]])
		}
	}' "$work/latencies.rows" || exit 1

# ---------------------------------------------------------------- the ways of instructions

draw window "$program"
riscv64-unknown-elf-nm "$program" | awk '{ sub(/^0*/, "", $1); print $3, $1 }' > "$work/symbols"
# rows_of LABEL: its rows. path_of LABEL: the stages of each, and its end.
rows_of() { awk -v label="$1" 'NR == FNR { if ($1 == label) pc = $2; next } $2 == pc' "$work/symbols" "$work/window.rows"; }
path_of() { rows_of "$1" | sed 's/ #.*//; s/@[0-9]*//g' | awk '{ for (i = 5; i <= NF; i++) printf "%s", $i; print " " $3 }' | xargs; }
# cycle_of LABEL STAGE|end [ROW]: where it begins the last time, in that row, the first or $.
cycle_of() {
	rows_of "$1" | sed -n "${3:-1}p" | awk -v stage="$2" 'stage == "end" { print $4; exit }
		{ for (i = 5; i <= NF; i++) if (index($i, stage "@") == 1) at = substr($i, length(stage) + 2); print at }'
}
# expect LABEL PATHS: those of its rows. expect_last LABEL PATH: that of the last one; those before
# were flushed.
expect() { [ "$(path_of "$1")" = "$2" ] || fail "$1: $(rows_of "$1") (not: $2)"; }
expect_last() { [[ "$(path_of "$1")" =~ ^([FDRXMC]+\ flushed\ )*"$2"$ ]] || fail "$1: $(rows_of "$1") (not: $2)"; }

# A jump that the predictor does not know: its target is fetched from DRAM.
expect first_jump 'FDRXC retired'
[ "$(cycle_of missing F)" = $(($(cycle_of first_jump X) + 1)) ] || fail 'missing: its block is requested in another cycle'
[ $(($(cycle_of missing D) - $(cycle_of missing F))) -gt 124 ] || fail 'missing: its block does not come from DRAM'

# The branch is issued in the cycle after the load has its data. What follows it is flushed at the
# end of that cycle, wherever it is, and its successor is fetched in the next one.
expect missing 'FDRXMXMC retired'
expect branch 'FDRXC retired'
expect wrong_done 'FDRXC flushed'
expect wrong_dependent 'FDRXC flushed'
expect wrong_load 'FDRXMXM flushed'
expect wrong_serial 'FDR flushed'
expect wrong_group 'FD flushed'
expect wrong_last 'F flushed'
expect_last right 'FDRXMC retired'
[ "$(cycle_of branch X)" = "$(cycle_of missing C)" ] || fail 'the branch does not issue when it can'
for label in wrong_done wrong_dependent wrong_load wrong_serial wrong_group wrong_last; do
	[ "$(cycle_of $label end)" = $(($(cycle_of branch X) + 1)) ] || fail "$label: flushed in another cycle"
done
[ "$(cycle_of right F '$')" = "$(cycle_of wrong_done end)" ] || fail 'the right path is fetched in another cycle'
# The line comes from DRAM; the load issues again with it.
took=$(($(cycle_of missing M) - $(rows_of missing | sed 's/.* M@\([0-9]*\) X.*/\1/')))
[ $took -gt 124 ] && rows_of missing | grep -q '# no data in cycle [0-9]*: miss' || fail "missing: $(rows_of missing)"

# The load is executed before the store, whose address shows that this was too early.
expect late 'FDRXMC retired'
expect early 'FDRXMC flushed FDRXMC retired'
expect user 'FDRXC flushed FDRXC retired'
[ "$(cycle_of early C)" -lt "$(cycle_of late M)" ] || fail 'the load is not early'
[ "$(cycle_of early end)" = $(($(cycle_of late M) + 1)) ] || fail 'the load is flushed in another cycle'
[ "$(cycle_of early F '$')" = "$(cycle_of early end)" ] || fail 'the load is fetched again in another cycle'
[ "$(cycle_of early X '$')" -gt "$(cycle_of late M)" ] || fail 'the load is early again'

# The memory port leaves a device to the head unit. Whatever is executed there leaves at its end.
expect_last device 'FDRXMRXM retired'
expect_last atomic 'FDRXM retired'
expect_last system 'FDRX retired'
rows_of device | grep -q '# no data in cycle [0-9]*: device' || fail "device: $(rows_of device)"
# A trap flushes its instruction, in the cycle that the trace tells.
expect_last trapping 'FDRX flushed'
expect trap 'FDRX retired'
expect_last behind 'FDRXC retired'
traps=$(awk '/^token/ { sub(/.* cycle=/, ""); now = $0 + 0 } /^trap/ { sub(/.* cycles=/, ""); print now + $0 }' "$work/window.text")
[ "$traps" = "$(cycle_of trapping end '$')" ] || fail "trapping: the trace has the trap in cycle $traps"
echo "view: $(wc -l < "$work/cycles") latencies, and the ways of $(grep -c '^expect[_a-z]* ' "$0") instructions"
