# SPDX-License-Identifier: Apache-2.0
# Counters in windows: the difference of two rows of one window is what a run without
# triggers counts between these cycles, and nothing is counted between two windows. The
# CSV has its rows, and the trace its samples, where the trace has its windows.
. "$SRC/tests/cli/soc-model.inc"
program a.elf << END
.globl _start, f
_start:
	li s0, 3
	la s1, data
1:	jal f
	lw a2, (s1)
	addi s1, s1, 128
	addi s0, s0, -1
	bnez s0, 1b
	$off
f:	mul a0, a0, a1
	ld a3, 64(s1)
	add a3, a3, a0
	ret
.balign 64
data:
END
run() {
	soc-sim --counters l1d_refill,l1i_refill,uart_rx "$@" a.elf || echo "status $?"
}
run --counters-every 1 --counters-csv reference.csv

# cycles STREAM EVENT: the cycles at which the stream has such events.
cycles() {
	tr-text --tokens "$1" | awk -v kind="$2" '
		{ n = 0; for (i = 2; i <= NF; i++) if ($i ~ /^cycles=/) n = substr($i, 8) + 0 }
		$1 == "hart" { sub(/.* cycle=/, ""); now = $1 + 0 }
		$1 ~ /^(token|trap|gap)$/ { now += n }
		$1 == kind { printf " %d", now + (kind == "counters" ? n : 0) }
		END { print "" }'
}

# window EVERY OPTION...: prints the cycle and counted cycles of each row, and any wrong
# column.
window() {
	local every=$1
	shift
	echo "$*"
	run --counters-every "$every" --counters-csv a.csv --trace plain.tr "$@"
	run --counters-every "$every" --trace a.tr "$@"
	run --counters-every "$every" --counters-csv alone.csv "$@"
	cmp a.csv alone.csv
	awk -F, '
		FNR < 8 { next }
		NR == FNR { for (i = 3; i <= NF; i++) at[$1, i] = $i; next }
		{ printf " %d/%d", $1, $2 }
		rows++ {
			inside = $2 != counted
			if (inside && $2 - counted != $1 - before) printf " counted otherwise"
			for (i = 3; i <= NF; i++)
				if ($i - values[i] != (inside ? at[$1, i] - at[before, i] : 0)) printf " column %d is wrong", i
		}
		{ for (i = 3; i <= NF; i++) values[i] = $i; before = $1; counted = $2 }
		END { print "" }' reference.csv a.csv
	echo "samples:$(cycles a.tr counters)"
	echo "triggers:$(cycles plain.tr trigger)"
}

window 1k
window 100 --start cycle=250
window 100 --start cycle=250 --stop cycle=420
window 1k --start pc=f --stop insn=8082
window 1k --start pc=f --stop pc=f
window 50 --start insn=8082 --stop cycle=700
window 60 --start pc=f # asks again within the window
window 1k --start exit
window 1k --stop exit
window 100 --stop pc=f
window 1k --start pc=0x80001000
