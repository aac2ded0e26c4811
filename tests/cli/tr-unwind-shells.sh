# SPDX-License-Identifier: Apache-2.0
# Threads of a kernel without probes: each is called after its first function above those
# that several begin with. One begins without such a shell, two share a function, in which
# they do different things.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	la	sp, stack_top
	call	begin
	.text
	.macro	each op
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 8 + 8 * \n(sp)
	.endr
	\op	ra, 0(sp)
	.endm
	.globl	jump, leap
	.type	jump, @function
jump:	addi	sp, sp, -112
	each	sd
	sd	sp, 0(a0)
	mv	sp, a1
	each	ld
	addi	sp, sp, 112
	ret
	.size	jump, . - jump
	.type	leap, @function	# a shell that does not stay
leap:	call	entry_of
	jr	a0
	.size	leap, . - leap
END
cat > kernel.c << 'END'
#define APART __attribute__((noipa, optimize("no-optimize-sibling-calls")))
enum { THREADS = 6 };
static struct { unsigned long *sp; void (*entry)(void); char stack[1024] __attribute__((aligned(16))); } threads[THREADS];
static unsigned now, turns;
volatile unsigned sink;
void jump(unsigned long **save, unsigned long *sp);
void leap(void);
APART void work(void) { sink++; sink++; sink++; }
APART void rest(void) { sink--; }
APART void yield(void)
{
	unsigned own = now;
	if (++turns == 400)
		*(volatile unsigned *)0x100000 = 0x5555;
	now = (now + 1) % THREADS;
	jump(&threads[own].sp, threads[now].sp);
}
APART void pump(void) { for (;;) { work(); yield(); } }
APART void valve(void) { for (;;) { for (int i = 0; i < 3; i++) work(); yield(); } }
APART void job(void) { for (;;) { for (int i = 0; i < 30; i++) if (now % 2) work(); else rest(); yield(); } }
APART void idle(void) { for (;;) { sink++; yield(); } }
APART void (*entry_of(void))(void) { return threads[now].entry; }
APART void run(void (*entry)(void)) { entry(); rest(); }
APART void shell(void) { rest(); run(entry_of()); for (;;) ; }
APART void begin(void)
{
	static void (*const entries[THREADS])(void) = {pump, valve, job, job, idle, pump};
	static unsigned long *boot;
	for (int i = 0; i < THREADS; i++) {
		threads[i].entry = entries[i];
		threads[i].sp = (unsigned long *)(threads[i].stack + 1024) - 14;
		threads[i].sp[0] = (unsigned long)(i < THREADS - 1 ? SHELL : pump);
	}
	jump(&boot, threads[0].sp);
}
END
for shell in shell leap; do
	echo "# $shell"
	riscv64-unknown-elf-gcc -march=rv64imac -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-DSHELL=$shell -T "$SRC/sim/target/firmware/firmware.ld" -o kernel.elf start.S kernel.c
	soc-model --trace run.tr kernel.elf
	for options in '' --lines --addresses; do
		tr-match --bins kernel.elf run.tr | tr-unwind $options -o stacks.tr
		tr-fold --by thread stacks.tr | sed 's/#.*//' | uniq | sort | uniq -c
	done
done
# Names are the same in text, and in a timeline.
tr-text stacks.tr | grep ^rename
tr-text stacks.tr | tr-text --encode | tr-text | cmp - <(tr-text stacks.tr) && echo 'the same text'
tr-timeline --format speedscope --by thread --quiet stacks.tr | grep -o '"name":"[a-z_]*#[0-9]*"' | sort
# A thread whose task is known has that name, others those of their functions.
tr-replay --stream --probe 'task: kernel:valve { stack = &threads[1].stack; stack_size = 1024; name = "valve task" }' run.tr kernel.elf |
	tr-match --bins kernel.elf | tr-unwind | tr-fold --by thread | sed 's/#.*//' | uniq | sort | uniq -c
# Names of threads that are not there, or cannot be.
printf '%s\n' 'header content=stacks' 'func f0 kind=program binary=p name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=a' 'rename t1 name=b' \
	'hart 0' 'srow n1 t0 cycles=10 instructions=1 fresh' 'end end=power-off' | tr-text --encode -o bad.tr
printf '%s\n' 'header content=stacks' 'func f0 kind=program binary=p name=p' 'node n1 parent=n0 func=f0' 'thread t0 name=a' 'rename t0 name="b;c"' \
	'hart 0' 'srow n1 t0 cycles=10 instructions=1 fresh' 'end end=power-off' | tr-text --encode -o bad.tr
# Tasks with and without names and numbers, and names that change later.
tr-text --encode -o names.tr "$SRC/tests/cli/data/stack-names.txt"
tr-fold --by thread names.tr
tr-fold --by process names.tr
