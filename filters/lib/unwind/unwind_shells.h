/* SPDX-License-Identifier: Apache-2.0 */
/* Names of threads that begin with a function that several begin with, from their first
 * rows. Functions that may fail call unwind_fail(). */
#ifndef TR_UNWIND_SHELLS_H
#define TR_UNWIND_SHELLS_H

#include "unwind/unwind_nodes.h"

struct shells;

/* Keeps the pointers. Returns NULL when out of memory. tr_shells_free() accepts NULL. */
struct shells *tr_shells_new(const struct tr_names *names, const struct tr_nodes *nodes,
			     const struct tr_unwind_sink *sink,
			     struct unwind_status *status);
void tr_shells_free(struct shells *s);

/* A thread is called after a symbol. */
void tr_shells_thread(struct shells *s, uint32_t thread, uint32_t sym);
/* Returns true if rows of some thread still count. */
bool tr_shells_wait(const struct shells *s);
/* A row of a thread. */
void tr_shells_row(struct shells *s, uint32_t thread, const struct tr_srow *row);
/* Emits the names that rows since the last call have changed. */
void tr_shells_name(struct shells *s);

#endif
