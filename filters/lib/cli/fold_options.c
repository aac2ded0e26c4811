/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of tr-fold. */
#include "cli/fold_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli_export.h"

static const char usage[] = "usage: tr-fold [options] [stream]\n"
			    "       tr-fold {--bins FILE | --sysroot DIR}... [options] "
			    "[trace]\n"
			    "       tr-fold --merge [-o FILE] profile...\n"
			    "Aggregate the call stacks of a stream from tr-unwind; with "
			    "binaries, those of a\ntrace, which is matched and "
			    "unwound in this process.\n";

static void take_stack_format(void *context, const struct tr_option *option,
			      const char *name)
{
	struct tr_fold_options *o = context;
	(void)option;
	o->format = tr_cli_export_format(o->stacks.cli, name);
}

/* Checks what the format cannot show. */
static void check_format(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const enum tr_profile_by by = (enum tr_profile_by)o->stacks.by;
	const char *format = o->format->name;
	if (o->off_cpu && strcmp(format, "folded") != 0 && strcmp(format, "csv") != 0 &&
	    strcmp(format, "json") != 0)
		tr_die(cli, "--off-cpu: the format must be folded, csv or json, not %s",
		       format);
	if (o->directory && o->format->has_no_parts)
		tr_die(cli, "--format %s cannot be used with --directory", format);
	if (o->limit_seen && strcmp(format, "folded") != 0)
		tr_die(cli, "--limit is for folded text: not with --format %s", format);
	if (o->format->step && by != TR_BY_JOINED && by != TR_BY_THREAD &&
	    by != TR_BY_HART)
		tr_die(cli,
		       "--format %s: what harts or threads ran over time: only with "
		       "--by hart, --by thread",
		       format);
}

static void check_unit(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const struct tr_stack_options *s = &o->stacks;
	if (o->serve_seen && s->counter)
		tr_die(cli,
		       "--serve: the unit must be cycles or instructions, not %s: a "
		       "counter is distributed at the end",
		       s->unit);
	if (!s->instructions && !s->counter)
		return;
	if (o->off_cpu)
		tr_die(cli, "--off-cpu: what is away is in cycles: not with --unit %s",
		       s->unit);
	if (o->tma)
		tr_die(cli, "--tma needs cycles: not with --unit %s", s->unit);
	if (o->format->step)
		tr_die(cli, "--format %s needs cycles: not with --unit %s",
		       o->format->name, s->unit);
}

static void parse_fold_options(struct tr_fold_options *o, struct tr_cli *cli)
{
	struct tr_stack_options *s = &o->stacks;
	const struct tr_option stacks[] = {TR_STACK_BY_OPTION(s),
					   TR_STACK_UNIT_OPTION(s),
					   TR_STACK_WINDOW_OPTIONS(s),
					   TR_STACK_FRAME_OPTIONS(s),
					   TR_STACK_FOCUS_OPTIONS(s),
					   TR_STACK_CLOCK_OPTION(s),
					   {0}};
	const struct tr_option trace[] = {TR_CLI_CHAIN_OPTIONS(&o->chain), {0}};
	const struct tr_option outputs[] = {
	    {"format", .argument = "NAME", .lists_values = true,
	     .take = take_stack_format,
	     .help = "format of the stacks (folded); help lists them"},
	    {"off-cpu", .flag = &o->off_cpu, .excludes = "tma serve idle",
	     .help = "stacks on which threads left their harts, by the cycles until they "
		     "ran again, with the reason and what woke them, instead of stacks "
		     "that ran"},
	    {"limit", .argument = "BYTES", .number = &o->limit, .seen = &o->limit_seen,
	     .excludes = "directory",
	     .help = "of folded text: combine the smallest stacks as [left out] below "
		     "their callers if there is more"},
	    {"svg", .argument = "FILE", .text = &o->svg_path,
	     .help = "also write an interactive flame graph"},
	    {"bars", .argument = "FILE", .text = &o->bars_path, .excludes = "off-cpu",
	     .help = "of a sampled run: also write a table (CSV) of the total, the "
		     "functions and the stacks with their errors at 95 %"},
	    {"serve", .argument = "PORT", .range = {&o->port, 0, UINT16_MAX},
	     .seen = &o->serve_seen,
	     .help = "show the flame graph while it grows at http://127.0.0.1:PORT/; 0: "
		     "any free port"},
	    {"expect", .argument = "CYCLES", .number = &o->expect, .needs = "serve",
	     .help = "cycles of the whole run, for --serve's time left"},
	    {"tma", .flag = &o->tma, .needs = "svg serve",
	     .help = "colour the flame graph by classes of lost cycles"},
	    {"annotated", .argument = "PAGE", .text = &o->annotated, .needs = "svg",
	     .help =
		 "page of tr-annotate --all --html, in which Shift-click on a function "
		 "of the flame graph shows its instructions"},
	    {"title", .argument = "TEXT", .text = &o->title,
	     .help = "title of the flame graph"},
	    {"merge", .flag = &o->merge,
	     .excludes =
		 "by unit from to fold hide hide-helpers merge-recursion focus idle "
		 "clock format off-cpu limit svg serve title directory bins sysroot",
	     .help = "add up folded profiles, such as those of the parts of a run"},
	    {"directory", 'd', .argument = "DIR", .text = &o->directory,
	     .help = "write a folded file (with --svg also a flame graph) for each "
		     "program, process, thread, privilege or hart to DIR"},
	    {"table", .argument = "FILE", .is_optional = true,
	     .moved_to = "use tr-report functions -o FILE, or tr-report tma -o FILE"},
	    {"histogram", .argument = "FUNCTION",
	     .moved_to = "use tr-report histogram FUNCTION"},
	    {"slowest", .argument = "FUNCTION",
	     .moved_to = "use tr-report slowest FUNCTION"},
	    {0}};
	tr_options_parse_tables(cli, (const struct tr_option_table[]){
					 {stacks, s}, {outputs, o}, {trace, o}, {0}});
}

void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv)
{
	*o = (struct tr_fold_options){.stacks = {.cli = cli},
				      .format = tr_export_formats()[0]};
	tr_cli_init(cli, TR_CLI_TEXT, "tr-fold", usage, argc, argv);
	cli->takes_sampled = true;
	tr_cli_chain_init(&o->chain, cli);
	parse_fold_options(o, cli);
	o->is_trace = tr_cli_chain_is_wanted(&o->chain);
	if (o->merge && optind == argc)
		tr_die(cli, "--merge: no profile; try --help");
	if (o->merge)
		return;
	o->stacks.input = tr_cli_input(cli, NULL);
	tr_stack_options_finish(&o->stacks);
	if (o->limit_seen && !o->limit)
		tr_die(cli, "--limit: no bytes");
	check_format(o, cli);
	check_unit(o, cli);
	if (o->svg_path && (cli->output || !o->directory))
		tr_cli_two_outputs(cli, o->svg_path, cli->output);
}

void tr_fold_options_release(struct tr_fold_options *o)
{
	tr_stack_options_release(&o->stacks);
}
