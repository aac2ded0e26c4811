/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces the first instructions of all counted functions of a stopped process, and
 * restores them. An entry is never written in part: one page is written at once, and an
 * entry that lies in two pages is written by the process itself, which does not end with
 * its tracer. Functions that may fail return false with the trouble set. */
#ifndef PATCH_H
#define PATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/trouble.h"
#include "stubs/stubs.h"
#include "tracee.h"

/* Neighbouring entries within a page, and the bytes between them; or one in two pages. */
struct patch_run {
	uint64_t place;
	uint32_t size;
	uint32_t offset; /* of its new bytes */
	bool two_pages;
};

struct text_patch {
	struct patch_run *runs;
	size_t count;
	uint8_t *bytes;
};

/* Reads what the process has, compares it with what it should have, and prepares what
 * replaces it: entries (`enter`), or the program's instructions again. */
bool prepare_text_patch(struct text_patch *patch, int memory,
			const struct tr_stubs *stubs,
			const struct tr_stubs_places *places, bool enter,
			struct trouble *trouble);
void free_text_patch(struct text_patch *patch);
/* Entries in two pages, while calls are prepared. */
bool write_split_entries(const struct text_patch *patch, struct tracee_calls *calls,
			 struct trouble *trouble);
/* All others. */
bool write_patch_pages(const struct text_patch *patch, int memory,
		       struct trouble *trouble);

#endif
