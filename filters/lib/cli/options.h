/* SPDX-License-Identifier: Apache-2.0 */
/* Options of the programs as tables: what an option is called, what it sets, its help,
 * and which others it excludes or needs. The parser, --help, the completion of the shell
 * and the test of the man pages read the same table. */
#ifndef TR_OPTIONS_H
#define TR_OPTIONS_H

#include "cli/cli.h"

/* Arguments of an option that may be repeated, in their order. They point into the
 * command line; the array is the owner's, who frees `text`. */
struct tr_texts {
	const char **text;
	size_t count;
};

/* An option. It has exactly one target, which the parser checks at each start. */
struct tr_option {
	const char *name; /* without "--"; NULL ends the table */
	char letter;	  /* 0: none */
	/* The argument can be left out, as in --name or --name=ARGUMENT: a `take` is
	 * given NULL. With `moved_to`: it could. */
	bool is_optional;
	bool lists_values;    /* the program prints the values for the argument "help" */
	bool is_hidden;	      /* accepted, but not shown */
	const char *argument; /* its name in the help, such as FILE; NULL: no argument, or
			       * one of `choice` */
	const char *help; /* one sentence or more; lines are broken where it is shown */

	/* Targets */
	bool *flag;		/* is set to true */
	const char **text;	/* the argument; an option that is repeated replaces it */
	struct tr_texts *texts; /* the argument is added */
	uint64_t *number; /* in decimal, with a suffix k, M or G for powers of 1000 */
	struct {
		unsigned *value; /* such a number from `low` to `high` */
		unsigned low, high;
	} range;
	struct {
		unsigned
		    *value; /* index of the argument in `words`, which end with NULL */
		const char *const *words;
	} choice;
	/* Any other. `option` is the entry of the table, for messages. */
	void (*take)(void *context, const struct tr_option *option, const char *argument);
	const char *moved_to; /* the option is gone; what replaces it, for the message, in
			       * which the name of the argument stands for the user's */

	const char **seen; /* is set to `name` if the option is on the command line */
	/* Names of options, separated by spaces: with none of `excludes`, and with at
	 * least one of `needs` on the command line. NULL: no condition. */
	const char *excludes, *needs;
};

/* A table, which ends with {0}, and what its `take` are given. */
struct tr_option_table {
	const struct tr_option *options;
	void *context;
};

/* Parses the command line of `cli` up to the operands, which start at optind, by the
 * tables, of which the last has no options, and by the shared options of the program's
 * kind (cli.h); one of the same name in a table takes the place of a shared one. --help
 * and --version print and exit 0. Dies with a usage line if an option is not known, and
 * with a message if an argument is wrong, or options exclude or need each other. */
void tr_options_parse_tables(struct tr_cli *cli, const struct tr_option_table *tables);
/* The same with one table. */
void tr_options_parse(struct tr_cli *cli, const struct tr_option *options, void *context);
/* Adds an argument, as the parser does; dies when out of memory. */
void tr_options_add_text(const struct tr_cli *cli, struct tr_texts *texts,
			 const char *text);

#endif
