/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of accesses in a stream that a program reads. */
#ifndef TR_CLI_ACCESSES_H
#define TR_CLI_ACCESSES_H

#include "cli/cli.h"
#include "stream/accesses.h"

/* Decodes those of the reader's frame, or dies: they are damaged, which a message with
 * the file, record and byte says, or memory runs out. `name` is that of the file. */
void tr_cli_accesses_frame(const struct tr_cli *cli, const char *name,
			   struct tr_accesses *accesses, const struct tr_frame *frame);

#endif
