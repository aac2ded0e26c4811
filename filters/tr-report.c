/* SPDX-License-Identifier: Apache-2.0 */
/* tr-report: tables of a stream of stacks: functions, classes of lost cycles, durations
 * of calls; and of counters. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "cli/cli_report.h"
#include "cli/counter_files.h"
#include "cli/fold_checks.h"
#include "cli/memory_command.h"
#include "cli/stack_sums.h"
#include "flame/histogram.h"
#include "profile/assertions.h"
#include "tma/tma_formulas.h"

static const char usage[] =
    "usage: tr-report COMMAND [options] [operands]\n"
    "Report what is in a stream of stacks from tr-unwind, or in counters, as tables.\n"
    "\n"
    "Commands, of which each has its own --help:\n"
    "  functions           functions with their calls, cycles and durations\n"
    "  tma                 functions by class of lost cycles (top-down analysis)\n"
    "  classes             cycles by class, of the whole run or of each group\n"
    "  histogram FUNCTION  the distribution of its calls' durations\n"
    "  slowest FUNCTION    its slowest calls, and when they were\n"
    "  memory              loads and stores, by what they access\n"
    "  counters FILE...    top-down analysis of runs from their counters\n";

struct run {
	struct tr_cli cli;
	struct tr_stack_options options;
	struct tr_stack_sums sums;
	enum tr_report_as as;
	const char *svg_path, *title;
	struct tr_texts asserted; /* as given */
	struct tr_assertion *assertions;
	int status; /* exit status */
};

/* Parses the command's options, whose table `own` has `run->options` as its context, and
 * the operands. */
static void parse_stack_options(struct run *run, const struct tr_option *own,
				bool takes_function)
{
	struct tr_cli *cli = &run->cli;
	run->options.cli = cli;
	tr_options_parse(cli, own, &run->options);
	if (takes_function) {
		if (optind == cli->argc)
			tr_die(cli, "no function; try --help");
		run->options.function = cli->argv[optind++];
	}
	run->options.input = tr_cli_input(cli, NULL);
	tr_stack_options_finish(&run->options);
	if (run->svg_path)
		tr_cli_two_outputs(cli, run->svg_path, cli->output);
}

/* Sums the stream; what `run->sums` needs is set. */
static void sum_stack_stream(struct run *run)
{
	run->sums.cli = &run->cli;
	run->sums.options = &run->options;
	tr_stack_sums_open(&run->sums);
	tr_stack_sums_take(&run->sums);
}

static void check_status(const struct run *run, int status)
{
	if (status)
		tr_die(&run->cli, "%s: %s", run->sums.in.name,
		       tr_status_text((enum tr_status)status));
}

static struct tr_cli_report open_report(const struct run *run, bool several)
{
	return tr_cli_report_open(&run->cli, run->as, run->cli.program, several);
}

/* Adds the line of conservation, or the one of classes, to JSON. */
static void add_charge_note(const struct run *run, struct tr_report *report,
			    const char *line)
{
	char note[840];
	snprintf(note, sizeof(note), "%s%s", run->sums.cut_off, line);
	tr_report_fact(report, "note", note);
}

/* Ends the text with that line. */
static void close_report(const struct run *run, struct tr_cli_report *out,
			 const char *line)
{
	tr_report_say(out->report, "%s%s\n", run->sums.cut_off, line);
	tr_cli_report_close(out);
	tr_stack_sums_verbose(&run->sums);
}

/* Says the unit of the columns. */
static void tell_unit(const struct run *run, struct tr_report *report)
{
	const struct tr_stack_options *o = &run->options;
	const struct tr_counter_id id = tr_fold_counter(o, &run->sums.in);
	const char *description = tr_counters_description(
	    tr_reader_header(run->sums.in.reader), id.set, id.counter);
	tr_report_fact(report, "unit", o->unit);
	if (run->sums.is_sampled)
		tr_report_say(
		    report,
		    "%s%s from %" PRIu32 " windows; ± is the error at 95 %%; windows: "
		    "those in which a function ran\n",
		    o->instructions ? "instructions, exact; " : "",
		    o->instructions ? "cycles are estimated" : "cycles, estimated",
		    tr_estimate_windows(tr_profile_estimate(run->sums.in.profile)));
	else if (!o->counter)
		tr_report_say(report,
			      "%s; min, median and max of a call; cycles away in all\n",
			      o->unit);
	else
		tr_report_say(report, "%s%s%s\n", o->unit, *description ? ": " : "",
			      description);
}

/* Parses the assertions, whose functions' slowest calls are kept. Returns the names of
 * these, for the caller to free. */
static const char **parse_assertions(struct run *run)
{
	struct tr_stack_options *o = &run->options;
	const size_t count = run->asserted.count;
	const char **names = calloc(count + 1, sizeof(*names));
	char message[320];
	run->assertions = calloc(count + 1, sizeof(*run->assertions));
	tr_cli_need(&run->cli, names);
	tr_cli_need(&run->cli, run->assertions);
	for (size_t i = 0; i < count; i++) {
		int status = tr_assertion_parse(
		    &run->assertions[i], run->asserted.text[i], o->unit,
		    o->counter != NULL, message, sizeof(message));
		if (status == TR_E_ARGUMENT)
			tr_die(&run->cli, "--assert '%s': %s", run->asserted.text[i],
			       message);
		tr_cli_check(&run->cli, status);
		names[i] = run->assertions[i].function;
	}
	o->slowest = names;
	o->nslowest = (unsigned)count;
	return names;
}

/* A name that no frame has may be misspelt. An assertion that it is never called may
 * hold, with a warning. */
static void check_asserted_names(const struct run *run)
{
	const struct tr_cli_stacks *in = &run->sums.in;
	for (size_t i = 0; i < run->asserted.count; i++) {
		struct tr_assertion *a = &run->assertions[i];
		a->is_in_no_frame = !tr_profile_has_function(in->profile, a->function);
		if (!a->is_in_no_frame)
			continue;
		if (!tr_assertion_forbids_calls(a))
			tr_cli_stacks_name(in, "assert", a->function, false);
		tr_warn(&run->cli, "%s: warning: --assert '%s': no frame has this name",
			in->name, a->text);
	}
}

static void report_assertions(struct run *run)
{
	size_t failed;
	const uint64_t deep = tr_header_get_u64(tr_reader_end(run->sums.in.reader),
						"unwind_depth_refused", 0);
	check_asserted_names(run);
	struct tr_cli_report out = open_report(run, true);
	tr_report_fact(out.report, "unit", run->options.unit);
	add_charge_note(run, out.report, run->sums.conservation);
	check_status(run, tr_assertions_report(run->sums.in.profile, run->assertions,
					       run->asserted.count, run->options.unit,
					       deep, out.report, &failed));
	tr_report_fact_u64(out.report, "assertions_failed", failed);
	close_report(run, &out, run->sums.conservation);
	run->status = failed ? TR_EXIT_NO : TR_EXIT_OK;
}

static void release_assertions(struct run *run)
{
	for (size_t i = 0; i < run->asserted.count; i++)
		tr_assertion_release(&run->assertions[i]);
	free(run->assertions);
	free(run->asserted.text);
}

static void report_function_table(const struct run *run)
{
	struct tr_cli_report out = open_report(run, false);
	tell_unit(run, out.report);
	add_charge_note(run, out.report, run->sums.conservation);
	check_status(
	    run, tr_profile_report(run->sums.in.profile, run->options.unit, out.report));
	close_report(run, &out, run->sums.conservation);
}

static void report_function_calls(struct run *run)
{
	struct tr_stack_options *o = &run->options;
	const struct tr_option options[] = {
	    {"assert", .argument = "'FUNCTION.FIGURE OP NUMBER'", .texts = &run->asserted,
	     .help = "instead of the table: check this, as in 'main.max < 20k'; exit "
		     "status 1 if it does not hold; may be repeated"},
	    TR_STACK_BY_OPTION(o),
	    TR_STACK_UNIT_OPTION(o),
	    TR_STACK_WINDOW_OPTIONS(o),
	    TR_STACK_FRAME_OPTIONS(o),
	    TR_STACK_FOCUS_OPTIONS(o),
	    TR_CLI_REPORT_OPTION(&run->as),
	    {0}};
	parse_stack_options(run, options, false);
	const char **names = parse_assertions(run);
	run->sums.needs_calls = true;
	run->cli.takes_sampled = !run->asserted.count;
	sum_stack_stream(run);
	if (run->asserted.count)
		report_assertions(run);
	else
		report_function_table(run);
	release_assertions(run);
	free(names);
}

static void report_tma(struct run *run)
{
	struct tr_stack_options *o = &run->options;
	const struct tr_option options[] = {
	    TR_STACK_BY_OPTION(o),	    TR_STACK_WINDOW_OPTIONS(o),
	    TR_STACK_FRAME_OPTIONS(o),	    TR_STACK_FOCUS_OPTIONS(o),
	    TR_CLI_REPORT_OPTION(&run->as), {0}};
	run->cli.takes_sampled = true;
	parse_stack_options(run, options, false);
	run->sums.needs_classes = true;
	sum_stack_stream(run);
	struct tr_cli_report out = open_report(run, true);
	add_charge_note(run, out.report, run->sums.class_sum);
	check_status(run, tr_profile_report_tma(run->sums.in.profile, &run->sums.classes,
						out.report));
	close_report(run, &out, run->sums.class_sum);
}

static void report_classes(struct run *run)
{
	struct tr_stack_options *o = &run->options;
	const struct tr_option options[] = {TR_STACK_BY_OPTION(o),
					    TR_STACK_WINDOW_OPTIONS(o),
					    TR_CLI_REPORT_OPTION(&run->as),
					    {0}};
	run->cli.takes_sampled = true;
	parse_stack_options(run, options, false);
	run->sums.needs_classes = true;
	run->sums.joins_idle = true;
	sum_stack_stream(run);
	struct tr_cli_report out = open_report(run, false);
	add_charge_note(run, out.report, run->sums.class_sum);
	check_status(run, tr_profile_report_groups(run->sums.in.profile,
						   &run->sums.classes, out.report));
	close_report(run, &out, run->sums.class_sum);
}

static void draw_histogram(const struct run *run, const struct tr_histogram *histogram,
			   const struct tr_histogram_text *text)
{
	struct tr_cli cli = run->cli;
	cli.output = run->svg_path;
	FILE *file = tr_cli_text(&cli);
	tr_histogram_svg(histogram, text, file);
	tr_cli_text_close(&cli, file);
}

static void write_histogram(const struct run *run)
{
	const struct tr_profile_timing timing = tr_profile_timing(run->sums.in.profile);
	struct tr_histogram histogram;
	char footer[840];
	snprintf(footer, sizeof(footer), "%s%s", run->sums.cut_off,
		 run->sums.conservation);
	const struct tr_histogram_text text = {
	    .title = run->title ? run->title : run->options.function,
	    .unit = run->options.unit,
	    .footer = footer,
	    .calls = timing.calls,
	    .functions = timing.functions,
	    .clock_hz = tr_stack_sums_clock(&run->sums)};
	check_status(run, tr_histogram_init(&histogram, timing.durations));
	struct tr_cli_report out = open_report(run, false);
	check_status(run, tr_histogram_report(&histogram, &text, out.report));
	tr_cli_report_close(&out);
	if (run->svg_path)
		draw_histogram(run, &histogram, &text);
	tr_histogram_release(&histogram);
	tr_stack_sums_verbose(&run->sums);
}

static void report_histogram(struct run *run)
{
	struct tr_stack_options *o = &run->options;
	const struct tr_option options[] = {
	    TR_STACK_CALL_UNIT_OPTION(o),
	    TR_STACK_WINDOW_OPTIONS(o),
	    TR_STACK_FRAME_OPTIONS(o),
	    TR_CLI_REPORT_OPTION(&run->as),
	    {"svg", .argument = "FILE", .text = &run->svg_path,
	     .help = "also draw the distribution"},
	    {"title", .argument = "TEXT", .text = &run->title,
	     .help = "title instead of the function"},
	    TR_STACK_CLOCK_OPTION(o),
	    {0}};
	parse_stack_options(run, options, true);
	sum_stack_stream(run);
	write_histogram(run);
}

static void report_slowest(struct run *run)
{
	struct tr_stack_options *o = &run->options;
	const struct tr_option options[] = {TR_STACK_CALL_UNIT_OPTION(o),
					    TR_STACK_WINDOW_OPTIONS(o),
					    TR_STACK_FRAME_OPTIONS(o),
					    TR_CLI_REPORT_OPTION(&run->as),
					    {0}};
	parse_stack_options(run, options, true);
	sum_stack_stream(run);
	const struct tr_profile_timing timing = tr_profile_timing(run->sums.in.profile);
	struct tr_cli_report out = open_report(run, false);
	check_status(run,
		     tr_slowest_report(timing.slowest, o->function, o->unit, timing.calls,
				       timing.durations->count, out.report));
	add_charge_note(run, out.report, run->sums.conservation);
	close_report(run, &out, run->sums.conservation);
}

/* Says why rows are missing. */
static void tell_missing(const struct tr_counter_files *files, struct tr_report *report)
{
	for (size_t i = 0; i < files->count; i++) {
		const struct tr_tma_named *named = &files->runs[i];
		if (!named->run.has_classes)
			tr_report_say(report, "%s: no counters class.*\n", named->name);
		if (!named->run.has_table1)
			tr_report_say(report, "%s: missing for table 1: %s\n",
				      named->name, named->run.missing);
	}
}

static const char legend[] =
    "\n"
    "classes: the core's class of each cycle. table 1: retired / cycles,\n"
    "((issued - retired) * B_Miss + recovery) / cycles, fetch_stall / cycles, and\n"
    "backend = 1 - frontend - bad speculation, which includes retiring; rest excludes\n"
    "it, and is backend and idle of the classes. Table 1 omits what flushes, fences and\n"
    "traps discarded, and counts a fetch miss after a redirect as recovery.\n";

static const char slots_legend[] =
    "slots: of dispatch, W in a cycle: retired, dispatched in vain and recovery,\n"
    "fetch_stall, backend_stall. Both formulas are of slots. Icicle, for BOOM, counts\n"
    "fences with branches in B_Miss, and has 2 * W * branch_miss more of bad\n"
    "speculation; its backend is the rest.\n";

static bool has_slots(const struct tr_counter_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		if (tr_tma_has_slots(&files->runs[i].run))
			return true;
	return false;
}

static void write_counters(const struct run *run, const struct tr_counter_files *files,
			   bool has_second)
{
	struct tr_cli_report out = open_report(run, has_second);
	if (files->needs_frontend) {
		tr_cli_check(&run->cli, tr_tma_report_frontend(files->runs, files->count,
							       out.report));
	} else if (files->needs_slots) {
		tr_cli_check(&run->cli, tr_tma_report_formulas(files->runs, files->count,
							       out.report));
	} else {
		tr_cli_check(&run->cli,
			     tr_tma_report_top(files->runs, files->count, out.report));
		tell_missing(files, out.report);
		tr_report_say(out.report, "%s%s", legend,
			      has_slots(files) ? slots_legend : "");
	}
	for (size_t i = 0; i < files->count && has_second; i++)
		tr_cli_check(&run->cli, tr_tma_report_run(&files->runs[i], out.report));
	tr_cli_report_close(&out);
}

static void report_counters(struct run *run)
{
	struct tr_counter_files files = {.cli = &run->cli, .prefix = ""};
	unsigned level = 1;
	const struct tr_option options[] = {
	    {"level", .argument = "1|2", .range = {&level, 1, 2},
	     .help = "2: also report, for each run, the second level, the counters "
		     "beside the classes, and what table 1 omits (1)"},
	    {"frontend", .flag = &files.needs_frontend,
	     .help = "report only the frontend: icache_blocked beside the true bound"},
	    {"formulas", .flag = &files.needs_slots,
	     .help = "report only where the formulas are wrong, and why"},
	    {"prefix", .argument = "TEXT", .text = &files.prefix,
	     .help = "prefix of the counters' labels"},
	    TR_CLI_REPORT_OPTION(&run->as),
	    {0}};
	tr_options_parse(&run->cli, options, NULL);
	if (files.needs_frontend + files.needs_slots + (level == 2) > 1)
		tr_die(&run->cli,
		       "--level 2, --frontend and --formulas exclude each other");
	tr_counter_files_read(&files);
	write_counters(run, &files, level == 2);
	tr_counter_files_release(&files);
}

static void report_memory(struct run *run)
{
	tr_memory_command(&run->cli);
}

static const struct {
	const char *name, *program, *usage;
	void (*report)(struct run *);
} commands[] = {
    {"functions", "tr-report functions",
     "usage: tr-report functions [options] [stream]\n"
     "Report the functions of a stream of stacks with their calls, cycles and\n"
     "durations.\n",
     report_function_calls},
    {"tma", "tr-report tma",
     "usage: tr-report tma [options] [stream]\n"
     "Report the functions of a stream of stacks by class of lost cycles.\n",
     report_tma},
    {"classes", "tr-report classes",
     "usage: tr-report classes [options] [stream]\n"
     "Report cycles by class, of the whole run or of each group.\n",
     report_classes},
    {"histogram", "tr-report histogram",
     "usage: tr-report histogram [options] FUNCTION [stream]\n"
     "Report the distribution of the durations of a function's calls.\n",
     report_histogram},
    {"slowest", "tr-report slowest",
     "usage: tr-report slowest [options] FUNCTION [stream]\n"
     "Report the slowest calls of a function, and the cycles from which and to which\n"
     "they lasted.\n",
     report_slowest},
    {"memory", "tr-report memory",
     "usage: tr-report memory [options] [stream]\n"
     "Report the loads and stores of a stream of rows from tr-match, with addresses\n"
     "(tr-replay --stream --accesses), by what they access.\n",
     report_memory},
    {"counters", "tr-report counters",
     "usage: tr-report counters [options] counters.csv...\n"
     "Top-down analysis (TMA) of runs, from counters in AutoCounter's CSV format.\n",
     report_counters},
};
enum { COMMANDS = sizeof(commands) / sizeof(*commands) };

static _Noreturn void report_unknown_command(const struct tr_cli *cli, const char *name)
{
	struct tr_near near;
	char text[128];
	tr_near_init(&near, name);
	for (unsigned i = 0; i < COMMANDS; i++)
		tr_near_offer(&near, commands[i].name);
	tr_near_text(&near, text, sizeof(text));
	tr_die(cli, "no such command: %s; %s%s", name,
	       *text ? "there is " : "--help lists them", text);
}

/* Returns the index of the command on the command line, in which it is at optind. */
static unsigned find_report_command(struct run *run, int argc, char **argv)
{
	const struct tr_option none[] = {{0}};
	struct tr_cli *cli = &run->cli;
	tr_cli_init(cli, TR_CLI_PLAIN, "tr-report", usage, argc, argv);
	cli->in_order = true;
	tr_options_parse(cli, none, NULL);
	if (optind == argc)
		tr_die(cli, "no command; try --help");
	for (unsigned i = 0; i < COMMANDS; i++)
		if (strcmp(commands[i].name, argv[optind]) == 0)
			return i;
	report_unknown_command(cli, argv[optind]);
}

int main(int argc, char **argv)
{
	static struct run run;
	run = (struct run){0};
	const unsigned command = find_report_command(&run, argc, argv);
	/* The command's name becomes its program's, and options move before operands. */
	const size_t count = (size_t)(argc - optind);
	char **words = calloc(count + 1, sizeof(*words));
	tr_cli_need(&run.cli, words);
	memcpy(words, argv + optind, count * sizeof(*words));
	optind = 0; /* getopt starts again */
	tr_cli_init(&run.cli, TR_CLI_TEXT, commands[command].program,
		    commands[command].usage, (int)count, words);
	commands[command].report(&run);
	tr_stack_options_release(&run.options);
	tr_stack_sums_release(&run.sums);
	free(words);
	return run.status;
}
