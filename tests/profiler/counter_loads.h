/* SPDX-License-Identifier: Apache-2.0 */
/* What the daemon finds when it copies counters. Executions of stubs and loads of
 * counters are told in any order, and take place in that of their commits, which is that
 * of memory: sim/replay/cursor.h. In one cycle those of the lower hart come first. */
#ifndef COUNTER_LOADS_H
#define COUNTER_LOADS_H

#include "process_lives.h"

enum { LOADING_HARTS = 8 };

/* The indexes of a program's entries, in the order of its entries; NO_INDEX: not counted.
 */
#define NO_INDEX UINT32_MAX
struct counter_indexes {
	uint32_t *local, *global;
	uint32_t *entry_of;   /* by local index */
	uint32_t local_count; /* of indexes */
	uint64_t *end;	      /* of the entry's function: behind its last byte */
};

/* A file with counters that the daemon has mapped. */
struct mapped_counts {
	uint64_t address, size, offset; /* offset of the first byte in the file */
	uint64_t file;			/* the number in its name; 0: all processes */
	struct process_life *life;	/* NULL: all processes */
	uint64_t *calls;		/* by index, as of the load of the last pass */
	uint32_t count;			/* indexes of the pass so far */
	uint64_t first, last;		/* cycles of its first and last load */
};

struct load_action {
	uint64_t cycle;
	struct process_life *life; /* whose stub counts; NULL: a load, or an end */
	union {
		uint32_t entry;
		uint64_t address;
	};
	uint64_t size; /* of what is unmapped; 0: a load */
};

struct action_queue {
	struct load_action *actions;
	size_t first, count, room;
};

struct counter_loads {
	struct process_lives *lives;
	struct counter_indexes *indexes; /* by watched program */
	uint64_t *global;		 /* calls by global index */
	uint32_t global_count;
	struct mapped_counts *maps;
	size_t map_count;
	struct action_queue queues[LOADING_HARTS];
	uint64_t other_loads; /* of memory that is no counter */
};

/* Return NULL or a message. Reads the indexes from FILE, whose lines "ADDRESS END
 * LOCAL GLOBAL" have each function, -1 where it has no index. */
const char *read_counter_indexes(struct counter_loads *loads, size_t program,
				 const char *path);
/* The daemon has mapped a file of this name. */
const char *map_counts(struct counter_loads *loads, struct mapped_counts map,
		       const char *name);
const char *tell_count(struct counter_loads *loads, unsigned hart, uint64_t cycle,
		       struct process_life *life, uint32_t entry);
const char *tell_load(struct counter_loads *loads, unsigned hart, uint64_t cycle,
		      uint64_t address);
/* The daemon unmaps a range. */
const char *tell_unmap(struct counter_loads *loads, unsigned hart, uint64_t cycle,
		       uint64_t address, uint64_t size);
/* Everything before a cycle has been told. Prints a line for each pass over the counters
 *of a file that has ended:
 *
 *	pass FILE LIFE FIRST LAST CALLS...
 *
 * FIRST and LAST are the cycles of its loads; CALLS are by index, "-" of those not
 *loaded. LIFE is 0 for the file of all processes. */
void settle_counts(struct counter_loads *loads, uint64_t cycle);
/* Ends all passes. */
void end_counter_loads(struct counter_loads *loads);
void free_counter_loads(struct counter_loads *loads);

#endif
