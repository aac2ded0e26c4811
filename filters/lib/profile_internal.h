/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a profile, shared by profile*.c. */
#ifndef TR_PROFILE_INTERNAL_H
#define TR_PROFILE_INTERNAL_H

#include "buffer.h"
#include "map.h"
#include "profile.h"
#include "profile_durations.h"
#include "table.h"

struct profile_node {
	uint32_t parent;
	uint32_t func;
	uint32_t depth;
	uint32_t program; /* function of the stack's first frame */
};

struct profile_thread {
	const char *label;
	uint64_t clock;	  /* units that the thread has run for */
	uint64_t *starts; /* clock when the frame of each depth was entered */
	size_t capacity;
	uint32_t node; /* where the thread is; 0: nowhere yet */
};

/* A stack of a group. */
struct profile_cell {
	uint64_t cycles;
	uint64_t instructions;
	uint32_t group;
	uint32_t node;
};

/* A function of a group. */
struct profile_stat {
	uint64_t calls;
	uint64_t self, total;
	uint64_t retired; /* instructions of self */
	struct tr_durations durations;
	uint32_t group;
	uint32_t func;
};

struct tr_profile {
	struct tr_profile_options options;
	struct tr_arena text;
	struct tr_func *funcs;
	struct profile_node *nodes;
	struct profile_thread *threads;
	struct profile_cell *cells; /* by thread as they come, else one a node */
	struct profile_stat *stats;
	uint64_t *cell_lost, *stat_lost; /* cycles by class, of each */
	size_t func_capacity, node_capacity, thread_capacity;
	size_t cell_capacity, stat_capacity;
	size_t cell_lost_capacity, stat_lost_capacity;
	uint32_t nfuncs, nnodes, nthreads, ncells, nstats;
	struct tr_map cell_map; /* (thread, node), when by thread */
	struct tr_map stat_map; /* (group, function) */
	uint64_t cycles, instructions;
};

/* The group of a stack: 0, a function or a thread. */
static inline uint32_t profile_group(const struct tr_profile *p, uint32_t node,
				     uint32_t thread)
{
	switch (p->options.by) {
	case TR_BY_PROGRAM:
		return p->nodes[node].program;
	case TR_BY_THREAD:
		return thread;
	default:
		return 0;
	}
}

/* Of the i-th cell or stat. */
static inline uint64_t *profile_lost(const struct tr_profile *p, uint64_t *all,
				     uint32_t i)
{
	return &all[(size_t)i * p->options.classes];
}
/* Room for those of one more, which are 0; false when out of memory. */
bool profile_grow_lost(const struct tr_profile *p, uint64_t **all, size_t *capacity,
		       uint32_t count);

/* Made when it is not there; NULL when out of memory. */
struct profile_stat *profile_stat_of(struct tr_profile *p, uint32_t group, uint32_t func);
/* For each function of the profile, if another one of its binary has its name;
 * NULL when out of memory. */
bool *profile_namesakes(const struct tr_profile *p);
/* Cells for its binary and its name; a namesake's has the address too. */
int profile_add_function(struct tr_table *table, const struct tr_func *func,
			 bool namesake);
/* Ends and begins calls on the way to `row`. False when out of memory. */
bool profile_follow_calls(struct tr_profile *p, const struct tr_srow *row);

/* Whether a frame comes and goes with a call. What was inlined is mixed with the code
 * around it, and would seem to be called each time that it goes on. */
static inline bool profile_is_called(const struct tr_profile *p, uint32_t node)
{
	uint8_t kind = p->funcs[p->nodes[node].func].kind;
	return kind != TR_FRAME_INLINED && kind != TR_FRAME_LINE;
}

#endif
