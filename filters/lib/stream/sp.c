/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the additions to sp of the instructions of a block. */
#include "stream/sp.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/little.h"
#include "stream/decode.h"
#include "stream/reader.h"

int64_t tr_sp_added(const struct tr_block *block, unsigned tokens, unsigned isa)
{
	const uint8_t *code = block->code;
	int64_t sum = 0, bytes;
	for (unsigned i = 0; i < tokens && !block->no_bits; i++) {
		unsigned length = tr_insn_length(tr_load16(code));
		if (tr_decode_sp(code, length, isa, &bytes) == TR_SP_ADDS)
			sum += bytes;
		code += length;
	}
	return sum;
}

int tr_sp_sums_update(struct tr_sp_sums *sums, const struct tr_reader *reader,
		      uint64_t generation)
{
	const unsigned isa = tr_header_isa(tr_reader_header(reader));
	size_t count = tr_reader_block_count(reader);
	if (sums->generation != generation)
		sums->count = 0;
	sums->generation = generation;
	if (!tr_grow(&sums->sums, &sums->room, count, sizeof(*sums->sums)))
		return TR_E_NOMEM;
	for (; sums->count < count; sums->count++) {
		const struct tr_block *block =
		    tr_reader_block(reader, (uint32_t)sums->count);
		sums->sums[sums->count] = (int32_t)tr_sp_added(block, block->tokens, isa);
	}
	return TR_OK;
}

void tr_sp_sums_release(struct tr_sp_sums *sums)
{
	free(sums->sums);
	*sums = (struct tr_sp_sums){.sums = NULL};
}
