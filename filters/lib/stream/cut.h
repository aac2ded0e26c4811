/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the beginning of a frame up to a limit, exact to the token. */
#ifndef TR_CUT_H
#define TR_CUT_H

#include "stream/reader.h"
#include "stream/writer.h"

/* The limit: the number of tokens left, over all harts in order of (cycle, hart), and the
 * last cycle allowed. */
struct tr_cut {
	uint64_t tokens, cycle;
	bool fill;	       /* extend each hart to `cycle` by a gap */
	const uint32_t *harts; /* harts that the writer already has */
	uint32_t nharts;
};

/* Returns true if the whole frame is within the limit. */
bool tr_cut_fits(const struct tr_cut *cut, const struct tr_frame *frame);
/* Writes the part of the frame within the limit. Returns TR_OK or the writer's error. */
int tr_cut_frame(const struct tr_cut *cut, struct tr_writer *writer,
		 const struct tr_reader *reader, const struct tr_frame *frame);

#endif
