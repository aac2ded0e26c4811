# SPDX-License-Identifier: Apache-2.0
# The probes of RTOSes, which are found by their names, on kernels of our own that have their
# types, functions and variables: tr-fold, and the table of tr-timeline. Each turn of a task
# calls work(), of 16 instructions: first 10 times, second 20, third 5; heir, which gets the
# memory of third, 12 times. Where a kernel tells it, second sleeps, and is woken by the task
# before it; the others are preempted.
cat > core.c << 'END'
#define APART __attribute__((noipa))
APART void work(void);
static char stacks[3][1024] __attribute__((aligned(16)));
#ifndef SLEEPS
#define SLEEPS(task, does)
#define WAKE(task)
#endif
static TASK tasks[3];
static unsigned left[3], now, is_free;
static void copy(char *to, const char *from) { while ((*to++ = *from++)) ; }
static void body(void);
static void make(unsigned i, unsigned number, const char *name, unsigned turns)
{
	tasks[i] = (TASK){0};
	set_up(&tasks[i], stacks[i], sizeof(stacks[i]), number, name);
	unsigned long *sp = (unsigned long *)(stacks[i] + sizeof(stacks[i])) - 14;
	sp[0] = (unsigned long)body;
	*(unsigned long **)&tasks[i] = sp;
	left[i] = turns;
}
static void body(void)
{
	for (;;) {
		const unsigned own = now;
		work();
		left[own]--;
		if (own == 2 && !left[2] && !is_free) is_free = 1;
		if (own == 0 && is_free == 1) { make(2, 4, "heir", 12); is_free = 2; }
		do now = (now + 1) % 3; while (!left[now] && now != own);
		if (!left[now]) *(volatile unsigned *)0x100000 = 0x5555;
		if (now == own) continue;
		SLEEPS(&tasks[own], own == 1);
		if (now == 1) WAKE(&tasks[1]);
		go(&tasks[own], &tasks[now]);
	}
}
void begin(void)
{
	make(0, 1, "first", 10);
	make(1, 2, "second", 20);
	make(2, 3, "third", 5);
	start(&tasks[0]);
}
END
. "$SRC/tests/cli/rtos-jump.inc"
cat >> jump.S << 'END'
	.globl	work
	.type	work, @function
work:	.rept	15
	nop
	.endr
	ret
	.size	work, . - work
END
# try NAME [OPTION]: standard input has the C of a kernel, the assembly is in NAME.S.
try() {
	{ cat; cat core.c; } > "$1.c"
	[ -e "$1.S" ] || : > "$1.S"
	riscv64-unknown-elf-gcc -march=rv64imac_zicsr -mabi=lp64 -mcmodel=medany -O1 -g -ffreestanding -nostdlib -Wl,--no-warn-rwx-segments \
		-T "$SRC/sim/target/firmware/firmware.ld" -o app.elf $2 jump.S "$1.S" "$1.c"
	soc-model --trace run.tr app.elf
	tr-replay --stream --probes "$1.probes" run.tr app.elf | tr-match --bins app.elf | tr-unwind -o stacks.tr 2> doubt
	echo "# $1 $2"
	tr-fold --by thread stacks.tr | sed -n 's/#[0-9]*;/#N;/; s/\([^;]*\).*;work \([0-9]*\)$/\1 \2/p' | sort |
		awk '{ printf "%s %.3f calls\n", $1, $2 / 16 }'
	tr-timeline --table processes --format csv stacks.tr | cut -d, -f1,6
	tr-fold --off-cpu --by thread -o off stacks.tr 2> note || cat note
	grep -q 'no probe tells why' note ||
		sed 's/ [0-9]*$//; s/#[0-9]*//g; s/;[^[]*;\[/ [/; s/;--;.*;/ by /' off | sort -u
	if tr-timeline --table stacks --format csv stacks.tr > table 2> note; then
		awk -F, 'NR > 1 { print $5 ":", $2 < $3 && $3 }' table
	fi
}
freertos() {
	cat << 'END'
typedef struct tskTaskControlBlock {
	volatile unsigned long *pxTopOfStack; unsigned long *pxStack; char pcTaskName[16];
#ifdef RECORD
	unsigned long *pxEndOfStack;
#endif
} TCB_t;
typedef TCB_t TASK;
TCB_t *volatile pxCurrentTCB;
static TCB_t *chosen;
void jump(void *from, void *to);
static void copy(char *to, const char *from);
static void set_up(TCB_t *t, char *stack, unsigned long size, unsigned number, const char *name)
{
	t->pxStack = (unsigned long *)stack;
	copy(t->pcTaskName, name);
	(void)number, (void)size;
#ifdef RECORD
	t->pxEndOfStack = (unsigned long *)(stack + size - 8);
#endif
}
__attribute__((noipa)) void vTaskSwitchContext(void) { pxCurrentTCB = chosen; }
static void go(TCB_t *from, TCB_t *to) { chosen = to; vTaskSwitchContext(); jump(from, to); }
__attribute__((noipa)) void xPortStartScheduler(void) { static TCB_t boot; jump(&boot, pxCurrentTCB); }
static void start(TCB_t *first) { pxCurrentTCB = first; xPortStartScheduler(); }
END
}
freertos | try freertos
freertos | try freertos -DRECORD
echo '# the same by one command, on the hardware; and from its trace'
tr-profile --probes freertos.probes -o one app.elf > out.txt
tasks() {
	grep ';work [0-9]*$' "$1/stacks.folded" | sed 's/\[[0-9]*\]//; s/#[0-9]*;/;/; s/;.*//' | sort | tr '\n' ' '
	grep -c second "$1/timeline.svg"
}
tasks one
tr-profile --probes freertos.probes -o again one/trace.tr > out.txt
cmp again/stacks.folded one/stacks.folded && tasks again
tr-profile --dry-run --probes freertos.probes -o "a b" app.elf | grep 'tr-replay\|svg'
for arguments in 'one/stacks.tr' '-b app.elf -- cat app.elf' "$SRC/tests/cli/data/logs/spike.log app.elf"; do
	# shellcheck disable=SC2086 # words
	tr-profile --probes freertos.probes -o no $arguments
	echo "status $?"
done
echo '?' > bad.probes
tr-profile --probes bad.probes -o again one/trace.tr > out.txt
echo "status $?"; ls again/flame.svg
# The scheduler waits on the system's stack.
cat > threadx.S << 'END'
	.text
	.globl	_tx_thread_system_return, _tx_thread_schedule
_tx_thread_system_return:
	addi	sp, sp, -112
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sd	s\n, 8 + 8 * \n(sp)
	.endr
	sd	ra, 0(sp)
	la	t0, _tx_thread_current_ptr
	ld	t1, 0(t0)
	sd	sp, 0(t1)
	sd	zero, 0(t0)
	la	sp, stack_top
_tx_thread_schedule:
	csrci	mstatus, 8
	la	t0, _tx_thread_execute_ptr
_tx_thread_schedule_loop:
	ld	t1, 0(t0)
	beqz	t1, _tx_thread_schedule_loop
	la	t0, _tx_thread_current_ptr
	sd	t1, 0(t0)
	ld	sp, 0(t1)
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	ld	s\n, 8 + 8 * \n(sp)
	.endr
	ld	ra, 0(sp)
	addi	sp, sp, 112
	ret
END
try threadx << 'END'
typedef char CHAR;
typedef struct TX_THREAD_STRUCT { void *tx_thread_stack_ptr; CHAR *tx_thread_name; void *tx_thread_stack_start, *tx_thread_stack_end; unsigned tx_thread_stack_size, tx_thread_state; } TX_THREAD;
typedef TX_THREAD TASK;
TX_THREAD *_tx_thread_current_ptr, *_tx_thread_execute_ptr;
void _tx_thread_system_return(void);
void _tx_thread_schedule(void);
__attribute__((noipa)) void _tx_thread_system_resume(TX_THREAD *thread_ptr) { thread_ptr->tx_thread_state = 0; }
#define SLEEPS(t, does) (t)->tx_thread_state = (does) ? 4 : 0
#define WAKE _tx_thread_system_resume
static void copy(char *to, const char *from);
static void set_up(TX_THREAD *t, char *stack, unsigned long size, unsigned number, const char *name)
{
	t->tx_thread_name = (CHAR *)name;
	t->tx_thread_stack_start = stack;
	t->tx_thread_stack_size = (unsigned)size;
	(void)number, (void)copy;
}
static void go(TX_THREAD *from, TX_THREAD *to) { (void)from; _tx_thread_execute_ptr = to; _tx_thread_system_return(); }
static void start(TX_THREAD *first) { _tx_thread_execute_ptr = first; _tx_thread_schedule(); }
END
nuttx() {
	cat << 'END'
struct task_group_s { int tg_pid; };
enum tstate_e { TSTATE_TASK_INVALID, TSTATE_TASK_PENDING, TSTATE_TASK_READYTORUN, TSTATE_TASK_RUNNING, TSTATE_WAIT_SEM };
struct tcb_s { void *saved; enum tstate_e task_state; struct task_group_s *group; int pid; unsigned long adj_stack_size; void *stack_alloc_ptr, *stack_base_ptr; char name[32]; };
typedef struct tcb_s TASK;
static struct task_group_s groups[5];
void jump(void *from, void *to);
static void copy(char *to, const char *from);
static void set_up(struct tcb_s *t, char *stack, unsigned long size, unsigned number, const char *name)
{
	t->pid = (int)number;
	t->group = &groups[number];
	t->group->tg_pid = number == 2 ? 1 : (int)number; /* a thread of the first task */
	t->stack_alloc_ptr = stack;
	t->stack_base_ptr = stack + 64;
	t->adj_stack_size = size - 64;
	copy(t->name, name);
}
static struct tcb_s idle;
__attribute__((noipa)) int nxsched_add_readytorun(struct tcb_s *btcb) { btcb->task_state = TSTATE_TASK_READYTORUN; return 0; }
#define SLEEPS(t, does) (t)->task_state = (does) ? TSTATE_WAIT_SEM : TSTATE_TASK_READYTORUN
#define WAKE nxsched_add_readytorun
#ifdef OLD
__attribute__((noipa)) void nxsched_suspend_scheduler(struct tcb_s *tcb) { (void)tcb; }
__attribute__((noipa)) void nxsched_resume_scheduler(struct tcb_s *tcb) { (void)tcb; }
static void told(struct tcb_s *from, struct tcb_s *to) { nxsched_suspend_scheduler(from); nxsched_resume_scheduler(to); }
#else
__attribute__((noipa)) void nxsched_switch_context(struct tcb_s *from, struct tcb_s *to) { (void)from, (void)to; }
#define told nxsched_switch_context
#endif
static void go(struct tcb_s *from, struct tcb_s *to) { told(from, to); jump(from, to); }
static void start(struct tcb_s *first) { go(&idle, first); }
END
}
nuttx | try nuttx
nuttx | try nuttx -DOLD
cat > zephyr.S << 'END'
	.text
	.globl	z_riscv_switch
z_riscv_switch:
	mv	t0, a0
	mv	a0, a1
	mv	a1, t0
	j	jump
END
try zephyr << 'END'
struct _thread_stack_info { unsigned long start, size, delta; };
struct k_thread { struct { unsigned long sp; } callee_saved; struct { unsigned char thread_state; } base; char name[16]; struct _thread_stack_info stack_info; };
typedef struct k_thread TASK;
void z_riscv_switch(struct k_thread *to, struct k_thread *from);
__attribute__((noipa)) void z_ready_thread(struct k_thread *thread) { thread->base.thread_state = 0x80; }
#define SLEEPS(t, does) (t)->base.thread_state = (does) ? 2 : 0x80
#define WAKE z_ready_thread
static void copy(char *to, const char *from);
static void set_up(struct k_thread *t, char *stack, unsigned long size, unsigned number, const char *name)
{
	t->stack_info = (struct _thread_stack_info){(unsigned long)stack, size, 0};
	copy(t->name, name);
	(void)number;
}
static void go(struct k_thread *from, struct k_thread *to) { z_riscv_switch(to, from); }
static void start(struct k_thread *first) { static struct k_thread dummy = {.base = {1}}; go(&dummy, first); }
END
cat > rtthread.S << 'END'
	.text
	.globl rt_hw_context_switch, rt_hw_context_switch_to
	.type rt_hw_context_switch, @function
	.type rt_hw_context_switch_to, @function
rt_hw_context_switch_to:
	mv	a1, a0
	la	a0, boot
	j	jump
	.size rt_hw_context_switch_to, . - rt_hw_context_switch_to
rt_hw_context_switch:
	j	jump
	.size rt_hw_context_switch, . - rt_hw_context_switch
	.data
	.balign	8
boot:	.dword	0
END
rtthread() {
	cat << 'END'
#ifdef NEW
struct rt_object { char name[8]; };
#define NAME parent.name
struct rt_thread { void *sp; struct rt_object parent; void *stack_addr; unsigned stack_size; unsigned char stat; };
#else
#define NAME name
struct rt_thread { void *sp; char name[8]; void *stack_addr; unsigned stack_size; unsigned char stat; };
#endif
typedef struct rt_thread TASK;
void rt_hw_context_switch(void *from, void *to);
void rt_hw_context_switch_to(void *to);
static void copy(char *to, const char *from);
static void set_up(struct rt_thread *t, char *stack, unsigned long size, unsigned number, const char *name)
{
	t->stack_addr = stack;
	t->stack_size = (unsigned)size;
	copy(t->NAME, name);
	(void)number;
}
#ifdef NEW
__attribute__((noipa)) int rt_thread_suspend_to_list(struct rt_thread *thread) { thread->stat = 4; return 0; }
__attribute__((noipa)) void rt_sched_thread_ready(struct rt_thread *thread) { thread->stat = 2; }
#define SLEEPS(t, does) if (does) rt_thread_suspend_to_list(t); else (t)->stat = 2
#define WAKE rt_sched_thread_ready
#else
__attribute__((noipa)) int rt_thread_suspend(struct rt_thread *thread) { thread->stat = 2; return 0; }
__attribute__((noipa)) void rt_schedule_insert_thread(struct rt_thread *thread) { thread->stat = 1; }
#define SLEEPS(t, does) if (does) rt_thread_suspend(t); else rt_schedule_insert_thread(t)
#define WAKE rt_schedule_insert_thread
#endif
static void go(struct rt_thread *from, struct rt_thread *to) { to->stat = 3; rt_hw_context_switch(&from->sp, &to->sp); }
static void start(struct rt_thread *first) { first->stat = 3; rt_hw_context_switch_to(&first->sp); }
END
}
rtthread | try rtthread
rtthread | try rtthread -DNEW
# What is not there.
tr-replay --probes nuttx.probes run.tr app.elf
tr-replay --probes nothing.probes run.tr app.elf
tr-replay --probe 'a: *:work { n = sp } b: *:nothing { n = sp }' run.tr app.elf
tr-replay --probe 'a: *:work+4 { n = sp % 16 }' run.tr app.elf | cut -d' ' -f4- | sort | uniq -c
