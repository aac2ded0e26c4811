/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the options of tr-fold. */
#include "cli/fold_options.h"

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: tr-fold [options] [stream]\n"
    "Sums the call stacks of a stream that tr-unwind wrote.\n"
    "\n"
    "  --by joined|program|process|thread|privilege\n"
    "                              what is summed apart (joined)\n"
    "  --unit cycles|instructions|COUNTER\n"
    "                              what is counted (cycles); a counter of soc-sim\n"
    "                              --counters is spread by the cycles of its samples\n"
    "  --from X, --to Y            only this part: a cycle (5M); the first entry of\n"
    "                              function X, the first return of Y after that; or\n"
    "                              trigger: where tracing first starts, then stops\n"
    "  --fold BINARY               its frames become one; may be given again\n"
    "  --idle                      cycles of waiting (WFI) become a stack [idle]\n"
    "  --svg FILE                  an interactive flame graph, too\n"
    "  --clock HZ                  cycles in a second of the core (from the header),\n"
    "                              such as 3200M; 0: tell no time\n"
    "  --tma                       top-down: frames coloured by what lost their cycles,\n"
    "                              and the table by class\n"
    "  --title TEXT                of the picture\n"
    "  --table[=FILE]              functions, calls and cycles; without FILE in\n"
    "                              place of the folded stacks\n"
    "  --histogram FUNCTION        how long its calls took, in place of the folded\n"
    "                              stacks; --svg draws it\n"
    "  -d, --directory DIR         a folded file (with --svg a flame graph, too)\n"
    "                              for each program, process, thread or privilege,\n"
    "                              in DIR\n";

static bool is_main_output(bool wanted, const char *path)
{
	return wanted && !path;
}

bool tr_fold_options_replace(const struct tr_fold_options *o)
{
	return is_main_output(o->table, o->table_path) || o->histogram;
}

/* Index of `text` among `words`, which end with NULL, or a usage error. */
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

/* A cycle, a trigger or the name of a function, none of which begins with a digit. */
static struct tr_profile_bound bound(const struct tr_cli *cli, const char *option,
				     const char *text)
{
	if (*text >= '0' && *text <= '9')
		return (struct tr_profile_bound){.cycle = tr_cli_u64(cli, option, text)};
	if (strcmp(text, "trigger") == 0)
		return (struct tr_profile_bound){.trigger = true};
	if (!*text)
		tr_die(cli, "%s: no cycle and no function", option);
	return (struct tr_profile_bound){.function = text};
}

enum {
	BY = TR_CLI_FIRST_FREE,
	UNIT,
	FROM,
	TO,
	FOLD,
	IDLE,
	CLOCK,
	SVG,
	TITLE,
	TABLE,
	TMA,
	HISTOGRAM
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

/* What is summed, and how. */
static void take_sum(struct tr_fold_options *o, struct tr_cli *cli, int option)
{
	static const char *const bys[] = {"joined", "program",	 "process",
					  "thread", "privilege", NULL};
	switch (option) {
	case BY:
		o->by = (enum tr_profile_by)choice(cli, "--by", optarg, bys);
		break;
	case UNIT:
		take_unit(o, cli, optarg);
		break;
	case FROM:
		o->from_text = optarg;
		o->from = bound(cli, "--from", optarg);
		break;
	case TO:
		o->to_text = optarg;
		o->to = bound(cli, "--to", optarg);
		break;
	case FOLD:
		if (!*optarg)
			tr_die(cli, "--fold: no binary");
		if (o->nfold == TR_PROFILE_FOLDS)
			tr_die(cli, "--fold: more than %d binaries", TR_PROFILE_FOLDS);
		o->fold[o->nfold++] = optarg;
		break;
	case IDLE:
		o->idle = true;
		break;
	default:
		tr_cli_option(cli, option);
	}
}

static void take_option(struct tr_fold_options *o, struct tr_cli *cli, int option)
{
	switch (option) {
	case SVG:
		o->svg_path = optarg;
		break;
	case CLOCK:
		o->has_clock = true;
		o->clock_hz = tr_cli_u64(cli, "--clock", optarg);
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
		o->histogram = optarg;
		break;
	case 'd':
		o->directory = optarg;
		break;
	default:
		take_sum(o, cli, option);
	}
}

/* Each of the outputs goes to a file of its own. */
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
			tr_cli_apart(cli, paths[i], paths[k],
				     "two outputs into one file");
}

/* A file name behind --table looks like an input. */
static void check_input(const struct tr_fold_options *o, const struct tr_cli *cli,
			int argc, char **argv)
{
	if (optind + 1 < argc && is_main_output(o->table, o->table_path))
		tr_die(cli, "more than one input: %s; a table in a file is --table=FILE",
		       argv[optind + 1]);
}

/* Known only when it comes. */
static bool is_late(const struct tr_profile_bound *b)
{
	return b->function || b->trigger;
}

static void check_together(const struct tr_fold_options *o, const struct tr_cli *cli)
{
	const char *unit = o->counter ? o->counter : units[o->instructions];
	if (o->tma && unit != units[0])
		tr_die(cli, "--tma is of cycles: not with --unit %s", unit);
	if (o->idle && unit != units[0])
		tr_die(cli, "--idle is of cycles: not with --unit %s", unit);
	if (o->histogram && o->counter)
		tr_die(cli,
		       "--histogram: of cycles or instructions, not of %s: samples of "
		       "counters are not of calls",
		       unit);
	if (o->tma && !o->svg_path && !o->table)
		tr_die(cli,
		       "--tma: of a flame graph or a table: give --svg or --table, too");
	if (o->histogram && o->directory)
		tr_die(cli, "--histogram: one for all, not with --directory");
	if (o->histogram && o->tma && o->svg_path)
		tr_die(cli, "--histogram: its picture has no classes");
	if (o->from_text && o->to_text && !is_late(&o->from) && !is_late(&o->to) &&
	    o->to.cycle <= o->from.cycle)
		tr_die(cli, "--to %s is not after --from %s", o->to_text, o->from_text);
}

void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv)
{
	static const struct option longs[] = {
	    TR_CLI_LONG,
	    {"by", required_argument, NULL, BY},
	    {"unit", required_argument, NULL, UNIT},
	    {"from", required_argument, NULL, FROM},
	    {"to", required_argument, NULL, TO},
	    {"fold", required_argument, NULL, FOLD},
	    {"idle", no_argument, NULL, IDLE},
	    {"svg", required_argument, NULL, SVG},
	    {"clock", required_argument, NULL, CLOCK},
	    {"title", required_argument, NULL, TITLE},
	    {"table", optional_argument, NULL, TABLE},
	    {"tma", no_argument, NULL, TMA},
	    {"histogram", required_argument, NULL, HISTOGRAM},
	    {"directory", required_argument, NULL, 'd'},
	    {0},
	};
	*o = (struct tr_fold_options){.to = {.cycle = UINT64_MAX}};
	tr_cli_init(cli, TR_CLI_TEXT, "tr-fold", usage, argc, argv);
	for (int c; (c = getopt_long(argc, argv, TR_CLI_SHORT "d:", longs, NULL)) != -1;)
		take_option(o, cli, c);
	check_input(o, cli, argc, argv);
	o->input = tr_cli_input(cli);
	check_together(o, cli);
	check_outputs(o, cli);
	o->unit = o->counter ? o->counter : units[o->instructions];
	o->other_unit = o->counter ? units[0] : units[!o->instructions];
}
