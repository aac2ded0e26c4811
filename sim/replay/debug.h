/* SPDX-License-Identifier: Apache-2.0 */
/* tr-replay --gdb: serves a debugger. */
#ifndef REPLAY_DEBUG_H
#define REPLAY_DEBUG_H

#include <stdio.h>

#include "cli/cli.h"
#include "index.h"

enum { DEBUG_MESSAGE = 512 };

struct debug_options {
	const struct tr_cli *cli; /* reports clients that were refused */
	struct soc *soc;
	struct tr_reader *reader;
	struct replay *replay;
	const char *trace;
	struct replay_index *index; /* of the whole trace; NULL: makes a temporary one */
	unsigned port;		    /* 0: a free one */
	unsigned hart;
	uint64_t cycle; /* where it begins */
	FILE *out;	/* gets a line with the port */
};

/* Goes to the cycle, and serves clients, one after the other, until one ends the session.
 * Returns false with a line in `message` on failure. */
bool debug_replay(const struct debug_options *options, char *message);

#endif
