/* SPDX-License-Identifier: Apache-2.0 */
/* Layout of a checkpoint, shared by checkpoint*.c; see soc-checkpoint(5). */
#ifndef RUN_CHECKPOINT_INTERNAL_H
#define RUN_CHECKPOINT_INTERNAL_H

#include "checkpoint.h"

#define CHECKPOINT_MAGIC "\x89SOCCK\r\n"

enum {
	CHECKPOINT_VERSION = 1,
	CHECKPOINT_HEAD = 24,	   /* bytes before the text */
	CHECKPOINT_TEXT = 1 << 20, /* most bytes of text */
	CHECKPOINT_PAGE = 4096,
	CHECKPOINT_RUN = 256,	/* most pages in a record */
	CHECKPOINT_RECORD = 24, /* bytes before the pages of a record */
};

#endif
