/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the options of tr-fold and tr-report with the stream. The functions die with
 * the name of the input. */
#ifndef TR_FOLD_CHECKS_H
#define TR_FOLD_CHECKS_H

#include "cli/cli_stacks.h"
#include "cli/stack_options.h"

/* Returns the counter that is the unit, if one is; it must exist. */
struct tr_counter_id tr_fold_counter(const struct tr_stack_options *o,
				     const struct tr_cli_stacks *in);
/* Checks, after the stream was read, that names given in options exist, that expressions
 * match, and that the window was found and has cycles. */
void tr_fold_check(const struct tr_stack_options *o, const struct tr_cli_stacks *in);

#endif
