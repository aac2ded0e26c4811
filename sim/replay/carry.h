/* SPDX-License-Identifier: Apache-2.0 */
/* What is to be followed of a hart, its view: the rows and events that earlier frames
 * have left over, and then those of the frame. Frames do not end in the same cycle for
 * all harts: what another hart must come first for is left over until the next frame.
 *
 * Rows and events are indices in the view. The carry owns what is left over; the rest of
 * the view is the reader's, until its next frame. Only carry.c and the functions here use
 * what is in it. */
#ifndef REPLAY_CARRY_H
#define REPLAY_CARRY_H

#include "base/buffer.h"
#include "base/varint.h"
#include "stream/reader.h"

/* A row that is left over, with what it refers to. */
struct retained {
	struct tr_row row;
	struct tr_block block;
	struct tr_timing timing;
	struct tr_note note;
};

struct carry {
	const struct tr_reader *reader;
	struct tr_hart_frame view; /* its rows are those of carry_row() */
	const struct tr_row *rows; /* of the frame */
	struct retained *retained;
	uint32_t nretained;
	struct tr_event *events; /* of the view, if anything is left over */
	uint64_t instret;	 /* instructions of the hart before the view */
	uint64_t rows_before;	 /* rows of the hart before it */
};

/* Sets a carry to an empty view. The reader remains the caller's. */
void carry_create(struct carry *c, const struct tr_reader *reader);
/* Frees what is left over, and sets it to an empty view again. */
void carry_clear(struct carry *c);

/* Return the view, of which `rows` must not be used, and a row of it, its block, and its
 * timing. A row that is left over has block UINT32_MAX. */
static inline const struct tr_hart_frame *carry_view(const struct carry *c)
{
	return &c->view;
}
static inline const struct tr_row *carry_row(const struct carry *c, uint32_t row)
{
	return row < c->nretained ? &c->retained[row].row : &c->rows[row - c->nretained];
}
static inline const struct tr_block *carry_block(const struct carry *c, uint32_t row)
{
	return row < c->nretained ? &c->retained[row].block
				  : tr_reader_block(c->reader, carry_row(c, row)->block);
}
static inline const struct tr_timing *carry_timing(const struct carry *c, uint32_t row)
{
	return row < c->nretained
		   ? &c->retained[row].timing
		   : tr_reader_timing(c->reader, carry_row(c, row)->timing);
}
/* Returns the note that a row was left over with, NULL if it was not left over. */
static inline const struct tr_note *carry_note(const struct carry *c, uint32_t row)
{
	return row < c->nretained ? &c->retained[row].note : NULL;
}
/* Returns how many bytes of a block's code are before a token. */
static inline unsigned carry_offset(const struct tr_block *block, uint64_t token)
{
	unsigned at = 0;

	for (uint64_t i = 0; i < token; i++)
		at += (block->code[at] & 3) == 3 ? 4 : 2;
	return at;
}

/* Returns the number of a row among all rows of the hart in the trace, from 0. */
static inline uint64_t carry_number(const struct carry *c, uint32_t row)
{
	return c->rows_before + row;
}
/* Counts rows that are not followed: nothing is left over. */
void carry_skip(struct carry *c, uint32_t rows);

/* Sets and returns how many instructions of the hart are before the view. */
void carry_count(struct carry *c, uint64_t instret);
static inline uint64_t carry_instret(const struct carry *c)
{
	return c->instret;
}
/* Returns the cycle in which the token after `instret` others of the hart commits, or the
 * last one in the view. */
uint64_t carry_cycle_at(const struct carry *c, uint64_t instret);

/* Adds the hart's part of a frame. Returns false if memory runs out. */
bool carry_add(struct carry *c, const struct tr_hart_frame *frame);

/* Where a view ends for now: the rest of it is left over. */
struct carry_cut {
	uint32_t row, event;	   /* the first ones that are left over */
	uint64_t instret, cycle;   /* before the row */
	struct tr_context context; /* before the row */
	/* Returns the note on a row of the view, or NULL. */
	const struct tr_note *(*note)(void *user, uint32_t row);
	void *user;
};
/* Copies what is left over, before the reader's next frame: it is the view then. Returns
 * false if memory runs out. */
bool carry_retain(struct carry *c, const struct carry_cut *cut);

/* Sets the view to a part of a frame, from a row and an event on, before which the hart
 * had `number` rows in the trace. Returns false if memory runs out. */
bool carry_enter(struct carry *c, const struct tr_hart_frame *frame, uint32_t row,
		 uint32_t event, uint64_t number);

/* Save and load what is left over, in two parts: where it begins and ends, its rows and
 * events. They return TR_OK, TR_E_NOMEM or TR_E_CORRUPT; then the carry can only be
 * cleared. Notes are lost. */
void carry_put_bounds(const struct carry *c, struct tr_buffer *out);
int carry_put_rest(const struct carry *c, struct tr_buffer *out);
void carry_load_bounds(struct carry *c, struct tr_bytes *in);
int carry_load_rest(struct carry *c, struct tr_bytes *in);

#endif
