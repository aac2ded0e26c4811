/* SPDX-License-Identifier: Apache-2.0 */
/* Internal to the reader: sums of the rows of many frames, which the index has in place
 * of them. The order of the rows is not that of the frames, but processes come in the
 * order in which they first ran on the hart. */
#ifndef TR_READER_SUMS_H
#define TR_READER_SUMS_H

#include "stream/reader_state.h"

/* The sums of a section: where they are in the file, and the places at which it begins
 * and ends. */
struct reader_sums {
	uint64_t frames, offset, size;
	size_t first, end;
};
/* A section: what its first frame says, the cycles at which each hart begins and ends,
 * and the instructions of all. */
struct reader_span {
	uint64_t frame, instructions;
	uint64_t start[TR_MAX_HARTS], end[TR_MAX_HARTS];
	uint32_t hart[TR_MAX_HARTS];
	uint32_t nharts;
};
/* Reads and decompresses sums into `out`, which is the caller's. Returns false if they
 * are damaged, or when out of memory. */
bool tr_reader_load_sums(const struct tr_reader *reader, const struct reader_sums *sums,
			 struct tr_buffer *out);
/* Returns whether the sums are those of the section, as far as that can be told. */
bool tr_reader_check_sums(const struct tr_buffer *bytes, const struct reader_span *span);
/* Decodes sums that have been checked as the current frame. All that is defined before
 * the end of the section has been read. Returns a status. */
int tr_reader_take_sums(struct tr_reader *reader, const struct tr_buffer *bytes,
			const struct reader_span *span);

#endif
