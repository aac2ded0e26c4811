# SPDX-License-Identifier: Apache-2.0
# A call that was left has no return: what is called later by the same instruction with the
# same sp is another call.
build() {
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib \
		-Wl,--no-warn-rwx-segments -T "$SRC/sim/target/firmware/firmware.ld" -o "$1.elf" "$1.c"
	soc-model --trace "$1.tr" "$1.elf"
}
cat > start.h << 'END'
#define KEEP __attribute__((noipa))
__asm__(".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\ncall main\n"
	"li t0, 0x100000\nli t1, 0x5555\nsw t1, (t0)\nspin: j spin\n.text\n");
END

# f() leaves by longjmp(); g() is called through the same pointer.
cat > jumps.c << 'END'
#include "start.h"
long environment[3];
__attribute__((returns_twice)) int set(long *);
__attribute__((noreturn)) void leave(long *);
__asm__("set: sd ra, 0(a0)\n sd sp, 8(a0)\n sd s0, 16(a0)\n li a0, 0\n ret\n"
	"leave: ld ra, 0(a0)\n ld sp, 8(a0)\n ld s0, 16(a0)\n li a0, 1\n ret\n");
volatile int sink;
KEEP int f(int x) { sink = x; leave(environment); }
KEEP int g(int x) { sink = x + 1; return x * 2; }
int (*volatile table[2])(int) = {f, g};
KEEP int call(int i, int x) { sink = table[i](x); return sink + 1; }
int main(void)
{
	if (!set(environment))
		call(0, 11);
	call(1, 22);
	return 0;
}
END
build jumps
tr-replay --probe 'f: jumps:f { x = x } f_returns: jumps:f:return { x = x; result = retval }
	g: jumps:g:return { x = x; result = retval }' jumps.tr jumps.elf | cut -d' ' -f 4-

# Tasks make system calls, all from one place. Task 1 waits in its call for all others, on
# a stack of its own. Tasks 2 to 4 have another stack one after the other: 2 and 3 end in
# their call.
cat > tasks.c << 'END'
#include "start.h"
void switch_to(long **from, long *to);
__asm__("switch_to: addi sp, sp, -32\n sd ra, 0(sp)\n sd s0, 8(sp)\n sd s1, 16(sp)\n sd sp, 0(a0)\n"
	"mv sp, a1\n ld ra, 0(sp)\n ld s0, 8(sp)\n ld s1, 16(sp)\n addi sp, sp, 32\n ret\n");
long stacks[2][256], *parked, *scheduler;
KEEP long sys_wait(long n) { switch_to(&parked, scheduler); return n + 100; }
KEEP long sys_exit(long n) { long *nowhere; switch_to(&nowhere, scheduler); return n; }
KEEP long sys_fork(long n) { return n * 10; }
long (*volatile calls[])(long) = {sys_wait, sys_exit, sys_exit, sys_fork}, number;
KEEP void task(void)
{
	calls[number - 1](number);
	sys_exit(-1);
}
KEEP void begin(long *stack)
{
	stack[252] = (long)task;
	switch_to(&scheduler, stack + 252);
}
int main(void)
{
	for (number = 1; number <= 4; number++)
		begin(stacks[number > 1]);
	switch_to(&scheduler, parked);
	return 0;
}
END
build tasks
tr-replay --probe 'exit: tasks:sys_exit { n = n } exit_returns: tasks:sys_exit:return { n = n; result = retval }
	wait: tasks:sys_wait:return { n = n; result = retval }
	fork: tasks:sys_fork:return { n = n; result = retval }
	switch: tasks:switch_to:return { }' tasks.tr tasks.elf | cut -d' ' -f 4-

# Assembly that sets ra and jumps, as in a trap handler: f() leaves, g() does not.
cat > dispatch.S << 'END'
	.section .text.start, "ax"
	.globl	_start, f, g, back
_start:	la	sp, stack_top
	la	s1, f
	la	s2, left
	j	go
left:	la	s1, g
go:	la	ra, back
	jr	s1
back:	la	t0, g
	bne	s1, t0, left
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b
	.type	f, @function
f:	li	a0, 1
	jr	s2
	.size	f, . - f
	.type	g, @function
g:	li	a0, 2
	ret
	.size	g, . - g
END
riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o dispatch.elf dispatch.S
soc-model --trace dispatch.tr dispatch.elf
tr-replay --probe 'f: dispatch:f { } f_returns: dispatch:f:return { a = reg("a0") } g: dispatch:g:return { a = reg("a0") }' \
	dispatch.tr dispatch.elf | cut -d' ' -f 4-
