/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_accesses.h"

#include <inttypes.h>

void tr_cli_accesses_frame(const struct tr_cli *cli, const char *name,
			   struct tr_accesses *accesses, const struct tr_frame *frame)
{
	int status = tr_accesses_frame(accesses, frame);
	if (status == TR_E_CORRUPT)
		tr_die(cli,
		       "%s: record %" PRIu32 ", byte %" PRIu64
		       ": damaged addresses of accesses",
		       name, frame->record, frame->byte);
	tr_cli_check(cli, status);
}
