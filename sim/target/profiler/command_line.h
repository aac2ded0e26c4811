/* SPDX-License-Identifier: Apache-2.0 */
/* Command lines of the profiler's programs, which also run on the target and therefore
 * have nothing but the C library. Options, --help, --version and --list-options are as
 * those of the other programs (cli/options.h). */
#ifndef PROF_COMMAND_LINE_H
#define PROF_COMMAND_LINE_H

#include <stdbool.h>
#include <stdint.h>

enum { PROF_EXIT_DONE = 0, PROF_EXIT_TROUBLE = 2 };

/* Where the files of prof-extract are, if the user does not say. */
#define PROF_FOLDER "/var/lib/prof"

/* An option: either `flag` is set to true, or `text` to its argument. */
struct prof_option {
	const char *name;     /* without "--"; NULL ends the table */
	char letter;	      /* 0: none */
	const char *argument; /* its name in the help; NULL: none */
	const char *help;
	bool *flag;
	const char **text;
};

struct prof_command {
	const char *program; /* "prof-extract" */
	const char *usage;   /* "usage: ..." and what it does, lines */
	const struct prof_option *options;
	bool in_order; /* options end at the first operand: a command follows */
};

/* Parses the options up to the operands, which begin at optind. Ignores SIGPIPE. --help,
 * --version and --list-options print and exit 0; a wrong option exits 2 with the first
 * line of `usage`. */
void prof_parse_options(const struct prof_command *command, int argc, char **argv);

/* Prints "PROGRAM: MESSAGE" as one line on standard error. */
void prof_warn_user(const struct prof_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* The same, and exits 2. */
_Noreturn void prof_end_with(const struct prof_command *command, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Flushes standard output; exits 2 with a message if something was not written, silently
 * if its reader has closed the pipe. */
void prof_finish_output(const struct prof_command *command);

#endif
