/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what shows that functions are refused with reason. */
#include <stdlib.h>

#include "extract.h"
#include "insn.h"

enum { T0 = 5, T1 = 6 };

static bool blame_memory_of(struct prof_planner *planner)
{
	*planner->trouble = (struct prof_trouble){"out of memory", PROF_NO_BYTE};
	return false;
}

static int compare_watched(const void *a, const void *b)
{
	const struct prof_watched *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Lists the targets for which functions are refused, without duplicates. */
static size_t list_watched(const struct prof_plan *plan, struct prof_watched *watched)
{
	size_t count = 0, kept = 0;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->functions[i].refusal == PROF_REFUSED_TARGET)
			watched[count++].address = plan->functions[i].obstacle.at;
	qsort(watched, count, sizeof(*watched), compare_watched);
	for (size_t i = 0; i < count; i++)
		if (!kept || watched[i].address != watched[kept - 1].address)
			watched[kept++].address = watched[i].address;
	return kept;
}

static bool find_origins(struct prof_planner *planner)
{
	struct prof_plan *plan = planner->plan;
	struct prof_watched *watched = calloc(plan->count + 1, sizeof(*watched));
	if (!watched)
		return blame_memory_of(planner);
	const size_t count = list_watched(plan, watched);
	const bool good = !count || prof_find_origins(planner->elf, planner->list,
						      watched, count, planner->trouble);
	for (size_t i = 0; i < plan->count && good; i++) {
		const struct prof_planned *f = &plan->functions[i];
		if (f->refusal != PROF_REFUSED_TARGET)
			continue;
		const struct prof_watched wanted = {.address = f->obstacle.at};
		const struct prof_watched *found =
		    bsearch(&wanted, watched, count, sizeof(*watched), compare_watched);
		plan->evidence[f->number].origin = found->origin;
	}
	free(watched);
	return good;
}

/* Returns the bits of the instruction at an address. */
static uint32_t fetch_insn(const struct prof_elf *elf, uint64_t address)
{
	const struct prof_section *section = prof_code_at(elf, address);
	const uint64_t room = section->size - (address - section->address);
	return prof_decode_insn(prof_code_bytes(elf, address), room, address).bits;
}

/* Finds who reads t0 or t1, of which one that is certainly read is better. */
static bool find_live_path(struct prof_paths *paths, uint64_t start, uint32_t live,
			   struct prof_evidence *evidence)
{
	for (unsigned reg = T0; reg <= T1; reg++) {
		struct prof_path path;
		if (!(live >> reg & 1))
			continue;
		if (!prof_find_path(paths, start, reg, &path))
			return false;
		if (evidence->path.end == PROF_PATH_NONE || path.end == PROF_PATH_READS) {
			evidence->path = path;
			evidence->reg = reg;
		}
		if (path.end == PROF_PATH_READS)
			break;
	}
	return true;
}

/* Finds the evidence of one refusal, except for targets. */
static bool find_evidence_of(const struct prof_planner *planner, struct prof_paths *paths,
			     const struct prof_planned *f, struct prof_evidence *evidence)
{
	static const unsigned others[PROF_FAR_REGISTERS] = {6, 7, 28, 29, 30, 31};
	const uint64_t start = f->listed->start;
	const bool has_insn = f->obstacle.at;
	bool good = true;
	switch (f->refusal) {
	case PROF_REFUSED_CALL:
	case PROF_REFUSED_ECALL:
	case PROF_REFUSED_EBREAK:
	case PROF_REFUSED_UNKNOWN:
		if (!has_insn)
			good = prof_find_path(paths, start, 0, &evidence->path);
		if (has_insn || evidence->path.end == PROF_PATH_UNKNOWN)
			evidence->insn = fetch_insn(
			    planner->elf, has_insn ? f->obstacle.at : evidence->path.at);
		return good;
	case PROF_REFUSED_LIVE:
		return find_live_path(paths, start,
				      prof_live_at(&planner->program, start), evidence);
	case PROF_REFUSED_REGISTER:
		for (unsigned i = 0; i < PROF_FAR_REGISTERS && good; i++)
			good = prof_find_path(paths, f->obstacle.target, others[i],
					      &evidence->others[i]);
		return good;
	default:
		return true;
	}
}

bool prof_find_evidence(struct prof_planner *planner)
{
	struct prof_plan *plan = planner->plan;
	uint32_t refused = 0;
	for (size_t i = 0; i < plan->count; i++)
		if (plan->functions[i].refusal != PROF_COUNTED)
			plan->functions[i].number = refused++;
	plan->evidence = calloc((size_t)refused + 1, sizeof(*plan->evidence));
	struct prof_paths *paths = prof_open_paths(&planner->program);
	bool good = plan->evidence && paths;
	for (size_t i = 0; i < plan->count && good; i++) {
		const struct prof_planned *f = &plan->functions[i];
		if (f->refusal != PROF_COUNTED)
			good = find_evidence_of(planner, paths, f,
						&plan->evidence[f->number]);
	}
	prof_close_paths(paths);
	return good ? find_origins(planner) : blame_memory_of(planner);
}
