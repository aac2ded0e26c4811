/* SPDX-License-Identifier: Apache-2.0 */
/* The source files of what tr-annotate shows. */
#ifndef TR_CLI_ANNOTATED_H
#define TR_CLI_ANNOTATED_H

#include "annotate/counts.h"
#include "annotate/sources.h"
#include "cli/cli.h"

/* All stays the caller's. */
struct tr_cli_annotated {
	const struct tr_cli *cli;
	const struct tr_counts *counts;
	const struct tr_symbols *symbols;
	const struct tr_sources *sources;
};

/* Dies if the output is a source file of what ran. */
void tr_cli_protect_sources(const struct tr_cli_annotated *annotated);
/* Warns if a source file that was shown was modified after the binary. */
void tr_cli_warn_of_sources(const struct tr_cli_annotated *annotated);

#endif
