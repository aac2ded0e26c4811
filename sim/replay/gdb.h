/* SPDX-License-Identifier: Apache-2.0 */
/* A server for gdb, which debugs a replay as if the machine were still there, forwards
 * and backwards: harts are threads, registers and memory can be read, not written. */
#ifndef REPLAY_GDB_H
#define REPLAY_GDB_H

#include "gdb_link.h"
#include "travel.h"

struct gdb;

/* `travel` is at an instruction, and remains the caller's, with all that it uses. Its
 * interrupted() must call gdb_interrupted(). Returns NULL if memory runs out. */
struct gdb *gdb_new(struct gdb_link *link, struct travel *travel, struct soc *soc);
void gdb_free(struct gdb *g);
/* Serves the client that has connected until it goes, and forgets its breakpoints.
 * Returns whether it has ended the session; otherwise another client can go on. */
bool gdb_serve(struct gdb *g);

#endif
