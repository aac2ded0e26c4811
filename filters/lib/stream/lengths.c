/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of blocks without instruction bits. */
#include "stream/lengths.h"

/* A call that begins a generation discards the ids of the calls before it. */
int tr_lengths_put(struct tr_lengths *l, struct tr_writer *writer, uint32_t hart)
{
	const struct tr_block block = {.pc = l->pc,
				       .code = l->lengths,
				       .tokens = l->count,
				       .bytes = (uint16_t)(l->next - l->pc),
				       .no_bits = true};
	const struct tr_timing timing = {.stalls = l->delays,
					 .runs = l->runs,
					 .nstalls = l->ndelays,
					 .nruns = l->nruns};
	uint32_t block_id = 0, timing_id = 0;
	uint64_t generation;
	int status;
	if (!l->count)
		return TR_OK;
	do {
		generation = tr_writer_generation(writer);
		status = tr_writer_block(writer, &block, &block_id);
		if (l->ndelays && !status)
			status = tr_writer_timing(writer, &timing, &timing_id);
	} while (!status && generation != tr_writer_generation(writer));
	if (!status)
		status = tr_writer_row(writer, hart, block_id, timing_id);
	l->count = l->ndelays = l->nruns = 0;
	return status;
}
