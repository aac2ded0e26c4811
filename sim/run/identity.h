/* SPDX-License-Identifier: Apache-2.0 */
/* Keys that identify what a machine runs, for traces and checkpoints. */
#ifndef RUN_IDENTITY_H
#define RUN_IDENTITY_H

#include "checkpoint.h"

struct identity {
	const struct soc_image *image;
	const char *const *elf; /* paths of the ELF files that were loaded */
	size_t nelf;
	const struct checkpoint *resumed; /* NULL: the machine starts at reset */
	const char *argv;		  /* provenance, NULL for none */
};

/* Adds image_hash, image.N with build-ids, resumed.* and pg. Of a resumed machine the
 * checkpoint has what was loaded. Returns TR_OK, TR_E_NOMEM or TR_E_ARGUMENT. */
int identity_fill(struct tr_header *header, const struct identity *identity);

#endif
