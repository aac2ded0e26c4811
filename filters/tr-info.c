/* SPDX-License-Identifier: Apache-2.0 */
/* tr-info: describes a trace stream, and why a graph of it would be empty. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "cli/cli_report.h"
#include "cli/cli_unwind.h"
#include "image/bins.h"
#include "image/image_search.h"
#include "info/breaks.h"
#include "info/counter_sums.h"
#include "info/findings.h"
#include "info/places.h"
#include "stream/zstd_frames.h"
#include "text/text_names.h"

static const char usage_text[] =
    "usage: tr-info [-b FILE [--found STACKS]] [--check] [--format NAME] [-o FILE] "
    "[FILE]\n"
    "Describe a trace stream: header, totals, contexts, how the run ended.\n";

struct info {
	struct tr_cli cli;
	const char *input, *stacks_path;
	struct tr_texts bins_paths, paths;
	struct tr_folders folders;
	struct tr_reader *reader;
	enum tr_report_as as;
	struct tr_report *report;
	struct tr_table *pairs; /* of the section being written; NULL in text */
	int status;		/* status of reading */
	bool stacks;

	struct tr_usage usage;
	struct tr_places places; /* of a matched stream */
	bool matched;
	uint64_t frames, generations, generation;
	uint64_t blocks;	/* in earlier generations */
	uint64_t newest_blocks; /* in this one */
	uint64_t srows, sinstructions, scycles;
	struct tr_counter_sums counted;
	struct tr_break_list breaks;

	struct tr_bins bins;
	struct tr_image **images;
	struct tr_coverage coverage;
	struct tr_findings findings;
	struct tr_reader *stacks_made; /* --found */
	struct tr_work found;
	bool *found_bins;
};

static void stop_on_failure(const struct info *info, int status)
{
	tr_cli_check(&info->cli, status);
}

static void parse_args(struct info *info)
{
	struct tr_cli *cli = &info->cli;
	const struct tr_option options[] = {
	    {"bins", 'b', .argument = "FILE", .texts = &info->bins_paths,
	     .help = "an ELF file, or a list: report which binaries ran, and why a graph "
		     "would be empty; may be repeated"},
	    {"check", .flag = &info->breaks.is_complete,
	     .help = "list all instructions that cannot follow the one before"},
	    TR_CLI_REPORT_OPTION(&info->as),
	    {"found", .argument = "STACKS", .text = &info->stacks_path,
	     .help = "what tr-match and tr-unwind made of FILE: tell of code that is "
		     "missing by what they found"},
	    TR_CLI_UNWIND_PATH(info),
	    {0}};
	tr_options_parse(cli, options, info);
	info->input = tr_cli_input(cli, NULL);
}

/* Returns true for an ELF file with the wanted name. */
static bool is_binary(void *context, const char *path)
{
	const struct tr_image_options plain = {0};
	const char *wanted = strrchr(context, '/'), *name = strrchr(path, '/');
	struct tr_image *image = NULL;
	bool good = strcmp(wanted ? wanted + 1 : context, name ? name + 1 : path) == 0 &&
		    tr_image_open(&image, path, &plain) == TR_OK;
	tr_image_close(image);
	return good;
}

/* Opens binary `i` or its part. Overlays become binaries of their own. */
static void open_bin(struct info *info, size_t i)
{
	const struct tr_bin *bin = &info->bins.bins[i];
	const struct tr_image_options part_of = {.part = bin->part};
	const char *part;
	tr_cli_protect_input(&info->cli, info->cli.output, bin->path);
	char *found = tr_folders_find(&info->folders, bin->path, is_binary, bin->path);
	int status = tr_image_open(&info->images[i], found ? found : bin->path, &part_of);
	free(found);
	if (status && info->images[i])
		tr_die(&info->cli, "%s",
		       tr_bins_blame(&info->bins, i, tr_image_message(info->images[i])));
	stop_on_failure(info, status);
	const char *reason = tr_bins_check_base(&info->bins, i, info->images[i]);
	if (reason)
		tr_die(&info->cli, "%s", reason);
	if (bin->part || !tr_image_has_overlays(info->images[i]))
		return;
	const enum tr_role role = bin->role;
	for (size_t k = 0; (part = tr_image_part(info->images[i], k)); k++)
		stop_on_failure(info, tr_bins_add_part(&info->bins, i, part, role));
}

static void open_bins(struct info *info)
{
	size_t room = 0;
	if (!info->bins_paths.count)
		return;
	tr_cli_unwind_folders(&info->cli, &info->paths, &info->folders);
	for (size_t i = 0; i < info->bins_paths.count; i++) {
		if (tr_bins_add(&info->bins, info->bins_paths.text[i]))
			tr_die(&info->cli, "%s", info->bins.message);
		tr_cli_protect_input(&info->cli, info->cli.output,
				     info->bins_paths.text[i]);
	}
	for (size_t i = 0; i <= info->bins.count; i++) {
		if (!tr_grow(&info->images, &room, i + 1, sizeof(*info->images)))
			stop_on_failure(info, TR_E_NOMEM);
		info->images[i] = NULL;
		if (i < info->bins.count)
			open_bin(info, i);
	}
	stop_on_failure(info,
			tr_coverage_init(&info->coverage, info->images, &info->bins));
}

/* Notes which binaries the functions of the stacks are in, and how they end. */
static void read_found(struct info *info)
{
	const struct tr_cli *cli = &info->cli;
	struct tr_reader *reader = tr_cli_reader(cli, info->stacks_path);
	const struct tr_sframe *frame;
	int status = TR_E_ARGUMENT;
	info->stacks_made = reader;
	tr_cli_protect_input(cli, cli->output, info->stacks_path);
	info->found_bins = calloc(info->bins.count + 1, sizeof(bool));
	tr_cli_need(cli, info->found_bins);
	if (tr_header_content(tr_reader_header(reader)) != TR_CONTENT_STACKS)
		tr_die(cli, "%s: not a stream of stacks", info->stacks_path);
	while ((status = tr_reader_next_stacks(reader, &frame)) == TR_OK)
		;
	if (status != TR_END)
		tr_die(cli, "%s", tr_reader_message(reader));
	for (uint32_t id = 0; id < tr_reader_func_count(reader); id++) {
		const char *program = tr_reader_func(reader, id)->binary;
		for (size_t i = 0; i < info->bins.count; i++)
			info->found_bins[i] |=
			    strcmp(program, tr_image_name(info->images[i])) == 0;
	}
	const struct tr_header *end = tr_reader_end(reader);
	info->found = (struct tr_work){end, info->found_bins};
	/* where nothing was found, the addresses explain it */
	if (tr_header_get_u64(end, "match_unknown_instructions", 0) <
	    tr_header_get_u64(end, "instructions", 0))
		info->findings.found = &info->found;
}

static void sum_counter_sample(struct info *info, uint32_t hart,
			       const struct tr_sample *sample)
{
	stop_on_failure(info, tr_counter_sums_add(&info->counted,
						  tr_reader_counters(info->reader), hart,
						  sample));
}

static void sum_frame_samples(struct info *info, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++)
		for (uint32_t e = 0; e < frame->harts[i].nevents; e++) {
			const struct tr_event *event = &frame->harts[i].events[e];
			if (event->kind == TR_EV_COUNTERS)
				sum_counter_sample(info, frame->harts[i].hart,
						   &event->u.counters);
		}
}

static bool count_rows_frame(void *context, const struct tr_frame *frame)
{
	struct info *info = context;
	if (frame->generation != info->generation || info->frames == 0) {
		info->generations++;
		info->blocks += info->newest_blocks;
	}
	info->frames++;
	info->generation = frame->generation;
	info->newest_blocks = tr_reader_block_count(info->reader);
	stop_on_failure(info, tr_usage_add(&info->usage, info->reader, frame));
	sum_frame_samples(info, frame);
	stop_on_failure(info, tr_break_list_add(&info->breaks, info->reader, frame));
	if (info->matched)
		stop_on_failure(info, tr_places_add(&info->places, info->reader, frame));
	if (info->images)
		stop_on_failure(info,
				tr_coverage_add(&info->coverage, info->reader, frame));
	return true;
}

static bool count_stacks_frame(void *context, const struct tr_sframe *frame)
{
	struct info *info = context;
	info->frames++;
	for (uint32_t i = 0; i < frame->nharts; i++) {
		const struct tr_shart *hart = &frame->harts[i];
		info->srows += hart->nrows;
		for (uint32_t s = 0; s < hart->nsamples; s++)
			sum_counter_sample(info, hart->hart, &hart->samples[s]);
		for (uint32_t r = 0; r < hart->nrows; r++) {
			info->sinstructions += hart->rows[r].instructions;
			info->scycles += hart->rows[r].cycles;
		}
	}
	return true;
}

static void read_all(struct info *info)
{
	const struct tr_cli_frames take = {.rows = count_rows_frame,
					   .stacks = count_stacks_frame,
					   .context = info,
					   .is_ahead = true};
	info->status = tr_cli_each_frame(&info->cli, info->reader, &take);
	info->blocks += info->newest_blocks;
	tr_usage_sort(&info->usage);
	if (info->images)
		tr_coverage_finish(&info->coverage);
}

/* Returns false for keys that have sections of their own: provenance and counters. */
static bool is_shown(const char *key)
{
	return strcmp(key, "pg") != 0 && strncmp(key, "counter.", 8) != 0 &&
	       strncmp(key, "counters.", 9) != 0;
}

/* Begins a section of pairs of a key and a value; numbers: the values are numbers. */
static void begin_pairs(struct info *info, const char *title, bool numbers)
{
	static const char *const words[] = {"<key", "<value", NULL};
	static const char *const figures[] = {"<key", "value", NULL};
	static const char *const keys[] = {"key", "value"};
	tr_report_say(info->report, "%s\n", title);
	if (info->as == TR_REPORT_TEXT)
		return;
	info->pairs = tr_table_new(numbers ? figures : words);
	tr_cli_need(&info->cli, info->pairs);
	stop_on_failure(info, tr_table_keys(info->pairs, keys, NULL));
}

static void put_pair(const struct info *info, const char *key, const char *value)
{
	tr_report_say(info->report, "  %-24s %s\n", key, value);
	if (info->pairs)
		stop_on_failure(info, tr_table_cell(info->pairs, "%s", key) |
					  tr_table_cell(info->pairs, "%s", value));
}

static void end_pairs(struct info *info, const char *title)
{
	if (info->pairs)
		stop_on_failure(info, tr_report_table(info->report, title, info->pairs));
	info->pairs = NULL;
}

static void put_header_values(struct info *info, const char *title,
			      const struct tr_header *values)
{
	begin_pairs(info, title, false);
	for (size_t i = 0; i < tr_header_count(values); i++)
		if (is_shown(tr_header_key(values, i)))
			put_pair(info, tr_header_key(values, i),
				 tr_header_value(values, i));
	end_pairs(info, title);
}

/* Prints "NAME<tab>VERSION<tab>command line" of each program that processed the
 * stream. */
static void put_provenance(struct info *info, const struct tr_header *header)
{
	static const char *const headings[] = {"<program", "<version", "<command", NULL};
	static const char *const keys[] = {"program", "version", "command"};
	struct tr_table *table = tr_table_new(headings);
	bool any = false;
	tr_cli_need(&info->cli, table);
	stop_on_failure(info, tr_table_keys(table, keys, NULL));
	for (size_t i = 0; i < tr_header_count(header); i++) {
		if (strcmp(tr_header_key(header, i), "pg") != 0)
			continue;
		const char *value = tr_header_value(header, i);
		int name = (int)strcspn(value, "\t");
		const char *rest = value + name + (value[name] != '\0');
		int version = (int)strcspn(rest, "\t");
		const char *command = rest + version + (rest[version] != '\0');
		tr_report_say(info->report, "%s  %.*s %.*s: %s\n",
			      any ? "" : "provenance\n", name, value, version, rest,
			      command);
		stop_on_failure(info, tr_table_cell(table, "%.*s", name, value) |
					  tr_table_cell(table, "%.*s", version, rest) |
					  tr_table_cell(table, "%s", command));
		any = true;
	}
	if (info->as == TR_REPORT_TEXT)
		tr_table_free(table);
	else
		stop_on_failure(info, tr_report_table(info->report, "provenance", table));
}

static void put_total(const struct info *info, const char *name, uint64_t value)
{
	char text[24];
	snprintf(text, sizeof(text), "%" PRIu64, value);
	put_pair(info, name, text);
}

static void put_ratio(const struct info *info, const char *name, uint64_t a, uint64_t b)
{
	char text[40];
	snprintf(text, sizeof(text), "%.4f", b ? (double)a / (double)b : 0);
	if (b)
		put_pair(info, name, text);
}

static void put_file_sizes(const struct info *info, uint64_t instructions)
{
	struct tr_zstd_frames zstd;
	bool is_file = tr_reader_size(info->reader) > 0;
	uint64_t size =
	    is_file ? tr_reader_size(info->reader) : tr_reader_offset(info->reader);
	put_total(info, "bytes", size);
	put_ratio(info, "bytes/instruction", size, instructions);
	if (!is_file || strcmp(info->input, "-") == 0)
		return;
	int status = tr_zstd_frames(info->input, &zstd);
	if (status == TR_E_IO)
		tr_die(&info->cli, "%s: %s", info->input, strerror(errno));
	put_total(info, "zstd frames", zstd.frames);
}

static void put_row_totals(struct info *info)
{
	const struct tr_usage *usage = &info->usage;
	begin_pairs(info, "totals", true);
	put_total(info, "instructions", usage->instructions);
	put_total(info, "cycles", usage->cycles);
	put_ratio(info, "cycles/instruction", usage->cycles, usage->instructions);
	put_total(info, "frames", info->frames);
	put_total(info, "generations", info->generations);
	put_total(info, "blocks", info->blocks);
	put_total(info, "rows", usage->rows);
	put_ratio(info, "instructions/row", usage->instructions, usage->rows);
	put_file_sizes(info, usage->instructions);
	end_pairs(info, "totals");
}

static void put_stack_totals(struct info *info)
{
	begin_pairs(info, "totals", true);
	put_total(info, "instructions", info->sinstructions);
	put_total(info, "cycles", info->scycles);
	put_ratio(info, "cycles/instruction", info->scycles, info->sinstructions);
	put_total(info, "frames", info->frames);
	put_total(info, "functions", tr_reader_func_count(info->reader));
	put_total(info, "stack nodes", tr_reader_node_count(info->reader));
	put_total(info, "threads", tr_reader_thread_count(info->reader));
	put_total(info, "rows", info->srows);
	put_ratio(info, "instructions/row", info->sinstructions, info->srows);
	if (info->counted.samples)
		put_total(info, "counter samples", info->counted.samples);
	put_file_sizes(info, info->sinstructions);
	end_pairs(info, "totals");
}

/* Stacks of another run would explain nothing. */
static void check_found(const struct info *info)
{
	const struct tr_header *end = tr_reader_end(info->reader);
	const uint64_t found = tr_header_get_u64(info->found.end, "instructions", 0);
	if (end && found != tr_header_get_u64(end, "instructions", 0))
		tr_die(&info->cli,
		       "--found: %s is of another run: it has %" PRIu64
		       " instructions, not %" PRIu64,
		       info->stacks_path, found,
		       tr_header_get_u64(end, "instructions", 0));
}

static void report_rows(struct info *info)
{
	put_row_totals(info);
	stop_on_failure(info, tr_usage_report_events(&info->usage, info->report));
	stop_on_failure(info, tr_break_list_report(&info->breaks, info->report));
	stop_on_failure(info, tr_usage_report_gaps(&info->usage, info->report));
	tr_report_say(info->report, "contexts\n");
	stop_on_failure(info, tr_usage_report(&info->usage, info->report));
	if (info->matched) {
		tr_report_say(info->report, "code found\n");
		stop_on_failure(info, tr_places_report(&info->places,
						       tr_reader_header(info->reader),
						       info->report));
	}
	if (info->images) {
		tr_report_say(info->report, "binaries\n");
		stop_on_failure(info, tr_coverage_report(&info->coverage, info->report));
	}
}

static void find_breaks(struct info *info, const struct tr_header *header)
{
	char text[TR_BREAKS_ROOM];
	if (!info->breaks.sums.count)
		return;
	tr_breaks_text(text, &info->breaks.sums, info->usage.instructions, header);
	tr_find(&info->findings, false, "%s%s", text,
		info->breaks.is_complete ? "" : "; --check lists all");
}

/* Finds problems, as a section of their own. */
static void find_all(struct info *info, const struct tr_header *header,
		     const struct tr_header *end)
{
	static const char *const headings[] = {"leaves graph empty", "<finding", NULL};
	static const char *const keys[] = {"leaves_graph_empty", "finding"};
	struct tr_findings *findings = &info->findings;
	findings->report = info->report;
	if (info->as != TR_REPORT_TEXT) {
		findings->table = tr_table_new(headings);
		tr_cli_need(&info->cli, findings->table);
		stop_on_failure(info, tr_table_keys(findings->table, keys, NULL));
	}
	tr_find_in_end(findings, header, end);
	find_breaks(info, header);
	if (!info->stacks)
		tr_find_in_rows(findings, header, end, &info->usage);
	if (info->images)
		stop_on_failure(info, tr_find_in_bins(findings, header, &info->coverage));
	stop_on_failure(info, findings->failed ? TR_E_NOMEM : TR_OK);
	if (findings->table)
		stop_on_failure(
		    info, tr_report_table(info->report, "findings", findings->table));
}

static void report_contents(struct info *info)
{
	const struct tr_header *header = tr_reader_header(info->reader);
	const struct tr_header *end = tr_reader_end(info->reader);
	put_header_values(info, "header", header);
	put_provenance(info, header);
	if (info->stacks)
		put_stack_totals(info);
	else
		report_rows(info);
	stop_on_failure(info, tr_counter_sums_report(&info->counted,
						     tr_reader_counters(info->reader),
						     header, info->report));
	if (end)
		put_header_values(info, "end", end);
	else
		tr_report_say(info->report, "end\n  none: the stream stops before it\n");
	if (end)
		find_all(info, header, end);
}

static void release_info(struct info *info)
{
	for (size_t i = 0; info->images && i < info->bins.count; i++)
		tr_image_close(info->images[i]);
	free(info->images);
	tr_bins_release(&info->bins);
	free(info->bins_paths.text);
	free(info->paths.text);
	tr_folders_release(&info->folders);
	tr_coverage_release(&info->coverage);
	tr_usage_release(&info->usage);
	tr_places_release(&info->places);
	tr_counter_sums_release(&info->counted);
	tr_break_list_release(&info->breaks);
	tr_reader_close(info->reader);
	tr_reader_close(info->stacks_made);
	free(info->found_bins);
}

int main(int argc, char **argv)
{
	struct info info = {0};
	tr_cli_init(&info.cli, TR_CLI_TEXT, "tr-info", usage_text, argc, argv);
	info.cli.takes_sampled = true;
	parse_args(&info);
	info.reader = tr_cli_reader(&info.cli, info.input);
	info.stacks =
	    tr_header_content(tr_reader_header(info.reader)) == TR_CONTENT_STACKS;
	info.matched =
	    !info.stacks && tr_header_get(tr_reader_header(info.reader), "bin.0");
	if (info.stacks && info.bins_paths.count)
		tr_die(&info.cli, "--bins: a stream of stacks has no code in it");
	if (info.stacks && info.breaks.is_complete)
		tr_die(&info.cli, "--check: a stream of stacks has no code in it");
	if (info.stacks_path && !info.bins_paths.count)
		tr_die(&info.cli, "--found: only with --bins");
	open_bins(&info);
	if (info.stacks_path)
		read_found(&info);
	read_all(&info);
	if (info.stacks_path)
		check_found(&info);
	struct tr_cli_report out =
	    tr_cli_report_open(&info.cli, info.as, "tr-info", true);
	info.report = out.report;
	report_contents(&info);
	tr_cli_report_close(&out);
	if (info.status < 0)
		tr_die(&info.cli, "%s", tr_reader_message(info.reader));
	const bool fails =
	    info.findings.empty || (info.breaks.is_complete && info.breaks.sums.count);
	release_info(&info);
	return fails ? TR_EXIT_NO : TR_EXIT_OK;
}
