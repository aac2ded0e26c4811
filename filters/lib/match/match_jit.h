/* SPDX-License-Identifier: Apache-2.0 */
/* Maps of JIT code. */
#ifndef TR_MATCH_JIT_H
#define TR_MATCH_JIT_H

#include "image/image_jit.h"

/* A perf map or jitdump, which is of one process. */
struct tr_match_jit {
	const struct tr_image *image; /* the caller's; tr_image_is_jit() */
	uint32_t number;	      /* for notes: bin.N */
	uint32_t space;		      /* the life of an address space whose it is; 0: of
				       * the first with unknown code there */
	uint64_t satp;		      /* only of a space with this satp; 0: any */
};

/* Code of two address spaces is where one map has code. */
struct tr_match_jit_conflict {
	const struct tr_match_jit *map;
	uint32_t spaces[2];
	uint64_t pc; /* in the second one */
};

#endif
