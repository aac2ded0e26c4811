/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the replay: the replay, and one hart's part of it. Each of their
 * members is the state of one part, and only its file and the functions below use what is
 * in it. */
#ifndef REPLAY_LANE_H
#define REPLAY_LANE_H

#include "carry.h"
#include "clock.h"
#include "compare.h"
#include "cursor.h"
#include "difference.h"
#include "inputs.h"
#include "old_code.h"
#include "order.h"
#include "replay.h"
#include "watch.h"
#include "watching.h"
#include "window.h"

/* Events of the trace are of three kinds: those that the model repeats, which are
 * compared; those that are input of an instruction; and those on which the replay acts.
 */
struct lane {
	struct replay *replay;
	unsigned hart;
	bool begun; /* the trace had a part of the hart */
	struct carry carry;
	struct cursor cursor;
	struct compare compare;
	struct inputs inputs;
	struct old_code old_code;
	struct row_clock clock;
	struct lane_window window;
};

struct replay {
	struct soc *soc;
	unsigned harts;
	unsigned sampled_hart; /* of windows, which are not followed; 0: none */
	struct lane *lanes[SOC_HARTS_MAX];
	struct replay_counts counts;
	struct difference difference;
	struct order order;
	struct window window;
	struct watching watching;
	struct replay_accesses accesses;
	const struct tr_frame *pending; /* the frame at which a window ends */
	bool paused;
};

static inline struct soc *replay_soc(const struct replay *r)
{
	return r->soc;
}
static inline unsigned replay_harts(const struct replay *r)
{
	return r->harts;
}
/* Returns the lane of a hart; `user` of the model's hooks is the replay. */
static inline struct lane *lane_of_hart(void *user, unsigned hart)
{
	return ((struct replay *)user)->lanes[hart];
}
static inline const struct lane *replay_lane(const struct replay *r, unsigned hart)
{
	return r->lanes[hart];
}
/* Returns whether there is a difference; and whether there is one or a pause. */
static inline bool replay_failed(const struct replay *r)
{
	return r->difference.exists;
}
static inline bool replay_is_stopped(const struct replay *r)
{
	return replay_failed(r) || r->paused;
}

static inline struct replay *lane_replay(const struct lane *l)
{
	return l->replay;
}
static inline unsigned lane_hart(const struct lane *l)
{
	return l->hart;
}
static inline struct soc *lane_soc(const struct lane *l)
{
	return l->replay->soc;
}
/* Returns the counts of the replay, to which each part adds its own. */
static inline struct replay_counts *lane_counts(const struct lane *l)
{
	return &l->replay->counts;
}
static inline bool lane_failed(const struct lane *l)
{
	return replay_failed(l->replay);
}
static inline bool lane_stopped(const struct lane *l)
{
	return replay_is_stopped(l->replay);
}
/* Returns whether there is a difference before the instruction after `instret` others. */
static inline bool lane_is_beyond(const struct lane *l, uint64_t instret)
{
	return lane_failed(l) && instret >= l->replay->difference.instret;
}
static inline bool lane_has_begun(const struct lane *l)
{
	return l->begun;
}

/* Return the view of the lane, and a row of it, its block, and its timing: carry.h. */
static inline const struct carry *lane_carry(const struct lane *l)
{
	return &l->carry;
}
static inline const struct tr_hart_frame *lane_view(const struct lane *l)
{
	return carry_view(&l->carry);
}
static inline const struct tr_row *lane_row(const struct lane *l, uint32_t row)
{
	return carry_row(&l->carry, row);
}
static inline const struct tr_block *lane_block(const struct lane *l, uint32_t row)
{
	return carry_block(&l->carry, row);
}
static inline const struct tr_timing *lane_timing(const struct lane *l, uint32_t row)
{
	return carry_timing(&l->carry, row);
}

/* replay.c: forgets a difference, so that the replay can go on in another state. */
void replay_continue(struct replay *r);

/* Makes a lane in its state before the first frame; lane_free() frees it, or NULL. The
 * reader remains the caller's. Returns NULL if memory runs out. */
struct lane *lane_new(struct replay *r, unsigned hart, const struct tr_reader *reader);
void lane_free(struct lane *l);

/* Adds the hart's part of a frame of this generation to the view. If memory runs out that
 * is a difference. */
void lane_add(struct lane *l, const struct tr_hart_frame *frame, uint64_t generation);
/* Begins the lane anew in the middle of a run: at a place of a frame, from a row and an
 * event on, where the model is before token `token` of the row. Returns false if memory
 * runs out. */
bool lane_enter(struct lane *l, const struct tr_hart_frame *frame, uint64_t generation,
		uint32_t row, uint32_t event, unsigned token);
/* Passes rows of the hart that are not followed. */
void lane_skip(struct lane *l, uint32_t rows);
/* Leaves over what the model has not executed, before the reader's next frame. If memory
 * runs out that is a difference. */
void lane_retain(struct lane *l);

/* Saves what lane_retain() has left over, and where the parts of the replay are in it.
 * Returns TR_OK or TR_E_NOMEM. */
int lane_put(const struct lane *l, struct tr_buffer *out);
/* Loads that; the registers of the hart have been. Returns TR_OK, TR_E_NOMEM or
 * TR_E_CORRUPT. */
int lane_load(struct lane *l, struct tr_bytes *in);

#endif
