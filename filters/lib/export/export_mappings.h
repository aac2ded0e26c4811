/* SPDX-License-Identifier: Apache-2.0 */
/* The binaries of a stream as pprof's mappings, from which it computes where an address
 * is in a file: as address - start + offset, in the segment of that place.
 *
 * A binary is divided into its executable segments, the first from the beginning of its
 * page on, as `go tool pprof` expects it. The others are not: pprof takes mappings of a
 * file with the same offset and number of pages for one. It treats addresses of the upper
 * half as those of a kernel, whose mapping begins with its first segment and has no
 * offset. Where no segment is known, the mapping is the whole address space, for which
 * pprof takes addresses as those in the file. */
#ifndef TR_EXPORT_MAPPINGS_H
#define TR_EXPORT_MAPPINGS_H

#include "stream/header.h"

struct tr_export_mapping {
	uint32_t binary;
	uint64_t start, limit, offset; /* limit is exclusive, UINT64_MAX at most */
	bool is_used, has_addresses, has_lines, has_inlined;
};

/* All zero is empty. */
struct tr_export_mappings {
	struct tr_export_mapping *list;
	size_t count, room;
	uint32_t *first; /* by binary: the first of its mappings */
	uint32_t nbinaries;
};

/* Fills an empty list. Returns TR_OK or TR_E_NOMEM. */
int tr_export_mappings_init(struct tr_export_mappings *mappings,
			    const struct tr_header *header);
void tr_export_mappings_release(struct tr_export_mappings *mappings);

/* Returns the index of the mapping of an address, which may be 0: unknown; UINT32_MAX if
 * the binary is none. */
uint32_t tr_export_mappings_at(const struct tr_export_mappings *mappings, uint32_t binary,
			       uint64_t address);

#endif
