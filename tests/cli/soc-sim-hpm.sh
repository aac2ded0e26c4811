# SPDX-License-Identifier: Apache-2.0
# The value that software reads from an event counter equals the count taken outside the
# core in the same cycles, for each event alone and for several at once, in programs of
# random instructions, without floating point and with it.
. "$SRC/tests/cli/soc-model.inc"

names=(exception load store amo system arith branch jal jalr mul div
	fp_load fp_store fp_add fp_mul fp_fma fp_div_sqrt fp_other
	load_use_interlock long_latency_interlock csr_interlock icache_blocked dcache_blocked
	branch_miss target_miss flush - mul_div_interlock fp_interlock
	icache_miss dcache_miss dcache_release itlb_miss dtlb_miss
	instructions_issued fetch_stall recovery fence)
# selector N: the value of mhpmevent that selects names[N].
selector() {
	local set bit=$1 first=(0 18 29 34)
	for set in 3 2 1 0; do [ "$bit" -lt "${first[set]}" ] || break; done
	echo $((1 << (8 + bit - first[set]) | set))
}

one() {
	local r=() load=ld # s11 points to memory, s10 counts
	while [ ${#r[@]} -lt 4 ]; do r+=("x$((5 + RANDOM % 20))"); done
	[ $((RANDOM % 2)) = 0 ] || load=lw
	case $((RANDOM % 16)) in
	0 | 1) echo "andi x29, ${r[0]}, 0x7f8; add x29, x29, s11; ld ${r[1]}, (x29); add ${r[2]}, x29, ${r[3]}" ;;
	2 | 3) echo "slli x29, ${r[0]}, 3; and x29, x29, x31; add x29, x29, s11; $load ${r[1]}, (x29)" ;;
	4) echo "slli x29, ${r[0]}, 6; and x29, x29, x31; add x29, x29, s11; sd ${r[1]}, (x29)" ;;
	5) echo "slli x29, ${r[0]}, 12; and x29, x29, x31; add x29, x29, s11; sd ${r[1]}, (x29)" ;;
	6) echo "amoadd.d ${r[0]}, ${r[1]}, (s11)" ;;
	7) echo "lr.d ${r[0]}, (s11); sc.d ${r[1]}, ${r[2]}, (s11)" ;;
	8) echo "mul x28, ${r[0]}, ${r[1]}; add ${r[2]}, x28, ${r[3]}" ;;
	9) echo "divu x28, ${r[0]}, ${r[1]}; xor ${r[2]}, x28, ${r[3]}" ;;
	10) echo "csrr x28, mscratch; add ${r[0]}, x28, ${r[1]}" ;;
	11) echo "andi x28, ${r[0]}, $((1 << RANDOM % 4)); beqz x28, 1f; addi ${r[1]}, ${r[2]}, 77; 1:" ;;
	12) echo "call function$((RANDOM % 4))" ;;
	13) [ $((RANDOM % 4)) = 0 ] && echo ecall || echo "xori ${r[0]}, ${r[1]}, 99" ;;
	14) case $((RANDOM % 8)) in 0) echo fence.i ;; 1) echo sfence.vma ;; *) echo "sub ${r[0]}, ${r[1]}, ${r[2]}" ;; esac ;;
	15) echo "j 1f; .balign 64; 1: add ${r[0]}, ${r[1]}, ${r[2]}" ;;
	esac
}

# The same for F and D; fs0 and fs1 are operands throughout.
one_float() {
	local f=() i format=s width=w
	for i in 1 2 3; do f+=("f$((10 + RANDOM % 4))"); done
	[ $((RANDOM % 2)) = 0 ] || format=d width=d
	case $((RANDOM % 9)) in
	0) echo "andi x29, x$((5 + RANDOM % 20)), 0x7f8; add x29, x29, s11; fl$width ${f[0]}, (x29)" ;;
	1) echo "andi x29, x$((5 + RANDOM % 20)), 0x7f8; add x29, x29, s11; fs$width ${f[0]}, (x29)" ;;
	2) echo "fadd.$format ${f[0]}, ${f[1]}, fs0; fsub.$format ${f[1]}, ${f[0]}, fs1" ;;
	3) echo "fmul.$format ${f[0]}, ${f[1]}, fs1" ;;
	4) echo "fnmadd.$format ${f[0]}, ${f[1]}, fs0, ${f[2]}" ;;
	5) [ $((RANDOM % 4)) = 0 ] && echo "fdiv.$format ${f[0]}, fs0, fs1; fsqrt.$format ${f[1]}, ${f[2]}" ||
		echo "fmadd.$format ${f[0]}, fs1, fs0, ${f[2]}" ;;
	6) echo "fclass.$format x28, ${f[0]}; add x28, x28, x28" ;;
	7) echo "csrr x28, mscratch; fsgnj.$format ${f[0]}, ${f[1]}, ${f[2]}" ;;
	8) echo "fmin.$format ${f[0]}, ${f[1]}, ${f[2]}; csrr x28, fflags" ;;
	esac
}

# body SEED: instructions to which traps and functions return.
body() {
	RANDOM=$1
	echo 'li s10, 3; la s11, data; li x31, 0x1fff8; csrw mscratch, s11; la x29, trap; csrw mtvec, x29'
	for i in {5..24}; do echo "li x$i, $RANDOM$RANDOM"; done
	echo '2:'
	for i in {1..150}; do
		if [ -z "$isa" ] || [ $((RANDOM % 2)) = 0 ]; then one; else one_float; fi
	done
	echo 'addi s10, s10, -1; beqz s10, 3f; j 2b; 3:'
}

# check: compares the counter reads in a.tr with a.csv over the same cycles. A counter
# runs from its write to the cycle before it is read.
check() {
	tr-text --tokens a.tr | awk -v events="${chosen[*]}" '
		BEGIN { split(events, names) }
		/^hart/ { sub(/.*cycle=/, ""); now = $1 }
		/^(token|trap)/ { match($0, / cycles=[0-9]+/); now += substr($0, RSTART + 8, RLENGTH - 8) }
		# csrw mhpmcounterN, zero and csrr s?, mhpmcounterN
		$1 == "token" && $3 ~ /^b0[3-8]01073$/ { from[substr($3, 3, 1)] = now }
		$1 == "token" && $3 ~ /^b0[3-8]02[0-9a-f][7f]3$/ && substr($3, 3, 1) in from {
			n = substr($3, 3, 1); print names[n - 2], from[n], now - 1 }' > spans
	awk -F '[, ]' '
		FILENAME == "spans" { name[FNR] = $1; at[$2]; at[$3]; from[FNR] = $2; to[FNR] = $3; n = FNR; next }
		FILENAME == "console" { if (/^[0-9a-f]+$/) read[++reads] = $0; next }
		/^label/ { for (i = 3; i <= NF; i++) column[$i] = i }
		FNR > 7 && $1 in at { for (c in column) value[$1, c] = $column[c] }
		END {
			if (n != 6 || reads != 7 || read[7] + 0) print n " reads, " reads " shown, inhibited " read[7]
			for (i = 1; i <= n; i++) {
				counted = 0
				m = split(name[i], parts, "+")
				for (k = 1; k <= m; k++) counted += value[to[i], parts[k]] - value[from[i], parts[k]]
				if (sprintf("%010x", counted) != read[i])
					print name[i] ": " read[i] " read, " counted " counted in " from[i] " to " to[i]
				else if (counted) seen++
				else print name[i], "never"
			}
			print seen " agree"
		}' spans console a.csv
}

# run SEED N...: counts the events of these numbers in six counters; a + joins events of
# one counter.
run() {
	local seed=$1 i counter=3 part mask setup="" text
	shift
	chosen=()
	for i; do
		mask=0 text=
		for part in ${i//+/ }; do
			mask=$((mask | $(selector "$part")))
			text+=${text:++}${names[part]}
		done
		chosen+=("$text")
		setup+="li t0, $mask; csrw mhpmevent$counter, t0;"
		counter=$((counter + 1))
	done
	{
		echo '.option norvc; .globl _start; _start:'
		[ -z "$isa" ] || echo 'li t0, 0x6000; csrs mstatus, t0; li t0, 3; fcvt.d.w fs0, t0; fcvt.s.w fs1, t0'
		echo "$setup"
		for i in 3 4 5 6 7 8; do echo "csrw mhpmcounter$i, zero"; done
		body "$seed"
		for i in 3 4 5 6 7 8; do echo "csrr s$i, mhpmcounter$i"; done
		# No event is counted while the counter is inhibited.
		echo "li t0, 1 << 8; csrw mcountinhibit, t0; csrr s9, hpmcounter8"
		echo "nop; mul x28, s9, s9; add x28, x28, s9; csrr x28, hpmcounter8; sub s9, x28, s9"
		echo 'li s0, 0x10000000; li t0, 3; sb t0, 3(s0)'
		for i in 3 4 5 6 7 8 9; do echo "mv a0, s$i; call show"; done
		echo "$off"
		cat << END
show:	li t0, 36
1:	srl t1, a0, t0
	andi t1, t1, 15
	addi t2, t1, '0'
	sltiu t3, t1, 10
	bnez t3, 2f
	addi t2, t1, 'a' - 10
2:	lb t3, 5(s0)
	andi t3, t3, 0x20
	beqz t3, 2b
	sb t2, (s0)
	addi t0, t0, -4
	bgez t0, 1b
	li t2, '\n'
3:	lb t3, 5(s0)
	andi t3, t3, 0x20
	beqz t3, 3b
	sb t2, (s0)
	ret
.balign 4
trap:	csrrw x28, mepc, x28
	addi x28, x28, 4
	csrrw x28, mepc, x28
	mret
.balign 64
function0: ret
function1: nop; ret
.balign 4096
function2: ret
.skip 16384
function3: ld x28, (s11); ret
.balign 4096
data:
END
	} | program a.elf "-march=rv64ima${isa:+fd}_zicsr_zifencei"
	# shellcheck disable=SC2086 # no option, or two words
	soc-sim $isa --counters "$(tr ' +' '\n\n' <<< "${chosen[*]}" | sort -u | paste -sd,)" --counters-every 1 --counters-csv a.csv --trace a.tr a.elf > console
	check
}

for seed in 1 2 3; do
	isa=
	echo "seed $seed"
	run $seed 0 1 2 3 4 5
	run $seed 6 7 8 9 10 18
	run $seed 19 20 21 22 23 24
	run $seed 25 27 29 30 31 32
	run $seed 33 34 35 36 37 1+2+3+4+5+6+7+8+9+10
	isa='--isa rv64gc'
	run $seed 11 12 13 14 15 16
	run $seed 17 28 34 5 23 1+2+3+4+5+6+7+8+9+10+11+12+13+14+15+16+17
done
