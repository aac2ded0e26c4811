/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the command line of a program of the profiler, and prints its messages. */
#include "command_line.h"

#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

enum { MAX_OPTIONS = 24, FIRST_LONG = CHAR_MAX + 1, COLUMN = 28 };

static const struct prof_option common_options[] = {
    {"help", 'h', .help = "show this help and exit"},
    {"version", 'V', .help = "show the version and exit"},
    {"list-options", 0, .help = NULL},
    {0}};

static void print_message(const struct prof_command *command, const char *format,
			  va_list arguments)
{
	fflush(stdout);
	fprintf(stderr, "%s: ", command->program);
	vfprintf(stderr, format, arguments);
	putc('\n', stderr);
}

void prof_warn_user(const struct prof_command *command, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_message(command, format, arguments);
	va_end(arguments);
}

void prof_end_with(const struct prof_command *command, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	print_message(command, format, arguments);
	va_end(arguments);
	exit(PROF_EXIT_TROUBLE);
}

void prof_finish_output(const struct prof_command *command)
{
	const bool failed = ferror(stdout);
	if (fflush(stdout) == 0 && !failed)
		return;
	if (errno == EPIPE)
		exit(PROF_EXIT_TROUBLE);
	prof_end_with(command, "<stdout>: %s", strerror(errno));
}

static void print_option_help(const struct prof_option *o)
{
	char text[80];
	if (!o->help)
		return;
	const char letter[] = {'-', o->letter, ',', ' ', '\0'};
	const int length =
	    snprintf(text, sizeof(text), "  %s--%s%s%s", o->letter ? letter : "    ",
		     o->name, o->argument ? " " : "", o->argument ? o->argument : "");
	if (length + 2 > COLUMN)
		printf("%s\n%*s%s\n", text, COLUMN, "", o->help);
	else
		printf("%-*s%s\n", COLUMN, text, o->help);
}

static void print_option_row(const struct prof_option *o)
{
	if (o->help)
		printf("--%s\t%c\t%s\t-\n", o->name, o->letter ? o->letter : '-',
		       o->argument ? o->argument : "-");
}

/* Prints each option by `print`. */
static void print_options(const struct prof_command *command,
			  void (*print)(const struct prof_option *option))
{
	for (const struct prof_option *o = command->options; o->name; o++)
		print(o);
	for (const struct prof_option *o = common_options; o->name; o++)
		print(o);
}

static _Noreturn void show_information(const struct prof_command *command,
				       const char *what)
{
	if (strcmp(what, "version") == 0)
		printf("%s %s\n", command->program, TR_VERSION);
	else if (strcmp(what, "list-options") == 0)
		print_options(command, print_option_row);
	else {
		printf("%s\nOptions:\n", command->usage);
		print_options(command, print_option_help);
	}
	prof_finish_output(command);
	exit(PROF_EXIT_DONE);
}

static void take_option(const struct prof_command *command, const struct prof_option *o)
{
	if (o->flag)
		*o->flag = true;
	else if (o->text)
		*o->text = optarg;
	else
		show_information(command, o->name);
}

/* Returns the option for a value of getopt. */
static const struct prof_option *find_option(const struct prof_option *const *all,
					     int value)
{
	if (value >= FIRST_LONG)
		return all[value - FIRST_LONG];
	while ((*all)->letter != value)
		all++;
	return *all;
}

void prof_parse_options(const struct prof_command *command, int argc, char **argv)
{
	const struct prof_option *all[MAX_OPTIONS];
	struct option longs[MAX_OPTIONS + 1] = {{0}};
	char letters[2 * MAX_OPTIONS + 2], *letter = letters;
	int count = 0;

	signal(SIGPIPE, SIG_IGN);
	for (const struct prof_option *o = command->options; o->name; o++)
		all[count++] = o;
	for (const struct prof_option *o = common_options; o->name; o++)
		all[count++] = o;
	if (command->in_order)
		*letter++ = '+';
	for (int i = 0; i < count; i++) {
		longs[i] = (struct option){.name = all[i]->name,
					   .has_arg = all[i]->argument ? required_argument
								       : no_argument,
					   .val = FIRST_LONG + i};
		if (all[i]->letter)
			*letter++ = all[i]->letter;
		if (all[i]->letter && all[i]->argument)
			*letter++ = ':';
	}
	*letter = '\0';
	for (int value; (value = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
		if (value == '?') { /* getopt has named the option */
			fprintf(stderr, "%.*s\n", (int)strcspn(command->usage, "\n"),
				command->usage);
			exit(PROF_EXIT_TROUBLE);
		}
		take_option(command, find_option(all, value));
	}
}
