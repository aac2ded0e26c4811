/* SPDX-License-Identifier: Apache-2.0 */
/* tr-report memory. */
#ifndef TR_MEMORY_COMMAND_H
#define TR_MEMORY_COMMAND_H

#include "cli/cli.h"

/* Parses the options of `cli`, and reports on the matched stream with addresses of
 * accesses that it names. Dies on failure. */
void tr_memory_command(struct tr_cli *cli);

#endif
