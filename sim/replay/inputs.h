/* SPDX-License-Identifier: Apache-2.0 */
/* Values that come from outside of the hart: reads of CSRs that depend on time, loads
 * from devices, failed SCs, and addresses by old translations. The trace has an event for
 * each, which the model takes when it executes the instruction. Only inputs.c uses what
 * is in the state; a lane contains it, and it owns no memory.
 *
 * Rows and events are indices in the lane's view, `instret` counts instructions of the
 * hart. An event that its instruction does not use, and an instruction without its event,
 * are differences: replay_fail(). */
#ifndef REPLAY_INPUTS_H
#define REPLAY_INPUTS_H

#include <stdbool.h>
#include <stdint.h>

struct lane;
struct replay;
struct soc_translation;
struct tr_buffer;
struct tr_bytes;

/* The next event for an instruction, and the instructions before its row. */
struct inputs {
	uint32_t row, event;
	uint64_t instret;
};

/* Sets the hooks of the model that take input, those of old_code.h with them. */
void inputs_set_hooks(struct replay *r);

/* The view begins with other rows than before: counts from its first row on. */
void inputs_start(struct lane *l);
/* The view loses as many events at its beginning. */
void inputs_drop(struct lane *l, uint32_t events);

/* Replaces the translation of the current instruction by that of the trace, if it has one
 * that is different. Returns whether it has. */
bool inputs_translate(struct lane *l, struct soc_translation *t);
/* Checks that all events before this place, counted in instructions, have been used. */
void inputs_check(struct lane *l, uint64_t instret);
/* Moves to the next event for an instruction, and returns its index. */
uint32_t inputs_next(struct lane *l);

/* Saves and loads the place. After the view has been loaded, inputs_are_good() returns
 * whether the place is in it. */
void inputs_put(const struct lane *l, struct tr_buffer *out);
void inputs_load(struct lane *l, struct tr_bytes *in);
bool inputs_are_good(const struct lane *l);

#endif
