/* SPDX-License-Identifier: Apache-2.0 */
/* What tr-unwind tells of the totals of an unwinder: fields of the end record, warnings,
 * and the summary of --verbose. */
#ifndef TR_CLI_UNWOUND_H
#define TR_CLI_UNWOUND_H

#include "cli/cli.h"
#include "unwind/unwind.h"

/* Sets the fields unwind_* of the end record. */
void tr_unwound_add_totals(struct tr_header *end, const struct tr_unwind_totals *t);
/* Warns of limits that were reached, and of cycles on stacks that may be wrong if they
 * are more than 1 in 100,000; with --verbose also prints a summary. `has_sp`: the source
 * reports sp. */
void tr_unwound_report(const struct tr_cli *cli, const struct tr_unwind_totals *t,
		       bool has_sp);

#endif
