/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by filters that read streams of stacks. All functions die on failure, with the
 * name of the input. */
#ifndef TR_CLI_STACKS_H
#define TR_CLI_STACKS_H

#include "cli/cli.h"
#include "cli/cli_export.h"
#include "cli/cli_serve.h"
#include "profile/profile.h"
#include "stream/classes.h"

struct tr_cli_chain;

struct tr_cli_stacks {
	const struct tr_cli *cli;
	const char *name; /* for messages: "<stdin>" */
	struct tr_reader *reader;
	struct tr_profile *profile;
	/* Called with each frame before and after it is taken, unless NULL. */
	void (*taking)(void *context, const struct tr_sframe *frame);
	void (*taken)(void *context, const struct tr_sframe *frame);
	void *context; /* for both */
	bool may_seek; /* they need no frames outside of the window, but for hits */
	bool may_sum;  /* with it: nor the order of rows in sections of TR_SUMS_FRAMES */
	struct tr_cli_export *export; /* takes each frame, after the profile; or NULL */
	struct tr_cli_serve *serve;   /* takes each frame after `export`; or NULL */
	struct tr_cli_chain *chain;   /* writes the stream; or NULL */
};

/* Returns the commit slots that a cycle has in the stream's classes; 1 without classes.
 */
uint32_t tr_cli_stacks_width(const struct tr_cli_stacks *in);
/* Reads the names of classes in the header; refuses a stream without them. */
void tr_cli_stacks_classes(const struct tr_cli_stacks *in, struct tr_classes *classes);
/* Reads the stream into the profile, or what is in its window. */
void tr_cli_stacks_take(struct tr_cli_stacks *in);
/* Checks that every cycle and instruction of the stream is charged or outside
 * the window. */
void tr_cli_stacks_conserved(const struct tr_cli_stacks *in);
/* Checks that no cycle has two classes, or a class and an instruction.
 * Returns the sums. */
struct tr_class_sum tr_cli_stacks_class_sum(const struct tr_cli_stacks *in);

#endif
