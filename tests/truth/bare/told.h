/* SPDX-License-Identifier: Apache-2.0 */
/* tr-unwind's stack of each instruction of a run. */
#ifndef TRUTH_TOLD_H
#define TRUTH_TOLD_H

#include "soc.h"
#include "stream/reader.h"

struct told_row {
	uint64_t end; /* end of the row, in traced instructions */
	uint32_t node, thread;
};

struct told_window {
	uint64_t first, end; /* instructions */
};

struct told_hart {
	struct told_row *rows;
	size_t nrows, room, row;
	uint64_t seen; /* instructions returned by told_next() */
};

struct told {
	struct tr_reader *reader; /* owns the definitions */
	struct told_hart harts[SOC_HARTS_MAX];
	struct told_window *windows;
	uint64_t start_cycle; /* before the first traced instruction */
	size_t nwindows, window_room, window;
	uint64_t before; /* instructions of earlier windows */
	bool is_cut;	 /* the run is partially traced */
};

/* The windows are lines of two numbers, the first instruction, counted from the first
 * traced one, and the number of instructions; NULL: the whole run is traced. Returns
 * false, after a message, if the streams cannot be read or belong to other images. */
bool told_open(struct told *t, const char *path, const char *windows, uint64_t hash);
void told_close(struct told *t);
/* Returns the number of instructions, counted so, up to the end of the last window. */
uint64_t told_tokens(const struct told *t);
/* Returns the row of hart 0's instruction `token`, counted so, which must not decrease,
 * or NULL if it was not traced. Sets *is_first if a window begins with it. */
const struct told_row *told_at(struct told *t, uint64_t token, bool *is_first);
/* Returns the row of the next instruction of a hart whose whole run is traced, or NULL at
 * the end. */
const struct told_row *told_next(struct told *t, unsigned hart);
/* Returns the cycles in doubt. */
uint64_t told_doubted(const struct told *t);

#endif
