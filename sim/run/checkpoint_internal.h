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
	CHECKPOINT_HEAD = 24,	      /* bytes before the text */
	CHECKPOINT_TEXT = 1 << 20,    /* most bytes of text */
	CHECKPOINT_PAGE = 4096,
	CHECKPOINT_RUN = 256,	/* most pages in a record */
	CHECKPOINT_RECORD = 24, /* bytes before the pages of a record */
};

/* Records of the disk have this address, and the byte of the disk. */
#define CHECKPOINT_DISK (UINT64_C(1) << 62)

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
