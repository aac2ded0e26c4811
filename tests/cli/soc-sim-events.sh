# SPDX-License-Identifier: Apache-2.0
# Events of the core: the relations that their sums must satisfy among each other and with
# the trace, with and without skipped cycles; of the demo, and of a program with floating
# point.
. "$SRC/tests/cli/soc-model.inc"
images="$SRC/build/target/firmware.elf $SRC/build/target/demo.elf"
run() {
	# shellcheck disable=SC2086 # images are words
	soc-sim --no-provenance --max-cycles 400k --counters all "$@" $images > console
}
run --counters-every 10k --counters-csv all.csv --trace run.tr
run --counters-every 10k --counters-csv every.csv --no-skip
cmp all.csv every.csv

# value NAME: the counter's value in the last row.
value() {
	awk -F, -v name="$1" '
		/^label/ { for (i = 3; i <= NF; i++) if ($i == name) column = i }
		END { print column ? $column : "no " name }' all.csv
}
same() { # WHAT A B
	if [ "$2" = "$3" ]; then echo "$1: the same"; else echo "$1: $2, $3"; fi
}
sum() {
	local n=0 name
	for name; do n=$((n + $(value "$name"))); done
	echo $n
}
total() { tr-text run.tr | sed -n "s/^end $1=//p"; }
# kinds of instructions of F and D
floats='fp_load fp_store fp_add fp_mul fp_fma fp_div_sqrt fp_other'
relations() {
	local cycles name n
	cycles=$(total cycles)
	same 'retired and the trace' "$(value instructions_retired)" "$(total instructions)"
	same 'retired and class.none' "$(value instructions_retired)" "$(value class.none)"
	same 'retired by kind' "$(value instructions_retired)" \
		"$(sum load store amo system arith branch jal jalr mul div $floats)"
	same 'exceptions and the trace' "$(value exception)" "$(tr-text run.tr | grep -c '^trap')"
	# There are fewer if a load faults whose result an instruction waits for.
	[ "$(sum load_use_interlock csr_interlock)" -ge "$(value class.core.load-use)" ] || echo 'too few interlocks'
	same 'L1D and its classes' "$(value dcache_blocked)" "$(sum class.memory.l2 class.memory.dram)"

	# Each cycle has one class, the same as in the trace.
	awk -F, -v cycles="$cycles" '
		/^label/ { for (i = 3; i <= NF; i++) if ($i ~ /^class\./) column[i] = $i }
		FNR > 7 { sum = 0; for (i in column) sum += $i; if (sum != $1) print "row " $1 ": " sum " classes" }
		END { print "classes and cycles: " (sum == cycles ? "the same" : sum ", " cycles) }' all.csv
	tr-text --tokens run.tr | awk -F '[ =/*]' '
		/^header classes/ { n = split($0, names, /[=,]/) - 1 }
		/^(token|trap)/ {
			for (i = 2; i <= NF; i++) if ($i == "cycles") break
			rest = $0; sub(/.* cycles=[0-9]*/, "", rest); sub(/ .*/, "", rest)
			runs = split(rest, run, "/")
			for (i = 2; i <= runs; i++) { split(run[i], of, "*"); lost[names[of[1] + 1]] += of[2] }
		}
		END { for (name in lost) print "class." name, lost[name] }' | sort > lost
	while read -r name n; do same "$name" "$n" "$(value "$name")"; done < lost
}
relations

# Decode stage, cycle by cycle: at most one of these events, and each occurs.
awk -F, '
	/^label/ { for (i = 3; i <= NF; i++) if ($i ~ /^(instructions_issued|load_use_interlock|csr_interlock|fetch_stall|recovery)$/) column[i] = $i }
	FNR > 8 { sum = 0; for (i in column) sum += $i - last[i]; if (sum > $1 - cycle) print "cycle " $1 ": " sum " at once" }
	{ cycle = $1; for (i in column) last[i] = $i }
	END { for (i in column) if (last[i] == 0) print "never " column[i] }' <(
	soc-sim --no-provenance --max-cycles 20k --counters all --counters-every 1 --counters-csv /dev/stdout $images 2>&1)

# Floating point: 100 times the same, with a trap.
program a.elf << END
.globl _start
_start:	li t0, 0x6000; csrs mstatus, t0
	la t0, trap; csrw mtvec, t0
	la s11, data; li s10, 100
	li t0, 3; fcvt.d.w fs0, t0
1:	fld fa0, (s11); fsw fa0, 8(s11); fsd fa0, 16(s11); flw fa1, 8(s11); flw fa2, 8(s11)
	fadd.d fa0, fs0, fs0; fsub.d fa1, fa0, fs0; fadd.s fa2, fa2, fa2; fmul.d fa3, fs0, fs0
	fmadd.d fa4, fs0, fs0, fs0; fnmsub.d fa4, fs0, fs0, fa4
	fdiv.d fa5, fs0, fa1; fmv.d fa6, fa5; fsqrt.d fa5, fs0; fmin.d fa6, fa5, fa5
	csrr t0, fflags; fcvt.w.d t0, fs0; feq.d t1, fs0, fs0; ecall
	addi s10, s10, -1; bnez s10, 1b
	$off
.balign 4
trap:	csrr t0, mepc; addi t0, t0, 4; csrw mepc, t0; fmv.x.d t0, fs0; mret
.balign 64
data:	.skip 64
END
images='--isa rv64gc a.elf'
run --counters-every 10k --counters-csv all.csv --trace run.tr
run --counters-every 10k --counters-csv every.csv --no-skip
cmp all.csv every.csv
relations
for name in $floats; do echo "$name: $(value "$name")"; done
[ "$(value fp_interlock)" -gt 0 ] || echo 'no fp_interlock'
