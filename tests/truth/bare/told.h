/* SPDX-License-Identifier: Apache-2.0 */
/* What tr-unwind says of each instruction of a run. */
#ifndef TRUTH_TOLD_H
#define TRUTH_TOLD_H

#include "stream/reader.h"

struct told_row {
	uint64_t end; /* traced instructions up to here */
	uint32_t node, thread;
};

struct told_window {
	uint64_t first, end; /* instructions */
};

struct told {
	struct tr_reader *reader; /* has the definitions */
	struct told_row *rows;
	struct told_window *windows;
	uint64_t start_cycle; /* before the first instruction that is traced */
	size_t nrows, room, nwindows, window_room, row, window;
	uint64_t before; /* instructions of the windows in front of this one */
	bool is_cut;	 /* not all of the run is traced */
};

/* The windows are lines of two numbers, the first instruction, counted from the first
 * that is traced, and how many; NULL: the
 * whole run is traced. False, after a message: the streams cannot be read, or are not of
 * those images. */
bool told_open(struct told *t, const char *path, const char *windows, uint64_t hash);
void told_close(struct told *t);
/* Instructions, counted so, up to the end of the last window. */
uint64_t told_tokens(const struct told *t);
/* Of instruction `token`, counted so, which may not fall; NULL: it was not traced.
 * *is_first: a window begins with it. */
const struct told_row *told_at(struct told *t, uint64_t token, bool *is_first);

#endif
