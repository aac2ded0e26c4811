/* SPDX-License-Identifier: Apache-2.0 */
/* A random program of several tasks in M-mode with known stacks: the unwinder must agree
 * on every row when sp is reported. */
#include "unwind-machine.h"

enum { TASKS = 5, DEPTH = 12, FRAMES = 600, OPERATIONS = 12, ROWS = 400, PATH = 512 };
enum { BAZ = 0x1400, LONGJMP = 0x1600, SAVE = 0x1700, RESTORE = 0x1708 };
enum { HANDLER_ROOM = 64, SWITCH_ROOM = 32 };
#define STACK_OF(task) (UINT64_C(0x80100000) + ((uint64_t)(task) << 18))
#define ISR_STACK      UINT64_C(0x81000000)

struct activation {
	const char *name;
	uint64_t base, pc, ret, sp; /* sp: at its call */
	bool has_frame, is_millicode;
};

static struct task {
	struct activation frames[DEPTH];
	unsigned depth; /* 0: it has not started */
	bool preempted; /* in the timer's handler, else in baz */
	uint64_t saved; /* sp */
} tasks[TASKS], *now;

static char expected[ROWS][PATH];
static unsigned nexpected;
static uint64_t state = 0x2545f4914f6cdd1d;

static uint32_t pick(uint32_t count)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32) % count;
}

static struct activation *top(void)
{
	return &now->frames[now->depth - 1];
}

/* The next row belongs to the running task, with `above` on its stack. */
static void expect(const char *above)
{
	char *path = expected[nexpected++];
	size_t length = (size_t)snprintf(path, PATH, "prog");
	for (unsigned i = 0; i < now->depth; i++)
		length += (size_t)snprintf(path + length, PATH - length, ";%s",
					   now->frames[i].name);
	snprintf(path + length, PATH - length, "%s", above);
}

/* Returns an amount added to sp by one instruction. */
static int less_than_page(uint64_t bytes)
{
	return (int)(int64_t)bytes;
}

/* A row of the innermost function. */
static void step(int bytes, uint32_t last)
{
	struct activation *a = top();
	expect("");
	if (bytes)
		run_adding(bytes, a->pc, last);
	else
		run(a->pc, last);
	a->pc += 8;
	if (last == NOP && a->pc >= a->base + 0xc0) {
		expect("");
		run(a->pc, JUMP);
		a->pc = a->base + 0x40;
	}
}

static void step_writing(uint32_t insn, uint64_t value)
{
	expect("");
	write_sp(top()->pc, insn, value);
	top()->pc += 8;
}

static void begin(uint64_t ret)
{
	static const char *const NAMES[] = {"_start", "main", "foo", "bar"};
	uint32_t i = pick(4);
	uint64_t base = 0x1000 + 0x100 * (uint64_t)i;
	now->frames[now->depth++] = (struct activation){
	    .name = NAMES[i], .base = base, .pc = base, .ret = ret, .sp = m.sp};
}

/* Makes the frame if there is none: by the function itself, or by millicode. */
static void make_frame(void)
{
	struct activation *a = top();
	if (a->has_frame)
		return;
	a->has_frame = true;
	a->is_millicode = pick(3) == 0;
	if (!a->is_millicode) {
		step(-16 * (int)(1 + pick(4)), NOP);
		return;
	}
	step(0, CALL_X5);
	expect(";save_2");
	run_adding(-48, SAVE, RETURN_X5);
}

static void drop_frame(void)
{
	struct activation *a = top();
	if (a->has_frame && a->sp - m.sp > 100)
		step_writing(FRAME_SP, a->sp);
	else if (a->has_frame)
		step(less_than_page(a->sp - m.sp), NOP);
	a->has_frame = false;
}

static void call(void)
{
	make_frame();
	if (now->depth == DEPTH - 1)
		return;
	step(0, pick(2) ? CALL : CALL_A5);
	begin(top()->pc);
}

static void give_back(void)
{
	if (now->depth == 1)
		return;
	if (top()->is_millicode && top()->has_frame && top()->sp - m.sp == 48) {
		step(0, JUMP);
		top()->name = "save_1";
		expect("");
		run_adding(48, RESTORE, RETURN);
	} else {
		drop_frame();
		step(0, RETURN);
	}
	now->depth--;
}

static void tail_call(void)
{
	if (now->depth == 1)
		return;
	drop_frame();
	step(0, pick(2) ? JUMP : JUMP_A5);
	uint64_t ret = top()->ret;
	now->depth--;
	begin(ret);
}

static void allocate(void)
{
	make_frame();
	step_writing(SUB_SP, m.sp - 16 * (1 + pick(20)));
	step(0, NOP);
}

/* Unwinds any number of frames; an exception handler is entered by a jump in the same
 * way. */
static void jump_out(void)
{
	if (now->depth < 3)
		return;
	unsigned to = pick(now->depth - 2) + 1;
	uint64_t sp = now->frames[to].sp;
	/* Into the caller of the same function: sp is the same in both. */
	if (now->frames[to].base == now->frames[to - 1].base)
		return;
	make_frame();
	step(0, CALL);
	expect(";longjmp");
	write_sp(LONGJMP, LOAD_SP, sp);
	expect(";longjmp");
	run(LONGJMP + 8, pick(2) ? RETURN : JUMP_A5);
	now->depth = to;
	top()->pc = top()->base + 0x44; /* no return address */
}

#define HANDLER ";[timer interrupt];m_entry"

static void emulate(void)
{
	expect(HANDLER);
	run(F + 0x110, CALL);
	expect(HANDLER ";emulate");
	run(F + 0x200, RETURN);
	expect(HANDLER);
	run(F + 0x118, NOP);
}

static void interrupt(void)
{
	trap(TIMER, top()->pc, M);
	expect(HANDLER);
}

static void end_interrupt(void)
{
	expect(HANDLER);
	run_adding(HANDLER_ROOM, F + 0x180, MRET);
	xret(M);
}

static void interrupt_on_this_stack(void)
{
	interrupt();
	run_adding(-HANDLER_ROOM, F + 0x100, NOP);
	emulate();
	end_interrupt();
}

static void interrupt_on_isr_stack(void)
{
	uint64_t sp = m.sp;
	interrupt();
	write_sp(F + 0x100, pick(2) ? SWAP_SP : MOVE_SP, ISR_STACK);
	emulate();
	expect(HANDLER);
	write_sp(F + 0x140, LOAD_SP, sp);
	expect(HANDLER);
	run(F + 0x148, MRET);
	xret(M);
}

static struct task *other(bool preempted)
{
	struct task *t = &tasks[pick(TASKS)];
	return t == now || (t->depth && t->preempted != preempted) ? NULL : t;
}

/* The incoming task starts or continues. */
static void go_on(struct task *t, uint64_t room)
{
	now = t;
	m.sp = t->saved + room;
	if (!t->depth)
		begin(0);
}

static uint64_t saved_sp(const struct task *t, uint64_t room)
{
	return t->depth ? t->saved : STACK_OF(t - tasks) - room;
}

static void preempt(void)
{
	struct task *t = other(true);
	if (!t)
		return;
	t->saved = saved_sp(t, HANDLER_ROOM);
	interrupt();
	run_adding(-HANDLER_ROOM, F + 0x100, NOP);
	emulate();
	now->saved = m.sp;
	now->preempted = true;
	expect(HANDLER);
	write_sp(F + 0x150, LOAD_SP, t->saved);
	end_interrupt();
	go_on(t, HANDLER_ROOM);
}

static void yield(void)
{
	struct task *t = other(false);
	if (!t)
		return;
	t->saved = saved_sp(t, SWITCH_ROOM);
	make_frame();
	step(0, CALL);
	expect(";baz");
	run_adding(-SWITCH_ROOM, BAZ, NOP);
	now->saved = m.sp;
	now->preempted = false;
	expect(";baz");
	write_sp(BAZ + 8, LOAD_SP, t->saved);
	expect(";baz");
	run_adding(SWITCH_ROOM, BAZ + 16, RETURN);
	go_on(t, SWITCH_ROOM);
}

static bool has_gaps;

static void lose(void)
{
	if (!has_gaps)
		return;
	gap(TR_GAP_SPLIT, 0);
	event((struct tr_event){.kind = TR_EV_REG, .u.reg = {.value = m.sp, .reg = 2}});
	step(0, NOP);
}

static void operation(void)
{
	static void (*const OPERATIONS_OF[])(void) = {call,
						      call,
						      call,
						      call,
						      give_back,
						      give_back,
						      give_back,
						      tail_call,
						      allocate,
						      jump_out,
						      preempt,
						      yield,
						      lose,
						      interrupt_on_this_stack,
						      interrupt_on_isr_stack};
	step(0, NOP);
	OPERATIONS_OF[pick(15)]();
}

/* Compares each output row with the expected one. */
static bool compare(void)
{
	unsigned row = 0;
	for (char *line = m.text, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		char *cycles = strrchr(line, ' ');
		*cycles = '\0';
		for (unsigned n = (unsigned)atoi(cycles + 1) / 2; n; n--)
			if (row == nexpected || !CHECK_STR(line, expected[row++]))
				return false;
	}
	return CHECK_EQ(row, nexpected);
}

static void program(void)
{
	machine_begin_sp(false);
	m.context = m.part.start = (struct tr_context){.priv = M};
	memset(tasks, 0, sizeof(tasks));
	now = tasks;
	m.sp = STACK_OF(0);
	event((struct tr_event){.kind = TR_EV_REG, .u.reg = {.value = m.sp, .reg = 2}});
	begin(0);
	for (int frame = 0; frame < FRAMES; frame++) {
		nexpected = 0;
		m.length = 0;
		m.text[0] = '\0';
		for (int i = 0; i < OPERATIONS; i++)
			operation();
		feed();
		if (!compare())
			break;
	}
	struct tr_unwind_totals totals = machine_end();
	CHECK_EQ(totals.unmatched, 0);
	CHECK_EQ(totals.doubted_cycles, 0);
}

int main(void)
{
	for (int i = 0; i < 25 && !check_failures; i++) {
		has_gaps = i >= 20;
		program();
	}
	return check_done();
}
