/* SPDX-License-Identifier: Apache-2.0 */
/* Finds live registers by passes over the code, backwards, until nothing changes. */
#include "live_registers_internal.h"

#include <stdlib.h>

#include "insn.h"
#include "stream/insn.h"

/* Sets of registers. */
#define ALL_REGISTERS UINT32_C(0xfffffffe)
#define TEMPORARIES   UINT32_C(0xf00000e0)
#define OTHERS	      (ALL_REGISTERS & ~TEMPORARIES)
#define NOT_KNOWN     UINT32_C(0xffffffff) /* all, and PROF_LIVE_UNKNOWN */

enum { PASSES = 64 /* on average */ };

/* Returns the number of even addresses in a function. */
static uint64_t count_halves(const struct prof_function *function)
{
	return function->size / 2 + (function->size & 1);
}

/* Returns the distance to the next instruction in bytes. Of those that are longer than 4
 * bytes each 2 bytes are taken for one that is unknown. */
static uint64_t step_from(const struct prof_function *function, uint64_t at)
{
	const uint32_t bits = function->code[at] & 0x1f;
	return (bits & 3) == 3 && bits != 0x1f ? 4 : 2;
}

/* What a function depends on: the live registers at an address of another one. */
struct reference {
	const uint32_t *live;
	uint32_t seen; /* as they were when the function's passes began */
};

struct search {
	const struct prof_program *program;
	struct reference *references; /* of one function after another */
	size_t count, room;
	bool lacks_memory;
	uint64_t halves_left; /* that may still be passed over */
};

/* A pass over a function. */
struct pass {
	struct search *search;
	struct prof_function *function;
	uint64_t address; /* of the instruction */
	bool changes;	  /* something of the function has changed */
	bool repeats;	  /* something depends on an instruction before it */
	bool has_spread;
	uint32_t spread; /* what is live at one of the targets of indirect jumps */
};

const struct prof_function *prof_function_at(const struct prof_program *program,
					     uint64_t address)
{
	size_t low = 0, high = program->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (program->functions[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	const struct prof_function *function = &program->functions[low - 1];
	return address - function->address < function->size ? function : NULL;
}

uint32_t prof_live_at(const struct prof_program *program, uint64_t address)
{
	const struct prof_function *function = prof_function_at(program, address);
	if (!function || address & 1)
		return ALL_REGISTERS;
	return function->live[(address - function->address) / 2];
}

static bool is_own(const struct prof_function *function, uint64_t address)
{
	return address - function->address < function->size;
}

/* Adds a reference of a function in its first pass, where it finds all. */
static void add_reference(struct search *search, struct prof_function *function,
			  const uint32_t *live)
{
	if (function->passes > 1)
		return;
	if (search->count == search->room) {
		const size_t room = search->room ? 2 * search->room : 1024;
		struct reference *more =
		    realloc(search->references, room * sizeof(*more));
		search->lacks_memory |= !more;
		if (!more)
			return;
		search->references = more;
		search->room = room;
	}
	search->references[search->count++] = (struct reference){live, *live};
	function->reference_count++;
}

/* Returns what is live at an address of another function. */
static uint32_t live_elsewhere(struct pass *pass, uint64_t address)
{
	const struct prof_program *program = pass->search->program;
	const struct prof_function *function = prof_function_at(program, address);
	if (address - program->plt_start < program->plt_end - program->plt_start)
		return OTHERS | PROF_STATIC_CHAIN;
	if (!function)
		return ALL_REGISTERS;
	const uint32_t *live = &function->live[(address - function->address) / 2];
	add_reference(pass->search, pass->function, live);
	return *live;
}

/* Returns what is live at the target of a jump, or where the code continues. */
static uint32_t live_there(struct pass *pass, uint64_t address)
{
	const struct prof_function *function = pass->function;
	if (!is_own(function, address))
		return live_elsewhere(pass, address);
	pass->repeats |= address < pass->address;
	return function->live[(address - function->address) / 2];
}

size_t prof_count_targets_below(const struct prof_program *program, uint64_t address)
{
	size_t low = 0, high = program->target_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (program->targets[middle] < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns what is live at one of the instructions that indirect jumps may go to. */
static uint32_t collect_targets(const struct prof_program *program,
				const struct prof_function *function)
{
	const uint64_t end = function->address + function->size;
	uint32_t live = 0;
	if (!program->targets) {
		for (uint64_t at = 0; at < function->size; at += step_from(function, at))
			live |= function->live[at / 2];
		return live;
	}
	for (size_t i = prof_count_targets_below(program, function->address);
	     i < program->target_count && program->targets[i] < end; i++)
		live |= prof_live_at(program, program->targets[i]);
	return live;
}

const struct prof_table_jump *prof_find_table_jump(const struct prof_program *program,
						   uint64_t address)
{
	size_t low = 0, high = program->jump_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (program->jumps[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < program->jump_count && program->jumps[low].address == address
		   ? &program->jumps[low]
		   : NULL;
}

static uint32_t live_at_indirect(struct pass *pass)
{
	const struct prof_program *program = pass->search->program;
	const struct prof_table_jump *jump = prof_find_table_jump(program, pass->address);
	uint32_t live = 0;
	for (size_t i = 0; jump && i < jump->count; i++)
		live |= live_there(pass, program->jump_targets[jump->first + i]);
	if (jump)
		return live;
	if (!pass->has_spread)
		pass->spread = collect_targets(pass->search->program, pass->function);
	pass->has_spread = true;
	pass->repeats = true;
	return OTHERS | PROF_STATIC_CHAIN | pass->spread;
}

static uint32_t live_at_call(struct pass *pass, const struct prof_insn *insn)
{
	const struct prof_function *function = pass->function;
	uint32_t arguments = PROF_STATIC_CHAIN;
	if (insn->writes != PROF_RA)
		return ALL_REGISTERS & ~insn->writes;
	/* Parts of a function that call one another have conventions of their own. */
	if (insn->has_target && !function->is_between &&
	    insn->target != function->address && is_own(function, insn->target))
		return (OTHERS | PROF_STATIC_CHAIN | live_there(pass, insn->target) |
			live_there(pass, pass->address + insn->length)) &
		       ~(uint32_t)PROF_RA;
	if (insn->has_target)
		arguments |= live_there(pass, insn->target) & PROF_ARGUMENTS;
	return (OTHERS | arguments) & ~(uint32_t)PROF_RA;
}

static uint32_t live_at_stop(struct pass *pass, const struct prof_insn *insn,
			     uint64_t next)
{
	const bool continues =
	    insn->bits == TR_INSN_EBREAK || insn->bits == TR_INSN_C_EBREAK;
	return continues && is_own(pass->function, next) ? live_there(pass, next) : 0;
}

/* Returns what is live before an instruction. */
static uint32_t live_before(struct pass *pass, const struct prof_insn *insn)
{
	const uint64_t next = pass->address + insn->length;
	switch ((enum prof_kind)insn->kind) {
	case PROF_OTHER:
	case PROF_AUIPC:
	case PROF_ECALL:
		return (live_there(pass, next) & ~insn->writes) | insn->reads;
	case PROF_BRANCH:
		return live_there(pass, next) | live_there(pass, insn->target) |
		       insn->reads;
	case PROF_JUMP:
		return live_there(pass, insn->target);
	case PROF_INDIRECT:
		return live_at_indirect(pass) | insn->reads;
	case PROF_RETURN:
		return insn->reads == PROF_RA ? OTHERS : ALL_REGISTERS;
	case PROF_CALL:
		return live_at_call(pass, insn) | insn->reads;
	case PROF_EBREAK:
		return live_at_stop(pass, insn, next);
	case PROF_UNKNOWN:
		break;
	}
	return NOT_KNOWN;
}

static void pass_over(struct pass *pass)
{
	const struct prof_function *function = pass->function;
	for (uint64_t half = count_halves(function); half-- > 0;) {
		if (function->live[half] == NOT_KNOWN)
			continue;
		const uint64_t at = 2 * half;
		pass->address = function->address + at;
		const struct prof_insn insn = prof_decode_insn(
		    function->code + at, function->size - at, pass->address);
		const uint32_t live = function->live[half] | live_before(pass, &insn);
		pass->changes |= live != function->live[half];
		function->live[half] = live;
	}
}

/* Returns true if something that the function depends on has changed. */
static bool needs_passes(const struct search *search,
			 const struct prof_function *function)
{
	bool needs = function->passes == 0;
	for (size_t i = 0; i < function->reference_count; i++) {
		const struct reference *r =
		    &search->references[function->first_reference + i];
		needs |= *r->live != r->seen;
	}
	return needs;
}

/* Repeats passes until the function does not change. */
static void settle_function(struct search *search, struct prof_function *function)
{
	if (function->passes == 0)
		function->first_reference = search->count;
	for (size_t i = 0; i < function->reference_count; i++) {
		struct reference *r = &search->references[function->first_reference + i];
		r->seen = *r->live;
	}
	while (search->halves_left >= count_halves(function)) {
		search->halves_left -= count_halves(function);
		function->passes++;
		struct pass pass = {search, function, .changes = false};
		pass_over(&pass);
		if (!pass.changes || !pass.repeats)
			return;
	}
	for (uint64_t half = 0; half < count_halves(function); half++)
		function->live[half] = NOT_KNOWN;
}

/* Lets nothing be live at instructions, and everything between them. */
static void mark_starts(const struct prof_function *function)
{
	for (uint64_t half = 0; half < count_halves(function); half++)
		function->live[half] = NOT_KNOWN;
	for (uint64_t at = 0; at < function->size; at += step_from(function, at))
		function->live[at / 2] = 0;
}

static enum tr_status allocate_live(struct prof_program *program, uint64_t *total)
{
	uint64_t halves = 0;
	for (size_t i = 0; i < program->count; i++)
		halves += count_halves(&program->functions[i]);
	program->live = malloc((halves ? halves : 1) * sizeof(*program->live));
	if (!program->live)
		return TR_E_NOMEM;
	*total = halves;
	uint32_t *live = program->live;
	for (size_t i = 0; i < program->count; i++) {
		struct prof_function *function = &program->functions[i];
		function->live = live;
		function->passes = 0;
		function->reference_count = 0;
		mark_starts(function);
		live += count_halves(function);
	}
	return TR_OK;
}

enum tr_status prof_find_live(struct prof_program *program)
{
	uint64_t total;
	if (allocate_live(program, &total) != TR_OK)
		return TR_E_NOMEM;
	struct search search = {.program = program, .halves_left = PASSES * total};
	bool changed = true;
	while (changed && !search.lacks_memory) {
		changed = false;
		for (size_t i = program->count; i-- > 0;) {
			struct prof_function *function = &program->functions[i];
			if (!needs_passes(&search, function))
				continue;
			settle_function(&search, function);
			changed = true;
		}
	}
	free(search.references);
	if (search.lacks_memory)
		prof_free_live(program);
	return search.lacks_memory ? TR_E_NOMEM : TR_OK;
}

void prof_free_live(struct prof_program *program)
{
	free(program->live);
	program->live = NULL;
}
