/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of a checkpoint, shared by checkpoint*.c; see soc-checkpoint(5). */
#ifndef RUN_CHECKPOINT_INTERNAL_H
#define RUN_CHECKPOINT_INTERNAL_H

#include "checkpoint.h"

#define CHECKPOINT_MAGIC "\x89SOCCK\r\n"
#define CHECKPOINT_YES	 "1" /* the value of a unit's key */

enum {
	CHECKPOINT_VERSION = 1,
	CHECKPOINT_VERSION_HARTS = 2, /* of several harts */
	CHECKPOINT_VERSION_DISK = 3,  /* with a disk, of any number of harts */
	CHECKPOINT_VERSION_USES = 4,  /* with uses of RAM, of one hart */
	CHECKPOINT_HEAD = 24,	      /* bytes before the text */
	CHECKPOINT_TEXT = 1 << 20,    /* most bytes of text */
	CHECKPOINT_PAGE = 4096,
	CHECKPOINT_RUN = 256,	/* most pages in a record */
	CHECKPOINT_RECORD = 24, /* bytes before the pages of a record */
};

/* Records of the disk have this address, and the byte of the disk. */
#define CHECKPOINT_DISK (UINT64_C(1) << 62)
/* The record of uses has this one. */
#define CHECKPOINT_USES (UINT64_C(1) << 61)

/* checkpoint_uses.c: the last uses of RAM, as pages of a record. */
static inline uint32_t checkpoint_pages_of_uses(size_t n)
{
	return (uint32_t)((n * sizeof(uint64_t) + CHECKPOINT_PAGE - 1) / CHECKPOINT_PAGE);
}
/* Returns the pages, which the caller frees, or NULL if memory runs out. */
uint8_t *checkpoint_put_uses(const struct soc_line_uses *uses);
/* Gets `n` uses. Returns NULL, or what is wrong with one of them. */
const char *checkpoint_get_uses(const uint8_t *pages, size_t n, uint64_t ram_size,
				struct soc_line_uses *uses);

/* checkpoint_state.c: as checkpoint_put_state() and checkpoint_get_state(), of any hart.
 * The keys of one above 0 begin with its number. The devices are those in the keys of
 * hart 0: checkpoint_get_hart() expects them in `state`. */
int checkpoint_put_hart(struct tr_header *keys, unsigned hart,
			const struct soc_state *state,
			const struct soc_features *features);
const char *checkpoint_get_hart(const struct tr_header *keys, unsigned hart,
				struct soc_state *state,
				const struct soc_features *features);

#endif
