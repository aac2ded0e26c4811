# SPDX-License-Identifier: Apache-2.0
# Names of fibers, which two harts run in turn without traps or tp, by their stacks alone: a
# fiber ends and another one gets its stack, and one changes its name. Each turn calls
# work() once, of 16 instructions: short 5 times, named 40, of which 19 as renamed, third 70
# and heir 50.
cat > start.S << 'END'
	.section .text.start, "ax"
	.globl	_start
_start:	csrr	a0, mhartid
	la	sp, boot_stacks
	addi	t0, a0, 1
	slli	t0, t0, 10
	add	sp, sp, t0
	call	begin
	.text
	.globl	jump		# jump(save, sp): leaves the fiber at *save, goes on at sp
	.type	jump, @function
jump:	addi	sp, sp, -112
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sd	s\n, 8 + 8 * \n(sp)
	.endr
	sd	ra, 0(sp)
	sd	sp, 0(a0)
	mv	sp, a1
	ld	ra, 0(sp)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	ld	s\n, 8 + 8 * \n(sp)
	.endr
	addi	sp, sp, 112
	ret
	.size	jump, . - jump
END
cat > fibers.c << 'END'
#include <stdatomic.h>
#define APART __attribute__((noipa))
struct fiber { unsigned long *sp; unsigned number, left; struct fiber *next; char name[12], *stack; unsigned long size; };
char boot_stacks[2][1024] __attribute__((aligned(16)));
static char stacks[3][1024] __attribute__((aligned(16)));
static struct fiber fibers[4], boot[2], *running[2], *ready, **last = &ready;
static unsigned ended;
static atomic_flag lock = ATOMIC_FLAG_INIT;
volatile unsigned sink;
void jump(unsigned long **save, unsigned long *sp);
static unsigned long hart(void) { unsigned long id; __asm__ volatile("csrr %0, mhartid" : "=r"(id)); return id; }
APART void work(void) { sink++; sink++; sink++; sink++; }
APART void call(struct fiber *f, const char *name) { for (unsigned i = 0; (f->name[i] = name[i]); i++) ; }
APART void run_next(struct fiber *next) { running[hart()] = next; }
static void take(void) { while (atomic_flag_test_and_set(&lock)) ; }
static void give(void) { atomic_flag_clear(&lock); }
static void put(struct fiber *f) { f->next = 0; *last = f; last = &f->next; }
/* The lock is taken; the fiber that goes on gives it back. */
static void leave(struct fiber *f)
{
	struct fiber *next = ready ? ready : &boot[hart()];
	if (ready && !(ready = ready->next)) last = &ready;
	run_next(next);
	if (next != f) jump(&f->sp, next->sp);
}
void body(void);
static void make(struct fiber *f, char *stack, unsigned number, const char *name, unsigned left)
{
	*f = (struct fiber){.number = number, .left = left, .stack = stack, .size = sizeof(stacks[0])};
	call(f, name);
	f->sp = (unsigned long *)(stack + f->size) - 14;
	f->sp[0] = (unsigned long)body;
	put(f);
}
void body(void)
{
	for (;;) {
		give();
		struct fiber *f = running[hart()];
		work();
		take();
		if (f->number == 2 && f->left == 20) call(f, "renamed");
		if (f->number == 3 && f->left == 60) make(&fibers[3], stacks[0], 4, "heir", 50);
		if (--f->left) put(f);
		else ended++;
		leave(f);
	}
}
void begin(unsigned long id)
{
	if (id == 0) {
		take();
		make(&fibers[0], stacks[0], 1, "short", 5);
		make(&fibers[1], stacks[1], 2, "named", 40);
		make(&fibers[2], stacks[2], 3, "third", 70);
		give();
	}
	for (;;) {
		take();
		if (ended == 4) *(volatile unsigned *)0x100000 = 0x5555;
		if (ready) leave(&boot[id]);
		give();
	}
}
END
riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
	-T "$SRC/sim/target/firmware/firmware.ld" -o fibers.elf start.S fibers.c
soc-sim --harts 2 --trace run.tr fibers.elf
# names NAME FIELDS: calls of work() by a probe with these fields. The fibers of the boot,
# of which there is one a hart, have no stack that is told.
names() {
	echo "# $1"
	tr-replay --stream --probe "switch: fibers:run_next / next->size / { $2 }" run.tr fibers.elf |
		tr-match --bins fibers.elf | tr-unwind -o "$1.tr" 2> doubt
	tr-fold --by thread --unit instructions "$1.tr" | sed -n 's/#[0-9]*;/#N;/; s/\([^;]*\).*;work \([0-9]*\)$/\1 \2/p' | sort |
		awk '{ printf "%s %.3f calls\n", $1, $2 / 16 }'
}
stack='next_stack = next->stack; next_stack_size = next->size; next_comm = next->name'
names name "$stack"
names number "next = next->number; $stack"
