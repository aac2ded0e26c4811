/* SPDX-License-Identifier: Apache-2.0 */
/* Reports instructions that cannot follow the one before (stream/continuity.h). */
#ifndef TR_CLI_BREAKS_H
#define TR_CLI_BREAKS_H

#include "cli/cli.h"

/* Warns of the breaks of a finished output, if there are any; `name` is that of the
 * input. Returns TR_EXIT_OK, or TR_EXIT_TROUBLE for more than one in 1,000 instructions,
 * unless `force`. */
int tr_cli_tell_breaks(const struct tr_cli *cli, const char *name,
		       const struct tr_output *out, const struct tr_header *header,
		       bool force);

#endif
