/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a profile, shared by profile*.c. */
#ifndef TR_PROFILE_INTERNAL_H
#define TR_PROFILE_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/table.h"
#include "profile/profile.h"

/* The kind of [out of focus], beyond enum tr_frame_kind. */
enum { PROFILE_FRAME_LEFT_OUT = TR_FRAME_LINE + 1 };

/* Groups other than a thread, process, privilege or hart. Stacks of GROUP_NONE have no
 * group frame. */
enum { GROUP_KERNEL = 0x7ffffff0, GROUP_NONE };

enum profile_charge {
	CHARGE_CODE,
	CHARGE_LOST,
	CHARGE_GAP,
	CHARGE_UNKNOWN,
	CHARGE_NAMELESS,
	CHARGE_AMBIGUOUS,
	CHARGES
};

/* Properties of a function: bounds of the window, measured by the histogram, has calls,
 * matches `hide` or `focus`, its slowest calls are kept, it is a program that has run in
 * user mode. */
enum {
	FUNC_FROM = 1,
	FUNC_TO = 2,
	FUNC_TIMED = 4,
	FUNC_CALLED = 8,
	FUNC_HIDDEN = 16,
	FUNC_FOCUS = 32,
	FUNC_SLOWEST = 64,
	FUNC_USER = 128
};

/* Data about each tr_func. */
struct profile_mark {
	uint8_t flags;
	uint8_t fold; /* 1 + index of the folded binary that contains it */
};

/* A node of the stream, and its node in the profile; small, since each row reads one. */
struct profile_raw {
	uint32_t node;
	uint8_t charge;
	bool is_inside : 1; /* its entry is no call of `node`: within a folded binary,
			     * other than its first frame, or hidden, or merged */
	bool is_hidden : 1;
	bool is_in_focus : 1;
	bool is_left_out : 1; /* [out of focus] is charged */
};

struct profile_node {
	uint32_t parent;
	uint32_t func;
	uint32_t depth;
	uint32_t program; /* function of the first frame */
	uint8_t priv;	  /* of its level; NO_PRIV until known */
	uint8_t flags;	  /* of its function */
};
enum { NO_PRIV = TR_FOLDED_NO_PRIV };

/* The entry of a frame. */
struct profile_start {
	uint64_t clock; /* clock of its thread, or NOT_TIMED */
	uint64_t away;	/* `away` of its thread */
	uint64_t time;	/* cycle */
};
#define NOT_TIMED UINT64_MAX /* before the window, or not observed */

/* The name of a thread or of a group of processes. */
struct profile_name {
	char *text; /* "busybox#2", or "sort[19]"; replaced in place if there is room */
	char *program; /* "busybox"; NULL if no task is known */
	uint32_t room, number;
	uint32_t next; /* with the same task; GROUP_NONE at the end */
};

/* A task in the stream of tr-unwind. */
struct profile_task {
	char *name;
	uint32_t room;
	uint32_t pid, tgid;	  /* or TR_TASK_NO_PID */
	uint32_t process, thread; /* group and thread; the first; or GROUP_NONE */
};

struct profile_thread {
	struct profile_name name;
	uint32_t task;		      /* GROUP_NONE: not known */
	uint32_t process;	      /* group of the task's process, or GROUP_NONE */
	uint64_t clock;		      /* units that the thread has run */
	uint64_t away;		      /* cycles between its rows */
	uint64_t until;		      /* end of its last row */
	struct profile_start *starts; /* by depth of the frame */
	size_t capacity;
	uint32_t node; /* current node; 0: none yet */
	uint32_t raw;  /* current node in the stream */
	uint32_t group;
	bool is_task; /* it began with a tp */
};

/* A stack in a group. */
struct profile_cell {
	uint64_t cycles;
	uint64_t instructions;
	uint32_t group;
	uint32_t node;
};

/* A function in a group. */
struct profile_stat {
	uint64_t calls;
	uint64_t self, total;
	uint64_t retired, cycles; /* instructions and cycles of its own */
	uint64_t away;		  /* cycles in finished calls */
	struct tr_durations durations;
	struct tr_slowest *slowest; /* with FUNC_SLOWEST, once there is a call; or NULL */
	uint64_t open;		    /* of the longest unfinished call */
	uint32_t group;
	uint32_t func;
};

/* A row, or the part of one that is charged. */
struct profile_row {
	const struct tr_srow *srow;
	const struct tr_class_cycles *classes; /* of this row only, not indexed by
						* first_class */
	uint8_t triggers;		       /* fired before the row */
	struct tr_scontext context;
	bool has_context;
	uint32_t hart; /* index in tr_profile.harts */
	uint64_t time; /* cycle at which the row begins */
	/* At a commit width above 1: slots of the row, and how many of them, or of those
	 * of rows before it (negative), are on the other side of `time`. */
	uint64_t slots;
	int64_t lead;
	uint64_t retiring; /* of the slots, those of its instructions */
};

struct profile_hart {
	uint32_t number; /* in the stream */
	char label[16];
	/* At a commit width above 1; see profile_slots.c. */
	uint32_t weight; /* how many slots one of the hart counts as */
	int64_t left;	 /* slots that no row has so far; negative: rows have more */
	uint64_t end;	 /* of the last row */
	uint32_t last_cell, gap_cell; /* 1 + that charged by the last row, and gap */
};

/* The last row of a hart, held until the end of the window is known. */
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
	struct profile_name *processes; /* groups of processes */
	struct profile_task *tasks;
	struct profile_cell *cells; /* one per node if `is_direct`, else in order of
				     * appearance */
	struct profile_stat *stats;
	uint64_t *cell_lost, *stat_lost; /* cycles by class, for each cell or stat */
	size_t func_capacity, mark_capacity, node_capacity, raw_capacity;
	size_t thread_capacity, process_capacity, cell_capacity, stat_capacity;
	size_t task_capacity;
	size_t cell_lost_capacity, stat_lost_capacity;
	uint32_t nfuncs, nnodes, nraws, nthreads, nprocesses, ncells, nstats, nharts;
	uint32_t ntasks;
	uint32_t first_func;	     /* first function of the stream */
	uint32_t idle_node;	     /* 0: none */
	uint32_t left_out_node;	     /* [out of focus]; 0: none */
	bool joins_nodes;	     /* several nodes of the stream may be one */
	bool mixes_charges;	     /* a cell may have several of enum profile_charge */
	struct tr_map node_map;	     /* from (parent, function), if joins_nodes */
	struct tr_map process_map;   /* from process of the stream to its group */
	struct tr_map process_tasks; /* from it to its task */
	struct tr_map cell_map;	     /* from (group, node), unless is_direct */
	struct tr_map stat_map;	     /* from (group, function) */
	unsigned width;	  /* slots of a cycle that classes count; 1: these are cycles */
	unsigned columns; /* of cell_lost and stat_lost */
	uint64_t claimed; /* slots of instructions and classes */
	uint64_t ahead;	  /* of these, those of the cycles before the harts' first */
	uint64_t excess;  /* of these, those of no cycle; most in `excess_cell` */
	uint32_t excess_cell;
	uint64_t cycles, instructions;
	uint64_t seen[2];     /* cycles and instructions, inside and outside the window */
	uint64_t first_cycle; /* of rows that a window may cut; UINT64_MAX before */
	uint64_t last_cycle;
	uint64_t charges[2][CHARGES], before[2], after[2];
	uint64_t from, to; /* the window, see struct tr_profile_window */
	struct profile_hart harts[TR_MAX_HARTS];	 /* in order of appearance */
	struct profile_held *held;			 /* for each hart */
	struct profile_bounds *bounds;			 /* NULL: no mark is a bound */
	struct tr_class_cycles weighted[TR_MAX_CLASSES]; /* of the row being taken */
	struct tr_durations timed;
	struct tr_slowest slowest; /* of those */
	uint64_t timed_calls;
	bool is_direct, is_cut;
	bool has_no_sums;		 /* by stack: they are only observed */
	bool is_plain;			 /* only sums by stack are needed */
	bool follows;			 /* calls are tracked */
	struct profile_counter *counter; /* NULL: not the unit */
	int (*observe)(void *context, const struct tr_profile_step *); /* may be NULL */
	void *observer;
	int (*observe_row)(void *context, const struct tr_profile_step *); /* the same */
	void *row_observer;
	struct tr_profile_slicer *slicer; /* may be NULL */
	struct profile_sample *sample;	  /* NULL: the whole run is measured */
};

/* profile_define.c: returns true if `name`, NAME or BINARY:NAME, denotes the function. */
bool tr_profile_is_named(const struct tr_func *func, const char *name);
/* profile_define.c: add the definition with the next id; contents are copied. Return
 * TR_OK, TR_E_CORRUPT (too deep, or an invalid name) or TR_E_NOMEM. */
int tr_profile_define_func(struct tr_profile *p, const struct tr_func *func);
int tr_profile_define_node(struct tr_profile *p, const struct tr_node *node);
int tr_profile_define_thread(struct tr_profile *p, const struct tr_thread *thread);
/* Returns the enum profile_charge of a function's own cycles. */
uint8_t tr_profile_charge_of(const struct tr_func *func);
/* Defines the profile's own frames; call first. Returns false when out of memory. */
bool tr_profile_define_own(struct tr_profile *p);
/* Returns true unless the function is part of a folded binary. */
static inline bool profile_is_shown(const struct tr_profile *p, uint32_t func)
{
	return func < p->first_func || !p->marks[func].fold;
}

/* profile_filter.c: returns FUNC_HIDDEN and FUNC_FOCUS as far as they apply. */
uint8_t tr_profile_filter_flags(const struct tr_profile *p, const struct tr_func *func);
/* Sets `is_hidden` and `is_in_focus` of a new raw node. */
void tr_profile_filter_raw(const struct tr_profile *p, struct profile_raw *raw,
			   const struct tr_node *node);

/* profile_define.c: finds the group of a row. Returns TR_OK, TR_E_ARGUMENT (the stream
 * lacks the information) or TR_E_NOMEM. */
int tr_profile_row_group(struct tr_profile *p, const struct profile_row *row,
			 uint32_t *group);
/* profile_tasks.c: sets the name of the `number`-th thread or group of processes. Returns
 * a status. */
int tr_profile_name_init(struct tr_profile *p, struct profile_name *name,
			 const char *program, uint32_t number);
/* Takes the tasks and names of a frame, before its rows. Returns a status. */
int tr_profile_define_tasks(struct tr_profile *p, const struct tr_sframe *frame);
/* Returns the group of a process whose task has one already, else GROUP_NONE. */
uint32_t tr_profile_task_group(const struct tr_profile *p, uint32_t process);
/* Sets *group to that of the process of a thread's task, which may be new and is called
 * after `program` then if the task has no name. Returns a status. */
int tr_profile_task_process(struct tr_profile *p, uint32_t thread, const char *program,
			    uint32_t *group);
/* Names a new group by the task of its process, if that is known. Returns a status. */
int tr_profile_name_group(struct tr_profile *p, uint32_t process, uint32_t group);
/* Returns the index of a hart, which may be new; readers allow at most TR_MAX_HARTS. */
uint32_t tr_profile_hart(struct tr_profile *p, uint32_t number);
/* Returns the group of a frame on a stack of `group`. */
static inline uint32_t profile_frame_group(const struct tr_profile *p, uint32_t node,
					   uint32_t group)
{
	if (p->options.by == TR_BY_PROGRAM)
		return p->nodes[node].program;
	if (p->options.by == TR_BY_PRIVILEGE && p->nodes[node].priv != NO_PRIV)
		return p->nodes[node].priv;
	return group;
}
/* Returns the heading of the column of groups, which begins with '<'; static storage. */
const char *tr_profile_by_heading(enum tr_profile_by by);
const char *tr_profile_group_name(const struct tr_profile *p, uint32_t group);
/* Returns true if the group's name is the first frame of its stacks. */
bool tr_profile_group_has_frame(const struct tr_profile *p, uint32_t group);

/* Adds a cell. Returns NULL when out of memory. */
struct profile_cell *tr_profile_add_cell(struct tr_profile *p, uint32_t group,
					 uint32_t node);

/* profile_bounds.c: returns NULL when out of memory; tr_profile_bounds_free() accepts
 * NULL. */
struct profile_bounds *tr_profile_bounds_new(void);
void tr_profile_bounds_free(struct profile_bounds *);
/* Takes the marks of a frame, before its rows. Returns false when out of memory. */
bool tr_profile_bounds_frame(struct tr_profile *p, const struct tr_probe_names *names,
			     const struct tr_sframe *frame);
/* A row comes; and all rows of a hart (index in tr_profile.harts) up to a cycle have
 * come: the window begins or ends at marks before that. */
void tr_profile_bounds_row(struct tr_profile *p, const struct profile_row *row);
void tr_profile_bounds_reach(struct tr_profile *p, uint32_t hart, uint64_t cycle);

/* profile_window.c: charges the part of a row that is in the window, once that is known.
 * Returns TR_OK, TR_E_CORRUPT, TR_E_ARGUMENT or TR_E_NOMEM. */
int tr_profile_window_row(struct tr_profile *p, const struct profile_row *row);
/* Moves a bound of the window if triggers fired at cycle `time` are one. */
void tr_profile_window_trigger(struct tr_profile *p, uint64_t time, uint8_t triggers);
/* Passes a row to the observer of rows. Returns its status. */
int tr_profile_show_row(struct tr_profile *p, const struct profile_row *row,
			uint32_t group);
/* Passes the parts of a row to the slicer. Returns its status. */
int tr_profile_slice_row(struct tr_profile *p, const struct profile_row *row);
/* Charges a whole row. Returns TR_OK, TR_E_CORRUPT, TR_E_ARGUMENT or TR_E_NOMEM. */
int tr_profile_charge_row(struct tr_profile *p, const struct profile_row *row);

/* Fast path of tr_profile_charge_row() when `is_plain`. */
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

/* profile_counter.c: used only when a counter is the unit. Returns false when out of
 * memory. */
bool tr_profile_counter_new(struct tr_profile *p);
void tr_profile_counter_free(struct tr_profile *p);
/* Takes the samples of a hart, before the rows of their frame. Returns TR_OK;
 * TR_E_ARGUMENT if the counter decreases; TR_E_CORRUPT for too many samples ahead of rows
 * or a sum beyond 64 bits; or TR_E_NOMEM. */
int tr_profile_counter_take(struct tr_profile *p, uint32_t hart,
			    const struct tr_shart *from);
/* Assign cycles of a row to a cell, or `cycles` of it, from its `from`th on, to the time
 * outside the window; in order of time for each hart. Return false when out of memory. */
bool tr_profile_counter_run(struct tr_profile *p, const struct profile_row *row,
			    uint32_t cell);
bool tr_profile_counter_leave_out(struct tr_profile *p, const struct profile_row *row,
				  bool is_after, uint64_t from, uint64_t cycles);
/* Rounds the shares to integers after the last row. Returns TR_OK or TR_E_NOMEM. */
int tr_profile_counter_finish(struct tr_profile *p);
/* Returns the share of a cell. */
uint64_t tr_profile_counter_of(const struct tr_profile *p, uint32_t cell);

/* profile_sample.c: used only in the profile of a sampled run. Returns false when out of
 * memory. */
bool tr_profile_sample_new(struct tr_profile *p);
void tr_profile_sample_free(struct tr_profile *p);
/* Takes the definition of the next raw node. Returns a status. */
int tr_profile_sample_node(struct tr_profile *p, const struct tr_node *node);
/* Returns true if a row is of a window. */
bool tr_profile_sample_is_window(const struct tr_profile *p,
				 const struct profile_row *row);
/* Takes a row of a window, or a row of the run in place of charging it. Return a
 * status. */
int tr_profile_sample_window(struct tr_profile *p, const struct profile_row *row);
int tr_profile_sample_charge(struct tr_profile *p, const struct profile_row *row,
			     uint32_t group);
/* Charges the estimates after the last row. Returns a status. */
int tr_profile_sample_finish(struct tr_profile *p);
/* Gets the i-th of the sums: its instructions by leaf, and the cell that they are charged
 * to. Returns false after the last one. */
struct tr_estimate_part;
bool tr_profile_sample_part(const struct tr_profile *p, uint32_t i, uint32_t *group,
			    uint32_t *node, struct tr_estimate_part *part);
/* Returns the error of the columns in `mask` of the estimate, of a group or of all
 * (UINT32_MAX); infinite when out of memory. */
double tr_profile_sample_error(const struct tr_profile *p, uint32_t group, uint64_t mask);
/* profile.c: finds or adds a cell. Returns a status. */
int tr_profile_cell_of(struct tr_profile *p, uint32_t group, uint32_t node, uint32_t *id);

/* profile_fold.c: returns true if a cell has no cycles, instructions and slots. */
bool tr_profile_is_empty_cell(const struct tr_profile *p, uint32_t cell);
/* Returns the class cycles of the i-th cell or stat, NULL without classes. */
static inline uint64_t *profile_lost(const struct tr_profile *p, uint64_t *all,
				     uint32_t i)
{
	return all ? &all[(size_t)i * p->columns] : NULL;
}
/* Behind the classes, at a commit width above 1, are the columns of slots that were not
 * traced; of slots that have no class though they were; and of those that retiring
 * instructions have beside one for each. */
enum { PROFILE_UNTRACED, PROFILE_NO_CLASS, PROFILE_RETIRING, PROFILE_MORE_COLUMNS };

/* Returns those of a cell. */
static inline uint64_t *profile_rest(const struct tr_profile *p, uint32_t cell)
{
	return profile_lost(p, p->cell_lost, cell) + p->options.classes;
}
/* Returns true for a row of slots that lasts no time, and is no entry. */
static inline bool profile_is_slots_only(const struct profile_row *row)
{
	const struct tr_srow *srow = row->srow;
	return row->slots && !srow->cycles && !srow->instructions && !srow->fresh;
}

/* profile_slots.c, for a commit width above 1: finds the slots of a row, in order of time
 * for each hart. Returns TR_OK, or TR_E_CORRUPT if sums exceed 63 bits. */
int tr_profile_claim_slots(struct tr_profile *p, struct profile_row *row);
/* Charges slots of a row without a class to a cell; all others have been charged. */
void tr_profile_charge_rest(struct tr_profile *p, const struct profile_row *row,
			    uint32_t cell);
/* Charges the slots that remain of each hart's last cycle. */
void tr_profile_finish_slots(struct tr_profile *p);
/* Returns the slots of a cell or stat of the function, with these columns, that were
 * traced but have no class; 0 without classes. */
uint64_t tr_profile_unclassified(const struct tr_profile *p, const struct tr_func *func,
				 const uint64_t *lost, uint64_t cycles, uint64_t retired);
/* Returns the slots of retiring instructions of a cell or stat with these columns. */
uint64_t tr_profile_retiring(const struct tr_profile *p, const uint64_t *lost,
			     uint64_t retired);
/* Returns the slots of a cell. */
uint64_t tr_profile_cell_slots(const struct tr_profile *p, uint32_t cell);
/* Returns true if the profile's values are slots instead of cycles. */
static inline bool profile_counts_slots(const struct tr_profile *p)
{
	return p->width > 1 && p->options.classes;
}
/* Adds room, all zero, for one more cell or stat. Returns false when out of memory. */
bool tr_profile_grow_lost(const struct tr_profile *p, uint64_t **all, size_t *capacity,
			  uint32_t count);

/* Finds or adds a stat. Returns NULL when out of memory. */
struct profile_stat *tr_profile_stat_of(struct tr_profile *p, uint32_t group,
					uint32_t func);
/* Returns an array with a flag for each function: whether another one of its binary has
 * the same name; for the caller to free; NULL when out of memory. */
bool *tr_profile_namesakes(const struct tr_profile *p);
/* The columns of a function, as of tr_profile_add_function(). */
#define PROFILE_FUNCTION_HEADINGS "<binary", "<function", "<", "<", "<"
#define PROFILE_FUNCTION_KEYS	  "binary", "", "function", "address", "kind"
enum { PROFILE_FUNCTION_COLUMNS = 5 };
/* Adds a cell for an error, rounded up; "-" if it is unknown. Returns a status. */
int tr_profile_add_error(struct tr_table *table, double error);
/* Adds table cells for the function's binary and name; with `namesake` the name has its
 * address. Returns a status. */
int tr_profile_add_function(struct tr_table *table, const struct tr_func *func,
			    bool namesake);
/* Records the calls that are unfinished after the last row, of functions whose slowest
 * calls are kept. Returns false when out of memory. */
bool tr_profile_leave_open(struct tr_profile *p);
/* Ends and begins calls, and by them the window, on the way to `row`, of `group`. Returns
 * false when out of memory. */
bool tr_profile_follow_calls(struct tr_profile *p, const struct profile_row *row,
			     uint32_t group);

/* Sets the privilege of a node that ran, and of nodes below it in the same privilege, if
 * it is not known. Does nothing for untraced time. */
void tr_profile_learn_privilege(struct tr_profile *p, const struct profile_raw *raw,
				uint8_t priv);

/* Returns true if a frame begins and ends with a call. Inlined code is interleaved with
 * the code around it and would appear to be called each time it continues. */
static inline bool profile_is_call(const struct tr_func *func)
{
	return func->kind != TR_FRAME_INLINED && func->kind != TR_FRAME_LINE;
}
static inline bool profile_is_called(const struct tr_profile *p, uint32_t node)
{
	return p->nodes[node].flags & FUNC_CALLED;
}

#endif
