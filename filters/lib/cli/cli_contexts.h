/* SPDX-License-Identifier: Apache-2.0 */
/* Which process and thread each instruction of a run is of, from its stream of stacks.
 * All functions die on failure. */
#ifndef TR_CLI_CONTEXTS_H
#define TR_CLI_CONTEXTS_H

#include "annotate/selection.h"
#include "annotate/slices.h"
#include "cli/cli.h"

struct tr_cli_contexts {
	/* Set by tr_cli_contexts_read(): by the keys, which are numbers of pairs. */
	struct tr_selection *keys;
	struct tr_slices_contexts contexts;
};

/* Reads the stacks at `path`, as tr-explore does. */
void tr_cli_contexts_read(struct tr_cli_contexts *contexts, const struct tr_cli *cli,
			  const char *path);
void tr_cli_contexts_release(struct tr_cli_contexts *contexts);

#endif
