/* SPDX-License-Identifier: Apache-2.0 */
/* Applies hand rules; rules for the firmware and for any code. */
#include "hand.h"

#include <inttypes.h>
#include <string.h>

#include "model/csr.h"
#include "target/frame.h"

struct op hand_here(const struct unwinding *u)
{
	return code_at(u->binary, u->linked);
}

bool hand_is_past(const struct unwinding *u, enum op_kind kind, unsigned reg)
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

unsigned hand_previous(const struct unwinding *u)
{
	if (u->priv == PRIV_M)
		return machine_csr(u->m, CSR_MSTATUS) >> STATUS_MPP_SHIFT & 3;
	return machine_csr(u->m, CSR_SSTATUS) >> STATUS_SPP_SHIFT & 1;
}

enum left hand_leave_by_csr(struct unwinding *u, uint64_t cause)
{
	bool is_machine = u->priv == PRIV_M;

	u->r.pc = machine_csr(u->m, is_machine ? CSR_MEPC : CSR_SEPC);
	u->cause = cause;
	u->priv = hand_previous(u);
	return LEFT_TRAP;
}

enum left hand_leaf(struct unwinding *u)
{
	u->r.pc = u->r.x[RA];
	return LEFT_FRAME;
}

enum left hand_by_code(struct unwinding *u)
{
	struct code_frame frame;

	if (!code_frame_at(u->binary, u->function, u->linked, &frame))
		return LEFT_LOST;
	uint64_t start = frame.no_sp ? u->r.x[S0] - (uint64_t)frame.s0
				     : u->r.x[SP] - (uint64_t)frame.sp;
	for (unsigned i = 1; i < 32; i++)
		if (frame.saved[i] &&
		    !walk_read64(u, start + (uint64_t)frame.saved[i], &u->r.x[i]))
			return LEFT_LOST;
	u->r.x[SP] = start;
	return hand_leaf(u);
}

bool hand_is_stub(const struct unwinding *u)
{
	const char *suffix = strrchr(u->function->name, '@');

	/* Of several of the same name, "f@plt (0x1234)" is one. */
	return suffix && strncmp(suffix, "@plt", 4) == 0 &&
	       (suffix[4] == '\0' || suffix[4] == ' ');
}

/* Such a function in C has a frame of its own. */
static enum left by_longjmp(struct unwinding *u)
{
	if (hand_is_past(u, OP_CALL, 0) || cfi_find(&u->binary->cfi, u->linked))
		return LEFT_NOT;
	if (!hand_is_past(u, OP_LOAD, RA) && !hand_is_past(u, OP_LOAD, SP))
		return hand_leaf(u);
	u->lost = "longjmp has loaded ra or sp of another frame";
	return LEFT_LOST;
}

/* t0 to t3 are used once all registers have been saved. */
bool hand_take_copies(struct unwinding *u)
{
	static const unsigned used[] = {T0, T1, T2, T3};

	if (!hand_is_past(u, OP_STORE_SP, 31))
		return true;
	for (unsigned i = 0; i < 4; i++)
		if (!walk_read64(u, u->r.x[SP] + 8 * used[i], &u->r.x[used[i]]))
			return false;
	return true;
}

static enum left by_firmware_entry(struct unwinding *u)
{
	uint64_t scratch = machine_csr(u->m, CSR_MSCRATCH), moved = u->r.x[T0], cause;

	if (hand_here(u).kind == OP_XRET) {
		if (!walk_read64(u, scratch - FRAME_SIZE + FRAME_CAUSE, &cause))
			return LEFT_LOST;
		return hand_leave_by_csr(u, cause);
	}
	if (hand_is_past(u, OP_CALL, 0) || hand_here(u).kind == OP_CALL ||
	    !hand_take_copies(u))
		return LEFT_NOT;
	if (u->linked != u->function->low)
		u->r.x[SP] = scratch ? scratch : moved;
	return hand_leave_by_csr(u, machine_csr(u->m, CSR_MCAUSE));
}

static enum left by_guest_fault(struct unwinding *u)
{
	return hand_leave_by_csr(u, machine_csr(u->m, CSR_MCAUSE));
}

static const char entry_text[] =
    "before its frame stands: sp in mscratch, else as it is; at mret: as it is";
static const char fault_text[] = "changes t2 only: the rest is as it was, pc in mepc";
static const struct hand_rule common[] = {
    {"firmware", "trap_entry", by_firmware_entry, entry_text},
    {"firmware", "guest_fault", by_guest_fault, fault_text},
    {"firmware-smp", "trap_entry", by_firmware_entry, entry_text},
    {"firmware-smp", "guest_fault", by_guest_fault, fault_text},
    {NULL, "setjmp", hand_leaf, "ra and sp as at the call"},
    {NULL, "longjmp", by_longjmp, "the same, until it loads one of them"},
    {NULL, NULL, NULL, NULL},
};

static uint64_t uses[2][HAND_RULES]; /* frames unwound by each rule */

static bool fits(const struct hand_rule *rule, const struct unwinding *u)
{
	size_t size = strlen(rule->function);

	if (rule->binary && strcmp(rule->binary, u->binary->name) != 0)
		return false;
	if (size && rule->function[size - 1] == '*')
		return strncmp(rule->function, u->function->name, size - 1) == 0;
	/* Of several functions of the same name, "f (file.c:12)" is one. */
	return strncmp(rule->function, u->function->name, size) == 0 &&
	       (u->function->name[size] == '\0' ||
		strncmp(u->function->name + size, " (", 2) == 0);
}

static const struct hand_rule *rules_of(const struct walk_system *system, int set)
{
	return set == 0 ? common : system->rules;
}

enum left hand_leave(struct unwinding *u)
{
	for (int set = 0; set < 2; set++) {
		const struct hand_rule *rules = rules_of(u->system, set);
		for (size_t i = 0; rules[i].function; i++) {
			if (!fits(&rules[i], u))
				continue;
			enum left left = rules[i].leave(u);
			uses[set][i] += left != LEFT_NOT;
			return left;
		}
	}
	return LEFT_NOT;
}

void hand_print(const struct walk_system *system, FILE *out)
{
	for (int set = 0; set < 2; set++) {
		const struct hand_rule *rule = rules_of(system, set);
		for (size_t i = 0; rule[i].function; i++)
			fprintf(out, "hand rule: %s%s%s: %s: %" PRIu64 " frames\n",
				rule[i].binary ? rule[i].binary : "",
				rule[i].binary ? " " : "", rule[i].function, rule[i].text,
				uses[set][i]);
	}
}
