/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of tr-fold and tr-report about conservation, as text. */
#ifndef TR_FOLD_LINES_H
#define TR_FOLD_LINES_H

#include "cli/cli_stacks.h"
#include "cli/stack_options.h"
#include "timeline/off_cpu.h"

enum { TR_FOLD_LINE = 700 }; /* room for a line */

/* Writes "100.000 % of 5 cycles charged: ..."; dies if the unit is a counter that is not
 * charged completely. */
void tr_fold_conservation(const struct tr_stack_options *o,
			  const struct tr_cli_stacks *in, char *text, size_t size);
/* Writes the like about classes; dies if they do not add up. */
void tr_fold_classes(const struct tr_cli_stacks *in, char *text, size_t size);
/* Writes "5 cycles away in 1 wait: ..."; dies if the waits do not add up to `folded`, the
 * sum of their stacks. */
void tr_fold_off_cpu(const struct tr_cli_stacks *in, const struct tr_off_cpu *,
		     uint64_t folded, char *text, size_t size);
/* Writes "the run was cut off (...); ", or "" if it was complete. */
void tr_fold_cut_off(const struct tr_cli_stacks *in, char *text, size_t size);
/* Writes "node 1: " for a trace of one node of several, or "". */
void tr_fold_node(const struct tr_cli_stacks *in, char *text, size_t size);

#endif
