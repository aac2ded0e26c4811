/* SPDX-License-Identifier: Apache-2.0 */
/* tr-unwind's stack of each instruction of a run. */
#ifndef TRUTH_UNWOUND_H
#define TRUTH_UNWOUND_H

#include "soc.h"
#include "stream/reader.h"

struct unwound_row {
	uint64_t end; /* end of the row, in traced instructions */
	uint32_t node, thread;
};

struct unwound_window {
	uint64_t first, end; /* instructions */
};

struct unwound_hart {
	struct unwound_row *rows;
	size_t nrows, room, row;
	uint64_t seen; /* instructions returned by unwound_next() */
};

struct unwound {
	struct tr_reader *reader; /* owns the definitions */
	struct unwound_hart harts[SOC_HARTS_MAX];
	struct unwound_window *windows;
	uint64_t start_cycle; /* before the first traced instruction */
	size_t nwindows, window_room, window;
	uint64_t before; /* instructions of earlier windows */
	bool is_cut;	 /* the run is partially traced */
};

/* The windows are lines of two numbers, the first instruction, counted from the first
 * traced one, and the number of instructions; NULL: the whole run is traced. Returns
 * false, after a message, if the streams cannot be read or belong to other images. */
bool unwound_open(struct unwound *t, const char *path, const char *windows,
		  uint64_t hash);
void unwound_close(struct unwound *t);
/* Returns the number of instructions, counted so, up to the end of the last window. */
uint64_t unwound_tokens(const struct unwound *t);
/* Returns the row of hart 0's instruction `token`, counted so, which must not decrease,
 * or NULL if it was not traced. Sets *is_first if a window begins with it. */
const struct unwound_row *unwound_at(struct unwound *t, uint64_t token, bool *is_first);
/* Returns the row of the next instruction of a hart whose whole run is traced, or NULL at
 * the end. */
const struct unwound_row *unwound_next(struct unwound *t, unsigned hart);
/* Returns the cycles in doubt. */
uint64_t unwound_doubted(const struct unwound *t);

#endif
