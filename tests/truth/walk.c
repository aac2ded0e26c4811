/* SPDX-License-Identifier: Apache-2.0 */
/* Unwinds the machine's stack, frame by frame, through traps down to the root. */
#include "walk.h"

#include "hand.h"
#include "model/csr.h"
#include "target/frame.h"

enum { CAUSE_ECALL = 8 }; /* and above: other calls */

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

/* After an ecall the kernel has advanced pc past it, where the function may end. */
static bool is_behind_ecall(const struct unwinding *u)
{
	return u->is_ecall && code_at(u->binary, u->linked).kind != OP_ECALL &&
	       code_at(u->binary, u->linked - 4).kind == OP_ECALL;
}

/* Finds the code and memory of `u`, from priv and pc. */
static bool find_place(struct unwinding *u)
{
	u->function = NULL;
	if (!u->system->find(u) || !u->binary)
		return false;
	u->is_exact &= !is_behind_ecall(u);
	u->function = tr_image_function_at(u->binary->image,
					   u->is_exact ? u->linked : u->linked - 1);
	return u->function != NULL;
}

/* Gets privilege and cause from a trap frame. */
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

/* Cache of rows, by pc. */
enum { KNOWN_ROWS = 1 << 12 };
struct known_row {
	const struct cfi *cfi;
	uint64_t pc;
	const struct cfi_fde *fde; /* NULL: none, or not supported */
	struct cfi_row row;
	uint32_t changed; /* registers with a rule */
	enum walk_place place;
};

static enum left leave_by_row(struct unwinding *u, const struct cfi_cie *cie,
			      const struct known_row *known)
{
	const struct cfi_row *row = &known->row;
	uint64_t cfa = u->r.x[row->cfa_register] + (uint64_t)row->cfa_offset;
	struct registers caller = u->r;

	if (row->rules[cie->return_column].kind == CFI_UNDEFINED)
		return LEFT_ROOT;
	if (!apply(u, row, cfa, cie->return_column, &caller.pc))
		return LEFT_LOST;
	caller.x[SP] = cfa;
	for (uint32_t left = known->changed; left; left &= left - 1) {
		unsigned i = (unsigned)__builtin_ctz(left);
		if (!apply(u, row, cfa, i, &caller.x[i]))
			return LEFT_LOST;
	}
	u->r = caller;
	return cie->is_signal ? leave_trap_frame(u, cfa - FRAME_SIZE) : LEFT_FRAME;
}

static enum walk_place place_of(const struct cfi *cfi, const struct cfi_fde *fde,
				uint64_t pc)
{
	switch (cfi_place_of(cfi, fde, pc)) {
	case CFI_BODY:
		return PLACE_BODY;
	case CFI_PARTIAL:
		return PLACE_PARTIAL;
	default:
		return PLACE_LEAF;
	}
}

static const struct known_row *row_at(const struct cfi *cfi, uint64_t pc)
{
	static struct known_row rows[KNOWN_ROWS];
	struct known_row *known = &rows[pc / 2 % KNOWN_ROWS];

	if (known->cfi == cfi && known->pc == pc)
		return known;
	known->cfi = cfi;
	known->pc = pc;
	known->fde = cfi_find(cfi, pc);
	if (known->fde && !cfi_row_at(cfi, known->fde, pc, &known->row))
		known->fde = NULL;
	if (!known->fde)
		return known;
	known->place = place_of(cfi, known->fde, pc);
	known->changed = 0;
	for (unsigned i = 1; i < 32; i++)
		if (known->row.rules[i].kind == CFI_OFFSET ||
		    known->row.rules[i].kind == CFI_REGISTER)
			known->changed |= UINT32_C(1) << i;
	return known;
}

static enum left leave(struct unwinding *u, enum walk_place *place)
{
	const struct cfi *cfi = &u->binary->cfi;
	enum left left = hand_leave(u);

	*place = PLACE_HAND;
	if (left != LEFT_NOT)
		return left;
	const struct known_row *known =
	    row_at(cfi, u->is_exact ? u->linked : u->linked - 1);
	if (!known->fde) {
		u->lost = "no frame information and no hand rule";
		return LEFT_LOST;
	}
	*place = known->place;
	return leave_by_row(u, cfi_cie_of(cfi, known->fde), known);
}

bool walk_push(struct walk *walk, const char *name, const char *binary, uint64_t pc)
{
	if (walk->count == WALK_DEPTH) {
		walk->lost = "too deep";
		return false;
	}
	walk->frames[walk->count++] = (struct walk_frame){name, binary, pc};
	return true;
}

/* Returns whether the call before `u` went to another function than `callee`, as far as
 * the call itself shows. */
static bool is_tail(const struct unwinding *u, const struct tr_function *callee)
{
	struct op call = code_at(u->binary, u->linked - 4);

	if (call.kind != OP_CALL || call.bytes != 4)
		return false;
	const struct tr_function *called =
	    tr_image_function_at(u->binary->image, call.target);
	return called && called->entry != callee->entry;
}

/* Returns whether that call went into the middle of its own function: a local subroutine,
 * which is no frame. */
static bool is_inside(const struct unwinding *u, const struct tr_function *callee)
{
	struct op call = code_at(u->binary, u->linked - 4);
	const struct tr_function *caller = u->function;

	return caller->entry == callee->entry && call.kind == OP_CALL &&
	       call.bytes == 4 &&
	       call.target - caller->low < caller->high - caller->low &&
	       call.target != caller->entry;
}

/* Adds the trap that `u` has just left. Returns false if that is the end. */
static bool push_trap(const struct unwinding *u, struct walk *walk)
{
	bool was_machine = u->binary == u->m->firmware;

	walk->traps++;
	walk->is_handed_on |= was_machine && u->cause < CAUSE_ECALL &&
			      u->r.pc == machine_csr(u->m, CSR_STVEC);
	return walk_push(walk, trap_name(u->cause), "", 0) && u->system->trap(u, walk);
}

static void lose(const struct unwinding *u, struct walk *walk, const char *reason)
{
	if (!walk->lost)
		walk->lost = u->lost ? u->lost : reason;
}

/* Leaves one frame of any kind. */
static enum left leave_function(struct unwinding *u, struct walk *walk)
{
	enum walk_place place;
	enum left left = leave(u, &place), passed = LEFT_NOT;

	if (walk->count == 1)
		walk->place = place;
	if (left == LEFT_FRAME && u->system->pass)
		passed = u->system->pass(u);
	return passed == LEFT_NOT ? left : passed;
}

static void push_root(const struct unwinding *u, struct walk *walk)
{
	const char *name =
	    u->priv == PRIV_U && u->program ? u->program->name : u->binary->name;

	walk_push(walk, name, name, 0);
}

/* Adds one frame, and moves to the next outer one. Returns false at the end. */
static bool step(struct unwinding *u, struct walk *walk)
{
	const struct tr_function *callee = u->function;
	uint64_t pc = u->r.pc, sp = u->r.x[SP];

	if (!u->is_inside &&
	    !walk_push(walk, u->function->name, u->binary->name, u->r.pc))
		return false;
	if (!u->function->is_nameless && !hand_is_stub(u))
		names_check(&u->binary->names, u->function->name,
			    u->is_exact ? u->linked : u->linked - 1);
	enum left left = leave_function(u, walk);
	if (left == LEFT_ROOT) {
		push_root(u, walk);
		return false;
	}
	if (left == LEFT_RECORDED) {
		u->system->rest(u, walk);
		return false;
	}
	if (left == LEFT_LOST || left == LEFT_NOT) {
		lose(u, walk, "registers are not where they should be");
		return false;
	}
	if (left == LEFT_FRAME && u->r.pc == pc && u->r.x[SP] == sp) {
		lose(u, walk, "no frame information, and a frame that returns to itself");
		return false;
	}
	u->is_exact = left != LEFT_FRAME;
	u->is_ecall = left == LEFT_TRAP && u->cause - CAUSE_ECALL < 4;
	if (left == LEFT_SIGNAL && !walk_push(walk, "[signal]", "", 0))
		return false;
	if (left == LEFT_TRAP && !push_trap(u, walk))
		return false;
	if (!find_place(u)) {
		lose(u, walk,
		     walk->is_handed_on
			 ? "the firmware is changing where a trap returns to"
			 : "pc in no function");
		return false;
	}
	u->is_inside = u->is_subroutine || (left == LEFT_FRAME && is_inside(u, callee));
	u->is_subroutine = false;
	if (left == LEFT_FRAME)
		walk->has_tailcall |= is_tail(u, callee);
	return true;
}

void walk_stack(const struct machine *m, const struct walk_system *system,
		struct walk *walk)
{
	struct unwinding u = {.m = m, .system = system, .is_exact = true};

	walk->count = walk->traps = 0;
	walk->lost = NULL;
	walk->has_tailcall = walk->is_new = walk->is_handed_on = false;
	walk->place = PLACE_HAND;
	system->begin(m, walk);
	u.thread = walk->thread;
	u.program = walk->program;
	u.priv = walk->priv = soc_priv(m->soc, m->hart);
	machine_registers(m, &u.r);
	if (!find_place(&u)) {
		lose(&u, walk, "pc in no function");
		return;
	}
	while (step(&u, walk))
		continue;
}
