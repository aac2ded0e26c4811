/* SPDX-License-Identifier: Apache-2.0 */
/* Unwinds the machine, frame by frame, through traps down to the root. */
#include "walk.h"

#include <string.h>

#include "code.h"
#include "model/csr.h"
#include "target/frame.h"
#include "target/supervisor/abi.h"

enum { CAUSE_ECALL = 8 }; /* and above: other calls */

/* The supervisor before its MMU is on, and just after. */
#define SUPERVISOR_OFFSET UINT64_C(0xffffffff00000000)

bool walk_read64(const struct unwinding *u, uint64_t address, uint64_t *value)
{
	return machine_read64(u->m, u->satp, address, value);
}

static const char *trap_name(uint64_t cause)
{
	static const char *const exceptions[16] = {"[misaligned fetch]",
						   "[fetch access fault]",
						   "[illegal instruction]",
						   "[breakpoint]",
						   "[misaligned load]",
						   "[load access fault]",
						   "[misaligned store]",
						   "[store access fault]",
						   "[ecall]",
						   "[ecall]",
						   "[ecall]",
						   "[ecall]",
						   "[fetch page fault]",
						   "[load page fault]",
						   "[exception]",
						   "[store page fault]"};

	if (cause >> 63)
		switch (cause & 15) {
		case 1:
		case 3:
			return "[software interrupt]";
		case 5:
		case 7:
			return "[timer interrupt]";
		case 9:
		case 11:
			return "[external interrupt]";
		default:
			return "[interrupt]";
		}
	return exceptions[cause & 15];
}

/* Whose code and memory `u` is in, from priv and pc. */
static bool find_place(struct unwinding *u, uint64_t thread)
{
	const struct machine *m = u->m;
	uint64_t at;

	u->satp = u->priv == PRIV_M ? 0 : machine_csr(m, CSR_SATP);
	u->linked = u->r.pc;
	if (u->priv == PRIV_M) {
		u->binary = m->firmware;
	} else if (u->priv == PRIV_S) {
		u->binary = m->supervisor;
		if (u->linked < SUPERVISOR_OFFSET)
			u->linked += SUPERVISOR_OFFSET;
	} else {
		u->binary = u->program;
		if (!thread ||
		    !machine_read64(m, u->satp, thread + THREAD_SATP, &u->satp))
			return false;
	}
	at = u->is_exact ? u->linked : u->linked - 1;
	u->function = u->binary ? tr_image_function_at(u->binary->image, at) : NULL;
	return u->function != NULL;
}

/* Privilege and cause out of a trap's frame. */
static enum left leave_trap_frame(struct unwinding *u, uint64_t address)
{
	uint64_t status;

	if (!walk_read64(u, address + FRAME_STATUS, &status) ||
	    !walk_read64(u, address + FRAME_CAUSE, &u->cause))
		return LEFT_LOST;
	u->priv = u->priv == PRIV_M ? status >> STATUS_MPP_SHIFT & 3
				    : status >> STATUS_SPP_SHIFT & 1;
	return LEFT_TRAP;
}

static bool apply(const struct unwinding *u, const struct cfi_row *row, uint64_t cfa,
		  unsigned column, uint64_t *value)
{
	const struct cfi_rule *rule = &row->rules[column];

	switch (rule->kind) {
	case CFI_OFFSET:
		return walk_read64(u, cfa + (uint64_t)rule->value, value);
	case CFI_REGISTER:
		*value = u->r.x[rule->value & 31];
		return true;
	default:
		if (column == CFI_INTERRUPTED)
			return false;
		*value = column == SP ? cfa : u->r.x[column];
		return true;
	}
}

static enum left leave_by_row(struct unwinding *u, const struct cfi_cie *cie,
			      const struct cfi_row *row)
{
	uint64_t cfa = u->r.x[row->cfa_register] + (uint64_t)row->cfa_offset;
	struct registers caller = {.pc = 0};

	if (row->rules[cie->return_column].kind == CFI_UNDEFINED)
		return LEFT_ROOT;
	if (!apply(u, row, cfa, cie->return_column, &caller.pc))
		return LEFT_LOST;
	for (unsigned i = 1; i < 32; i++)
		if (!apply(u, row, cfa, i, &caller.x[i]))
			return LEFT_LOST;
	u->r = caller;
	return cie->is_signal ? leave_trap_frame(u, cfa - FRAME_SIZE) : LEFT_FRAME;
}

static enum left leave(struct unwinding *u, enum walk_place *place)
{
	const struct cfi *cfi = &u->binary->cfi;
	uint64_t pc = u->is_exact ? u->linked : u->linked - 1;
	const struct cfi_fde *fde = cfi_find(cfi, pc);
	enum left left = hand_leave(u);
	struct cfi_row row;

	*place = PLACE_HAND;
	if (left != LEFT_NOT)
		return left;
	if (!fde || !cfi_row_at(cfi, fde, pc, &row)) {
		u->lost = "no frame information and no hand rule";
		return LEFT_LOST;
	}
	switch (cfi_place_of(cfi, fde, pc)) {
	case CFI_BODY:
		*place = PLACE_BODY;
		break;
	case CFI_PARTIAL:
		*place = PLACE_PARTIAL;
		break;
	default:
		*place = PLACE_LEAF;
	}
	return leave_by_row(u, cfi_cie_of(cfi, fde), &row);
}

static bool push(struct walk *walk, const char *name, const char *binary, uint64_t pc)
{
	if (walk->count == WALK_DEPTH) {
		walk->lost = "too deep";
		return false;
	}
	walk->frames[walk->count++] = (struct walk_frame){name, binary, pc};
	return true;
}

/* Whether the call behind which `u` stands went to another function than `callee`,
 * as far as the call itself tells. */
static bool is_tail(const struct unwinding *u, const struct tr_function *callee)
{
	struct op call = code_at(u->binary, u->linked - 4);
	const struct tr_function *called;

	if (call.kind != OP_CALL || call.bytes != 4)
		return false;
	called = tr_image_function_at(u->binary->image, call.target);
	return called && called->entry != callee->entry;
}

/* thread_exit has given up its own address space for that of the first thread. */
static bool is_ended(const struct unwinding *u, const struct walk *walk)
{
	uint64_t satp = machine_csr(u->m, CSR_SATP), own, first;

	return walk->thread == walk->ended_thread && u->priv == PRIV_U &&
	       machine_read64(u->m, satp, walk->thread + THREAD_SATP, &own) &&
	       machine_read64(u->m, satp, u->m->thread_table + THREAD_SATP, &first) &&
	       own == first;
}

/* The trap that `u` has just left; false when the end is reached with it. */
static bool push_trap(const struct unwinding *u, struct walk *walk)
{
	bool was_machine = u->binary == u->m->firmware;

	walk->traps++;
	walk->is_new |= u->cause == 0;
	walk->is_handed_on |= was_machine && u->cause < CAUSE_ECALL &&
			      u->r.pc == machine_csr(u->m, CSR_STVEC);
	if (!push(walk, trap_name(u->cause), "", 0))
		return false;
	if (!is_ended(u, walk))
		return true;
	for (unsigned i = 0; i < walk->nended; i++)
		push(walk, walk->ended[i].name, walk->ended[i].binary, walk->ended[i].pc);
	return false;
}

/* One frame, and what is under it; false at the end. */
static bool step(struct unwinding *u, struct walk *walk)
{
	const struct tr_function *callee = u->function;
	enum walk_place place;
	enum left left;

	if (!push(walk, u->function->name, u->binary->name, u->r.pc))
		return false;
	left = leave(u, &place);
	if (walk->count == 1)
		walk->place = place;
	switch (left) {
	case LEFT_ROOT:
		push(walk, u->binary->name, u->binary->name, 0);
		return false;
	case LEFT_FRAME:
	case LEFT_START:
		u->is_exact = left == LEFT_START;
		break;
	case LEFT_TRAP:
		u->is_exact = true;
		if (!push_trap(u, walk))
			return false;
		break;
	default:
		walk->lost = u->lost ? u->lost : "registers are not where they should be";
		return false;
	}
	if (!find_place(u, walk->thread)) {
		walk->lost = walk->is_handed_on
				 ? "the firmware is changing where a trap returns to"
				 : "pc in no function";
		return false;
	}
	if (left == LEFT_FRAME)
		walk->has_tailcall |= is_tail(u, callee);
	return true;
}

void walk_stack(const struct machine *m, struct walk *walk)
{
	struct unwinding u = {.m = m, .is_exact = true};

	walk->count = walk->traps = 0;
	walk->lost = NULL;
	walk->has_tailcall = walk->is_new = walk->is_handed_on = false;
	walk->place = PLACE_HAND;
	walk->thread = machine_thread(m);
	walk->program = machine_program(m, walk->thread);
	u.program = walk->program;
	u.priv = soc_priv(m->soc, 0);
	machine_registers(m, &u.r);
	if (!find_place(&u, walk->thread)) {
		walk->lost = "pc in no function";
		return;
	}
	while (step(&u, walk))
		continue;
}

void walk_remember(const struct machine *m, struct walk *walk)
{
	unsigned trap = 0;

	walk_stack(m, walk);
	for (unsigned i = 0; i < walk->count; i++)
		if (walk->frames[i].binary[0] == '\0')
			trap = i;
	walk->nended = walk->count - trap - 1;
	memcpy(walk->ended, &walk->frames[trap + 1],
	       walk->nended * sizeof(walk->ended[0]));
	walk->ended_thread = walk->lost ? 0 : walk->thread;
}
