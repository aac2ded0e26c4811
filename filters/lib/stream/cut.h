/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the beginning of a frame: what fits below a limit, to the token. */
#ifndef TR_CUT_H
#define TR_CUT_H

#include "stream/reader.h"
#include "stream/writer.h"

/* What may still come: tokens, over all harts in order of their cycle and then
 * of their hart; and the last cycle at which anything may happen. */
struct tr_cut {
	uint64_t tokens, cycle;
	bool fill;	       /* a gap takes each hart to `cycle` */
	const uint32_t *harts; /* that the writer has had already */
	uint32_t nharts;
};

/* True when all of the frame is below the limits. */
bool tr_cut_fits(const struct tr_cut *cut, const struct tr_frame *frame);
/* TR_OK or what the writer returned. */
int tr_cut_frame(const struct tr_cut *cut, struct tr_writer *writer,
		 const struct tr_reader *reader, const struct tr_frame *frame);

#endif
