/* SPDX-License-Identifier: Apache-2.0 */
/* Windows of a trace, which left out what is between them: the model continues where the
 * trace has the state of the machine. Only window.c uses what is in the states, which own
 * no memory. */
#ifndef REPLAY_WINDOW_H
#define REPLAY_WINDOW_H

#include <stdbool.h>

struct lane;
struct replay;
struct tr_buffer;
struct tr_bytes;
struct tr_frame;

/* Of the replay: the model does not follow the trace, which left instructions out. */
struct window {
	bool lost;
};
/* Of a lane: its next instruction is that of the trace. */
struct lane_window {
	bool seeks_pc;
};

/* Returns whether the frame begins with instructions that are not in the trace, which the
 * model has followed up to there. */
bool window_begins(const struct replay *r, const struct tr_frame *frame);
/* The model has followed all that comes before them: it does not follow the trace, until
 * window_enter(), or window_forget() after the state of the replay was loaded. */
void window_leave(struct replay *r);
void window_forget(struct replay *r);
bool window_is_lost(const struct replay *r);
/* Sets the model to the state that the frame has, and begins the lanes there. Returns
 * false if it has none, and after a failure. */
bool window_enter(struct replay *r, const struct tr_frame *frame);
/* Sets the pc of a lane that seeks it, when the trace has it. */
void window_find_pc(struct lane *l);

/* Save and load the state of a lane. */
void window_put(const struct lane *l, struct tr_buffer *out);
void window_load(struct lane *l, struct tr_bytes *in);

#endif
