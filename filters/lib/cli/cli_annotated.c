/* SPDX-License-Identifier: Apache-2.0 */
/* Checks source files. */
#include "cli/cli_annotated.h"

#include <sys/stat.h>

#include "annotate/listing.h"

void tr_cli_protect_sources(const struct tr_cli_annotated *a)
{
	const char *before = NULL, *path;
	struct tr_counted insn;
	struct stat output;
	if (!a->cli->output || stat(a->cli->output, &output) < 0 ||
	    !S_ISREG(output.st_mode))
		return;
	for (size_t i = 0; i < tr_counts_insns(a->counts); i++, before = path) {
		tr_counts_insn(a->counts, i, &insn);
		tr_listing_line(a->symbols, insn.binary, insn.address, &path);
		if (path && path != before &&
		    tr_sources_may_read(a->sources, path, &output))
			tr_die(a->cli, "%s: %s", a->cli->output, TR_CLI_IS_INPUT);
	}
}

void tr_cli_warn_of_sources(const struct tr_cli_annotated *a)
{
	uint32_t binary = UINT32_MAX;
	struct stat built;
	const char *before = NULL, *path;
	for (size_t i = 0; i < tr_counts_insns(a->counts); i++, before = path) {
		struct tr_counted insn;
		tr_counts_insn(a->counts, i, &insn);
		tr_listing_line(a->symbols, insn.binary, insn.address, &path);
		if (!path || (path == before && insn.binary == binary))
			continue;
		const char *file =
		    tr_image_path(tr_symbols_image(a->symbols, insn.binary));
		if (insn.binary != binary && stat(file, &built) < 0)
			continue;
		binary = insn.binary;
		if (tr_sources_is_newer(a->sources, path, &built)) {
			tr_warn(a->cli,
				"warning: %s is newer than %s: its lines may not be "
				"those that were compiled",
				path, file);
			return;
		}
	}
}
