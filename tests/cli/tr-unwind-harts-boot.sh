# SPDX-License-Identifier: Apache-2.0
# Each hart begins on a stack of its own, which is a thread: in M-mode, and in a kernel that
# each hart enters by mret, without a tp that names its threads. The second hart enters it
# while the first one waits in a task, whose stack is also a thread. No thread has more
# cycles than the run.
build() { # NAME
	riscv64-unknown-elf-gcc -g -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -ffreestanding -nostdlib \
		-fno-optimize-sibling-calls -T "$SRC/sim/target/firmware/firmware.ld" -Wl,--defsym=harts=2 -O1 \
		-o "$1.elf" "$1.S" "$1.c" || exit
	tr-capture -- soc-model --harts 2 "$1.elf" | tr-match --bins "$1.elf" | tr-unwind -o "$1.tr"
	echo "$1: $(tr-info "$1.tr" | awk '$1 == "unwind_doubted_cycles" { print $2 }') cycles in doubt"
	run=$(tr-info "$1.tr" | awk '$1 == "cycles" { print $2; exit }')
	tr-fold --by thread "$1.tr" > "$1.folded"
	sed 's/ [0-9]*$//' "$1.folded"
	awk -v run="$run" '{ n = $NF; sub(/;.*/, ""); sum[$0] += n }
		END { for (t in sum) if (2 * sum[t] > run) print t, "has", sum[t], "of", run / 2 }' "$1.folded"
}

cat > machine.S << 'END2'
	.section .text.start, "ax"
	.globl _start
_start:	csrr t0, mhartid
	la sp, stack_top
	slli t1, t0, 10
	sub sp, sp, t1
	bnez t0, 1f
	call first
	li t0, 0x100000
	li t1, 0x5555
	sw t1, (t0)
1:	call second
2:	j 2b
END2
cat > machine.c << 'END2'
volatile unsigned sink;
__attribute__((noinline)) void work(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
void first(void) { work(3000); sink = 0; }
void second(void) { for (;;) work(100); }
END2
build machine

cat > kernel.S << 'END2'
	.section .text.start, "ax"
	.globl _start, go_to
	.type _start, @function
_start:	csrr a0, mhartid
	la sp, stack_top
	slli t1, a0, 11
	sub sp, sp, t1
	call start
	.size _start, . - _start
	.type go_to, @function
go_to:	addi sp, sp, -112		# go_to(&from, to): as a kernel's switch
	sd ra, (sp)
	.irp n, 0, 1, 2, 3, 4, 5
	sd s\n, 8 + 8 * \n(sp)
	.endr
	sd sp, (a0)
	mv sp, a1
	ld ra, (sp)
	.irp n, 0, 1, 2, 3, 4, 5
	ld s\n, 8 + 8 * \n(sp)
	.endr
	addi sp, sp, 112
	ret
	.size go_to, . - go_to
END2
cat > kernel.c << 'END2'
void go_to(unsigned long **from, unsigned long *to);
static unsigned long stack[2][256] __attribute__((aligned(16))), *task[2], *loop[2];
volatile unsigned sink, up;
__attribute__((noinline)) void work(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
void first(void) { for (;;) { up = 1; work(500); go_to(&task[0], loop[0]); } }
void second(void) { for (;;) { work(300); go_to(&task[1], loop[1]); } }
__attribute__((noinline)) void scheduler(unsigned hart)
{
	for (int i = 0; hart || i < 6; i++) {
		work(100);
		go_to(&loop[hart], task[hart]);
	}
}
void kernel(unsigned hart)
{
	while (hart && !up) ;
	scheduler(hart);
	*(volatile unsigned *)0x100000 = 0x5555;
}
void start(unsigned hart)
{
	task[hart] = &stack[hart][256 - 14];
	task[hart][0] = (unsigned long)(hart ? second : first);
	asm volatile("csrw pmpaddr0, %0; csrw pmpcfg0, %1" : : "r"(-1UL >> 10), "r"(15UL));
	asm volatile("csrw mepc, %0; csrc mstatus, %1; csrs mstatus, %2" : : "r"(kernel), "r"(0x1800UL), "r"(0x800UL));
	asm volatile("mv a0, %0; mret" : : "r"((unsigned long)hart) : "a0");
}
END2
build kernel
