/* SPDX-License-Identifier: Apache-2.0 */
/* What filters that read streams of stacks share. All die on failure, with the name of
 * the input. */
#ifndef TR_CLI_STACKS_H
#define TR_CLI_STACKS_H

#include "cli/cli.h"
#include "profile/profile.h"
#include "stream/classes.h"

struct tr_cli_stacks {
	const struct tr_cli *cli;
	const char *name; /* for messages: "<stdin>" */
	struct tr_reader *reader;
	struct tr_profile *profile;
};

/* What the header calls the classes; a stream without them is refused. */
void tr_cli_stacks_classes(const struct tr_cli_stacks *in, struct tr_classes *classes);
/* Takes the whole stream into the profile. */
void tr_cli_stacks_take(const struct tr_cli_stacks *in);
/* Every cycle and instruction of the stream is charged, or left out by a window. */
void tr_cli_stacks_conserved(const struct tr_cli_stacks *in);
/* And every cycle is of one class, or retires an instruction, or was not traced. */
struct tr_tma_sum tr_cli_stacks_class_sum(const struct tr_cli_stacks *in);

#endif
