/* SPDX-License-Identifier: Apache-2.0 */
/* Rules for the small supervisor and its programs, in addition to those in hand.c: the
 * table at the end lists all of them. */
#include <string.h>

#include "hand.h"
#include "model/csr.h"
#include "target/frame.h"
#include "target/supervisor/abi.h"
#include "supervisor.h"

static enum left by_memset(struct unwinding *u)
{
	uint64_t from = u->r.x[RA] - (u->r.pc - u->linked);

	if (from - u->function->low >= u->function->high - u->function->low)
		return hand_leaf(u);
	if (from == u->linked) { /* it has returned, ra is not restored yet */
		u->r.x[RA] = u->r.x[T0];
		return hand_leaf(u);
	}
	u->is_subroutine = true;
	return hand_leaf(u);
}

static enum left by_save(struct unwinding *u)
{
	uint64_t pc = u->linked;
	struct op op = hand_here(u);

	/* The nearest preceding `addi sp` is the one executed, whichever of the names was
	 * called. */
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
			return hand_leaf(u);
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
	struct op op = hand_here(u);

	if (!u->is_exact || op.kind != OP_JUMP)
		return LEFT_NOT;
	const struct tr_function *to = tr_image_function_at(u->binary->image, op.target);
	if (!to || strncmp(to->name, "__riscv_restore_", 16) != 0)
		return LEFT_NOT;
	return by_restore(u, op.target);
}

/* A new thread first returns to the start of a function. */
static bool is_function(const struct unwinding *u, uint64_t pc)
{
	const struct tr_function *to = tr_image_function_at(u->binary->image, pc);

	return to && to->entry == pc;
}

static enum left by_switch(struct unwinding *u)
{
	uint64_t context = u->r.x[A0] + THREAD_CONTEXT;

	if (hand_here(u).kind == OP_TO) {
		hand_leaf(u);
		return is_function(u, u->r.pc) ? LEFT_START : LEFT_FRAME;
	}
	if (!hand_is_past(u, OP_LOAD, 0))
		return hand_leaf(u);
	if (!walk_read64(u, context, &u->r.x[RA]) ||
	    !walk_read64(u, context + 8, &u->r.x[SP]))
		return LEFT_LOST;
	for (unsigned i = 0; i < 12; i++)
		if (!walk_read64(u, context + 16 + 8 * i,
				 &u->r.x[i < 2 ? S0 + i : S2 + i - 2]))
			return LEFT_LOST;
	return hand_leaf(u);
}

static enum left by_supervisor_entry(struct unwinding *u)
{
	bool is_high = hand_is_past(u, OP_LOAD, SP);

	if (hand_is_past(u, OP_CALL, 0) || hand_here(u).kind == OP_CALL ||
	    !hand_take_copies(u))
		return LEFT_NOT;
	if (is_high && !walk_read64(u, u->r.x[TP] + THREAD_USER_SP, &u->r.x[SP]))
		return LEFT_LOST;
	return hand_leave_by_csr(u, machine_csr(u->m, CSR_SCAUSE));
}

static enum left by_supervisor_return(struct unwinding *u)
{
	uint64_t frame = u->r.x[SP] - FRAME_SIZE, cause;

	if (hand_here(u).kind != OP_XRET)
		return LEFT_NOT;
	if (hand_previous(u) == 0) {
		uint64_t thread = machine_csr(u->m, CSR_SSCRATCH);
		if (!walk_read64(u, thread + THREAD_KERNEL_SP, &frame))
			return LEFT_LOST;
		frame -= FRAME_SIZE;
	}
	if (!walk_read64(u, frame + FRAME_CAUSE, &cause))
		return LEFT_LOST;
	return hand_leave_by_csr(u, cause);
}

const struct hand_rule supervisor_rules[] = {
    {"supervisor", "trap_entry", by_supervisor_entry,
     "before its frame stands: sp in the thread's record once it is loaded anew"},
    {"supervisor", "trap_return", by_supervisor_return,
     "at sret: registers are as they were, pc in sepc"},
    {"supervisor", "switch_to", by_switch,
     "until tp changes, the thread that leaves, out of its record"},
    {NULL, "strcmp", hand_leaf, "ra and sp as at the call"},
    {NULL, "memcpy", hand_by_code, "ra as at the call; sp by following the code"},
    {NULL, "memset", by_memset, "sp as at the call; calls itself, ra then in t0"},
    {NULL, "__riscv_save_*", by_save, "called through t0, ra as at the call"},
    {NULL, "__riscv_restore_*", by_restore_here, "runs straight to its ret"},
    {NULL, "*", by_restore_jump,
     "at a jump to __riscv_restore_*: as there (gcc 12 tells it wrongly)"},
    {NULL, NULL, NULL, NULL},
};
