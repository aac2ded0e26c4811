/* SPDX-License-Identifier: Apache-2.0 */
/* Tells whoever watches accesses of them: replay_watch_accesses(). */
#ifndef REPLAY_ACCESSES_H
#define REPLAY_ACCESSES_H

#include "watch.h"

struct lane;
struct tr_event;

/* Adds the hook of the model for accesses, if they are watched. */
void accesses_add_hook(const struct replay *r, struct soc_hooks *hooks);
/* The hart begins at a token of a row of its view. */
void accesses_tell_begin(const struct lane *l, uint32_t row, unsigned token);
/* Memory is about to be written as the event says, but not by an instruction. */
void accesses_tell_write(const struct lane *l, const struct tr_event *event);

#endif
