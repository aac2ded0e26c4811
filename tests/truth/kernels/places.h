/* SPDX-License-Identifier: Apache-2.0 */
/* Which task a hart runs, and on which stack, by its registers and memory, and by the
 * traps that it took. */
#ifndef PLACES_H
#define PLACES_H

#include "../walk.h"

enum { PLACE_TASKS = 512, PLACE_TRAPS = 8, PLACE_FRAMES = 64 };

/* A trap that has not returned yet, and the stack that it interrupted. */
struct place_trap {
	uint64_t cause, sp;
	unsigned count;
	const char *lost;
	struct walk_frame frames[PLACE_FRAMES]; /* innermost first */
};

struct place_task {
	uint32_t number;
	bool has_run; /* an instruction outside of traps */
	unsigned ntraps;
	struct place_trap *traps[PLACE_TRAPS];
};

/* A hart, before its next instruction. */
struct place {
	struct walk walk;
	struct place_task *task;
	uint64_t pc;	 /* in the file */
	bool is_leaving; /* in a span of that kind, or in a trap or call from there: */
	bool is_trapped, is_called;
	bool is_xret; /* the instruction is one */
};

/* Reads the addresses of the kernel's spans and areas. Returns false, after a message, if
 * it has none. */
bool places_init(const struct machine *m);
void places_free(void);
/* Sets the place of the hart m->hart after an instruction or, with `trap`, after it. */
void place_inspect(const struct machine *m, struct place *place,
		   const struct soc_trap *trap);
/* Returns how many tasks there were, and the index of one. */
unsigned places_tasks(void);
unsigned place_index(const struct place_task *task);
const struct place_task *place_task(unsigned index);

#endif
