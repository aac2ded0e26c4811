/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the command line by tables of options. */
#include "cli/options.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options_internal.h"
#include "stream/chunk.h"

enum { LONG_ONLY = CHAR_MAX + 1 }; /* getopt's value of the first option */

static int count_targets(const struct tr_option *o)
{
	return (o->flag != NULL) + (o->text != NULL) + (o->texts != NULL) +
	       (o->number != NULL) + (o->range.value != NULL) +
	       (o->choice.value != NULL) + (o->take != NULL) + (o->moved_to != NULL);
}

static const struct tr_option *find_joined(const struct tr_joined_options *all,
					   const char *name, size_t length, size_t *index)
{
	for (size_t i = 0; i < all->count; i++) {
		const char *other = all->option[i]->name;
		if (strncmp(other, name, length) == 0 && !other[length]) {
			*index = i;
			return all->option[i];
		}
	}
	return NULL;
}

static _Noreturn void report_wrong_table(const struct tr_joined_options *all,
					 const char *name)
{
	tr_die(all->cli, "--%s: this program's table of options is wrong", name);
}

static void join_table(struct tr_joined_options *all, const struct tr_option *options,
		       void *context)
{
	size_t index;
	for (const struct tr_option *o = options; o->name; o++) {
		if (find_joined(all, o->name, strlen(o->name), &index))
			continue;
		if (all->count == TR_MAX_OPTIONS || count_targets(o) != 1)
			report_wrong_table(all, o->name);
		all->option[all->count] = o;
		all->context[all->count++] = context;
	}
}

static void show_help(void *context, const struct tr_option *option, const char *argument)
{
	(void)option, (void)argument;
	tr_options_print_help(context);
}

static void show_list(void *context, const struct tr_option *option, const char *argument)
{
	(void)option, (void)argument;
	tr_options_print_list(context);
}

static void show_version(void *context, const struct tr_option *option,
			 const char *argument)
{
	const struct tr_joined_options *all = context;
	(void)option, (void)argument;
	FILE *out = tr_cli_information(all->cli);
	fprintf(out, "%s %s\n", all->cli->program, TR_VERSION);
	tr_cli_text_close(all->cli, out);
	exit(TR_EXIT_OK);
}

static bool takes_argument(const struct tr_option *o)
{
	return o->argument || o->choice.words;
}

/* Describes the options for getopt: `longs` has room for all and the end, `letters` for
 * two characters of each and two more. */
static void describe_options(const struct tr_joined_options *all, struct option *longs,
			     char *letters)
{
	if (all->cli->in_order)
		*letters++ = '+';
	for (size_t i = 0; i < all->count; i++) {
		const struct tr_option *o = all->option[i];
		longs[i] = (struct option){
		    .name = o->name,
		    .has_arg = o->moved_to || o->is_optional ? optional_argument
			       : takes_argument(o)	     ? required_argument
							     : no_argument,
		    .val = LONG_ONLY + (int)i};
		if (!o->letter)
			continue;
		*letters++ = o->letter;
		if (longs[i].has_arg == required_argument)
			*letters++ = ':';
	}
	*letters = '\0';
}

static size_t find_by_value(const struct tr_joined_options *all, int value)
{
	if (value >= LONG_ONLY)
		return (size_t)(value - LONG_ONLY);
	size_t i = 0;
	while (all->option[i]->letter != value)
		i++;
	return i;
}

static unsigned find_choice(const struct tr_cli *cli, const struct tr_option *o,
			    const char *text)
{
	char all[160] = "";
	for (unsigned i = 0; o->choice.words[i]; i++) {
		const size_t length = strlen(all);
		if (strcmp(o->choice.words[i], text) == 0)
			return i;
		snprintf(all + length, sizeof(all) - length, "%s%s", i ? ", " : "",
			 o->choice.words[i]);
	}
	tr_die(cli, "--%s: no such choice: %s (there are %s)", o->name, text, all);
}

void tr_options_add_text(const struct tr_cli *cli, struct tr_texts *texts,
			 const char *text)
{
	const char **more =
	    realloc(texts->text, (texts->count + 1) * sizeof(*texts->text));
	tr_cli_need(cli, more);
	texts->text = more;
	texts->text[texts->count++] = text;
}

/* Dies with what replaces an option that is gone: in it the user's argument, which may be
 * the next word, takes the place of the argument's name. */
static _Noreturn void report_moved(const struct tr_cli *cli, const struct tr_option *o,
				   const char *argument)
{
	char text[512] = "";
	const char *rest = o->moved_to;
	if (!argument && o->argument && !o->is_optional && optind < cli->argc)
		argument = cli->argv[optind];
	for (const char *at; argument && o->argument && (at = strstr(rest, o->argument));
	     rest = at + strlen(o->argument)) {
		const size_t used = strlen(text);
		snprintf(text + used, sizeof(text) - used, "%.*s%s", (int)(at - rest),
			 rest, argument);
	}
	tr_die(cli, "--%s is gone: %s%s", o->name, text, rest);
}

static void set_target(const struct tr_joined_options *all, size_t index,
		       const char *argument)
{
	const struct tr_option *o = all->option[index];
	char name[64];
	snprintf(name, sizeof(name), "--%s", o->name);
	if (o->flag)
		*o->flag = true;
	else if (o->text)
		*o->text = argument;
	else if (o->texts)
		tr_options_add_text(all->cli, o->texts, argument);
	else if (o->number)
		*o->number = tr_cli_u64(all->cli, name, argument);
	else if (o->range.value)
		*o->range.value =
		    tr_cli_range(all->cli, name, argument, o->range.low, o->range.high);
	else if (o->choice.value)
		*o->choice.value = find_choice(all->cli, o, argument);
	else if (o->take && o->choice.words)
		o->take(all->context[index], o,
			o->choice.words[find_choice(all->cli, o, argument)]);
	else if (o->take)
		o->take(all->context[index], o, argument);
	else
		report_moved(all->cli, o, argument);
}

/* Checks the names in the conditions of all options. */
static void check_names(const struct tr_joined_options *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const char *const lists[] = {all->option[i]->excludes,
					     all->option[i]->needs};
		for (size_t k = 0; k < 2; k++) {
			size_t length, index;
			for (const char *name = lists[k] ? lists[k] : ""; *name;
			     name += length + (name[length] == ' ')) {
				length = strcspn(name, " ");
				if (!find_joined(all, name, length, &index))
					report_wrong_table(all, name);
			}
		}
	}
}

/* Returns the first name of the list that is on the command line, and its length; NULL if
 * none is. */
static const char *find_given(const struct tr_joined_options *all, const char *names,
			      size_t *length)
{
	for (const char *name = names; *name; name += *length + (name[*length] == ' ')) {
		size_t index = 0;
		*length = strcspn(name, " ");
		find_joined(all, name, *length, &index);
		if (all->is_given[index])
			return name;
	}
	return NULL;
}

static _Noreturn void report_needs(const struct tr_joined_options *all,
				   const struct tr_option *o)
{
	char text[160] = "";
	for (const char *name = o->needs; *name;) {
		const size_t length = strcspn(name, " "), used = strlen(text);
		size_t index;
		const struct tr_option *other = find_joined(all, name, length, &index);
		snprintf(text + used, sizeof(text) - used, "%s--%s%s%s",
			 used ? " or " : "", other->name, other->argument ? " " : "",
			 other->argument ? other->argument : "");
		name += length + (name[length] == ' ');
	}
	tr_die(all->cli, "--%s needs %s", o->name, text);
}

static void check_conditions(const struct tr_joined_options *all)
{
	for (size_t i = 0; i < all->count; i++) {
		const struct tr_option *o = all->option[i];
		size_t length = 0;
		const char *other = o->excludes && all->is_given[i]
					? find_given(all, o->excludes, &length)
					: NULL;
		if (other)
			tr_die(all->cli, "--%s cannot be used with --%.*s", o->name,
			       (int)length, other);
		if (o->needs && all->is_given[i] && !find_given(all, o->needs, &length))
			report_needs(all, o);
	}
}

static void run_getopt(struct tr_joined_options *all)
{
	struct option longs[TR_MAX_OPTIONS + 1] = {{0}};
	char letters[2 * TR_MAX_OPTIONS + 2];
	struct tr_cli *cli = all->cli;
	describe_options(all, longs, letters);
	for (int value;
	     (value = getopt_long(cli->argc, cli->argv, letters, longs, NULL)) != -1;) {
		if (value == '?') { /* getopt has named the option */
			fprintf(stderr, "%.*s\n", (int)strcspn(cli->usage, "\n"),
				cli->usage);
			exit(TR_EXIT_TROUBLE);
		}
		const size_t index = find_by_value(all, value);
		all->is_given[index] = true;
		if (all->option[index]->seen)
			*all->option[index]->seen = all->option[index]->name;
		set_target(all, index, optarg);
	}
}

void tr_options_parse_tables(struct tr_cli *cli, const struct tr_option_table *tables)
{
	struct tr_joined_options all = {.cli = cli};
	const bool is_stream = cli->kind == TR_CLI_STREAM;
	const struct tr_option shared[] = {
	    {"output", 'o', .argument = "FILE", .text = &cli->output,
	     .help = "write to FILE instead of standard output"},
	    {"uncompressed", 'u', .flag = &cli->plain, .is_hidden = !is_stream,
	     .help = "do not compress the stream in a file"},
	    {"threads", '@', .argument = "N",
	     .range = {&cli->threads, 1, TR_MAX_COMPRESSORS},
	     .help = is_stream ? "compress in N threads (1)"
			       : "read ahead in a thread if N is 2 or more"},
	    {"verbose", 'v', .flag = &cli->verbose,
	     .help = "print more on standard error"},
	    {0}};
	const struct tr_option of_all[] = {
	    {"no-provenance", .flag = &cli->no_provenance,
	     .is_hidden = !is_stream && cli->kind != TR_CLI_SIMULATOR,
	     .help = "do not add this run to the header"},
	    {"help", 'h', .take = show_help, .help = "show this help and exit"},
	    {"version", 'V', .take = show_version, .help = "show the version and exit"},
	    {"list-options", .take = show_list, .is_hidden = true},
	    {0}};
	for (; tables->options; tables++)
		join_table(&all, tables->options, tables->context);
	all.shared = all.count;
	if (is_stream || cli->kind == TR_CLI_TEXT)
		join_table(&all, shared, NULL);
	join_table(&all, of_all, &all);
	check_names(&all);
	run_getopt(&all);
	check_conditions(&all);
}

void tr_options_parse(struct tr_cli *cli, const struct tr_option *options, void *context)
{
	tr_options_parse_tables(
	    cli, (const struct tr_option_table[]){{options, context}, {0}});
}
