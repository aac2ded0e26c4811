/* SPDX-License-Identifier: Apache-2.0 */
/* A profile: the rows of a stream of stacks, aggregated.
 *
 * Memory is bounded by the number of distinct stacks (and groups), plus at most 128 KiB
 * per function and group with `calls`. A cycle is charged to one stack only.
 *
 * The increase of a counter between two samples of a hart is distributed over the stacks
 * that the hart ran in between, in proportion to their cycles. Fractions are accumulated
 * and rounded once, so that the stacks add up to the counter. */
#ifndef TR_PROFILE_H
#define TR_PROFILE_H

#include <regex.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/report.h"
#include "profile/folded.h"
#include "profile/profile_durations.h"
#include "profile/profile_slowest.h"
#include "profile/tma.h"
#include "sample/estimate.h"
#include "stream/classes.h"
#include "stream/reader.h"
#include "stream/stream.h"

/* How the profile is grouped. A program is the first frame of a stack, a process one life
 * of an address space, a privilege the current mode of the hart, a hart the one that
 * ran. */
enum tr_profile_by {
	TR_BY_JOINED = 0,
	TR_BY_PROGRAM,
	TR_BY_PROCESS,
	TR_BY_THREAD,
	TR_BY_PRIVILEGE,
	TR_BY_HART
};

/* A bound of the window: a cycle; or, if `function` is set, the first entry of a function
 * (from) or its first return after that (to); or the first trigger that started tracing
 * (from) or the first one that stopped it after that (to); or a mark (stream/marks.h): of
 * the name `mark`, the nth point or region (0: the first), at its begin (from) or end
 * (to); without a number, `to` is the end of the region at which the window begins, or
 * else the first point or end after `from`. */
struct tr_profile_bound {
	const char *function; /* NAME or BINARY:NAME; not copied */
	bool trigger;
	const char *mark; /* of mark_size bytes; not copied */
	size_t mark_size;
	uint64_t nth;
	uint64_t cycle;
};

/* Returns true if the bound is known only once it is reached. */
static inline bool tr_profile_bound_is_late(const struct tr_profile_bound *bound)
{
	return bound->function || bound->trigger || bound->mark;
}

struct tr_profile_options {
	enum tr_profile_by by;
	bool instructions; /* unit of tables and calls, instead of cycles */
	bool counter;	   /* unit of tables and stacks: a counter's increase */
	struct tr_counter_id counter_id;
	bool calls; /* track calls, for a table */
	/* With `calls`: functions (as in a bound) of which the table's lines also have
	 * the slowest calls. Not copied. */
	const char *const *slowest;
	unsigned nslowest;
	bool privileges;  /* learn the privilege of each frame, for colours */
	unsigned classes; /* number of classes to account separately; 0: none */
	/* Commit slots of a cycle: the commit width of the stream, whose slots its
	 * classes count, or a multiple of it; 0 is 1. The slots of a hart that has fewer
	 * count as several each. */
	unsigned commit_width;
	uint32_t idle;		 /* bit c: cycles of class c go to the frame [idle] */
	const char *const *fold; /* binaries shown as one frame; not copied */
	unsigned nfold;		 /* at most TR_PROFILE_FOLDS */
	struct tr_profile_bound from, to; /* only [from, to) is counted */
	const char *histogram; /* function (as in a bound) whose calls are measured */
	/* Frames whose names match are hidden: their cycles are their callers'. The first
	 * frame of a stack, functions of the options above, and untraced time have no
	 * caller to take them and stay. Not copied. */
	const regex_t *hide;
	/* Stacks with no frame that matches one of these are charged to the frame [out of
	 * focus]; waiting with `idle`, and untraced time, are not. Not copied. */
	const regex_t *focus;
	unsigned nhide, nfocus; /* at most TR_PROFILE_FOLDS each */
	bool merge_recursion;	/* adjacent frames of a function are one */
	/* The run is sampled: the rows of `hart` are windows, from which the cycles of
	 * the others' stacks are estimated (sample/estimate.h). `idle` has the classes of
	 * waiting, as below. */
	struct {
		bool is_sampled;
		uint32_t hart, idle;
	} sample;
	bool may_lack_groups; /* a row whose group the stream lacks has no group,
			       * rather than refused */
};
enum { TR_PROFILE_FOLDS = 64 };

/* Deeper stacks are refused, to bound the time per row. */
enum { TR_PROFILE_DEPTH = 1 << 14 };

struct tr_profile;

/* Creates a profile. Returns NULL when out of memory; tr_profile_free() accepts NULL. */
struct tr_profile *tr_profile_new(const struct tr_profile_options *options);
void tr_profile_free(struct tr_profile *);
/* Returns the options that the profile was created with. */
const struct tr_profile_options *tr_profile_options_of(const struct tr_profile *);

/* Takes new definitions, then the rows of a frame in order of time. Returns TR_OK;
 * TR_E_CORRUPT (a stack that is too deep, a ';' or control character in a name, node 0, a
 * sum beyond 64 bits); TR_E_ARGUMENT (a class out of range, or the stream lacks what `by`
 * needs); or TR_E_NOMEM. On failure `message` is "frame 3: func f12: reason". */
int tr_profile_take(struct tr_profile *, const struct tr_reader *reader,
		    const struct tr_sframe *frame, char *message, size_t size);
/* Before the first frame: lets the reader leave out what the window, of two cycles, does
 * not need (tr_reader_seek()), and counts it as left out. Does nothing if the profile
 * needs rows before the window. `limits` are those of tr_reader_seek(); TR_SEEK_SUMS,
 * which is also of a profile without a window, says that an observer takes sums. */
void tr_profile_seek(struct tr_profile *, struct tr_reader *reader, unsigned limits);
/* Completes the profile after the last frame; `stopped` means that a trigger ended the
 * trace. Returns TR_OK, TR_E_CORRUPT, TR_E_ARGUMENT or TR_E_NOMEM. */
int tr_profile_finish(struct tr_profile *, bool stopped);

/* A row, or its part in the window. With `idle` the cycles of waiting are a step of their
 * own, at the end of the row. */
struct tr_profile_step {
	uint64_t cycle; /* at which it begins */
	uint64_t cycles, instructions;
	uint32_t hart, thread; /* numbers in the stream */
	uint32_t node;	       /* for tr_profile_frame() */
	uint32_t raw;	       /* the node in the stream, which differs if frames are
				* folded */
	uint32_t group;	       /* for tr_profile_label() */
	uint8_t priv;	       /* TR_PRIV_*; only if has_context */
	bool has_context;
	bool fresh;  /* the function of `raw` was newly entered */
	bool is_gap; /* nothing was traced, or the hart waited (with `idle`) */
};
/* Passes each step to `take`, in order of time for each hart and for each thread; the
 * functions of its stack are defined by then. A status that `take` returns ends
 * tr_profile_take() or tr_profile_finish(). Without `sums` the profile keeps none by
 * stack. Call before the first frame. */
void tr_profile_observe(struct tr_profile *,
			int (*take)(void *context, const struct tr_profile_step *),
			void *context, bool sums);
/* Passes each row to `take` as a step, whole, whether or not it is in the window, before
 * its part in the window is charged; otherwise the same. */
void tr_profile_observe_rows(struct tr_profile *,
			     int (*take)(void *context, const struct tr_profile_step *),
			     void *context);
/* The part of a row that is in a slice of time. */
struct tr_profile_part {
	uint64_t slice, cycles, instructions;
	const struct tr_class_cycles *classes; /* valid during the call */
	unsigned nclasses;
};
/* Divides the run into slices of `length` cycles, of which slice i has what a profile of
 * the window [i * length, (i + 1) * length) has. A status other than TR_OK ends
 * tr_profile_take(). */
struct tr_profile_slicer {
	uint64_t length;
	void *context;
	/* A function of a node was called where the row begins that comes next. */
	int (*call)(void *context, uint32_t node);
	/* A row as a whole, before its parts; may change the length. */
	int (*row)(void *context, const struct tr_profile_step *row);
	int (*part)(void *context, const struct tr_profile_part *part);
};
/* Passes all rows to the slicer, and keeps no sums by stack. It is the caller's, and the
 * profile has no window. Call before the first frame. */
void tr_profile_slice(struct tr_profile *, struct tr_profile_slicer *slicer);

/* Returns the name of a group, as tr-fold's --by shows it: "demo#3", or "sort[19]" if its
 * task is known; "-" for none. It is the profile's, and valid until the next frame, which
 * may give the task another name. */
const char *tr_profile_label(const struct tr_profile *, uint32_t group);
/* Returns the name of a privilege (TR_PRIV_*), such as "U-mode"; static storage. */
const char *tr_profile_privilege(uint32_t priv);
/* Returns true for the group of a process, whose number it is. */
bool tr_profile_is_process(const struct tr_profile *, uint32_t group);
/* Returns the name of a thread: "demo#7", or "sort[19]" if its task is known. It is the
 * profile's, and valid until the next frame. */
const char *tr_profile_thread_label(const struct tr_profile *, uint32_t thread);
/* Returns the thread that stands for all threads of its task, as tr-fold --by thread has
 * them so far. */
uint32_t tr_profile_thread_group(const struct tr_profile *, uint32_t thread);
/* Returns true if the source reports the tp of the thread, so that it is a kernel's. */
bool tr_profile_is_task(const struct tr_profile *, uint32_t thread);

/* Returns the cycles or instructions of all rows taken, of all harts. */
uint64_t tr_profile_taken(const struct tr_profile *, bool instructions);
/* Returns the estimate of a sampled run, which is the profile's, NULL of another. */
struct tr_estimate *tr_profile_estimate(const struct tr_profile *);
/* Returns the error at 95 % of the cycles charged: 0 of a run that is not sampled,
 * infinite if it is unknown. */
double tr_profile_error(const struct tr_profile *);
/* Cycles or instructions by the kind of the last frame of each stack. */
struct tr_charge {
	uint64_t charged;	/* all in the window */
	uint64_t lost;		/* part of it: the source lost data */
	uint64_t gap;		/* other untraced time */
	uint64_t unknown;	/* code of no known binary or function */
	uint64_t nameless;	/* functions of which only the bounds are known */
	uint64_t ambiguous;	/* code that several binaries contain */
	uint64_t before, after; /* outside the window, not charged */
};
/* Returns the charge in instructions or cycles. */
struct tr_charge tr_profile_charge(const struct tr_profile *, bool instructions);
/* Returns the cycles (or the other unit) of [out of focus]. */
uint64_t tr_profile_out_of_focus(const struct tr_profile *);
/* Returns true if `regex` matches the name of a frame. */
bool tr_profile_matches(const struct tr_profile *, const regex_t *regex);
/* Returns the charge of the counter; *counted is its total increase. */
struct tr_charge tr_profile_counter_charge(const struct tr_profile *, uint64_t *counted);

/* The window. A bound that no row has reached yet is UINT64_MAX. */
struct tr_profile_window {
	uint64_t from, to;
	bool is_cut;	/* a bound was requested */
	uint64_t first; /* begin of the first row, if it is cut */
	uint64_t last;	/* end of the last row */
};
/* Returns the window. */
struct tr_profile_window tr_profile_window(const struct tr_profile *);

/* With a mark as a bound: writes names of marks, as in "frame, mark 3", or "" if
 * there are none; returns whether the name of a bound is one of them; and how many of the
 * points and regions of a bound have begun, if it was still searched for or has a number.
 */
void tr_profile_mark_names(const struct tr_profile *, char *text, size_t size);
bool tr_profile_has_mark(const struct tr_profile *, bool is_to);
uint64_t tr_profile_marks_begun(const struct tr_profile *, bool is_to);

/* Return true if a frame has this name (as in a bound), or is of this binary. */
bool tr_profile_has_function(const struct tr_profile *, const char *name);
bool tr_profile_has_binary(const struct tr_profile *, const char *name);
/* Writes the most similar names, as in "foo, bar"; "" when none is similar. */
void tr_profile_near(const struct tr_profile *, const char *name, char *text,
		     size_t size);

/* Sum of all slots by class. `wrong` slots, most of them in `wrong_func`, have more than
 * one class, or a class and an instruction. All slots are those of the cycles in the
 * window, and `ahead` that instructions at the beginning had in the cycle before their
 * hart's first. */
struct tr_class_sum {
	struct tr_tma_sum sum;
	uint64_t wrong, ahead;
	const struct tr_func *wrong_func;
};
void tr_profile_class_sum(const struct tr_profile *, struct tr_class_sum *sum);

/* Adds the profile to a tree: cycles in self[0] and instructions in self[1] (with a
 * counter: its value, and cycles), and the slots of class c in part c - 1 as far as the
 * tree has parts; it has slots instead of cycles then. The tree's functions are the
 * profile's, valid until it changes; their privileges are known with `privileges`.
 * Grouped by process, thread, privilege or hart, the group is the first frame. `tint`,
 * called with `argument`, chooses a function's colour. Returns TR_OK or TR_E_NOMEM. */
int tr_profile_fold(const struct tr_profile *, struct tr_folded *folded,
		    uint8_t (*tint)(const void *, const struct tr_func *),
		    const void *argument);

/* Computes the bars of cycles of a tree of a sampled run, to which tr_profile_fold() has
 * added the profile: for each node of what is on it alone in (*self)[id], and with all
 * above it in (*total)[id]; the caller frees both. Of a node in which nothing is
 * estimated the error is 0. Returns TR_OK or TR_E_NOMEM. */
int tr_profile_fold_bars(const struct tr_profile *, struct tr_folded *folded,
			 uint8_t (*tint)(const void *, const struct tr_func *),
			 const void *argument, struct tr_bar **self,
			 struct tr_bar **total);

/* Adds single stacks to a tree in the same way. Returns NULL when out of memory;
 * tr_profile_folding_free() accepts NULL. The profile must not change meanwhile. */
struct tr_profile_folding;
struct tr_profile_folding *
tr_profile_folding_new(const struct tr_profile *, struct tr_folded *folded,
		       uint8_t (*tint)(const void *, const struct tr_func *),
		       const void *argument);
void tr_profile_folding_free(struct tr_profile_folding *);
/* Finds or adds the node of a stack, with its group, or the child of a node for the
 * function of a stack's last frame alone. Return TR_OK or TR_E_NOMEM. */
int tr_profile_folding_stack(struct tr_profile_folding *, uint32_t group, uint32_t node,
			     uint32_t *id);
int tr_profile_folding_frame(struct tr_profile_folding *, uint32_t parent, uint32_t node,
			     uint32_t *id);

/* A stack in a group, with the values of tr_profile_fold(). */
struct tr_profile_stack {
	const char *group; /* the frame below all others, or NULL */
	uint32_t node;	   /* the last frame, for tr_profile_frame() */
	uint64_t value[2];
};
/* Returns the i-th stack. Returns false after the last one; a stack may be empty. */
bool tr_profile_stack(const struct tr_profile *, uint32_t i,
		      struct tr_profile_stack *stack);
/* Returns the function of a node, valid until the profile changes, and sets *parent to
 * the node of its caller, 0 for none. */
const struct tr_func *tr_profile_frame(const struct tr_profile *, uint32_t node,
				       uint32_t *parent);
/* Returns the number of that function, and the function of a number; these include the
 * profile's own functions. The pointer is valid until the profile changes. */
uint32_t tr_profile_func_of(const struct tr_profile *, uint32_t node);
const struct tr_func *tr_profile_func(const struct tr_profile *, uint32_t func);
/* Returns the number of frames of the stack, 0 for node 0. */
uint32_t tr_profile_depth(const struct tr_profile *, uint32_t node);
/* Returns the number of frames that two stacks have in common. */
uint32_t tr_profile_common_depth(const struct tr_profile *, uint32_t a, uint32_t b);
/* Returns the number of nodes; those are 1, 2, … and a parent is less than its child. */
uint32_t tr_profile_node_count(const struct tr_profile *);
/* Returns the profile's node of a stream's node, which differs if frames are folded or
 * hidden; its definition must have been taken. */
uint32_t tr_profile_node_of(const struct tr_profile *, uint32_t stream_node);
/* Returns the node that its rows are charged to: the same, or [out of focus]. */
uint32_t tr_profile_charged_node(const struct tr_profile *, uint32_t stream_node);

/* A function in a group. A call begins when the function is entered (a trap when its
 * handler is; a gap each time) and ends when it leaves its thread's stack; its duration
 * is the time that its thread ran in between, callees included. A frame that reappears is
 * not a call. Unfinished calls count in `calls` only; calls that were open when the
 * window began, or whose entry was not seen, are not counted. An inlined function has no
 * calls; the cycles of a source line are its function's. */
struct tr_profile_line {
	const char *group; /* "" without groups */
	const struct tr_func *func;
	uint64_t self;
	uint64_t total; /* each cycle once, even if the function recurs */
	uint64_t calls;
	uint64_t ended;
	uint64_t min, median, max; /* of finished calls */
	uint64_t away;		   /* cycles in those during which the thread did
				    * not run */
	const uint64_t *lost;	   /* slots by class, from class 1; with classes, `self`
				    * and `total` are slots, too */
	uint64_t unclassified;	   /* slots that were traced but have no class */
	uint64_t retiring;	   /* slots of the instructions */
	uint64_t retired, cycles;  /* instructions and cycles of its own */
	const struct tr_durations *durations; /* of finished calls */
	const struct tr_slowest
	    *slowest;  /* also of unfinished ones; NULL if not asked for */
	uint64_t open; /* of the longest unfinished call so far; as `slowest` */
	uint32_t group_id;
	/* Of a sampled run: the errors of `self` and `total`, in cycles, and the windows
	 * that they rest on. */
	struct tr_bar self_bar, total_bar;
	bool rounded; /* the median is rounded, to 1 part in 64 or better */
};

/* Lists all functions by self, then total, in descending order. `*lines` is malloc'd and
 * valid until the profile changes. Returns TR_OK or TR_E_NOMEM. */
int tr_profile_lines(struct tr_profile *, struct tr_profile_line **lines, size_t *count);

/* Reports the lines as the table "functions", without functions that were on no stack;
 * `unit` names the unit. Returns TR_OK or TR_E_NOMEM. */
int tr_profile_report(struct tr_profile *, const char *unit, struct tr_report *report);
/* Reports the tables "classes", of the whole, and "functions", with cycles of their own;
 * and "lines", of source lines within their functions, if the stream has some. Returns
 * TR_OK or TR_E_NOMEM. */
int tr_profile_report_tma(struct tr_profile *, const struct tr_classes *classes,
			  struct tr_report *report);
/* Reports the table "classes" of the whole, or of each group, by cycles in descending
 * order. Returns TR_OK or TR_E_NOMEM. */
int tr_profile_report_groups(const struct tr_profile *, const struct tr_classes *classes,
			     struct tr_report *report);

/* Durations of the calls of options.histogram. */
struct tr_profile_timing {
	const struct tr_durations *durations; /* of finished calls */
	const struct tr_slowest *slowest;     /* of these */
	uint64_t calls;			      /* started */
	unsigned functions;		      /* number of functions with that name */
};
/* Returns the durations, which the profile owns. */
struct tr_profile_timing tr_profile_timing(const struct tr_profile *);

#endif
