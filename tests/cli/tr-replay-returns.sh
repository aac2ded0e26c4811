# SPDX-License-Identifier: Apache-2.0
# Calls that do not return: what is behind them, and who calls with their sp, is no return.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	li	s2, 3
1:	la	s3, 2f
	call	leaver
2:	call	behind
	la	s4, 3f
	mv	a0, s2
	call	maybe
	nop
3:	addi	s2, s2, -1
	bnez	s2, 1b
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
4:	j	4b
leaver:	mv	a0, s2
	call	leave
behind:	ret
END
cat > leave.c << 'END'
void leave(long n) { __asm__ volatile("jr s3" : : "r"(n)); __builtin_unreachable(); }
long maybe(long n) { if (n == 2) __asm__ volatile("jr s4"); return 2 * n; }
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o returns.elf start.S leave.c
soc-model --trace run.tr returns.elf
tr-replay --probe 'enter: returns:leave { n = arg0 }' --probe 'return: returns:leave:return { n = arg0 }' \
	--probe 'maybe: returns:maybe:return { n = arg0; result = retval }' run.tr returns.elf | cut -d' ' -f 2-

# Very many calls at once, two of each sp: the inner one ends first.
cat > deep.c << 'END'
#define KEEP __attribute__((noipa, optimize("O2")))
volatile long sink;
long outer(long n);
KEEP long inner(long n)
{
	long below = n ? outer(n - 1) : 0;
	sink = below;
	return below + 1;
}
KEEP long outer(long n) { return inner(n); }
int main(void) { sink = outer(40000); }
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: li sp, 0x88000000\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o deep.elf deep.c
soc-model --trace deep.tr deep.elf
timeout 20 tr-replay --probe 'inner: deep:inner:return { n = n; result = retval }' \
	--probe 'outer: deep:outer:return { n = n; result = retval }' deep.tr deep.elf |
	awk '{ line = $5 " " $6; want = "n=" int((NR - 1) / 2) " result=" int((NR + 1) / 2) }
		line == want && $4 == (NR % 2 ? "inner" : "outer") { n++ } END { print n " of " NR " returns in their order" }'
