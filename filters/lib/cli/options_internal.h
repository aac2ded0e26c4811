/* SPDX-License-Identifier: Apache-2.0 */
/* The options of one program, joined, between the parser and the help. */
#ifndef TR_OPTIONS_INTERNAL_H
#define TR_OPTIONS_INTERNAL_H

#include "cli/options.h"

enum { TR_MAX_OPTIONS = 96 };

struct tr_joined_options {
	struct tr_cli *cli;
	size_t count, shared; /* those from `shared` on are the shared ones */
	const struct tr_option *option[TR_MAX_OPTIONS];
	void *context[TR_MAX_OPTIONS];
	bool is_given[TR_MAX_OPTIONS];
};

/* Print the help, or a line for each option: its name, letter, argument, and values, or
 * "help" where the program lists them, with tabs between them and "-" for none. Exit 0.
 */
_Noreturn void tr_options_print_help(const struct tr_joined_options *all);
_Noreturn void tr_options_print_list(const struct tr_joined_options *all);

#endif
