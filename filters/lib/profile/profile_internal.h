/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a profile, shared by profile*.c. */
#ifndef TR_PROFILE_INTERNAL_H
#define TR_PROFILE_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/table.h"
#include "profile/profile.h"

/* Groups that are no thread, process or privilege. Stacks of the second stand by
 * themselves. */
enum { GROUP_KERNEL = 0x7ffffff0, GROUP_NONE };

enum profile_charge {
	CHARGE_CODE,
	CHARGE_LOST,
	CHARGE_GAP,
	CHARGE_UNKNOWN,
	CHARGE_AMBIGUOUS,
	CHARGES
};

/* What a function is asked for, by its name; and that it has calls. */
enum { FUNC_FROM = 1, FUNC_TO = 2, FUNC_TIMED = 4, FUNC_CALLED = 8 };

/* Beside each tr_func. */
struct profile_mark {
	uint8_t flags;
	uint8_t fold; /* 1 + the folded binary that it is of */
};

/* A node of the stream, and the one that it is in the profile. */
struct profile_raw {
	uint32_t node;
	uint8_t charge;
	bool is_inside; /* of a folded binary, not its first frame */
};

struct profile_node {
	uint32_t parent;
	uint32_t func;
	uint32_t depth;
	uint32_t program; /* function of the stack's first frame */
	uint8_t priv;	  /* of its level; NO_PRIV until it is known */
	uint8_t flags;	  /* of its function */
};
enum { NO_PRIV = 0xff };

/* When a frame was entered. */
struct profile_start {
	uint64_t clock; /* of its thread, or NOT_TIMED */
	uint64_t away;	/* the same */
};
#define NOT_TIMED UINT64_MAX /* outside of the window, or nobody saw it */

struct profile_thread {
	const char *label;
	uint64_t clock; /* units that the thread has run for */
	uint64_t away;	/* cycles between its rows, in which it did not run */
	uint64_t until; /* the cycle behind its last row */
	struct profile_start *starts; /* of the frame of each depth */
	size_t capacity;
	uint32_t node; /* where the thread is; 0: nowhere yet */
	uint32_t raw;  /* the same as a node of the stream */
	uint32_t group;
	bool is_task; /* has a tp */
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
	uint64_t away;	  /* cycles, in calls that ended */
	struct tr_durations durations;
	uint32_t group;
	uint32_t func;
};

/* A row as it comes, or the part of one that is charged. */
struct profile_row {
	const struct tr_srow *srow;
	const struct tr_class_cycles *classes; /* its own, not indexed by first_class */
	uint8_t triggers;		       /* that fired before it */
	struct tr_scontext context;
	bool has_context;
	uint32_t hart; /* its place in frames */
	uint64_t time; /* cycle at which it begins */
};

/* The last row of a hart, until it is known where the window ends. */
struct profile_held {
	struct profile_row row;
	struct tr_srow srow;
	struct tr_class_cycles classes[TR_MAX_CLASSES];
	bool is_full;
};

struct tr_profile {
	struct tr_profile_options options;
	struct tr_arena text;
	struct tr_func *funcs;	    /* folded binaries and [idle], then the stream's */
	struct profile_mark *marks; /* of each function */
	struct profile_raw *raws;
	struct profile_node *nodes;
	struct profile_thread *threads;
	const char **processes;	    /* labels */
	struct profile_cell *cells; /* one a node, when `is_direct`; else as they come */
	struct profile_stat *stats;
	uint64_t *cell_lost, *stat_lost; /* cycles by class, of each */
	size_t func_capacity, mark_capacity, node_capacity, raw_capacity;
	size_t thread_capacity, process_capacity, cell_capacity, stat_capacity;
	size_t cell_lost_capacity, stat_lost_capacity;
	uint32_t nfuncs, nnodes, nraws, nthreads, nprocesses, ncells, nstats;
	uint32_t first_func;	   /* that is the stream's */
	uint32_t idle_node;	   /* 0: none */
	struct tr_map node_map;	   /* (parent, function), when binaries are folded */
	struct tr_map process_map; /* process of the stream */
	struct tr_map cell_map;	   /* (group, node), unless is_direct */
	struct tr_map stat_map;	   /* (group, function) */
	uint64_t cycles, instructions;
	uint64_t seen[2]; /* cycles and instructions, in and out of the window */
	uint64_t last_cycle;
	uint64_t charges[2][CHARGES], before[2], after[2];
	uint64_t from, to;	   /* the window, see tr_profile_window */
	struct profile_held *held; /* by the place of the hart in frames */
	struct tr_durations timed;
	uint64_t timed_calls;
	bool is_direct, is_cut;
	bool is_plain;			 /* of a row only its sums by stack matter */
	bool follows;			 /* calls, for one reason or another */
	struct profile_counter *counter; /* NULL: not that unit */
};

/* profile_define.c: the stream's next ids; what is pointed to is copied. TR_OK;
 * TR_E_CORRUPT: too deep, or a bad name; TR_E_NOMEM. */
int profile_define_func(struct tr_profile *p, const struct tr_func *func);
int profile_define_node(struct tr_profile *p, const struct tr_node *node);
int profile_define_thread(struct tr_profile *p, const struct tr_thread *thread);
/* What cycles of its own count as: enum profile_charge. */
uint8_t profile_charge_of(const struct tr_func *func);
/* The frames that stand for others; before all else. False when out of memory. */
bool profile_define_own(struct tr_profile *p);
/* Not one of a folded binary. */
static inline bool profile_is_shown(const struct tr_profile *p, uint32_t func)
{
	return func < p->first_func || !p->marks[func].fold;
}

/* profile_define.c. The group of a row; *group is its number. TR_OK; TR_E_ARGUMENT:
 * the stream does not tell; TR_E_NOMEM. */
int profile_row_group(struct tr_profile *p, const struct profile_row *row,
		      uint32_t *group);
/* The same of a frame of a stack of `group`. */
static inline uint32_t profile_frame_group(const struct tr_profile *p, uint32_t node,
					   uint32_t group)
{
	if (p->options.by == TR_BY_PROGRAM)
		return p->nodes[node].program;
	if (p->options.by == TR_BY_PRIVILEGE && p->nodes[node].priv != NO_PRIV)
		return p->nodes[node].priv;
	return group;
}
/* Of a column of words. */
const char *profile_by_heading(enum tr_profile_by by);
const char *profile_group_name(const struct tr_profile *p, uint32_t group);
/* Whether the name is a frame below the stacks of the group. */
bool profile_group_has_frame(const struct tr_profile *p, uint32_t group);

/* Cells: NULL when out of memory. */
struct profile_cell *profile_add_cell(struct tr_profile *p, uint32_t group,
				      uint32_t node);

/* profile_window.c. Charges the part of a row that is in the window, once it is
 * known which it is. As profile_row_group. */
int profile_window_row(struct tr_profile *p, uint32_t hart,
		       const struct profile_row *row);
/* Triggers at a cycle may begin or end the window. */
void profile_window_trigger(struct tr_profile *p, uint64_t time, uint8_t triggers);
/* The same of all of a row. */
int profile_charge_row(struct tr_profile *p, const struct profile_row *row);

/* The same when `is_plain`. */
static inline void profile_charge_plain(struct tr_profile *p, const struct tr_srow *row)
{
	const struct profile_raw *raw = &p->raws[row->node];
	p->cells[raw->node].cycles += row->cycles;
	p->cells[raw->node].instructions += row->instructions;
	p->charges[0][raw->charge] += row->cycles;
	p->charges[1][raw->charge] += row->instructions;
	p->cycles += row->cycles;
	p->instructions += row->instructions;
}

/* profile_counter.c, only when a counter is the unit. False: out of memory. */
bool profile_counter_new(struct tr_profile *p);
void profile_counter_free(struct tr_profile *p);
/* Samples of a hart, before the rows of their frame. TR_OK; TR_E_ARGUMENT: the counter
 * falls; TR_E_CORRUPT: too many samples before rows, or a sum beyond 64 bits;
 * TR_E_NOMEM. */
int profile_counter_take(struct tr_profile *p, uint32_t hart,
			 const struct tr_shart *from);
/* The cycles of a row, or `cycles` of it from its `from`th on, are of a cell, or out of
 * the window; those of a hart come in order of time. */
bool profile_counter_run(struct tr_profile *p, const struct profile_row *row,
			 uint32_t cell);
bool profile_counter_leave_out(struct tr_profile *p, const struct profile_row *row,
			       bool is_after, uint64_t from, uint64_t cycles);
/* After the last row: the shares are whole numbers. TR_OK, TR_E_NOMEM. */
int profile_counter_finish(struct tr_profile *p);
/* The share of a cell. */
uint64_t profile_counter_of(const struct tr_profile *p, uint32_t cell);

/* Of the i-th cell or stat; NULL without classes. */
static inline uint64_t *profile_lost(const struct tr_profile *p, uint64_t *all,
				     uint32_t i)
{
	return all ? &all[(size_t)i * p->options.classes] : NULL;
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
/* Ends and begins calls on the way to `row`, of `group`, and with them the window.
 * False when out of memory. */
bool profile_follow_calls(struct tr_profile *p, const struct profile_row *row,
			  uint32_t group);

/* Whether a frame comes and goes with a call. What was inlined is mixed with the code
 * around it, and would seem to be called each time that it goes on. */
static inline bool profile_is_call(const struct tr_func *func)
{
	return func->kind != TR_FRAME_INLINED && func->kind != TR_FRAME_LINE;
}
static inline bool profile_is_called(const struct tr_profile *p, uint32_t node)
{
	return p->nodes[node].flags & FUNC_CALLED;
}

#endif
