/* SPDX-License-Identifier: Apache-2.0 */
/* tr-diff: changes between two profiles, or the first difference between two streams. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/number.h"
#include "base/table.h"
#include "cli/cli.h"
#include "cli/cli_report.h"
#include "cli/fold_checks.h"
#include "cli/stack_sums.h"
#include "diff/compare.h"
#include "diff/folded_diff.h"
#include "diff/sample_diff.h"
#include "diff/tma_diff.h"
#include "flame/flame.h"
#include "profile/folded.h"

static const char usage[] =
    "usage: tr-diff [options] before after\n"
    "Compare two folded profiles, or two streams: token by token, or with --tma by\n"
    "function.\n";

static const char notes[] =
    "Exit status: 0 no change beyond the threshold, 1 a change, 2 an error.\n";

struct run {
	struct tr_cli cli;
	const char *paths[2];
	const char *svg_path;
	const char *title;
	enum tr_report_as as;
	unsigned by; /* row_names */
	bool relative;
	bool tma;
	struct tr_stack_options stacks; /* --from, --to, --focus */
	const char *profiles_only; /* an option that does not apply to streams, or NULL */
	bool percent;		   /* unit of the threshold */
	double threshold;	   /* in percent, or in the unit of the profile */
	struct tr_folded *folded;
};

enum { BY_FUNCTION, BY_STACK };
static const char *const row_names[] = {"function", "stack", NULL};

enum { MAX_GONE = 20 }; /* stacks listed at most */

static void take_threshold(void *context, const struct tr_option *option,
			   const char *text)
{
	struct run *run = context;
	char *end;
	run->threshold = strtod(text, &end);
	run->percent = *end == '%';
	if (*text < '0' || *text > '9' || end[run->percent] ||
	    text[strspn(text, "0123456789.%")])
		tr_die(&run->cli, "--%s: not a number: %s", option->name, text);
}

static void take_focus(void *context, const struct tr_option *option, const char *regex)
{
	struct run *run = context;
	tr_stack_take_focus(&run->stacks, option, regex);
}

static void parse_options(struct run *run)
{
	const char **seen = &run->profiles_only;
	const struct tr_option options[] = {
	    {"by", .choice = {&run->by, row_names}, .seen = seen, .excludes = "tma",
	     .help = "what the rows of the table are (function)"},
	    {"threshold", .argument = "N|N%", .take = take_threshold, .seen = seen,
	     .help = "report changes of more than N, or N % of the total before (0)"},
	    {"relative", .flag = &run->relative, .seen = seen, .excludes = "tma",
	     .help = "compare shares: scale the profile before to the total after"},
	    {"tma", .flag = &run->tma,
	     .help = "two streams of stacks: explain the change of each function as "
		     "instructions x CPI x class of lost cycles"},
	    TR_CLI_WINDOW_OPTIONS(&run->stacks.window, .needs = "tma"),
	    {"focus", .argument = "RE", .take = take_focus, .needs = "tma",
	     .help = "only stacks with a frame that matches this extended regular "
		     "expression; the cycles of the others are in [out of focus]; may be "
		     "repeated"},
	    TR_CLI_REPORT_OPTION(&run->as),
	    {"svg", .argument = "FILE", .text = &run->svg_path, .seen = seen,
	     .excludes = "tma", .help = "also write a flame graph of the changes"},
	    {"title", .argument = "TEXT", .text = &run->title, .seen = seen,
	     .excludes = "tma", .help = "title of the flame graph"},
	    {0}};
	tr_options_parse(&run->cli, options, run);
}

static void parse_args(struct run *run, int argc, char **argv)
{
	tr_cli_init(&run->cli, TR_CLI_TEXT, "tr-diff", usage, argc, argv);
	run->cli.notes = notes;
	run->stacks.cli = &run->cli;
	parse_options(run);
	tr_cli_window_parse(&run->cli, &run->stacks.window);
	if (optind + 2 != argc)
		tr_die(&run->cli, "two files to compare are needed; try --help");
	run->paths[0] = argv[optind];
	run->paths[1] = argv[optind + 1];
	if (run->svg_path)
		tr_cli_two_outputs(&run->cli, run->svg_path, run->cli.output);
}

/* Returns true for a trace stream, plain or zstd, by its first bytes (tr-stream(5)).
 * Anything but a regular file is assumed to be folded text. */
static bool is_stream(const struct run *run, const char *path)
{
	unsigned char head[4] = {0};
	struct stat st;
	if (strcmp(path, "-") == 0)
		return false;
	if (stat(path, &st) != 0)
		tr_die(&run->cli, "%s: %s", path, strerror(errno));
	FILE *file = S_ISREG(st.st_mode) ? fopen(path, "rb") : NULL;
	if (!file)
		return false;
	bool whole = fread(head, sizeof(head), 1, file) == 1;
	fclose(file);
	if (!whole)
		return false;
	return memcmp(head, "RVTH", 4) == 0 || memcmp(head, "\x28\xb5\x2f\xfd", 4) == 0 ||
	       ((head[0] & 0xf0) == 0x50 && memcmp(head + 1, "\x2a\x4d\x18", 3) == 0);
}

static void print_side(FILE *file, const char *path, const struct tr_item *item,
		       bool missing)
{
	for (const char *c = path; *c; c++)
		putc((unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c, file);
	fputs(": ", file);
	if (missing)
		fputs("nothing: the hart's tokens end here", file);
	else
		tr_item_print(file, item);
	putc('\n', file);
}

static void print_difference(const struct run *run, const struct tr_difference *d)
{
	FILE *file = tr_cli_text(&run->cli);
	fprintf(file, "hart %" PRIu32 ", first difference\n", d->hart);
	for (unsigned i = 0; i < d->ncontext; i++)
		print_side(file, "both", &d->context[i], false);
	for (unsigned side = 0; side < 2; side++)
		print_side(file, run->paths[side], &d->item[side], d->missing[side]);
	tr_cli_text_close(&run->cli, file);
}

static void tell_scope(const struct run *run, const struct tr_compared *scope)
{
	char text[256] = "";
	size_t size = 0;
	const struct {
		const char *name;
		bool is_compared;
	} parts[] = {{"instruction bits", scope->insn}, {"satp", scope->satp},
		     {"privilege", scope->priv},	{"traps", scope->traps},
		     {"classes", scope->classes},	{"sp", scope->registers >> 2 & 1},
		     {"tp", scope->registers >> 4 & 1}};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!parts[i].is_compared)
			size += (size_t)snprintf(text + size, sizeof(text) - size, ", %s",
						 parts[i].name);
	for (unsigned reg = 1; reg < 32; reg++)
		if (reg != 2 && reg != 4 && !(scope->registers >> reg & 1))
			size += (size_t)snprintf(text + size, sizeof(text) - size,
						 ", x%u", reg);
	if (size)
		tr_warn(&run->cli, "not compared, only one stream supplies it: %s",
			text + 2);
}

static int diff_streams(const struct run *run)
{
	struct tr_reader *readers[2];
	const struct tr_reader *failed;
	struct tr_difference difference;
	for (unsigned side = 0; side < 2; side++) {
		readers[side] = tr_cli_reader(&run->cli, run->paths[side]);
		if (tr_header_content(tr_reader_header(readers[side])) != TR_CONTENT_ROWS)
			tr_die(
			    &run->cli,
			    "%s: holds call stacks: fold it, then compare, or give --tma",
			    run->paths[side]);
	}
	if (run->cli.verbose) {
		struct tr_compared scope = tr_compare_scope(readers);
		tell_scope(run, &scope);
	}
	int status = tr_compare(readers, &difference, &failed);
	if (failed)
		tr_die(&run->cli, "%s", tr_reader_message(failed));
	if (status == TR_OK)
		print_difference(run, &difference);
	tr_cli_check(&run->cli, status);
	for (unsigned side = 0; side < 2; side++)
		if (tr_reader_end(readers[side]))
			tr_cli_tell_cut_off(&run->cli, run->paths[side],
					    tr_reader_end(readers[side]));
	tr_reader_close(readers[0]);
	tr_reader_close(readers[1]);
	return status == TR_OK ? TR_EXIT_NO : TR_EXIT_OK;
}

static double difference_of(const uint64_t pair[2])
{
	return pair[0] < pair[1] ? (double)(pair[1] - pair[0])
				 : (double)(pair[0] - pair[1]);
}

/* Returns the change in percent of the total before. */
static double percent_of_total(const struct run *run, const uint64_t pair[2])
{
	double sum = (double)tr_folded_sum(run->folded, 0);
	if (pair[0] == pair[1])
		return 0;
	return sum > 0 ? 100 * difference_of(pair) / sum : 100;
}

static bool exceeds_threshold(const struct run *run, const uint64_t pair[2])
{
	return (run->percent ? percent_of_total(run, pair) : difference_of(pair)) >
	       run->threshold;
}

static int add_signed(struct tr_table *table, const uint64_t pair[2])
{
	return tr_table_cell(table, "%s%" PRIu64, pair[0] > pair[1] ? "-" : "+",
			     pair[0] > pair[1] ? pair[0] - pair[1] : pair[1] - pair[0]);
}

static int add_difference_row(const struct run *run, struct tr_table *table,
			      const struct tr_change *change)
{
	int failed = tr_table_cell(table, "%" PRIu64, change->self[0]);
	failed |= tr_table_cell(table, "%" PRIu64, change->self[1]);
	failed |= add_signed(table, change->self);
	failed |=
	    tr_table_cell(table, "%s%.3f", change->self[0] > change->self[1] ? "-" : "+",
			  percent_of_total(run, change->self));
	if (run->by == BY_STACK) {
		char *text = tr_folded_text(run->folded, change->id);
		failed |= text ? tr_table_cell(table, "%s", text) : TR_E_NOMEM;
		free(text);
		return failed;
	}
	failed |= add_signed(table, change->total);
	return failed |
	       tr_table_cell(table, "%s", tr_folded_node(run->folded, change->id)->name);
}

/* Reports the changes beyond the threshold. Returns the number of rows. */
static size_t report_changes(const struct run *run, struct tr_report *report)
{
	static const char *const by_function[] = {
	    "before", "after", "change", "share %", "total change", "<function", NULL};
	static const char *const by_stack[] = {"before",  "after",  "change",
					       "share %", "<stack", NULL};
	static const char *const function_keys[] = {
	    "before", "after", "change", "share_percent", "total_change", "function"};
	static const char *const stack_keys[] = {"before", "after", "change",
						 "share_percent", "stack"};
	struct tr_change *changes;
	size_t count, rows = 0;
	tr_cli_check(&run->cli, run->by == BY_STACK
				    ? tr_folded_stacks(run->folded, &changes, &count)
				    : tr_folded_functions(run->folded, &changes, &count));
	struct tr_table *table =
	    tr_table_new(run->by == BY_STACK ? by_stack : by_function);
	int status =
	    table ? tr_table_keys(table, run->by == BY_STACK ? stack_keys : function_keys,
				  NULL)
		  : TR_E_NOMEM;
	for (size_t i = 0; i < count && !status; i++) {
		if (!exceeds_threshold(run, changes[i].self) &&
		    !exceeds_threshold(run, changes[i].total))
			continue;
		rows++;
		status = add_difference_row(run, table, &changes[i]);
	}
	tr_cli_check(&run->cli, status);
	if (rows || !tr_report_text(report))
		status = tr_report_table(
		    report, run->by == BY_STACK ? "stacks" : "functions", table);
	else
		tr_table_free(table);
	tr_cli_check(&run->cli, status);
	free(changes);
	return rows;
}

/* Lists stacks that exist only before, largest first, since a flame graph of the state
 * after cannot show them. */
static void print_gone(const struct run *run, FILE *file)
{
	struct tr_change *changes;
	size_t count, gone = 0;
	uint64_t rest = 0;
	tr_cli_check(&run->cli, tr_folded_stacks(run->folded, &changes, &count));
	for (size_t i = 0; i < count; i++) {
		const uint64_t *self = changes[i].self;
		if (self[1] || !exceeds_threshold(run, self))
			continue;
		if (gone++ == 0)
			fputs("gone:\n", file);
		if (gone > MAX_GONE) {
			rest += self[0];
			continue;
		}
		char *text = tr_folded_text(run->folded, changes[i].id);
		tr_cli_need(&run->cli, text);
		fprintf(file, "%s %" PRIu64 "\n", text, self[0]);
		free(text);
	}
	if (gone > MAX_GONE)
		fprintf(file, "and %zu more: %" PRIu64 "\n", gone - MAX_GONE, rest);
	free(changes);
}

static void draw_difference(const struct run *run)
{
	struct tr_cli cli = run->cli;
	char before[64], after[64], subtitle[160];
	uint64_t sums[2] = {tr_folded_sum(run->folded, 0), tr_folded_sum(run->folded, 1)};
	tr_flame_total(before, sizeof(before), sums[0], "before", 0);
	tr_flame_total(after, sizeof(after), sums[1], "after", 0);
	snprintf(subtitle, sizeof(subtitle), "%s%s, %s, %s%.2f %%", before,
		 run->relative ? " (scaled)" : "", after, sums[0] > sums[1] ? "-" : "+",
		 percent_of_total(run, sums));
	const struct tr_flame flame = {
	    .title = run->title ? run->title : "Differences",
	    .subtitle = subtitle,
	    .footer = "widths are after; stacks that are gone are not drawn",
	    .unit = "after",
	    .other_unit = "before",
	    .which = 1,
	    .difference = true,
	};
	cli.output = run->svg_path;
	FILE *file = tr_cli_text(&cli);
	tr_cli_check(&run->cli, tr_flame_write(run->folded, &flame, file));
	tr_cli_text_close(&cli, file);
}

static int diff_profiles(struct run *run)
{
	char message[512];
	run->folded = tr_folded_new();
	tr_cli_need(&run->cli, run->folded);
	for (unsigned side = 0; side < 2; side++) {
		tr_cli_reads(&run->cli, run->paths[side]);
		if (tr_folded_read(run->folded, run->paths[side], side, message,
				   sizeof(message)))
			tr_die(&run->cli, "%s", message);
	}
	if (run->relative)
		tr_folded_scale(run->folded);
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, run->as, "tr-diff", false);
	FILE *file = tr_report_text(out.report);
	bool changed = report_changes(run, out.report) > 0;
	if (run->by != BY_STACK && file)
		print_gone(run, file);
	const uint64_t sums[2] = {tr_folded_sum(run->folded, 0),
				  tr_folded_sum(run->folded, 1)};
	if (!run->relative && exceeds_threshold(run, sums))
		changed = true;
	tr_report_fact_u64(out.report, "total_before", sums[0]);
	tr_report_fact_u64(out.report, "total_after", sums[1]);
	if (changed)
		tr_report_say(out.report,
			      "total: %" PRIu64 " before, %" PRIu64 " after, %s%.3f %%\n",
			      sums[0], sums[1], sums[0] > sums[1] ? "-" : "+",
			      percent_of_total(run, sums));
	tr_cli_report_close(&out);
	if (run->svg_path)
		draw_difference(run);
	tr_folded_free(run->folded);
	return changed ? TR_EXIT_NO : TR_EXIT_OK;
}

/* Returns true for the stacks of a sampled run. */
static bool is_sampled_side(const char *path)
{
	struct tr_reader *reader = NULL;
	bool is_sampled = false;
	if (tr_reader_open(&reader, path, 1) == TR_OK) {
		const struct tr_header *header = tr_reader_header(reader);
		is_sampled = tr_header_content(header) == TR_CONTENT_STACKS &&
			     tr_header_get(header, "sampled_hart");
	}
	tr_reader_close(reader);
	return is_sampled;
}

/* Writes an error, rounded up, or "unknown". Returns text. */
static const char *error_text(double error, char text[32])
{
	if (isinf(error))
		return "unknown";
	snprintf(text, 32, "%.0f", ceil(error));
	return text;
}

static void print_sampled_total(const struct run *run, const struct tr_sample_diff *diff,
				struct tr_report *report)
{
	const double change = (double)diff->total[1] - (double)diff->total[0];
	const double error = hypot(diff->error[0], diff->error[1]);
	char text[3][32];
	tr_report_fact_u64(report, "total_before", diff->total[0]);
	tr_report_fact_u64(report, "total_after", diff->total[1]);
	if (!diff->beyond && !diff->within)
		return;
	tr_report_say(
	    report,
	    "%zu function%s changed by more than the error%s, %zu by less\n"
	    "total: %" PRIu64 " ± %s before, %" PRIu64 " ± %s after, %+.0f ± %s: %s\n",
	    diff->beyond, tr_plural(diff->beyond),
	    run->threshold > 0 ? " and the threshold" : "", diff->within, diff->total[0],
	    error_text(diff->error[0], text[0]), diff->total[1],
	    error_text(diff->error[1], text[1]), change, error_text(error, text[2]),
	    fabs(change) > error ? "more than the error" : "within the error");
}

/* Compares two streams of stacks, of which one at least is of a sampled run. */
static int diff_sampled(struct run *run)
{
	struct tr_stack_sums sums[2];
	struct tr_stack_options options[2];
	struct tr_sample_diff diff;
	if (run->svg_path || run->title || run->relative || run->by != BY_FUNCTION)
		tr_die(&run->cli,
		       "--svg, --title, --relative, --by: for profiles, not for streams");
	run->cli.takes_sampled = true;
	for (unsigned side = 0; side < 2; side++) {
		options[side] = run->stacks;
		options[side].input = run->paths[side];
		tr_stack_options_finish(&options[side]);
		sums[side] =
		    (struct tr_stack_sums){.cli = &run->cli, .options = &options[side]};
		tr_stack_sums_open(&sums[side]);
		tr_stack_sums_take(&sums[side]);
	}
	double least = run->threshold;
	if (run->percent)
		least *=
		    (double)tr_profile_charge(sums[0].in.profile, false).charged / 100;
	struct tr_profile *const profiles[2] = {sums[0].in.profile, sums[1].in.profile};
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, run->as, "tr-diff", false);
	tr_cli_check(&run->cli,
		     tr_sample_diff_report(&diff, profiles, least, out.report));
	print_sampled_total(run, &diff, out.report);
	tr_cli_report_close(&out);
	const double change = (double)diff.total[1] - (double)diff.total[0];
	const bool is_more =
	    fabs(change) > hypot(diff.error[0], diff.error[1]) && fabs(change) > least;
	for (unsigned side = 0; side < 2; side++)
		tr_stack_sums_release(&sums[side]);
	return diff.beyond || is_more ? TR_EXIT_NO : TR_EXIT_OK;
}

/* Opens one side of the comparison. */
static struct tr_cli_stacks open_side(const struct run *run, unsigned side,
				      struct tr_classes *classes)
{
	const char *path = run->paths[side];
	struct tr_cli_stacks in = {
	    .cli = &run->cli,
	    .name = strcmp(path, "-") == 0 ? "<stdin>" : path,
	    .reader = tr_cli_reader_of(&run->cli, path, TR_CONTENT_STACKS),
	};
	tr_cli_stacks_classes(&in, classes);
	return in;
}

/* Reads one side into a profile of `width` slots a cycle. Returns the slots of its run.
 */
static uint64_t profile_side(const struct run *run, struct tr_cli_stacks *in,
			     const struct tr_classes *classes, unsigned width)
{
	in->profile =
	    tr_profile_new(&(struct tr_profile_options){.classes = classes->count,
							.commit_width = width,
							.from = run->stacks.window.from,
							.to = run->stacks.window.to,
							.focus = run->stacks.focus,
							.nfocus = run->stacks.nfocus});
	tr_cli_need(&run->cli, in->profile);
	tr_cli_stacks_take(in);
	tr_fold_check(&run->stacks, in);
	tr_cli_stacks_conserved(in);
	const uint64_t slots = tr_cli_stacks_class_sum(in).sum.slots;
	if (slots >> TR_TMA_DIFF_BITS)
		tr_die(&run->cli, "%s: 2^%d %s or more", in->name, TR_TMA_DIFF_BITS,
		       tr_tma_unit(width));
	tr_reader_close(in->reader);
	return slots;
}

/* Returns how many slots a cycle has in the unit of both sides: the least common multiple
 * of theirs. */
static unsigned common_width(const struct run *run, const struct tr_cli_stacks sides[2])
{
	const unsigned width[2] = {tr_cli_stacks_width(&sides[0]),
				   tr_cli_stacks_width(&sides[1])};
	uint64_t common = width[0];
	while (common % width[1])
		common += width[0];
	if (common > TR_MAX_COMMIT_WIDTH)
		tr_die(&run->cli,
		       "%s has %u commit slot%s a cycle, %s has %u: no common unit",
		       run->paths[0], width[0], tr_plural(width[0]), run->paths[1],
		       width[1]);
	return (unsigned)common;
}

/* Says what the slots are if those of a hart count as several. */
static void tell_weights(const struct tr_tma_diff *diff, struct tr_report *report)
{
	if (diff->is_weighted)
		tr_report_say(report,
			      "slots: a cycle has %u on every hart; a slot of one that "
			      "commits W in a cycle counts as %u / W\n",
			      diff->width, diff->width);
}

static int diff_tma(const struct run *run)
{
	struct tr_classes classes[2];
	struct tr_cli_stacks sides[2];
	struct tr_profile *profiles[2];
	struct tr_tma_diff diff;
	uint64_t slots[2];
	size_t rows;
	for (unsigned side = 0; side < 2; side++)
		sides[side] = open_side(run, side, &classes[side]);
	const unsigned width = common_width(run, sides);
	for (unsigned side = 0; side < 2; side++) {
		slots[side] = profile_side(run, &sides[side], &classes[side], width);
		profiles[side] = sides[side].profile;
	}
	int status = tr_tma_diff_make(&diff, profiles, classes);
	if (status == TR_E_ARGUMENT)
		tr_die(&run->cli, "%s, %s: too many classes together", run->paths[0],
		       run->paths[1]);
	tr_cli_check(&run->cli, status);
	double least = run->threshold;
	if (run->percent)
		least *= (double)slots[0] / 100;
	struct tr_cli_report out =
	    tr_cli_report_open(&run->cli, run->as, "tr-diff --tma", false);
	tr_cli_check(&run->cli, tr_tma_diff_report(&diff, least, &rows, out.report));
	if (rows)
		tell_weights(&diff, out.report);
	tr_cli_report_close(&out);
	tr_tma_diff_release(&diff);
	for (unsigned side = 0; side < 2; side++) {
		tr_profile_free(profiles[side]);
		tr_classes_release(&classes[side]);
	}
	return rows ? TR_EXIT_NO : TR_EXIT_OK;
}

int main(int argc, char **argv)
{
	static struct run run;
	parse_args(&run, argc, argv);
	if (run.tma)
		return diff_tma(&run);
	bool streams[2] = {is_stream(&run, run.paths[0]), is_stream(&run, run.paths[1])};
	if (streams[0] != streams[1])
		tr_die(&run.cli, "%s is a stream, %s is not", run.paths[!streams[0]],
		       run.paths[streams[0]]);
	if (streams[0] &&
	    (is_sampled_side(run.paths[0]) || is_sampled_side(run.paths[1])))
		return diff_sampled(&run);
	if (streams[0] && run.profiles_only)
		tr_die(&run.cli, "--%s: for profiles, not for streams",
		       run.profiles_only);
	return streams[0] ? diff_streams(&run) : diff_profiles(&run);
}
