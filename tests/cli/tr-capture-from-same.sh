# SPDX-License-Identifier: Apache-2.0
# A program by two sources, our own and a log of Spike's form, has the same stacks; by a
# source of addresses and time alone, the same instructions. Stacks in TracerV's form have
# the same cycles.
target=$SRC/build/target
for image in firmware supervisor demo; do cp "$target/$image.elf" .; done
printf '%s\n' 'firmware.elf firmware' 'supervisor.elf kernel' > bins.lst
sed "s,^,$target/," "$target/bins.lst" | grep -v 'firmware\|supervisor' >> bins.lst
soc-model --max-instructions 400000 --trace own.tr firmware.elf demo.elf < /dev/null > console.txt
tr-text --tokens own.tr > own.txt
awk -f "$SRC/tests/cli/data/logs/spike.awk" own.txt > spike.log
tracerv() {
	awk '$1 == "token" { for (i = 4; i <= NF; i++) if (sub(/^cycle=/, "", $i)) cycle = $i
		printf "Cycle: %016d I0: %s\n", cycle, substr("0000000000" substr($2, 3), length($2) - 1) }' |
		sed 's/I0: ffffff/I0: 000000/'
}
tracerv < own.txt > tracerv.log
stacks() { tr-match --bins bins.lst "$1" | tr-unwind | tr-fold; }
tr-capture -o spike.tr spike.log
tr-capture -o tracerv.tr tracerv.log
stacks own.tr > own.folded
stacks spike.tr 2>&1 | cmp - own.folded && echo "same stacks, $(grep -c ";\[" own.folded) with traps"
for stream in own spike tracerv; do tr-info $stream.tr | grep -E '^ +(instructions|cycles) '; done
tr-match --bins bins.lst own.tr | tr-unwind -o stacks.tr
tr-text stacks.tr | awk -f "$SRC/tests/cli/data/logs/stacks.awk" > indent.log
tr-capture indent.log | tr-fold | cmp - own.folded && echo "same stacks of $(wc -l < indent.log) lines"

# What the real Spike wrote, after the five instructions of its boot ROM.
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -g -nostdlib -nostartfiles \
	-T "$SRC/sim/target/firmware/firmware.ld" -o real.elf "$SRC/tests/cli/data/logs/spike-real.S"
tr-capture -o real.tr "$SRC/tests/cli/data/logs/spike-real.log"
n=$(tr-text --tokens real.tr | grep -c ^token)
soc-model --max-instructions $((n - 5)) --trace real-own.tr real.elf < /dev/null > console.txt 2>&1
for stream in real real-own; do
	tr-match --bins real.elf $stream.tr 2> /dev/null | tr-unwind | tr-fold > $stream.folded
done
diff real.folded real-own.folded
cat real-own.folded

# What the real Ibex wrote: its interrupts enter a table of jumps.
riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -g -nostdlib -nostartfiles \
	-T "$SRC/sim/target/firmware/firmware.ld" -o ibex.elf "$SRC/tests/cli/data/logs/ibex-real.S"
tr-capture "$SRC/tests/cli/data/logs/ibex-real.log" |
	tr-match --bins ibex.elf 2> /dev/null | tr-unwind | tr-fold

# What the real CVA6 wrote, for RV32: its two logs have the same instructions. They do
# not tell where an interrupt after a return came; after spike-dasm they are the same.
riscv64-unknown-elf-gcc -march=rv32imc_zicsr -mabi=ilp32 -g -nostdlib -nostartfiles \
	-T "$SRC/sim/target/firmware/firmware.ld" -o cva6.elf "$SRC/tests/cli/data/logs/cva6-real.S"
tr-capture --no-provenance -o cva6.tr "$SRC/tests/cli/data/logs/cva6-real.dasm"
tr-match --bins cva6.elf cva6.tr 2> /dev/null | tr-unwind | tr-fold
tr-capture --xlen 32 -o timed.tr "$SRC/tests/cli/data/logs/cva6-timed.dasm"
tr-info timed.tr | grep -E '^ +(instructions|cycles|cannot_supply) '
pcs() { tr-text --tokens "$1" | sed -n 's/^token \([^ ]* [^ ]*\) .*/\1/p'; }
cmp <(pcs cva6.tr) <(pcs timed.tr)
sed 's/DASM(.*/c.nop/' "$SRC/tests/cli/data/logs/cva6-real.dasm" > dasm.log
tr-capture --no-provenance dasm.log | tr-text --tokens | cmp - <(tr-text --tokens cva6.tr)
# Without bits, which some configurations of the core do not keep.
sed 's/(0x[0-9a-f]*) DASM.*/(0x00000000) DASM(00000000)/' "$SRC/tests/cli/data/logs/cva6-timed.dasm" > no-bits.log
tr-capture --xlen 32 no-bits.log | tr-match --bins cva6.elf 2> /dev/null | tr-info | grep -E 'cannot_supply|unknown'

# A short branch over a short instruction looks like a long instruction in a log of
# addresses.
cat > skip.S << 'END'
	.section .text.start, "ax"
	.globl _start
	.type _start, @function
_start:	la sp, stack_top
	li a0, 1
	call f
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
	.type f, @function
f:	addi sp, sp, -16
	sd ra, 8(sp)
	bnez a0, 1f
	ebreak
1:	call g
	ld ra, 8(sp)
	addi sp, sp, 16
	ret
	.type g, @function
g:	nop
	ret
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -g -nostdlib -nostartfiles \
	-T "$SRC/sim/target/firmware/firmware.ld" -o skip.elf skip.S
soc-model --trace skip-own.tr skip.elf < /dev/null > console.txt
tr-text --tokens skip-own.tr | tracerv | tr-capture --from tracerv -o skip.tr
for stream in skip-own skip; do
	tr-match --bins skip.elf $stream.tr 2> /dev/null | tr-unwind 2> /dev/null | tr-fold
done
