/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the code forwards from an address, breadth first, where a register is live. */
#include "live_paths.h"

#include <stdlib.h>

#include "insn.h"
#include "live_registers_internal.h"
#include "stream/insn.h"

enum { VISITS = 8 /* of each byte of code, on average, by all searches */ };

struct step {
	uint64_t address;
	size_t before; /* the step from which this one was reached */
};

struct prof_paths {
	const struct prof_program *program;
	uint64_t visits_left;
	uint32_t wanted; /* the bit of the register */
	struct step *steps;
	size_t count, room, next; /* next: the one that is followed */
	uint8_t *seen;		  /* a bit for each 2 bytes of all functions */
	bool lacks_memory;
	enum prof_path_end end; /* of the step `last` */
	size_t last;
};

/* Ends a path at the present step. One that reads the register is better than another. */
static void end_path(struct prof_paths *walk, enum prof_path_end end)
{
	if (walk->end != PROF_PATH_NONE && end != PROF_PATH_READS)
		return;
	walk->end = end;
	walk->last = walk->next;
}

/* Returns the number of an even address among those of all functions. */
static size_t number_half(const struct prof_paths *walk, uint64_t address)
{
	const struct prof_function *function = prof_function_at(walk->program, address);
	return (size_t)(function->live - walk->program->live) +
	       (address - function->address) / 2;
}

/* Marks an address. Returns whether it was marked before. */
static bool mark_seen(struct prof_paths *walk, uint64_t address)
{
	const size_t half = number_half(walk, address);
	const uint8_t bit = (uint8_t)(1U << half % 8);
	const bool before = walk->seen[half / 8] & bit;
	walk->seen[half / 8] |= bit;
	return before;
}

static bool reserve_step(struct prof_paths *walk)
{
	if (walk->count < walk->room)
		return true;
	const size_t room = walk->room ? 2 * walk->room : 1024;
	struct step *more = realloc(walk->steps, room * sizeof(*more));
	walk->lacks_memory |= !more;
	if (!more)
		return false;
	walk->steps = more;
	walk->room = room;
	return true;
}

/* Continues the path at an address. */
static void go_on(struct prof_paths *walk, uint64_t address)
{
	const struct prof_program *program = walk->program;
	const struct prof_function *function = prof_function_at(program, address);
	if (address - program->plt_start < program->plt_end - program->plt_start) {
		if (walk->wanted == PROF_STATIC_CHAIN)
			end_path(walk, PROF_PATH_LEAVES);
	} else if (!function || address & 1) {
		if (walk->wanted != PROF_LIVE_UNKNOWN)
			end_path(walk, PROF_PATH_LEAVES);
	} else if ((prof_live_at(program, address) & walk->wanted) &&
		   !mark_seen(walk, address) && reserve_step(walk)) {
		walk->steps[walk->count++] = (struct step){address, walk->next};
	}
}

static void follow_indirect(struct prof_paths *walk, const struct prof_function *function,
			    uint64_t address)
{
	const struct prof_program *program = walk->program;
	const struct prof_table_jump *jump = prof_find_table_jump(program, address);
	const uint64_t end = function->address + function->size;
	for (size_t i = 0; jump && i < jump->count; i++)
		go_on(walk, program->jump_targets[jump->first + i]);
	if (jump)
		return;
	if (walk->wanted == PROF_STATIC_CHAIN)
		end_path(walk, PROF_PATH_LEAVES);
	for (size_t i = prof_count_targets_below(program, function->address);
	     i < program->target_count && program->targets[i] < end; i++)
		go_on(walk, program->targets[i]);
}

static void follow_call(struct prof_paths *walk, const struct prof_function *function,
			const struct prof_insn *insn, uint64_t next)
{
	const bool is_own = insn->has_target && !function->is_between &&
			    insn->target != function->address &&
			    insn->target - function->address < function->size;
	const bool is_usual = insn->writes == PROF_RA;
	if (insn->writes & walk->wanted)
		return;
	if (is_usual && is_own)
		go_on(walk, next);
	if (is_usual && insn->has_target && (is_own || (walk->wanted & PROF_ARGUMENTS)))
		go_on(walk, insn->target);
	if (walk->wanted == PROF_STATIC_CHAIN ||
	    (!is_usual && walk->wanted != PROF_LIVE_UNKNOWN))
		end_path(walk, PROF_PATH_CALLS);
}

/* Follows an instruction that does not read the register. */
static void follow_insn(struct prof_paths *walk, const struct prof_function *function,
			const struct prof_insn *insn, uint64_t address)
{
	const uint64_t next = address + insn->length;
	switch ((enum prof_kind)insn->kind) {
	case PROF_OTHER:
	case PROF_AUIPC:
	case PROF_ECALL:
		if (!(insn->writes & walk->wanted))
			go_on(walk, next);
		break;
	case PROF_BRANCH:
		go_on(walk, next);
		go_on(walk, insn->target);
		break;
	case PROF_JUMP:
		go_on(walk, insn->target);
		break;
	case PROF_INDIRECT:
		follow_indirect(walk, function, address);
		break;
	case PROF_RETURN:
		if (insn->reads != PROF_RA && walk->wanted != PROF_LIVE_UNKNOWN)
			end_path(walk, PROF_PATH_RETURNS);
		break;
	case PROF_CALL:
		follow_call(walk, function, insn, next);
		break;
	case PROF_EBREAK:
		if ((insn->bits == TR_INSN_EBREAK || insn->bits == TR_INSN_C_EBREAK) &&
		    next - function->address < function->size)
			go_on(walk, next);
		break;
	case PROF_UNKNOWN:
		break;
	}
}

static void follow_step(struct prof_paths *walk)
{
	const uint64_t address = walk->steps[walk->next].address;
	const struct prof_function *function = prof_function_at(walk->program, address);
	const uint64_t offset = address - function->address;
	const struct prof_insn insn =
	    prof_decode_insn(function->code + offset, function->size - offset, address);
	if (insn.kind == PROF_UNKNOWN)
		end_path(walk, PROF_PATH_UNKNOWN);
	else if (insn.reads & walk->wanted)
		end_path(walk, PROF_PATH_READS);
	else
		follow_insn(walk, function, &insn, address);
}

/* Lists the indirect jumps that lead to the last step. Returns false if there are too
 * many. */
static bool list_jumps(const struct prof_paths *walk, struct prof_path *path)
{
	for (size_t i = walk->last; i; i = walk->steps[i].before) {
		const struct step *to = &walk->steps[i];
		const uint64_t from = walk->steps[to->before].address;
		const struct prof_function *function =
		    prof_function_at(walk->program, from);
		const uint64_t offset = from - function->address;
		const struct prof_insn insn = prof_decode_insn(
		    function->code + offset, function->size - offset, from);
		if (insn.kind != PROF_INDIRECT)
			continue;
		if (path->jump_count == PROF_PATH_JUMPS_MAX)
			return false;
		path->jumps[path->jump_count++] =
		    (struct prof_path_jump){from, to->address};
	}
	return true;
}

/* Clears what the last search has marked. */
static void forget_steps(struct prof_paths *walk)
{
	for (size_t i = 0; i < walk->count; i++)
		walk->seen[number_half(walk, walk->steps[i].address) / 8] = 0;
	walk->count = 0;
	walk->next = 0;
	walk->end = PROF_PATH_NONE;
}

struct prof_paths *prof_open_paths(const struct prof_program *program)
{
	struct prof_paths *paths = calloc(1, sizeof(*paths));
	uint64_t bytes = 0;
	for (size_t i = 0; i < program->count; i++)
		bytes += program->functions[i].size + 1;
	if (!paths)
		return NULL;
	paths->program = program;
	paths->visits_left = VISITS * bytes;
	paths->seen = calloc(bytes / 16 + 1, 1);
	if (paths->seen)
		return paths;
	free(paths);
	return NULL;
}

void prof_close_paths(struct prof_paths *paths)
{
	if (!paths)
		return;
	free(paths->steps);
	free(paths->seen);
	free(paths);
}

bool prof_find_path(struct prof_paths *paths, uint64_t start, unsigned reg,
		    struct prof_path *path)
{
	*path = (struct prof_path){.end = PROF_PATH_NONE};
	forget_steps(paths);
	paths->wanted = UINT32_C(1) << reg;
	go_on(paths, start);
	while (paths->next < paths->count && paths->end != PROF_PATH_READS &&
	       paths->visits_left && !paths->lacks_memory) {
		paths->visits_left--;
		follow_step(paths);
		paths->next++;
	}
	struct prof_path found = {.end = paths->end};
	if (found.end != PROF_PATH_NONE && paths->count && list_jumps(paths, &found)) {
		found.at = paths->steps[paths->last].address;
		*path = found;
	}
	return !paths->lacks_memory;
}
