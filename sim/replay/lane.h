/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the replay: one hart's part of a frame, and how far the model
 * has come in it. */
#ifndef REPLAY_LANE_H
#define REPLAY_LANE_H

#include "base/map.h"
#include "compare.h"
#include "inputs.h"
#include "old_code.h"
#include "replay.h"
#include "watch.h"

enum { REPLAY_MESSAGE = 512 };

/* Rows that are left over from earlier frames, with what they refer to. */
struct retained {
	struct tr_row row;
	struct tr_block block;
	struct tr_timing timing;
	struct tr_note note;
};

/* The instruction before a row; no bytes: a trap is, or it is not known. */
struct before {
	uint64_t pc, insn;
	uint8_t bytes;
};

/* Events of the trace are of three kinds: those that the model repeats, which are
 * compared; those that are input of an instruction; and those on which the replay acts.
 */
struct lane {
	struct replay *replay;
	unsigned number; /* of the hart */
	/* What is to be followed: first what is left over, then the frame. Its rows are
	 * those of lane_row(), its end_cycle is that of the frame. */
	struct tr_hart_frame view;
	const struct tr_row *rows; /* of the frame */
	struct retained *retained;
	uint32_t nretained;
	struct tr_event *events; /* of the view, if anything is left over */
	uint64_t instret;	 /* of the model, before the view's first row */
	uint64_t rows_before;	 /* rows of the hart before it */
	struct compare compare;
	struct inputs inputs;
	struct old_code old_code;
	/* The model has been run up to here. */
	struct {
		uint32_t row, event;
		uint32_t timed; /* of several harts: the next event that takes time */
		uint16_t token;
		bool walks; /* the next token uses an old translation */
		uint64_t instret, cycle;
	} run;
	/* Time and context at the beginning of a row, for reached(). */
	struct {
		uint32_t row, event;
		uint64_t cycle;
		struct tr_context context;
	} clock;
	struct before last; /* of the view's first row */
	bool begun;
	bool seeks_pc; /* its next instruction is that of the trace */
	bool passed;   /* the model is at a watched token, which was reached */
};

enum { REPLAY_RETURNS = 1 << 12 };
static inline unsigned replay_return_bit(uint64_t pc)
{
	return (unsigned)(pc >> 1) & (REPLAY_RETURNS - 1);
}

struct replay {
	struct soc *soc;
	struct tr_reader *reader;
	struct lane lanes[SOC_HARTS_MAX];
	unsigned harts;
	uint64_t stamp;	 /* of the model's row caches: that of the generation */
	uint64_t latest; /* the latest cycle of all frames */
	struct replay_counts counts;
	struct replay_watch watch;
	struct replay_accesses accesses;
	uint8_t *known; /* of each block of the generation: in what way it is watched */
	size_t known_room;
	uint32_t nknown;
	/* Notes on watched code in the generation, by space and block. */
	struct tr_map noted;
	struct tr_note *notes;
	size_t nnotes, notes_room;
	uint64_t generation;
	uint32_t returns[REPLAY_RETURNS]; /* watched returns with this hash */
	unsigned nreturns;
	struct {
		bool on;
		unsigned hart;
		uint64_t cycle;
	} at; /* replay_watch_cycle() */
	struct {
		bool on;
		unsigned hart;
		uint64_t instret;
	} goal;		   /* replay_watch_instruction() */
	bool clocks;	   /* those of lanes are needed, for a watch or an index */
	bool interrupting; /* the current trap is an interrupt from the trace */
	bool lost; /* the model does not follow the trace, which left instructions out */
	const struct tr_frame *pending; /* the frame at which a window ends */
	bool paused;
	bool failed;
	uint64_t failed_at; /* instructions of the hart before the difference */
	char message[REPLAY_MESSAGE];
};

/* Returns the lane of a hart; `user` of the model's hooks is the replay. */
static inline struct lane *lane_of_hart(void *user, unsigned hart)
{
	return &((struct replay *)user)->lanes[hart];
}

static inline bool replay_is_stopped(const struct replay *r)
{
	return r->failed || r->paused;
}

/* Returns a row of the view, its block, and its timing. */
static inline const struct tr_row *lane_row(const struct lane *l, uint32_t row)
{
	return row < l->nretained ? &l->retained[row].row : &l->rows[row - l->nretained];
}
static inline const struct tr_block *lane_block(const struct lane *l, uint32_t row)
{
	return row < l->nretained
		   ? &l->retained[row].block
		   : tr_reader_block(l->replay->reader, lane_row(l, row)->block);
}
static inline const struct tr_timing *lane_timing(const struct lane *l, uint32_t row)
{
	return row < l->nretained
		   ? &l->retained[row].timing
		   : tr_reader_timing(l->replay->reader, lane_row(l, row)->timing);
}

/* retain.c: begins the view of a frame, NULL if it has nothing of this hart. What the
 * model has not executed is copied before the reader's next frame. Both return false
 * if memory runs out. */
bool lane_begin(struct lane *l, const struct tr_hart_frame *frame);
bool lane_retain(struct lane *l);
/* Sets a lane, which may be all zero, to its state before the first frame. Returns false
 * if memory runs out. */
bool lane_reset(struct lane *l, struct replay *r, unsigned number);
void lane_free(struct lane *l);

/* Begins the view at a place of a frame, from a row and an event on, in place of all that
 * was before. Returns false if memory runs out. */
bool lane_enter(struct lane *l, const struct tr_hart_frame *frame, uint32_t row,
		uint32_t event);

/* Copies a row that is left over, without runs of classes; or an event, without what a
 * trap points to. lane_free() frees the copies. Both return false if memory runs out. */
bool lane_copy_row(struct retained *retained, const struct tr_block *block,
		   const struct tr_timing *timing);
bool lane_copy_event(struct tr_event *to, const struct tr_event *from);

/* replay.c: forgets a difference, so that the replay can go on in another state. */
void replay_continue(struct replay *r);
/* Runs the hart up to this many instructions, which is at run.row and
 * run.token. */
void replay_to(struct lane *l, uint64_t instret);
/* Runs it up to the beginning of a row. */
void replay_to_row(struct lane *l, uint32_t row);
/* Makes the model take the traps that stand before `event`, where no instruction
 * commits. */
void replay_traps(struct lane *l, uint32_t event);
/* Returns whether the replay acts on the event, and does so. */
bool replay_acts_on(const struct tr_event *event);
void replay_act(struct lane *l, const struct tr_event *event);
/* Runs what is left before the end of the trace, or of a window. Returns whether nothing
 * is left over. */
bool replay_finish(struct replay *r);
/* The view has begun: the counters of the lane are at its first row. */
void replay_begin_lane(struct lane *l);

/* window.c: returns whether the frame begins with instructions that are not in the trace.
 */
bool window_begins(const struct replay *r, const struct tr_frame *frame);
/* The model has followed all that comes before them. Returns false after a failure. */
bool window_leave(struct replay *r);
/* Sets the model to the state that the frame has, and begins the lanes there. Returns
 * false if it has none, and after a failure. */
bool window_enter(struct replay *r, const struct tr_frame *frame);
/* Sets the pc of a lane that seeks it, when the trace has it. */
void window_find_pc(struct lane *l);
/* watch.c: returns the number of the next watched token of a row from `from` on, or
 * UINT16_MAX. */
unsigned watch_next(struct lane *l, uint32_t row, unsigned from, uint64_t before);
/* The model is before a watched token. */
void watch_reached(struct lane *l);
/* Moves the clock to the beginning of a row. */
void watch_clock(struct lane *l, uint32_t row);
/* Returns what is before a row, to which the clock has moved. */
struct before watch_before(const struct lane *l, uint32_t row);
/* Returns the note on a row whose code is watched by notes, else NULL. */
const struct tr_note *watch_note(struct lane *l, uint32_t row);
/* Takes the notes of a frame, which may begin another generation of blocks. Returns false
 * if memory runs out. */
bool watch_begin(struct replay *r, const struct tr_frame *frame);
/* Forgets what is known of the generation: other code is watched, or the replay continues
 * elsewhere. Notes of frames before are missing then. */
void watch_forget(struct replay *r);
void watch_free(struct replay *r);
/* Memory is about to be written, but not by an instruction. */
void watch_external_write(struct lane *l, const struct tr_event *event);
/* order.c: runs all harts as far as their order is known. */
void replay_in_order(struct replay *r);

/* Notes a difference at the instruction after `instret` others of the hart, unless one is
 * known that comes before it. */
void replay_fail(struct lane *l, uint64_t instret, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Notes that what a frame has of the hart cannot be followed. */
void replay_fail_frame(struct replay *r, unsigned hart, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
