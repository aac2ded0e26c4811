/* SPDX-License-Identifier: Apache-2.0 */
/* Finds live registers by passes over the code, backwards, until nothing changes. */
#include "live_registers.h"

#include <stdlib.h>

#include "insn.h"
#include "stream/insn.h"

/* Sets of registers. */
#define ALL_REGISTERS UINT32_C(0xfffffffe)
#define TEMPORARIES   UINT32_C(0xf00000e0)
#define ARGUMENTS     UINT32_C(0xf0000080) /* t2 to t6 */
#define OTHERS	      (ALL_REGISTERS & ~TEMPORARIES)
#define NOT_KNOWN     (ALL_REGISTERS | PROF_LIVE_UNKNOWN)

enum { PASSES = 64, RA = 1 << 1 };

/* Returns the number of even addresses in a function. */
static uint64_t count_halves(const struct prof_function *function)
{
	return function->size / 2 + (function->size & 1);
}

/* A pass over a function. */
struct pass {
	const struct prof_program *program;
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

/* Returns what is live at the target of a jump, or where the code continues. */
static uint32_t live_there(struct pass *pass, uint64_t address)
{
	struct prof_function *function = pass->function;
	const struct prof_program *program = pass->program;
	if (is_own(function, address)) {
		pass->repeats |= address < pass->address;
		return function->live[(address - function->address) / 2];
	}
	function->depends = true;
	if (address - program->plt_start < program->plt_end - program->plt_start)
		return OTHERS | ARGUMENTS;
	return prof_live_at(program, address);
}

/* Returns the number of targets below an address. */
static size_t count_targets_below(const struct prof_program *program, uint64_t address)
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
		for (uint64_t at = 0; at < function->size;
		     at += (function->code[at] & 3) == 3 ? 4 : 2)
			live |= function->live[at / 2];
		return live;
	}
	for (size_t i = count_targets_below(program, function->address);
	     i < program->target_count && program->targets[i] < end; i++)
		live |= prof_live_at(program, program->targets[i]);
	return live;
}

static uint32_t live_at_indirect(struct pass *pass)
{
	if (!pass->has_spread)
		pass->spread = collect_targets(pass->program, pass->function);
	pass->has_spread = true;
	pass->repeats = true;
	return OTHERS | ARGUMENTS | pass->spread;
}

static uint32_t live_at_call(const struct pass *pass, const struct prof_insn *insn)
{
	const struct prof_function *function = pass->function;
	if (insn->writes != RA)
		return ALL_REGISTERS & ~insn->writes;
	/* Parts of a function that call one another have conventions of their own. */
	if (insn->has_target && insn->target != function->address &&
	    is_own(function, insn->target))
		return ALL_REGISTERS & ~(uint32_t)RA;
	return (OTHERS | ARGUMENTS) & ~(uint32_t)RA;
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
		return insn->reads == RA ? OTHERS : ALL_REGISTERS;
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
		const uint64_t at = 2 * half;
		pass->address = function->address + at;
		const struct prof_insn insn = prof_decode_insn(
		    function->code + at, function->size - at, pass->address);
		const uint32_t live = function->live[half] | live_before(pass, &insn);
		pass->changes |= live != function->live[half];
		function->live[half] = live;
	}
}

static bool find_jump_to_entry(const struct prof_function *function)
{
	for (uint64_t at = 0; at < function->size;) {
		const struct prof_insn insn = prof_decode_insn(
		    function->code + at, function->size - at, function->address + at);
		if ((insn.kind == PROF_BRANCH || insn.kind == PROF_JUMP) &&
		    insn.target == function->address)
			return true;
		at += insn.length ? insn.length : 2;
	}
	return false;
}

/* Repeats passes until the function does not change. Returns true if anything has
 * changed.
 */
static bool settle_function(const struct prof_program *program,
			    struct prof_function *function)
{
	bool changed = false;
	while (function->passes < PASSES) {
		function->passes++;
		struct pass pass = {program, function, .changes = false};
		pass_over(&pass);
		changed |= pass.changes;
		if (!pass.changes || !pass.repeats)
			return changed;
	}
	for (uint64_t half = 0; half < count_halves(function); half++) {
		changed |= function->live[half] != NOT_KNOWN;
		function->live[half] = NOT_KNOWN;
	}
	return changed;
}

static enum tr_status allocate_live(struct prof_program *program)
{
	uint64_t halves = 0;
	for (size_t i = 0; i < program->count; i++)
		halves += count_halves(&program->functions[i]);
	program->live = calloc(halves ? halves : 1, sizeof(*program->live));
	if (!program->live)
		return TR_E_NOMEM;
	uint32_t *live = program->live;
	for (size_t i = 0; i < program->count; i++) {
		struct prof_function *function = &program->functions[i];
		function->live = live;
		function->passes = 0;
		function->depends = false;
		function->jumps_to_entry = find_jump_to_entry(function);
		live += count_halves(function);
	}
	return TR_OK;
}

enum tr_status prof_find_live(struct prof_program *program)
{
	if (allocate_live(program) != TR_OK)
		return TR_E_NOMEM;
	bool changed = true;
	while (changed) {
		changed = false;
		for (size_t i = program->count; i-- > 0;) {
			struct prof_function *function = &program->functions[i];
			if (function->passes == 0 || function->depends)
				changed |= settle_function(program, function);
		}
	}
	return TR_OK;
}

void prof_free_live(struct prof_program *program)
{
	free(program->live);
	program->live = NULL;
}
