/* SPDX-License-Identifier: Apache-2.0 */
/* What the blocks of a trace have of a program: entries, and amoadds of stubs. */
#ifndef BLOCK_MARKS_H
#define BLOCK_MARKS_H

#include "process_lives.h"
#include "stream/reader.h"

/* amoadd.d zero, t1, (t0), which a stub counts with. */
#define STUB_COUNTS UINT64_C(0x0062b02f)

/* Makes room for the blocks of a frame. Returns false without memory. */
bool prepare_block_marks(struct placed_program *placed, const struct tr_frame *frame);
/* Returns the marks of a block of this frame; NULL if it has none, or, with *failed set,
 * without memory or if the trace has no instructions. */
const struct block_mark *find_block_marks(struct placed_program *placed,
					  const struct tr_frame *frame, uint32_t id,
					  bool *failed);

#endif
