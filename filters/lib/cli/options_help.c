/* SPDX-License-Identifier: Apache-2.0 */
/* Prints tables of options: for a reader, and for a shell. */
#include <stdlib.h>
#include <string.h>

#include "cli/options_internal.h"

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };
enum { ARGUMENT_ROOM = 200, OPTION_ROOM = ARGUMENT_ROOM + 60 }; /* bytes */

static void append_words(char *text, size_t size, const struct tr_option *o,
			 const char *between)
{
	for (unsigned i = 0; o->choice.words[i]; i++) {
		const size_t length = strlen(text);
		snprintf(text + length, size - length, "%s%s", i ? between : "",
			 o->choice.words[i]);
	}
}

/* Writes the option as a user types it, such as "  -o, --output FILE". */
static void format_option(const struct tr_option *o, char *text, size_t size)
{
	char letter[] = "-x, ";
	char argument[ARGUMENT_ROOM] = "";
	letter[1] = o->letter;
	if (o->argument)
		snprintf(argument, sizeof(argument), o->is_optional ? "[=%s]" : " %s",
			 o->argument);
	else if (o->choice.words) {
		argument[0] = ' ';
		append_words(argument, sizeof(argument), o, "|");
	}
	snprintf(text, size, "  %s--%s%s", o->letter ? letter : "    ", o->name,
		 argument);
}

/* Prints the words of `text` from the column `at` on, in lines that begin at
 * HELP_COLUMN. */
static void print_wrapped(FILE *out, const char *text, int at)
{
	bool is_first = true;
	if (at + 2 > HELP_COLUMN) {
		putc('\n', out);
		at = 0;
	}
	at += fprintf(out, "%*s", HELP_COLUMN - at, "");
	while (*text) {
		const int length = (int)strcspn(text, " ");
		if (!is_first && at + 1 + length > HELP_WIDTH) {
			fprintf(out, "\n%*s", HELP_COLUMN, "");
			at = HELP_COLUMN;
			is_first = true;
		}
		at += fprintf(out, "%s%.*s", is_first ? "" : " ", length, text);
		is_first = false;
		text += length + (text[length] == ' ');
	}
	putc('\n', out);
}

static void print_option(FILE *out, const struct tr_option *o)
{
	char text[OPTION_ROOM];
	if (o->is_hidden || o->moved_to)
		return;
	format_option(o, text, sizeof(text));
	print_wrapped(out, o->help, fprintf(out, "%s", text));
}

void tr_options_print_help(const struct tr_joined_options *all)
{
	struct tr_cli *cli = all->cli;
	FILE *out = tr_cli_information(cli);
	fprintf(out, "%s\n", cli->usage);
	for (size_t i = 0; i < all->shared; i++)
		print_option(out, all->option[i]);
	fputs(all->shared ? "\nOptions of all programs:\n" : "Options:\n", out);
	for (size_t i = all->shared; i < all->count; i++)
		print_option(out, all->option[i]);
	if (cli->notes)
		fprintf(out, "\n%s", cli->notes);
	tr_cli_text_close(cli, out);
	exit(TR_EXIT_OK);
}

static void print_values(FILE *out, const struct tr_option *o)
{
	char words[120] = "";
	if (o->choice.words)
		append_words(words, sizeof(words), o, " ");
	fputs(o->lists_values ? "help" : *words ? words : "-", out);
}

void tr_options_print_list(const struct tr_joined_options *all)
{
	FILE *out = tr_cli_information(all->cli);
	for (size_t i = 0; i < all->count; i++) {
		const struct tr_option *o = all->option[i];
		if (o->is_hidden || o->moved_to)
			continue;
		fprintf(out, "--%s\t%c\t%s\t", o->name, o->letter ? o->letter : '-',
			o->argument	  ? o->argument
			: o->choice.words ? "CHOICE"
					  : "-");
		print_values(out, o);
		putc('\n', out);
	}
	tr_cli_text_close(all->cli, out);
	exit(TR_EXIT_OK);
}
