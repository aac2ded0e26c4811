/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the options of tr-fold. */
#include "cli/fold_options.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli_export.h"
#include "cli/cli_window.h"

static const char usage[] =
    "usage: tr-fold [options] [stream]\n"
    "Aggregate the call stacks of a stream from tr-unwind.\n"
    "\n"
    "  --by joined|program|process|thread|privilege|hart\n"
    "                              how to group stacks (joined)\n"
    "  --unit cycles|instructions|COUNTER\n"
    "                              what to count (cycles); a counter of soc-sim\n"
    "                              --counters is distributed in proportion to cycles\n"
    "  --from X, --to Y            only this window: a cycle (5M); the first entry of\n"
    "                              function X, the first return of Y after that; or\n"
    "                              trigger: where tracing first starts, then stops\n"
    "  --fold BINARY               show its frames as one; may be repeated\n"
    "  --focus RE                  only stacks with a frame that matches; the cycles of\n"
    "                              the others are in one frame [out of focus]\n"
    "  --hide RE                   without frames that match; their cycles are their\n"
    "                              callers'; both may be repeated, extended regular\n"
    "                              expressions\n"
    "  --hide-helpers              without the compiler's helpers, __riscv_save_0 etc.\n"
    "  --merge-recursion           show a function that calls itself as one frame\n"
    "  --idle                      charge cycles of waiting (WFI) to a stack [idle]\n"
    "  --format NAME               format of the stacks (folded); help lists them\n"
    "  --limit BYTES               of folded text: combine the smallest stacks as\n"
    "                              [left out] below their callers if there is more\n"
    "  --svg FILE                  also write an interactive flame graph\n"
    "  --serve PORT                show the flame graph while it grows at\n"
    "                              http://127.0.0.1:PORT/; 0: any free port\n"
    "  --expect CYCLES             cycles of the whole run, for --serve's time left\n"
    "  --clock HZ                  clock rate of the core, such as 3200M (from the\n"
    "                              header); 0: show no times\n"
    "  --tma                       top-down analysis: colour frames by lost cycles,\n"
    "                              and show the table by class\n"
    "  --title TEXT                title of the picture\n"
    "  --table[=FILE]              write a table of functions, calls and cycles;\n"
    "                              without FILE instead of the folded stacks\n"
    "  --histogram FUNCTION        write the distribution of its calls' durations\n"
    "                              instead of the folded stacks; --svg draws it\n"
    "  --slowest FUNCTION          write its slowest calls, and the cycles from which "
    "and\n"
    "                              to which they lasted, instead of the folded stacks\n"
    "  -d, --directory DIR         write a folded file (with --svg also a flame graph)\n"
    "                              for each program, process, thread, privilege or\n"
    "                              hart to DIR\n";

static bool is_main_output(bool wanted, const char *path)
{
	return wanted && !path;
}

bool tr_fold_options_replace(const struct tr_fold_options *o)
{
	return is_main_output(o->table, o->table_path) || o->histogram;
}

/* Returns the index of `text` in `words`, which end with NULL; dies with a usage
 * error. */
static int choice(const struct tr_cli *cli, const char *option, const char *text,
		  const char *const *words)
{
	char all[80] = "";
	for (int i = 0; words[i]; i++) {
		size_t length = strlen(all);
		if (strcmp(words[i], text) == 0)
			return i;
		snprintf(all + length, sizeof(all) - length, "%s%s", i ? ", " : "",
			 words[i]);
	}
	tr_die(cli, "%s: no such choice: %s (there are %s)", option, text, all);
}

enum {
	BY = TR_CLI_FIRST_FREE,
	UNIT,
	FROM,
	TO,
	FOLD,
	FOCUS,
	HIDE,
	HIDE_HELPERS,
	MERGE_RECURSION,
	IDLE,
	CLOCK,
	FORMAT,
	LIMIT,
	SVG,
	SERVE,
	EXPECT,
	TITLE,
	TABLE,
	TMA,
	HISTOGRAM,
	SLOWEST
};

static const struct option options[] = {
    {"by", required_argument, NULL, BY},
    {"unit", required_argument, NULL, UNIT},
    {"from", required_argument, NULL, FROM},
    {"to", required_argument, NULL, TO},
    {"fold", required_argument, NULL, FOLD},
    {"focus", required_argument, NULL, FOCUS},
    {"hide", required_argument, NULL, HIDE},
    {"hide-helpers", no_argument, NULL, HIDE_HELPERS},
    {"merge-recursion", no_argument, NULL, MERGE_RECURSION},
    {"idle", no_argument, NULL, IDLE},
    {"format", required_argument, NULL, FORMAT},
    {"limit", required_argument, NULL, LIMIT},
    {"svg", required_argument, NULL, SVG},
    {"serve", required_argument, NULL, SERVE},
    {"expect", required_argument, NULL, EXPECT},
    {"clock", required_argument, NULL, CLOCK},
    {"title", required_argument, NULL, TITLE},
    {"table", optional_argument, NULL, TABLE},
    {"tma", no_argument, NULL, TMA},
    {"histogram", required_argument, NULL, HISTOGRAM},
    {"slowest", required_argument, NULL, SLOWEST},
    {"directory", required_argument, NULL, 'd'},
    {0},
};

struct taking {
	struct tr_fold_options *options;
	struct tr_cli *cli;
};

static const char *const units[] = {"cycles", "instructions"};

static void take_unit(struct tr_fold_options *o, const struct tr_cli *cli,
		      const char *unit)
{
	if (!*unit)
		tr_die(cli, "--unit: no unit");
	o->instructions = strcmp(unit, units[1]) == 0;
	o->counter = o->instructions || strcmp(unit, units[0]) == 0 ? NULL : unit;
}

/* Routines with which gcc and LLVM save and restore registers, and LLVM's outlined
 * code. */
static const char helpers[] =
    "^(__riscv_(save|restore)_(tailcall_)?[0-9]+|OUTLINED_FUNCTION_[0-9]+(\\.[0-9]+)?)$";

static void add_regex(const struct tr_cli *cli, const char *option, const char *text,
		      const char **texts, regex_t *regexes, unsigned *count)
{
	char message[160];
	if (!*text)
		tr_die(cli, "%s: no regular expression", option);
	if (*count == TR_PROFILE_FOLDS)
		tr_die(cli, "%s: more than %d regular expressions", option,
		       TR_PROFILE_FOLDS);
	int failed = regcomp(&regexes[*count], text, REG_EXTENDED | REG_NOSUB);
	if (failed) {
		regerror(failed, &regexes[*count], message, sizeof(message));
		tr_die(cli, "%s: %s: %s", option, text, message);
	}
	texts[(*count)++] = text;
}

void tr_fold_options_release(struct tr_fold_options *o)
{
	for (unsigned i = 0; i < o->nhide; i++)
		regfree(&o->hide[i]);
	for (unsigned i = 0; i < o->nfocus; i++)
		regfree(&o->focus[i]);
	o->nhide = o->nfocus = 0;
}

/* Options that select frames. */
static void take_filter(struct tr_fold_options *o, const struct tr_cli *cli, int option)
{
	switch (option) {
	case FOCUS:
		add_regex(cli, "--focus", optarg, o->focus_text, o->focus, &o->nfocus);
		break;
	case HIDE:
		add_regex(cli, "--hide", optarg, o->hide_text, o->hide, &o->nhide);
		break;
	case HIDE_HELPERS:
		add_regex(cli, "--hide", helpers, o->hide_text, o->hide, &o->nhide);
		o->hide_text[o->nhide - 1] = NULL;
		break;
	case MERGE_RECURSION:
		o->merge_recursion = true;
		break;
	default:
		o->idle = true;
	}
}

/* Options that select what is summed. */
static void take_sum(struct tr_fold_options *o, const struct tr_cli *cli, int option)
{
	static const char *const bys[] = {"joined",    "program", "process", "thread",
					  "privilege", "hart",	  NULL};
	switch (option) {
	case BY:
		o->by = (enum tr_profile_by)choice(cli, "--by", optarg, bys);
		break;
	case UNIT:
		take_unit(o, cli, optarg);
		break;
	case FROM:
		o->from_text = optarg;
		o->from = tr_cli_bound(cli, "--from", optarg);
		break;
	case TO:
		o->to_text = optarg;
		o->to = tr_cli_bound(cli, "--to", optarg);
		break;
	case FOLD:
		if (!*optarg)
			tr_die(cli, "--fold: no binary");
		if (o->nfold == TR_PROFILE_FOLDS)
			tr_die(cli, "--fold: more than %d binaries", TR_PROFILE_FOLDS);
		o->fold[o->nfold++] = optarg;
		break;
	default:
		take_filter(o, cli, option);
	}
}

/* Tables have the format of the stacks if they can. */
static void take_format(struct tr_fold_options *o, const struct tr_cli *cli,
			const char *name)
{
	o->format = tr_cli_export_format(cli, name);
	o->table_as = strcmp(name, "csv") == 0	  ? TR_REPORT_CSV
		      : strcmp(name, "json") == 0 ? TR_REPORT_JSON
						  : TR_REPORT_TEXT;
}

static void take_option(void *context, int option)
{
	const struct taking *taking = context;
	struct tr_fold_options *o = taking->options;
	const struct tr_cli *cli = taking->cli;
	switch (option) {
	case FORMAT:
		take_format(o, cli, optarg);
		break;
	case LIMIT:
		o->limit = tr_cli_u64(cli, "--limit", optarg);
		if (!o->limit)
			tr_die(cli, "--limit: no bytes");
		break;
	case SVG:
		o->svg_path = optarg;
		break;
	case CLOCK:
		o->has_clock = true;
		o->clock_hz = tr_cli_u64(cli, "--clock", optarg);
		break;
	case SERVE:
		o->serves = true;
		o->port = tr_cli_range(cli, "--serve", optarg, 0, UINT16_MAX);
		break;
	case EXPECT:
		o->expect = tr_cli_u64(cli, "--expect", optarg);
		break;
	case TITLE:
		o->title = optarg;
		break;
	case TABLE:
		o->table = true;
		o->table_path = optarg;
		break;
	case TMA:
		o->tma = true;
		break;
	case HISTOGRAM:
	case SLOWEST:
		if (o->histogram && o->slowest != (option == SLOWEST))
			tr_die(cli, "--histogram and --slowest exclude each other");
		o->histogram = optarg;
		o->slowest = option == SLOWEST;
		break;
	case 'd':
		o->directory = optarg;
		break;
	default:
		take_sum(o, cli, option);
	}
}

/* Checks that each output has a file of its own. */
static void check_outputs(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const bool mains[] = {is_main_output(o->table, o->table_path),
			      o->histogram != NULL};
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
	const char *format = o->format ? o->format->name : NULL;
	if (!format || !o->format->step)
		return;
	if (o->by != TR_BY_JOINED && o->by != TR_BY_THREAD && o->by != TR_BY_HART)
		tr_die(cli,
		       "--format %s: what harts or threads ran over time: only with "
		       "--by hart, --by thread",
		       format);
	if (o->instructions || o->counter)
		tr_die(cli, "--format %s needs cycles: not with --unit %s", format,
		       o->counter ? o->counter : units[1]);
}

static void check_together(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const char *unit = o->counter ? o->counter : units[o->instructions];
	const char *format = o->format ? o->format->name : NULL;
	const char *calls = o->slowest ? "slowest" : "histogram";
	if (format && tr_fold_options_replace(o) && !o->table_as)
		tr_die(cli, "--format %s: for stacks; with --%s there are csv and json",
		       format, o->histogram ? calls : "table");
	if (format && o->directory && o->format->has_no_parts)
		tr_die(cli, "--format %s cannot be used with --directory", format);
	if (o->limit && format && strcmp(format, "folded") != 0)
		tr_die(cli, "--limit is for folded text: not with --format %s", format);
	if (o->limit && (o->directory || tr_fold_options_replace(o)))
		tr_die(cli, "--limit is for folded text: not with --%s",
		       o->directory   ? "directory"
		       : o->histogram ? calls
				      : "table");
	if (o->serves && o->counter)
		tr_die(cli,
		       "--serve: the unit must be cycles or instructions, not %s: a "
		       "counter is distributed at the end",
		       unit);
	if (o->expect && !o->serves)
		tr_die(cli, "--expect is for --serve");
	if (o->tma && unit != units[0])
		tr_die(cli, "--tma needs cycles: not with --unit %s", unit);
	if (o->idle && unit != units[0])
		tr_die(cli, "--idle needs cycles: not with --unit %s", unit);
	if (o->histogram && o->counter)
		tr_die(cli,
		       "--%s: the unit must be cycles or instructions, not %s: "
		       "counters are not sampled at calls",
		       calls, unit);
	if (o->tma && !o->svg_path && !o->table)
		tr_die(cli,
		       "--tma needs a flame graph or a table: give --svg or --table");
	if (o->histogram && o->directory)
		tr_die(cli, "--%s cannot be used with --directory", calls);
	if (o->histogram && !o->slowest && o->tma && o->svg_path)
		tr_die(cli, "--histogram: its picture cannot show classes");
	tr_cli_window_order(cli, &(struct tr_cli_window){.from = o->from,
							 .to = o->to,
							 .from_text = o->from_text,
							 .to_text = o->to_text});
}

void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv)
{
	*o = (struct tr_fold_options){.to = {.cycle = UINT64_MAX}};
	tr_cli_init(cli, TR_CLI_TEXT, "tr-fold", usage, argc, argv);
	tr_cli_parse(cli, options, take_option, &(struct taking){o, cli});
	/* A file name after "--table " parses as an operand. */
	o->input = tr_cli_input(cli, is_main_output(o->table, o->table_path)
					 ? "to write a table to a file, use --table=FILE"
					 : NULL);
	check_together(o, cli);
	check_time(o, cli);
	check_outputs(o, cli);
	if (!o->format)
		o->format = tr_export_formats()[0];
	o->unit = o->counter ? o->counter : units[o->instructions];
	o->other_unit = o->counter ? units[0] : units[!o->instructions];
}
