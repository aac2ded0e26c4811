/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an index, for the files of this folder. */
#ifndef TR_EXPLORE_STATE_H
#define TR_EXPLORE_STATE_H

#include "base/map.h"
#include "explore/explore.h"
#include "profile/sums.h"

enum {
	EXPLORE_FAN = 8,
	EXPLORE_LEVELS = 4, /* of lists: slices, 8 of them, 64, 512 */
	EXPLORE_NO_SLICE = 0,
	EXPLORE_MARKS = 1 << 21, /* at most */
};

struct explore_func {
	const char *name, *binary;
	uint64_t address;
	uint8_t kind, tint;
};

struct explore_node {
	uint32_t parent, func;
};

/* A node in depth-first order; those up to `end` are above it. */
struct explore_place {
	uint32_t node, end, depth;
};

/* `process` and `thread` are indices of `names`. */
struct explore_context {
	uint32_t hart, thread, process;
};

struct explore_cell {
	uint32_t context, node;
};

/* A process or a thread. */
struct explore_name {
	uint32_t number; /* in the profile */
	const char *name;
};

struct explore_names {
	struct explore_name *list;
	size_t count, room;
	struct tr_map index; /* by number */
};

/* A list of sums. That of a slice which is being filled is not packed. */
struct explore_list {
	struct tr_buffer packed;
	struct tr_sums raw;
	struct tr_buffer lanes;	 /* of a slice: its sums by context, packed */
	struct tr_sums unpacked; /* of `lanes`, once they were asked for; or empty */
	uint64_t serial;	 /* of `raw`, never used twice; 0: the list is packed */
	bool is_valid;		 /* of an upper level: it has all of those below */
};

/* A mark of a program, in order of time of its thread: a begin, an end or a point. */
struct explore_mark {
	uint64_t cycle;
	uint64_t ran;	/* cycles that its thread had run by then */
	uint32_t name;	/* index of mark_names */
	uint32_t track; /* of a thread, by first mark */
	uint32_t hart, thread, process;
	uint8_t kind; /* enum tr_mark_kind */
};

struct explore_build; /* explore_build.c */

struct tr_explore {
	struct tr_arena text;
	struct tr_classes classes;
	const char *class_list; /* as in the header, or NULL */
	unsigned width;		/* commit slots of a cycle */
	bool is_untimed, is_done;
	const char *cut_off; /* NULL: the run is complete */
	uint64_t length;     /* cycles of a slice */
	uint64_t end;	     /* of the last row */
	uint64_t cycles, instructions;
	struct explore_func *funcs;
	struct explore_node *nodes; /* [0] is the root */
	struct explore_context *contexts;
	struct explore_cell *cells;
	size_t nfuncs, nnodes, ncontexts, ncells;
	size_t func_room, node_room, context_room, cell_room;
	struct explore_names processes, threads;
	struct explore_list *levels[EXPLORE_LEVELS];
	struct explore_place *order; /* nodes in depth-first order, callees by name */
	uint32_t *position;	     /* of each node in it */
	size_t norder;
	struct explore_mark *marks;
	const char **mark_names;
	size_t nmarks, nmark_names, mark_room, mark_name_room;
	struct tr_map mark_index;    /* of names, by hash, probing key + 1, … */
	uint32_t ntracks;	     /* of marks */
	uint64_t marks_left_out;     /* beyond EXPLORE_MARKS */
	uint64_t marks_deep;	     /* regions that were nested too deep */
	struct explore_build *build; /* NULL: the index was read */
};

/* Returns the number of lists of a level. */
static inline size_t explore_lists(unsigned level)
{
	return (size_t)TR_EXPLORE_SLICES >> (3 * level);
}
static inline unsigned explore_columns(const struct tr_explore *x)
{
	return x->classes.count;
}
/* Returns the number of slices that have rows. */
size_t tr_explore_slices(const struct tr_explore *x);

/* Returns a copy, or NULL when out of memory. */
const char *tr_explore_text(struct tr_explore *x, const char *text);
/* Finds or adds a name by number. Returns its index, or UINT32_MAX when out of memory. */
uint32_t tr_explore_name(struct explore_names *names, uint32_t number);

/* explore_lists.c: opens the list of a slice, so that it can be added to. Returns a
 * status. */
int tr_explore_open_list(struct tr_explore *x, size_t slice, uint64_t serial);
/* Packs the list of a slice, with its lanes. Returns a status. */
int tr_explore_pack_list(struct tr_explore *x, size_t slice);
/* Doubles the length of slices; `serial` as of tr_explore_open_list(). */
int tr_explore_double(struct tr_explore *x, uint64_t *serial);
/* Passes the sums of slices [from, to), in any order, to `take`; a cell may come several
 * times. Returns its status, or that of tr_sums_unpack(). */
int tr_explore_each(struct tr_explore *x, size_t from, size_t to,
		    int (*take)(void *context, const struct tr_sum *sum,
				const uint64_t *lost),
		    void *context);
/* The same with the sums by context of one slice. */
int tr_explore_lanes(struct tr_explore *x, size_t slice,
		     int (*take)(void *context, const struct tr_sum *sum,
				 const uint64_t *lost),
		     void *context);

/* explore_build.c: frees what a build needs. */
void tr_explore_build_free(struct tr_explore *x);

/* explore_marks.c: what takes the marks of a run that is read. */
struct explore_marks;
struct explore_marks *tr_explore_marks_new(struct tr_explore *x,
					   struct tr_profile *profile,
					   const struct tr_reader *reader);
void tr_explore_marks_free(struct explore_marks *taking);
/* Announces a frame to it, or the end. Return a status. */
int tr_explore_marks_frame(struct explore_marks *taking, const struct tr_sframe *frame);
int tr_explore_marks_finish(struct explore_marks *taking);
/* Returns the number of the name of a mark, which may be new; UINT32_MAX when out of
 * memory. */
uint32_t tr_explore_mark_name(struct tr_explore *x, const char *name);

/* explore_order.c: sorts the nodes, unless they are sorted. Returns TR_OK, TR_E_NOMEM, or
 * TR_E_CORRUPT if stacks are deeper than TR_PROFILE_DEPTH. */
int tr_explore_order(struct tr_explore *x);

/* What a node or a function has. */
struct explore_tally {
	uint64_t cycles, instructions, calls;
};

/* The sums of a choice. */
struct explore_view {
	const struct tr_explore *x;
	struct tr_explore_choice choice;
	size_t first, end;		    /* slices */
	struct explore_tally *self, *total; /* by node */
	uint64_t *lost, *total_lost;	    /* by node, the columns of each */
	struct explore_tally sum;
	uint64_t *sum_lost;
};

/* explore_sum.c: sums a choice; release it in any case. Returns TR_OK, TR_E_ARGUMENT,
 * TR_E_NOMEM or TR_E_CORRUPT. */
int tr_explore_sum(struct tr_explore *x, const struct tr_explore_choice *choice,
		   struct explore_view *view);
void tr_explore_sum_release(struct explore_view *view);
/* Returns true if a context is part of the choice. */
bool tr_explore_chooses(const struct tr_explore_choice *choice,
			const struct explore_context *context);
/* Returns the number of the group of classes that has most of some slots, from 1, and
 * these in *slots; 0 if there are none. */
unsigned tr_explore_top(const struct tr_classes *classes, const uint64_t *lost,
			uint64_t *slots);

#endif
