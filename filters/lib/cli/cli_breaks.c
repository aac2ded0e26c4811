/* SPDX-License-Identifier: Apache-2.0 */
/* The message about breaks of continuity, and the exit status that follows from them. */
#include "cli/cli_breaks.h"

#include "info/breaks.h"

enum { TOLERATED = 1000 }; /* instructions for each break */

int tr_cli_tell_breaks(const struct tr_cli *cli, const char *name,
		       const struct tr_output *out, const struct tr_header *header,
		       bool force)
{
	const bool many = out->breaks.count > out->instructions / TOLERATED;
	char text[TR_BREAKS_ROOM];
	if (!out->breaks.count)
		return TR_EXIT_OK;
	tr_breaks_text(text, &out->breaks, out->instructions, header);
	tr_warn(cli, "%s: %s%s", name, many && !force ? "" : "warning: ", text);
	return many && !force ? TR_EXIT_TROUBLE : TR_EXIT_OK;
}
