/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by address, summed over a stream for each stack of a profile, with the calls of
 * each stack and their sites. */
#ifndef TR_EXPORT_CODE_H
#define TR_EXPORT_CODE_H

#include "base/map.h"
#include "export/export.h"
#include "stream/spans.h"

/* Executions of a span with a stack. */
struct tr_export_count {
	uint64_t executions;
	uint32_t node; /* of the profile */
	uint32_t span;
	uint32_t first; /* of the cycles of its instructions in `cycles` */
};

/* All zero is empty. */
struct tr_export_code {
	const struct tr_reader *reader; /* NULL before the first frame */
	struct tr_export_count *counts;
	uint64_t *cycles;
	struct tr_branch *branches;
	uint64_t *calls; /* by node of the profile */
	uint32_t *sites; /* by node: where it was called, or TR_NO_SPOT */
	bool *shown;	 /* by node of the stream: its function is on the stack */
	size_t ncounts, counts_room, ncycles, cycles_room, nbranches, branches_room;
	size_t nnodes, calls_room, sites_room, nshown, shown_room;
	struct tr_map count_ids, branch_ids;
};

/* Returns true if counts by address are a part of the profile: it is of the whole stream,
 * and not divided into groups that the counts do not have. */
bool tr_export_code_fits(const struct tr_export *export);
/* Returns true if the two are the same function. */
bool tr_export_code_same(const struct tr_func *a, const struct tr_func *b);

/* Takes a frame after the profile. Counts by address are kept if `with_counts`. Returns
 * TR_OK, TR_E_NOMEM, or TR_E_CORRUPT (a sum beyond 64 bits). */
int tr_export_code_take(struct tr_export_code *code, const struct tr_export *export,
			const struct tr_reader *reader, const struct tr_sframe *frame,
			bool with_counts);
/* Sorts the counts by node, then by span. No frame may follow. */
void tr_export_code_sort(struct tr_export_code *code);
void tr_export_code_release(struct tr_export_code *code);

/* Returns where the function of a node was called, or TR_NO_SPOT. */
static inline uint32_t tr_export_site(const struct tr_export_code *code, uint32_t node)
{
	return node < code->nnodes ? code->sites[node] : TR_NO_SPOT;
}
/* Returns the address of a spot. */
static inline uint64_t tr_export_address(const struct tr_reader *reader, uint32_t spot)
{
	const struct tr_spot *s = tr_reader_spot(reader, spot);
	return tr_reader_span(reader, s->span)->address + s->offset;
}

#endif
