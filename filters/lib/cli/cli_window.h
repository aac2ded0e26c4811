/* SPDX-License-Identifier: Apache-2.0 */
/* The options --from and --to of filters that read streams of stacks. All functions die
 * on failure. */
#ifndef TR_CLI_WINDOW_H
#define TR_CLI_WINDOW_H

#include "cli/cli_stacks.h"
#include "cli/options.h"

struct tr_cli_window {
	struct tr_profile_bound from, to;
	const char *from_text, *to_text; /* as given, or NULL */
};

/* The two entries of a table of options, which set the texts of `window`, with the
 * conditions `.needs = ...` or `.excludes = ...`. */
/* clang-format off */
#define TR_CLI_WINDOW_OPTIONS(window, conditions) \
	{"from", .argument = "X", .text = &(window)->from_text, \
	 .help = "only from here: a cycle (5M); the first entry of function X; trigger: " \
		 "where tracing first starts; or mark:NAME[#N]: the Nth point or region " \
		 "of the program (tr-marks)", conditions}, \
	{"to", .argument = "Y", .text = &(window)->to_text, \
	 .help = "only up to here: a cycle; the first return of function Y after --from; " \
		 "trigger: where tracing then stops; or mark:NAME[#N]: a point, or the end " \
		 "of a region", conditions}
/* clang-format on */

/* Sets the bounds by the texts: a cycle, "trigger", "mark:NAME" or "mark:NAME#N", or the
 * name of a function, none of which begins with a digit; without a text, the first or
 * last cycle. Checks their order.
 */
void tr_cli_window_parse(const struct tr_cli *cli, struct tr_cli_window *window);
/* Check, after the stream was taken, that the functions of the bounds exist; that the
 * window was found and has cycles. */
void tr_cli_window_names(const struct tr_cli_stacks *in,
			 const struct tr_cli_window *window);
void tr_cli_window_found(const struct tr_cli_stacks *in,
			 const struct tr_cli_window *window);
/* Checks that the name in an option, or in the operand if `option` is NULL, exists; an
 * error suggests others. */
void tr_cli_stacks_name(const struct tr_cli_stacks *in, const char *option,
			const char *name, bool is_there);

#endif
