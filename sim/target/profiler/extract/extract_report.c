/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the plan of a program. */
#include "extract_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/csv.h"
#include "base/status.h"

/* The evidence follows each text. */
static const char *const refusal_texts[PROF_REFUSALS] = {
    [PROF_REFUSED_CALL] = "a call in the bytes to replace would return into them",
    [PROF_REFUSED_ECALL] = "the kernel uses the address of a system call there",
    [PROF_REFUSED_EBREAK] = "debuggers use the address of an ebreak there",
    [PROF_REFUSED_TARGET] = "something may jump into the bytes to replace",
    [PROF_REFUSED_SMALL] = "it is shorter than the jump to its stub",
    [PROF_REFUSED_LIVE] = "t0 or t1 may be read before it is written",
    [PROF_REFUSED_REACH] = "no stub is within reach",
    [PROF_REFUSED_REGISTER] = "no register is free for the way back",
    [PROF_REFUSED_UNKNOWN] = "an instruction that it executes is not known",
    [PROF_REFUSED_OVERLAP] = "another function begins in the bytes to replace",
};

static const char *const origin_texts[] = {
    [PROF_BY_NOTHING] = "",
    [PROF_BY_BRANCH] = "the instruction at",
    [PROF_BY_SYMBOL] = "a symbol",
    [PROF_BY_ENTRY] = "the program's entry",
    [PROF_BY_RELOCATION] = "the relocation of",
    [PROF_BY_CHANGE] = "the relocation that changes",
    [PROF_BY_PAD] = "a landing pad of the function at",
    [PROF_BY_ANY_PAD] = "landing pads that cannot be read, of the function at",
    [PROF_BY_WORD] = "the word at",
    [PROF_BY_CODE] = "the address that is computed at",
    [PROF_BY_TABLE] = "the jump table's entry at",
};

static const char *const end_texts[] = {
    [PROF_PATH_NONE] = "not found",
    [PROF_PATH_READS] = "read at",
    [PROF_PATH_RETURNS] = "unknown behind the return at",
    [PROF_PATH_CALLS] = "unknown behind the call at",
    [PROF_PATH_LEAVES] = "unknown behind the code at",
    [PROF_PATH_UNKNOWN] = "unknown behind the instruction at",
};

static const char *name_entry(const struct prof_planned *f)
{
	if (f->refusal != PROF_COUNTED)
		return prof_name_refusal(f->refusal);
	return f->kind == TR_STUBS_FAR ? "far" : "near";
}

/* Prints where a path ends after a text, and the indirect jumps on it. */
static void print_path(const char *text, const struct prof_path *path)
{
	fputs(text, stdout);
	if (path->end != PROF_PATH_NONE)
		printf(" 0x%" PRIx64, path->at);
	for (unsigned i = 0; i < path->jump_count; i++)
		printf(" by the jump from 0x%" PRIx64 " to 0x%" PRIx64,
		       path->jumps[i].from, path->jumps[i].to);
}

static void print_origin(const struct prof_planned *f, const struct prof_origin *origin)
{
	printf("to 0x%" PRIx64 ", by %s", f->obstacle.at, origin_texts[origin->kind]);
	if (origin->kind != PROF_BY_SYMBOL && origin->kind != PROF_BY_ENTRY)
		printf(" 0x%" PRIx64, origin->at);
	if (origin->kind == PROF_BY_TABLE)
		printf(" from 0x%" PRIx64, origin->base);
}

static void print_registers(const struct prof_planned *f,
			    const struct prof_evidence *evidence)
{
	printf("at 0x%" PRIx64, f->obstacle.target);
	for (unsigned i = 0; i < PROF_FAR_REGISTERS; i++) {
		printf(", t%u ", i + 1);
		print_path(end_texts[evidence->others[i].end], &evidence->others[i]);
	}
}

/* Prints the place of a stub, and what is too far from there. */
static void print_reach(const struct prof_obstacle *obstacle)
{
	printf("at 0x%" PRIx64, obstacle->place);
	if (obstacle->at)
		printf(" where 0x%" PRIx64 " refers to 0x%" PRIx64, obstacle->at,
		       obstacle->target);
}

/* Prints what shows that a refusal is right. */
static void print_evidence(const struct prof_plan *plan, const struct prof_planned *f)
{
	const struct prof_evidence *evidence = &plan->evidence[f->number];
	const struct prof_obstacle *obstacle = &f->obstacle;
	switch (f->refusal) {
	case PROF_REFUSED_SMALL:
		printf("%" PRIu64 " bytes of %u", f->room, obstacle->needed);
		return;
	case PROF_REFUSED_TARGET:
		print_origin(f, &evidence->origin);
		return;
	case PROF_REFUSED_LIVE:
		printf("t%u ", evidence->reg - 5);
		print_path(end_texts[evidence->path.end], &evidence->path);
		return;
	case PROF_REFUSED_REACH:
		print_reach(obstacle);
		return;
	case PROF_REFUSED_REGISTER:
		print_registers(f, evidence);
		return;
	case PROF_REFUSED_OVERLAP:
		printf("%s at 0x%" PRIx64, f[1].listed->name, f[1].listed->start);
		return;
	default:
		if (!obstacle->at && evidence->path.end == PROF_PATH_NONE) {
			print_path(end_texts[PROF_PATH_NONE], &evidence->path);
			return;
		}
		printf("0x%0*" PRIx32 " ", (evidence->insn & 3) == 3 ? 8 : 4,
		       evidence->insn);
		if (obstacle->at)
			printf("at 0x%" PRIx64, obstacle->at);
		else
			print_path("at", &evidence->path);
	}
}

static void explain_refusal(const struct prof_plan *plan, const struct prof_planned *f)
{
	if (f->kind == TR_STUBS_FAR) {
		printf("for a far entry, as a near stub of %u bytes would be ",
		       f->near_size);
		print_reach(&f->near_obstacles[1]);
		if (f->near_obstacles[0].at) {
			fputs(" or ", stdout);
			print_reach(&f->near_obstacles[0]);
		}
		fputs(", ", stdout);
	}
	printf("%s: ", refusal_texts[f->refusal]);
	print_evidence(plan, f);
	putchar('\n');
}

void prof_explain_plan(const struct prof_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct prof_planned *f = &plan->functions[i];
		printf("0x%" PRIx64 " %s: %s: ", f->listed->start, f->listed->name,
		       name_entry(f));
		if (f->refusal != PROF_COUNTED) {
			explain_refusal(plan, f);
			continue;
		}
		const struct tr_stubs_function *stub = &plan->stubs.functions[f->number];
		printf("%u bytes replaced, a stub of %u bytes %s the program%s\n",
		       stub->size, stub->stub_size, stub->area ? "above" : "below",
		       f->loops ? ", counts executions of a loop" : "");
	}
}

bool prof_print_table(const struct prof_plan *plan)
{
	bool printed = true;

	puts("name,address,size,entry,stub_size,loops");
	for (size_t i = 0; i < plan->count; i++) {
		const struct prof_planned *f = &plan->functions[i];
		const bool counted = f->refusal == PROF_COUNTED;
		printed &= tr_csv_put(stdout, f->listed->name) == TR_OK;
		printf(",0x%" PRIx64 ",%" PRIu64 ",%s,%u,%d\n", f->listed->start, f->size,
		       name_entry(f),
		       counted ? plan->stubs.functions[f->number].stub_size : 0,
		       f->loops);
	}
	return printed;
}
