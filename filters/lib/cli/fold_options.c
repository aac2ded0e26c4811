/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of tr-fold. */
#include "cli/fold_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli_export.h"

static const char usage[] = "usage: tr-fold [options] [stream]\n"
			    "Aggregate the call stacks of a stream from tr-unwind.\n";

static bool is_main_output(bool wanted, const char *path)
{
	return wanted && !path;
}

bool tr_fold_options_replace(const struct tr_fold_options *o)
{
	return is_main_output(o->table_seen, o->table_path) || o->stacks.function;
}

/* Tables have the format of the stacks if they can. */
static void take_stack_format(void *context, const struct tr_option *option,
			      const char *name)
{
	struct tr_fold_options *o = context;
	(void)option;
	o->format = tr_cli_export_format(o->stacks.cli, name);
	o->table_as = strcmp(name, "csv") == 0	  ? TR_REPORT_CSV
		      : strcmp(name, "json") == 0 ? TR_REPORT_JSON
						  : TR_REPORT_TEXT;
}

/* Checks that each output has a file of its own. */
static void check_outputs(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const bool mains[] = {is_main_output(o->table_seen, o->table_path),
			      o->stacks.function != NULL};
	const char *paths[5];
	unsigned count = 0, replaced = 0;
	if (o->svg_path)
		paths[count++] = o->svg_path;
	if (o->table_path)
		paths[count++] = o->table_path;
	for (unsigned i = 0; i < 2; i++) {
		replaced += mains[i];
		if (mains[i])
			paths[count++] = cli->output;
	}
	if (!replaced && (cli->output || !o->directory))
		paths[count++] = cli->output;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = i + 1; k < count; k++)
			tr_cli_two_outputs(cli, paths[i], paths[k]);
}

/* Checks what a format in order of time cannot show. */
static void check_time(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const struct tr_stack_options *s = &o->stacks;
	const char *format = o->format->name;
	if (!o->format->step)
		return;
	if (s->by != TR_BY_JOINED && s->by != TR_BY_THREAD && s->by != TR_BY_HART)
		tr_die(cli,
		       "--format %s: what harts or threads ran over time: only with "
		       "--by hart, --by thread",
		       format);
	if (s->instructions || s->counter)
		tr_die(cli, "--format %s needs cycles: not with --unit %s", format,
		       s->unit);
}

static void check_together(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const struct tr_stack_options *s = &o->stacks;
	const char *unit = s->unit;
	const char *format = o->format->name;
	const char *calls = o->slowest ? "slowest" : "histogram";
	const bool is_folded = strcmp(format, "folded") == 0;
	if (o->format_seen && tr_fold_options_replace(o) && !o->table_as)
		tr_die(cli, "--format %s: for stacks; with --%s there are csv and json",
		       format, s->function ? calls : "table");
	if (o->directory && o->format->has_no_parts)
		tr_die(cli, "--format %s cannot be used with --directory", format);
	if (o->limit_seen && !o->limit)
		tr_die(cli, "--limit: no bytes");
	if (o->limit_seen && !is_folded)
		tr_die(cli, "--limit is for folded text: not with --format %s", format);
	if (o->limit_seen && (o->directory || tr_fold_options_replace(o)))
		tr_die(cli, "--limit is for folded text: not with --%s",
		       o->directory  ? "directory"
		       : s->function ? calls
				     : "table");
	if (o->serve_seen && s->counter)
		tr_die(cli,
		       "--serve: the unit must be cycles or instructions, not %s: a "
		       "counter is distributed at the end",
		       unit);
	if (o->tma && (s->instructions || s->counter))
		tr_die(cli, "--tma needs cycles: not with --unit %s", unit);
	if (s->function && s->counter)
		tr_die(cli,
		       "--%s: the unit must be cycles or instructions, not %s: "
		       "counters are not sampled at calls",
		       calls, unit);
	if (s->function && o->directory)
		tr_die(cli, "--%s cannot be used with --directory", calls);
	if (o->histogram && o->tma && o->svg_path)
		tr_die(cli, "--histogram: its picture cannot show classes");
}

static void parse_options(struct tr_fold_options *o, struct tr_cli *cli)
{
	struct tr_stack_options *s = &o->stacks;
	const struct tr_option stacks[] = {TR_STACK_BY_OPTION(s),
					   TR_STACK_UNIT_OPTION(s),
					   TR_STACK_WINDOW_OPTIONS(s),
					   TR_STACK_FRAME_OPTIONS(s),
					   TR_STACK_FOCUS_OPTIONS(s),
					   TR_STACK_CLOCK_OPTION(s),
					   {0}};
	const struct tr_option outputs[] = {
	    {"format", .argument = "NAME", .lists_values = true,
	     .take = take_stack_format, .seen = &o->format_seen,
	     .help = "format of the stacks (folded); help lists them"},
	    {"limit", .argument = "BYTES", .number = &o->limit, .seen = &o->limit_seen,
	     .help = "of folded text: combine the smallest stacks as [left out] below "
		     "their callers if there is more"},
	    {"svg", .argument = "FILE", .text = &o->svg_path,
	     .help = "also write an interactive flame graph"},
	    {"serve", .argument = "PORT", .range = {&o->port, 0, UINT16_MAX},
	     .seen = &o->serve_seen,
	     .help = "show the flame graph while it grows at http://127.0.0.1:PORT/; 0: "
		     "any free port"},
	    {"expect", .argument = "CYCLES", .number = &o->expect, .needs = "serve",
	     .help = "cycles of the whole run, for --serve's time left"},
	    {"tma", .flag = &o->tma, .needs = "svg table",
	     .help = "top-down analysis: colour frames by lost cycles, and show the "
		     "table by class"},
	    {"title", .argument = "TEXT", .text = &o->title,
	     .help = "title of the picture"},
	    {"table", .argument = "FILE", .is_optional = true, .text = &o->table_path,
	     .seen = &o->table_seen,
	     .help = "write a table of functions, calls and cycles; without FILE "
		     "instead of the folded stacks"},
	    {"histogram", .argument = "FUNCTION", .text = &o->histogram,
	     .help = "write the distribution of its calls' durations instead of the "
		     "folded stacks; --svg draws it"},
	    {"slowest", .argument = "FUNCTION", .text = &o->slowest,
	     .excludes = "histogram",
	     .help = "write its slowest calls, and the cycles from which and to which "
		     "they lasted, instead of the folded stacks"},
	    {"directory", 'd', .argument = "DIR", .text = &o->directory,
	     .help = "write a folded file (with --svg also a flame graph) for each "
		     "program, process, thread, privilege or hart to DIR"},
	    {0}};
	tr_options_parse_tables(
	    cli, (const struct tr_option_table[]){{stacks, s}, {outputs, o}, {0}});
}

void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv)
{
	*o = (struct tr_fold_options){.stacks = {.cli = cli},
				      .format = tr_export_formats()[0]};
	tr_cli_init(cli, TR_CLI_TEXT, "tr-fold", usage, argc, argv);
	parse_options(o, cli);
	/* A file name after "--table " parses as an operand. */
	o->stacks.input =
	    tr_cli_input(cli, is_main_output(o->table_seen, o->table_path)
				  ? "to write a table to a file, use --table=FILE"
				  : NULL);
	o->stacks.function = o->slowest ? o->slowest : o->histogram;
	tr_stack_options_finish(&o->stacks);
	check_together(o, cli);
	check_time(o, cli);
	check_outputs(o, cli);
}

void tr_fold_options_release(struct tr_fold_options *o)
{
	tr_stack_options_release(&o->stacks);
}
