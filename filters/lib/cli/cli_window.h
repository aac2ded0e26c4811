/* SPDX-License-Identifier: Apache-2.0 */
/* The options --from and --to of filters that read streams of stacks. All functions die
 * on failure. */
#ifndef TR_CLI_WINDOW_H
#define TR_CLI_WINDOW_H

#include "cli/cli_stacks.h"

struct tr_cli_window {
	struct tr_profile_bound from, to;
	const char *from_text, *to_text; /* as given, or NULL */
};

/* Returns the bound: a cycle, "trigger", or the name of a function, none of which begins
 * with a digit. */
struct tr_profile_bound tr_cli_bound(const struct tr_cli *cli, const char *option,
				     const char *text);
/* Checks that the cycles of the window are in order. */
void tr_cli_window_order(const struct tr_cli *cli, const struct tr_cli_window *window);
/* Check, after the stream was taken, that the functions of the bounds exist; that the
 * window was found and has cycles. */
void tr_cli_window_names(const struct tr_cli_stacks *in,
			 const struct tr_cli_window *window);
void tr_cli_window_found(const struct tr_cli_stacks *in,
			 const struct tr_cli_window *window);
/* Checks that a name exists; an error suggests others. */
void tr_cli_stacks_name(const struct tr_cli_stacks *in, const char *option,
			const char *name, bool is_there);

#endif
