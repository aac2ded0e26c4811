/* SPDX-License-Identifier: Apache-2.0 */
/* The plan of a program: which functions are counted, how each is entered, and where the
 * stubs are.
 *
 * There are two areas for stubs: one that ends below the program and one that begins
 * above it. A near entry reaches 1 MiB. Functions have near entries to the area below as
 * far as there is room, since nothing else is ever mapped there, while the heap may begin
 * right above the program; then near entries to the area above; then far entries, to the
 * area above. Where the room below is too small for all that it reaches, those that
 * cannot have another entry come first. */
#ifndef PROF_EXTRACT_H
#define PROF_EXTRACT_H

#include "known_targets.h"
#include "live_paths.h"
#include "live_registers.h"
#include "stub_build.h"

struct prof_planned {
	const struct prof_listed *listed;
	uint64_t size; /* of the function, in bytes */
	uint64_t room; /* that an entry may replace: the same with the padding behind
			  it, or only what is certainly the function's */
	enum prof_refusal refusal;
	enum tr_stubs_kind kind; /* of the entry that it has, or that was refused last */
	uint32_t number;	 /* in stubs.functions, or in evidence if refused */
	bool loops;		 /* an instruction of it jumps to its first one */
	bool near_is_possible;	 /* if a stub were in reach */
	uint32_t near_size;	 /* of such a stub, in bytes */
	struct prof_obstacle obstacle; /* of a refused function */
	/* If only a far entry was possible, what was in the way of near stubs below and
	 * above: only a place, that of a stub out of reach; or a moved instruction there.
	 * Below, nothing if there was no room or no reach. */
	struct prof_obstacle near_obstacles[TR_STUBS_AREAS];
};

enum { PROF_FAR_REGISTERS = 6 }; /* for the way back: t1 to t6 */

/* What shows why a function is refused, besides its obstacle. */
struct prof_evidence {
	uint32_t
	    insn; /* the instruction at obstacle.at, for those refused for its kind */
	struct prof_origin origin; /* of a target */
	/* For `live` and, with reg 0, for an unknown instruction that can follow. */
	unsigned reg;
	struct prof_path path;
	struct prof_path others[PROF_FAR_REGISTERS]; /* for `register` */
};

struct prof_plan {
	struct prof_planned *functions; /* as in the list, by address */
	size_t count;
	struct tr_stubs stubs; /* with local indexes; the program's fields are not set,
				  nor is the checksum */
	uint8_t *code;	       /* stubs.code_size bytes, for injected.o */
	uint8_t *text;	       /* with entries, whole pages; or NULL */
	const char **names;    /* of stubs.functions */
	struct prof_evidence *evidence; /* of refused functions; NULL: not asked for */
};

/* Makes the plan, with evidence if that is asked for: then it takes twice the time.
 * Returns false with *trouble set. The plan refers to the list. */
bool prof_make_plan(const struct prof_elf *elf, const struct prof_list *list,
		    bool with_evidence, struct prof_plan *plan,
		    struct prof_trouble *trouble);
void prof_free_plan(struct prof_plan *plan);

/* For the parts of this module: what the plan is made of. */
struct prof_planner {
	const struct prof_elf *elf;
	struct prof_plan *plan;
	struct prof_targets targets;
	struct prof_program program;
	struct tr_stubs_function *functions;
	struct tr_stubs_label *labels;
	const struct prof_list *list;
	struct prof_trouble *trouble;
};

/* Returns the bytes at an address of code. */
const uint8_t *prof_code_bytes(const struct prof_elf *elf, uint64_t address);

/* Builds the stub of a function for the places from `lowest` to `highest`. Returns
 * PROF_COUNTED, or the reason why there is none. */
enum prof_refusal prof_build_planned(const struct prof_planner *planner,
				     const struct prof_planned *function,
				     enum tr_stubs_kind kind, int64_t lowest,
				     int64_t highest, struct prof_stub *stub);

/* Places the stubs of all functions that are not refused, and sets the reason of those
 * that then are. */
bool prof_place_stubs(struct prof_planner *planner);

/* Finds the evidence of all refusals. */
bool prof_find_evidence(struct prof_planner *planner);

#endif
