/* SPDX-License-Identifier: Apache-2.0 */
/* The machine that a trace is of, as it was when the trace began. */
#ifndef REPLAY_SETUP_H
#define REPLAY_SETUP_H

#include "model/model.h"
#include "run/boot.h"
#include "run/checkpoint.h"
#include "stream/header.h"

struct setup {
	const char *trace;		/* its path, for messages */
	const struct tr_header *header; /* of the trace */
	/* Operands FILE.elf and FILE@ADDRESS, in the order of the run, and what was
	 * loaded after them; or the checkpoint at which the trace begins. */
	char *const *programs;
	int nprograms;
	struct boot boot;
	const char *resume; /* NULL: the trace begins at reset */
	struct checkpoint from;
};

/* Creates the machine that the header describes, and loads it. Returns NULL, with its
 * trouble, if the header lacks something, if a file cannot be read, or if the run had
 * other contents of memory. The caller frees it before setup_close(). */
struct soc *setup_machine(struct setup *s, struct trouble *trouble);
void setup_close(struct setup *s);

/* Returns false, with its trouble, if the output is one of these files, which opening it
 * would truncate. */
bool setup_protect_inputs(const struct setup *s, const char *output,
			  struct trouble *trouble);

#endif
