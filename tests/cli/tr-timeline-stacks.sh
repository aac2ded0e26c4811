# SPDX-License-Identifier: Apache-2.0
# Bytes of the stacks of tasks that were never used, of an RTOS whose tasks fill them before:
# what they left as it was is the same. `upper` sets sp to the upper part of an address, as a
# restore of registers does that loads sp from a variable: it is in a stack, but no use of it.
cat > app.c << 'END'
typedef unsigned long word;
typedef struct tskTaskControlBlock {
	volatile word *pxTopOfStack; word *pxStack; char pcTaskName[16];
#ifdef RECORD
	word *pxEndOfStack;
#endif
} TCB_t;
TCB_t *volatile pxCurrentTCB;
enum { WORDS = 128 };
static word stacks[3][WORDS] __attribute__((aligned(4096)));
static TCB_t tasks[3], *chosen;
void jump(void *from, void *to);
__attribute__((noipa)) void vTaskSwitchContext(void) { pxCurrentTCB = chosen; }
static void go(TCB_t *from, TCB_t *to) { chosen = to; vTaskSwitchContext(); jump(from, to); }
/* Each call has a frame of 32 bytes, all of which it writes. */
void deep(word n);
__asm__(".text\n.type deep, @function\ndeep: addi sp, sp, -32\nsd ra, 24(sp)\nsd a0, 16(sp)\nsd zero, 8(sp)\nsd zero, 0(sp)\n"
	"addi a0, a0, -1\nbeqz a0, 1f\ncall deep\n1: ld ra, 24(sp)\naddi sp, sp, 32\nret\n.size deep, . - deep\n");
void upper(void);
__asm__(".balign 4096\n.type upper, @function\nupper: mv t0, sp\nauipc sp, %pcrel_hi(stacks)\nmv sp, t0\nret\n.size upper, . - upper\n");
__attribute__((noipa)) void state(const char *name, word left) { asm volatile("" ::"r"(name), "r"(left)); }
static void finish(void)
{
	for (int i = 0; i < 3; i++) {
		word left = 0;
		while (left < WORDS && stacks[i][left] == 0xa5a5a5a5a5a5a5a5) left++;
		state(tasks[i].pcTaskName, left * sizeof(word));
	}
	*(volatile unsigned *)0x100000 = 0x5555;
}
/* The deepest call of `deep` is in its first turn, that of `later` in its last. */
static void first(void) { deep(20); go(&tasks[0], &tasks[1]); deep(3); go(&tasks[0], &tasks[1]); finish(); }
static void second(void) { deep(2); go(&tasks[1], &tasks[2]); deep(11); go(&tasks[1], &tasks[2]); }
static void third(void) { upper(); go(&tasks[2], &tasks[0]); go(&tasks[2], &tasks[0]); }
void begin(void)
{
	static void (*const bodies[])(void) = {first, second, third};
	static const char names[3][16] = {"deep", "later", "flat"};
	static TCB_t boot;
	for (int i = 0; i < 3; i++) {
		for (int k = 0; k < WORDS; k++) stacks[i][k] = 0xa5a5a5a5a5a5a5a5;
		word *sp = stacks[i] + WORDS - 14;
		sp[0] = (word)bodies[i];
		tasks[i].pxTopOfStack = sp, tasks[i].pxStack = stacks[i];
#ifdef RECORD
		tasks[i].pxEndOfStack = stacks[i] + WORDS - 1;
#endif
		for (int k = 0; k < 16; k++) tasks[i].pcTaskName[k] = names[i][k];
	}
	pxCurrentTCB = &tasks[0];
	extern void xPortStartScheduler(void *);
	xPortStartScheduler(&boot);
}
__attribute__((noipa)) void xPortStartScheduler(void *boot) { jump(boot, pxCurrentTCB); }
END
. "$SRC/tests/cli/rtos-jump.inc"
for option in '' -DRECORD; do
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf $option jump.S app.c
	soc-model --trace run.tr app.elf
	tr-replay --probe 'state: app:state { name = str(arg0); left = arg1 }' run.tr app.elf |
		sed 's/.*name="\(.*\)" left=\(.*\)/\1,\2/' | sort > stated
	tr-replay --stream --probes "$SRC/filters/lib/probe/freertos.probes" run.tr app.elf | tr-match --bins app.elf | tr-unwind -o stacks.tr
	tr-timeline --table stacks stacks.tr
	tr-timeline --table stacks --format csv stacks.tr | awk -F, 'NR > 1 { print $5 "," $2 }' | sort > measured
	cat stated
	cmp stated measured && echo 'the table has the same'
done
echo '# hits that lack a number are left out; who runs is not in doubt for that'
tr-text stacks.tr > stacks.txt
lack() { sed "$1" stacks.txt | tr-text --encode -o lack.tr && tr-timeline --table stacks lack.tr; }
grep '^probe [0-9]* .*free=' stacks.txt | sed 's/cycle=[0-9]*/cycle=.../' | head -n 2
lack '0,/ free=[^ ]*/s// free=missing/'
lack '/ free=/s/ free=[^ ]*/ free=missing/; s/ began=[^ ]*/ began=missing/'
tr-text --encode -o s.tr "$SRC/tests/cli/data/tasks.txt"
tr-timeline --table stacks s.tr
echo "exit $?"
tr-replay --probe 'x: app:deep { a = lowest_sp(sp) }' run.tr app.elf
