/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for code that call frame information does not tell of, or not rightly:
 * the table at the end lists them all.
 */
#include <inttypes.h>
#include <string.h>

#include "code.h"
#include "model/csr.h"
#include "target/frame.h"
#include "target/supervisor/abi.h"
#include "walk.h"

static struct op here(const struct unwinding *u)
{
	return code_at(u->binary, u->linked);
}

/* Whether an instruction like this stands in the function before this one. */
static bool is_past(const struct unwinding *u, enum op_kind kind, unsigned reg)
{
	uint64_t pc = u->function->low;

	while (pc < u->linked) {
		struct op op = code_at(u->binary, pc);
		if (op.kind == kind && (reg == 0 || op.reg == reg))
			return true;
		pc += op.bytes;
	}
	return false;
}

static unsigned previous(const struct unwinding *u)
{
	if (u->priv == PRIV_M)
		return machine_csr(u->m, CSR_MSTATUS) >> STATUS_MPP_SHIFT & 3;
	return machine_csr(u->m, CSR_SSTATUS) >> STATUS_SPP_SHIFT & 1;
}

/* r but for its pc is that of the interrupted code; the rest stands in CSRs. */
static enum left leave_by_csr(struct unwinding *u, uint64_t cause)
{
	bool is_machine = u->priv == PRIV_M;

	u->r.pc = machine_csr(u->m, is_machine ? CSR_MEPC : CSR_SEPC);
	u->cause = cause;
	u->priv = previous(u);
	return LEFT_TRAP;
}

static enum left leaf(struct unwinding *u)
{
	u->r.pc = u->r.x[RA];
	return LEFT_FRAME;
}

static enum left by_code(struct unwinding *u)
{
	struct code_frame frame;
	uint64_t start;

	if (!code_frame_at(u->binary, u->function, u->linked, &frame))
		return LEFT_LOST;
	start = u->r.x[SP] - (uint64_t)frame.sp;
	for (unsigned i = 1; i < 32; i++)
		if (frame.saved[i] &&
		    !walk_read64(u, start + (uint64_t)frame.saved[i], &u->r.x[i]))
			return LEFT_LOST;
	u->r.x[SP] = start;
	return leaf(u);
}

static enum left by_memset(struct unwinding *u)
{
	uint64_t from = u->r.x[RA] - (u->r.pc - u->linked);

	if (from - u->function->low >= u->function->high - u->function->low)
		return leaf(u);
	if (from == u->linked) /* it is back, ra not put back yet */
		u->r.x[RA] = u->r.x[T0];
	return leaf(u);
}

static enum left by_save(struct unwinding *u)
{
	uint64_t pc = u->linked;
	struct op op = here(u);

	/* The nearest `addi sp` in front of it is the one that was done, whichever
	 * of the names was called. */
	if (op.kind != OP_ADD_SP) {
		bool is_last = op.kind == OP_TO;
		while (op.kind != OP_ADD_SP && op.kind != OP_NONE)
			op = code_at(u->binary, pc -= 2);
		u->r.x[SP] -= (uint64_t)op.value;
		if (is_last && op.value != -16)
			u->r.x[SP] -= u->r.x[T1];
	}
	u->r.pc = u->r.x[T0];
	return LEFT_FRAME;
}

static enum left by_restore(struct unwinding *u, uint64_t pc)
{
	for (;;) {
		struct op op = code_at(u->binary, pc);
		if (op.kind == OP_ADD_SP)
			u->r.x[SP] += (uint64_t)op.value;
		else if (op.kind == OP_TO)
			return leaf(u);
		else if (op.kind != OP_LOAD_SP ||
			 !walk_read64(u, u->r.x[SP] + (uint64_t)op.value,
				      &u->r.x[op.reg]))
			return LEFT_LOST;
		pc += op.bytes;
	}
}

static enum left by_restore_here(struct unwinding *u)
{
	return by_restore(u, u->linked);
}

static enum left by_restore_jump(struct unwinding *u)
{
	struct op op = here(u);
	const struct tr_function *to;

	if (!u->is_exact || op.kind != OP_JUMP)
		return LEFT_NOT;
	to = tr_image_function_at(u->binary->image, op.target);
	if (!to || strncmp(to->name, "__riscv_restore_", 16) != 0)
		return LEFT_NOT;
	return by_restore(u, op.target);
}

static enum left by_longjmp(struct unwinding *u)
{
	if (!is_past(u, OP_LOAD, 0))
		return leaf(u);
	u->lost = "longjmp has begun to load another frame's registers";
	return LEFT_LOST;
}

/* A new thread's first return goes to the start of a function. */
static bool is_function(const struct unwinding *u, uint64_t pc)
{
	const struct tr_function *to = tr_image_function_at(u->binary->image, pc);

	return to && to->entry == pc;
}

static enum left by_switch(struct unwinding *u)
{
	uint64_t context = u->r.x[A0] + THREAD_CONTEXT;

	if (here(u).kind == OP_TO) {
		leaf(u);
		return is_function(u, u->r.pc) ? LEFT_START : LEFT_FRAME;
	}
	if (!is_past(u, OP_LOAD, 0))
		return leaf(u);
	if (!walk_read64(u, context, &u->r.x[RA]) ||
	    !walk_read64(u, context + 8, &u->r.x[SP]))
		return LEFT_LOST;
	for (unsigned i = 0; i < 12; i++)
		if (!walk_read64(u, context + 16 + 8 * i,
				 &u->r.x[i < 2 ? S0 + i : S2 + i - 2]))
			return LEFT_LOST;
	return leaf(u);
}

/* t0 to t3 are used as soon as all registers have their copies. */
static bool take_copies(struct unwinding *u)
{
	static const unsigned used[] = {T0, T1, T2, T3};

	if (!is_past(u, OP_STORE_SP, 31))
		return true;
	for (unsigned i = 0; i < 4; i++)
		if (!walk_read64(u, u->r.x[SP] + 8 * used[i], &u->r.x[used[i]]))
			return false;
	return true;
}

static enum left by_supervisor_entry(struct unwinding *u)
{
	bool is_high = is_past(u, OP_LOAD, SP);

	if (is_past(u, OP_CALL, 0) || here(u).kind == OP_CALL || !take_copies(u))
		return LEFT_NOT;
	if (is_high && !walk_read64(u, u->r.x[TP] + THREAD_USER_SP, &u->r.x[SP]))
		return LEFT_LOST;
	return leave_by_csr(u, machine_csr(u->m, CSR_SCAUSE));
}

static enum left by_firmware_entry(struct unwinding *u)
{
	uint64_t scratch = machine_csr(u->m, CSR_MSCRATCH), moved = u->r.x[T0], cause;

	if (here(u).kind == OP_XRET) {
		if (!walk_read64(u, scratch - FRAME_SIZE + FRAME_CAUSE, &cause))
			return LEFT_LOST;
		return leave_by_csr(u, cause);
	}
	if (is_past(u, OP_CALL, 0) || here(u).kind == OP_CALL || !take_copies(u))
		return LEFT_NOT;
	if (u->linked != u->function->low)
		u->r.x[SP] = scratch ? scratch : moved;
	return leave_by_csr(u, machine_csr(u->m, CSR_MCAUSE));
}

static enum left by_supervisor_return(struct unwinding *u)
{
	uint64_t frame = u->r.x[SP] - FRAME_SIZE, cause, thread;

	if (here(u).kind != OP_XRET)
		return LEFT_NOT;
	if (previous(u) == 0) {
		thread = machine_csr(u->m, CSR_SSCRATCH);
		if (!walk_read64(u, thread + THREAD_KERNEL_SP, &frame))
			return LEFT_LOST;
		frame -= FRAME_SIZE;
	}
	if (!walk_read64(u, frame + FRAME_CAUSE, &cause))
		return LEFT_LOST;
	return leave_by_csr(u, cause);
}

static enum left by_guest_fault(struct unwinding *u)
{
	return leave_by_csr(u, machine_csr(u->m, CSR_MCAUSE));
}

/* A name that ends with '*' stands for all that begin so. */
static const struct hand_rule {
	const char *binary; /* NULL: any */
	const char *function;
	enum left (*leave)(struct unwinding *u);
	const char *text;
} rules[] = {
    {"firmware", "trap_entry", by_firmware_entry,
     "before its frame stands: sp in mscratch, else as it is; at mret: as it is"},
    {"firmware", "guest_fault", by_guest_fault,
     "changes t2 only: the rest is as it was, pc in mepc"},
    {"supervisor", "trap_entry", by_supervisor_entry,
     "before its frame stands: sp in the thread's record once it is loaded anew"},
    {"supervisor", "trap_return", by_supervisor_return,
     "at sret: registers are as they were, pc in sepc"},
    {"supervisor", "switch_to", by_switch,
     "until tp changes, the thread that leaves, out of its record"},
    {NULL, "setjmp", leaf, "ra and sp as at the call"},
    {NULL, "longjmp", by_longjmp, "the same, until it loads registers"},
    {NULL, "strcmp", leaf, "ra and sp as at the call"},
    {NULL, "memcpy", by_code, "ra as at the call; sp by following the code"},
    {NULL, "memset", by_memset, "sp as at the call; calls itself, ra then in t0"},
    {NULL, "__riscv_save_*", by_save, "called through t0, ra as at the call"},
    {NULL, "__riscv_restore_*", by_restore_here, "runs straight to its ret"},
    {NULL, "*", by_restore_jump,
     "at a jump to __riscv_restore_*: as there (gcc 12 tells it wrongly)"},
};

enum { RULES = sizeof(rules) / sizeof(rules[0]) };
static uint64_t uses[RULES]; /* frames left by each */

static bool fits(const char *pattern, const char *name)
{
	size_t size = strlen(pattern);

	if (size && pattern[size - 1] == '*')
		return strncmp(pattern, name, size - 1) == 0;
	return strcmp(pattern, name) == 0;
}

enum left hand_leave(struct unwinding *u)
{
	for (size_t i = 0; i < RULES; i++) {
		const struct hand_rule *rule = &rules[i];
		if (rule->binary && strcmp(rule->binary, u->binary->name) != 0)
			continue;
		if (fits(rule->function, u->function->name)) {
			enum left left = rule->leave(u);
			uses[i] += left != LEFT_NOT;
			return left;
		}
	}
	return LEFT_NOT;
}

void hand_print(FILE *out)
{
	for (size_t i = 0; i < RULES; i++)
		fprintf(out, "hand rule: %s%s%s: %s: %" PRIu64 " frames\n",
			rules[i].binary ? rules[i].binary : "",
			rules[i].binary ? " " : "", rules[i].function, rules[i].text,
			uses[i]);
}
