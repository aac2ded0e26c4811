# SPDX-License-Identifier: Apache-2.0
# Functions of an interpreted language stand on the C function that interprets them, below all
# that it calls for them: their calls are those that the interpreter counts itself, and what
# they cost, alone and with what they call, is what the C functions cost without probes.
printf '%s\n' '.section .text.start, "ax"' '.globl _start' '_start: la sp, stack_top' 'call main' \
	'li t0, 0x100000' 'li t1, 0x5555' 'sw t1, (t0)' '1: j 1b' > start.S
for level in 0 2; do
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O$level -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-T "$SRC/sim/target/firmware/firmware.ld" -o tiny.elf start.S "$SRC/tests/interpreters/tiny.c" || exit
	soc-model --trace run.tr tiny.elf > counted
	[ $level = 0 ] || cat counted
	tr-replay --stream --probes "$SRC/tests/interpreters/tiny.probes" run.tr tiny.elf | tr-match --bins tiny.elf | tr-unwind > stacks.tr
	tr-report functions --format csv stacks.tr | awk -F, 'sub(/^tiny:/, "", $12) { sub(/ .*/, "", $12); print $12, $1 }' |
		sort > calls
	sort counted | diff - calls && echo "-O$level: calls as counted"
	tr-match --bins tiny.elf run.tr | tr-unwind | tr-fold | sort > plain
	tr-fold stacks.tr | sed 's/;tiny:[^;]*(tiny.c:[0-9]*)//g' |
		awk '{ sum[$1] += $2 } END { for (stack in sum) print stack, sum[stack] }' | sort | diff plain - &&
		echo "-O$level: cycles as without probes"
done
# -O2: chains of calls, and what the unwinder tells of them.
tr-fold stacks.tr | grep -o 'run;tiny:main.* ' | grep 'gen\|fails\|last\|less' | sort
