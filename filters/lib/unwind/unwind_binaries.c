/* SPDX-License-Identifier: Apache-2.0 */
/* What is known of each binary as a whole. */
#include "unwind/unwind_binaries.h"

#include <stdlib.h>

#include "stream/xlen.h"

struct binary {
	uint64_t entry; /* of the file; 0: none */
	uint64_t bias;	/* where it was last found: pc minus address in the file */
	enum tr_unwind_role role;
};

struct tr_binaries {
	unsigned xlen;
	uint32_t count;
	struct binary all[];
};

struct tr_binaries *tr_binaries_new(const struct tr_unwind_options *options)
{
	const uint32_t count = options->nprograms;
	struct tr_binaries *b = calloc(1, sizeof(*b) + count * sizeof(b->all[0]));
	if (!b)
		return NULL;
	b->xlen = options->xlen;
	b->count = count;
	for (uint32_t i = 0; i < count; i++) {
		if (options->roles)
			b->all[i].role = options->roles[i];
		if (options->entries)
			b->all[i].entry = options->entries[i];
	}
	return b;
}

void tr_binaries_free(struct tr_binaries *binaries)
{
	free(binaries);
}

enum tr_unwind_role tr_binaries_role(const struct tr_binaries *binaries, uint32_t binary)
{
	return binary < binaries->count ? binaries->all[binary].role : TR_UNWIND_ANY;
}

void tr_binaries_place(struct tr_binaries *binaries, uint32_t binary, uint64_t bias)
{
	if (binary < binaries->count)
		binaries->all[binary].bias = bias;
}

uint64_t tr_binaries_address(const struct tr_binaries *binaries, uint32_t binary,
			     uint64_t pc)
{
	return binary < binaries->count ? pc - binaries->all[binary].bias : pc;
}

uint32_t tr_binaries_entered(const struct tr_binaries *binaries, uint64_t pc)
{
	for (uint32_t i = 0; i < binaries->count; i++) {
		const struct binary *b = &binaries->all[i];
		if (b->role == TR_UNWIND_USER && b->entry && b->entry + b->bias == pc)
			return i;
	}
	return TR_NOTE_UNKNOWN;
}

bool tr_binaries_are_above(const struct tr_binaries *binaries, uint64_t pc)
{
	for (uint32_t i = 0; i < binaries->count; i++) {
		const struct binary *b = &binaries->all[i];
		if (b->role == TR_UNWIND_KERNEL &&
		    tr_xlen_is_upper(binaries->xlen, b->entry + b->bias))
			return !tr_xlen_is_upper(binaries->xlen, pc);
	}
	return false;
}
