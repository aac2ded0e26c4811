/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what can be known of each function before its stub has a place. */
#include "extract.h"

#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "insn.h"

static bool blame_memory_of(struct prof_planner *planner)
{
	*planner->trouble = (struct prof_trouble){"out of memory", PROF_NO_BYTE};
	return false;
}

const uint8_t *prof_code_bytes(const struct prof_elf *elf, uint64_t address)
{
	const struct prof_section *section = prof_code_at(elf, address);
	return elf->bytes + section->offset + (address - section->address);
}

/* Adds code to the search for live registers: a function, which is part of the last one
 * if they overlap, or what is between functions. */
static void add_range(struct prof_planner *planner, uint64_t start, uint64_t end,
		      bool is_between)
{
	struct prof_program *program = &planner->program;
	struct prof_function *last =
	    program->count ? &program->functions[program->count - 1] : NULL;
	if (last && start < last->address + last->size) {
		if (end > last->address + last->size)
			last->size = end - last->address;
	} else if (end > start) {
		program->functions[program->count++] =
		    (struct prof_function){.address = start,
					   .size = end - start,
					   .is_between = is_between,
					   .code = prof_code_bytes(planner->elf, start)};
	}
}

/* Adds the code of a section: functions, and between them what has no symbol. Returns the
 * first function behind it. */
static size_t add_section(struct prof_planner *planner,
			  const struct prof_section *section, size_t next)
{
	const struct prof_plan *plan = planner->plan;
	const uint64_t section_end = section->address + section->size;
	uint64_t end = section->address;
	for (; next < plan->count && plan->functions[next].listed->start < section_end;
	     next++) {
		const struct prof_planned *f = &plan->functions[next];
		const uint64_t start = f->listed->start;
		if (start > end)
			add_range(planner, end, start, true);
		add_range(planner, start, start + f->size, false);
		if (start + f->size > end)
			end = start + f->size;
	}
	add_range(planner, end, section_end, true);
	return next;
}

/* Finds the live registers of all code. */
static bool search_live(struct prof_planner *planner)
{
	const struct prof_elf *elf = planner->elf;
	struct prof_program *program = &planner->program;
	const struct prof_section *plt = prof_section_named(elf, ".plt");
	program->functions = calloc(2 * planner->plan->count + elf->code_count,
				    sizeof(*program->functions));
	if (!program->functions)
		return blame_memory_of(planner);
	size_t next = 0;
	for (size_t i = 0; i < elf->code_count; i++)
		if (prof_section_is_own(elf->code[i]))
			next = add_section(planner, elf->code[i], next);
	if (plt) {
		program->plt_start = plt->address;
		program->plt_end = plt->address + plt->size;
	}
	program->targets = planner->targets.indirect;
	program->target_count = planner->targets.indirect_count;
	program->jumps = planner->targets.jumps;
	program->jump_count = planner->targets.jump_count;
	program->jump_targets = planner->targets.table_targets;
	return prof_find_live(program) == TR_OK || blame_memory_of(planner);
}

static uint32_t find_live_at(const void *context, uint64_t address)
{
	return prof_live_at(&((const struct prof_planner *)context)->program, address);
}

static bool find_target_at(const void *context, uint64_t address)
{
	return prof_is_target(&((const struct prof_planner *)context)->targets, address);
}

/* Returns the bytes of a function that only calls show which are certainly its own:
 * behind its first jump or return another one may begin, which no call shows. */
static uint64_t measure_first_part(const struct prof_elf *elf, uint64_t start,
				   uint64_t size)
{
	const uint8_t *code = prof_code_bytes(elf, start);
	for (uint64_t at = 0; at < size && at < TR_STUBS_ENTRY_MAX;) {
		const struct prof_insn insn =
		    prof_decode_insn(code + at, size - at, start + at);
		at += insn.length ? insn.length : 2;
		if (prof_never_continues(&insn))
			return at;
	}
	return size;
}

/* Returns the bytes from a function's start to the end of the padding behind it: nothing
 * else has it. */
static uint64_t measure_room(const struct prof_elf *elf, const struct prof_list *list,
			     size_t number)
{
	const uint64_t start = list->functions[number].start;
	const struct prof_section *section = prof_code_at(elf, start);
	uint64_t limit = section->address + section->size;
	uint64_t end = list->functions[number].end;
	if (list->functions[number].by_call)
		return measure_first_part(elf, start, end - start);
	if (number + 1 < list->count && list->functions[number + 1].start < limit)
		limit = list->functions[number + 1].start;
	while (end < limit && end - start < TR_STUBS_ENTRY_MAX) {
		const uint8_t *code = prof_code_bytes(elf, end);
		if (limit - end >= 2 && tr_load16(code) == PROF_COMPRESSED_NOP)
			end += 2;
		else if (limit - end >= 4 && tr_load32(code) == PROF_NOP)
			end += 4;
		else
			break;
	}
	return end - start;
}

enum prof_refusal prof_build_planned(const struct prof_planner *planner,
				     const struct prof_planned *function,
				     enum tr_stubs_kind kind, int64_t lowest,
				     int64_t highest, struct prof_stub *stub)
{
	const uint64_t start = function->listed->start;
	const struct prof_request request = {.code = prof_code_bytes(planner->elf, start),
					     .address = start,
					     .size = function->room,
					     .kind = kind,
					     .lowest = (uint64_t)lowest,
					     .highest = (uint64_t)highest,
					     .live_at = find_live_at,
					     .is_target = find_target_at,
					     .context = planner};
	const enum prof_refusal refusal = prof_build_stub(&request, stub);
	const struct prof_planned *next = function + 1;
	if (refusal == PROF_REFUSED_TARGET &&
	    next < planner->plan->functions + planner->plan->count &&
	    next->listed->start - start < (kind == TR_STUBS_FAR ? 8 : 4))
		return PROF_REFUSED_OVERLAP;
	return refusal;
}

/* Returns whether an instruction of the function branches or jumps to its first one. */
static bool jumps_to_own_entry(const struct prof_elf *elf, uint64_t start, uint64_t size)
{
	const uint8_t *code = prof_code_bytes(elf, start);
	for (uint64_t at = 0; at < size;) {
		const struct prof_insn insn =
		    prof_decode_insn(code + at, size - at, start + at);
		if ((insn.kind == PROF_BRANCH || insn.kind == PROF_JUMP) &&
		    insn.target == start)
			return true;
		at += insn.length ? insn.length : 2;
	}
	return false;
}

/* Builds the stub of each function as if it were beside it. */
static void try_functions(struct prof_planner *planner)
{
	for (size_t i = 0; i < planner->plan->count; i++) {
		struct prof_planned *f = &planner->plan->functions[i];
		const int64_t place = (int64_t)f->listed->start;
		struct prof_stub stub;
		f->refusal =
		    prof_build_planned(planner, f, TR_STUBS_NEAR, place, place, &stub);
		f->near_is_possible = f->refusal == PROF_COUNTED;
		f->near_size = stub.size;
		f->obstacle = stub.obstacle;
		f->loops = jumps_to_own_entry(planner->elf, f->listed->start, f->size) ||
			   prof_is_repeated(&planner->targets, f->listed->start);
	}
}

static void release_planner(struct prof_planner *planner)
{
	prof_free_live(&planner->program);
	free(planner->program.functions);
	prof_free_targets(&planner->targets);
}

bool prof_make_plan(const struct prof_elf *elf, const struct prof_list *list,
		    bool with_evidence, struct prof_plan *plan,
		    struct prof_trouble *trouble)
{
	struct prof_planner planner = {
	    .elf = elf, .plan = plan, .list = list, .trouble = trouble};
	*plan = (struct prof_plan){.count = list->count};
	plan->functions = calloc(list->count, sizeof(*plan->functions));
	if (!plan->functions)
		return blame_memory_of(&planner);
	for (size_t i = 0; i < list->count; i++) {
		plan->functions[i].listed = &list->functions[i];
		plan->functions[i].size =
		    list->functions[i].end - list->functions[i].start;
		plan->functions[i].room = measure_room(elf, list, i);
	}
	bool good = prof_find_targets(elf, list, &planner.targets, trouble) &&
		    search_live(&planner);
	if (good) {
		try_functions(&planner);
		good = prof_place_stubs(&planner) &&
		       (!with_evidence || prof_find_evidence(&planner));
	}
	release_planner(&planner);
	if (!good)
		prof_free_plan(plan);
	return good;
}

void prof_free_plan(struct prof_plan *plan)
{
	free(plan->functions);
	free((void *)plan->stubs.functions);
	free((void *)plan->stubs.labels);
	free(plan->code);
	free(plan->text);
	free(plan->names);
	free(plan->evidence);
	*plan = (struct prof_plan){0};
}
