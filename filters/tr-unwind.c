/* SPDX-License-Identifier: Apache-2.0 */
/* tr-unwind: turns the rows of a matched stream into call stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/options.h"
#include "cli/unwound.h"
#include "unwind/image_source.h"
#include "unwind/stacks_sink.h"
#include "unwind/symbols.h"
#include "unwind/unwind.h"

static const char USAGE[] =
    "usage: tr-unwind [options] [STREAM]\n"
    "Convert a stream from tr-match into one of call stacks, for tr-fold.\n";

struct state {
	struct tr_cli cli;
	struct tr_image_options names; /* what to read from the binaries */
	struct tr_folders folders;     /* where to search for them */
	struct tr_reader *reader;
	const char *input; /* for messages */
	struct tr_symbols *symbols;
	struct tr_output out;
	struct tr_image_source source;
	struct tr_stacks_sink *sink;
	struct tr_unwind *unwind;
	struct tr_header *header; /* NULL once it was written */
};

static void take_path(void *context, const struct tr_option *option, const char *folder)
{
	struct state *s = context;
	(void)option;
	if (!tr_folders_add(&s->folders, folder))
		tr_cli_check(&s->cli, TR_E_NOMEM);
}

static void parse_args(struct state *s, int argc, char **argv)
{
	const struct tr_option options[] = {
	    {"addresses", .flag = &s->names.scopes,
	     .help = "also count instructions, cycles and taken branches by address, for "
		     "tr-fold --format pprof, callgrind, autofdo"},
	    {"inline", .flag = &s->names.calls,
	     .help = "show inlined calls, as \"f (inlined)\""},
	    {"lines", .flag = &s->names.lines,
	     .help = "show source lines, as \"f.c:12\" on top"},
	    {"path", .argument = "FOLDER", .take = take_path,
	     .help = "also search this folder for binaries; may be repeated"},
	    {0}};
	s->names.functions = true;
	tr_cli_init(&s->cli, TR_CLI_STREAM, "tr-unwind", USAGE, argc, argv);
	tr_cli_promise(&s->cli);
	tr_options_parse(&s->cli, options, s);
}

/* Prints what is to be said of a binary that was opened. */
static void warn_of_image(void *user, const struct tr_image *image)
{
	const struct state *s = user;
	const char *warning = tr_image_warning(image);
	tr_cli_protect_input(&s->cli, s->cli.output, tr_image_path(image));
	if (*warning)
		tr_warn(&s->cli, "%s", warning);
	if (tr_image_places_failed(image))
		tr_die(&s->cli, "cannot read what --%s asks for",
		       s->names.lines ? "lines" : "inline");
}

static uint8_t find_bin_role(const struct tr_header *header, uint32_t n)
{
	static const char *const roles[] = {[TR_UNWIND_FIRMWARE] = "firmware",
					    [TR_UNWIND_KERNEL] = "kernel",
					    [TR_UNWIND_USER] = "user"};
	char key[40];
	snprintf(key, sizeof(key), "bin.%u.role", n);
	const char *role = tr_header_get(header, key);
	for (uint8_t i = TR_UNWIND_FIRMWARE; role && i <= TR_UNWIND_USER; i++)
		if (strcmp(role, roles[i]) == 0)
			return i;
	return TR_UNWIND_ANY;
}

/* Properties of each binary, for tr_unwind_new(). */
struct binaries {
	uint32_t count;
	bool *libraries;
	uint8_t *roles;
	uint64_t *entries;
};

static struct binaries describe_binaries(const struct state *s,
					 const struct tr_header *header)
{
	const uint32_t count = tr_symbols_count(s->symbols);
	const struct binaries b = {.count = count,
				   .libraries = calloc(count + 1UL, sizeof(*b.libraries)),
				   .roles = calloc(count + 1UL, sizeof(*b.roles)),
				   .entries = calloc(count + 1UL, sizeof(*b.entries))};
	tr_cli_need(&s->cli, b.libraries);
	tr_cli_need(&s->cli, b.roles);
	tr_cli_need(&s->cli, b.entries);
	for (uint32_t i = 0; i < count; i++) {
		b.libraries[i] = tr_symbols_is_library(s->symbols, i);
		b.roles[i] = find_bin_role(header, i);
		b.entries[i] = tr_symbols_entry(s->symbols, i);
	}
	return b;
}

static void open_unwind(struct state *s, const struct tr_header *header)
{
	s->source =
	    (struct tr_image_source){.reader = s->reader,
				     .symbols = s->symbols,
				     .has_places = s->names.calls || s->names.lines,
				     .opened = warn_of_image,
				     .user = s};
	const struct tr_unwind_source source = tr_image_source_calls(&s->source);
	const struct tr_unwind_sink sink = tr_stacks_sink_calls(s->sink);
	struct binaries binaries = describe_binaries(s, header);
	const struct tr_unwind_options options = {
	    .programs = tr_symbols_programs(s->symbols),
	    .libraries = binaries.libraries,
	    .roles = binaries.roles,
	    .has_traps = !tr_header_lacks(header, "traps"),
	    .entries = binaries.entries,
	    .has_priv = !tr_header_lacks(header, "priv"),
	    .has_satp = !tr_header_lacks(header, "satp"),
	    .nprograms = binaries.count,
	    .xlen = tr_header_xlen(header),
	    .isa = tr_header_isa(header),
	    .has_sp = tr_header_watches_sp(header),
	    .has_tp = tr_header_watches_tp(header),
	    .commit_width =
		tr_header_get(header, "classes") ? tr_header_commit_width(header) : 1,
	    .addresses = s->names.scopes};
	tr_cli_check(&s->cli, tr_unwind_new(&s->unwind, &source, &sink, &options));
	free(binaries.libraries);
	free(binaries.roles);
	free(binaries.entries);
}

/* Checks that the requested information exists, as far as the binaries were compiled with
 * it. Those of a sysroot are not yet open. */
static void check_debug_info(const struct state *s)
{
	bool has_dwarf = false, has_lines = false;
	for (uint32_t i = 0; i < tr_symbols_count(s->symbols); i++) {
		const struct tr_image *image = tr_symbols_image(s->symbols, i);
		if (tr_symbols_has_stubs(s->symbols, i))
			continue;
		has_dwarf |= !image || tr_image_has_dwarf(image);
		has_lines |= !image || tr_image_has_lines(image);
	}
	if (s->names.lines && !has_lines)
		tr_die(&s->cli, "--lines: no binary has source lines; compile with -g");
	if (s->names.calls && !has_dwarf)
		tr_die(&s->cli, "--inline: no binary has DWARF; compile with -g");
}

static void open_unwind_input(struct state *s)
{
	const char *path = tr_cli_input(&s->cli, NULL);
	s->input = strcmp(path, "-") == 0 ? "<stdin>" : path;
	s->reader = tr_cli_reader_of(&s->cli, path, TR_CONTENT_ROWS);
	struct tr_header *header = s->header =
	    tr_header_copy(tr_reader_header(s->reader));
	tr_cli_need(&s->cli, header);
	int status = tr_symbols_open(&s->symbols, header, &s->names, &s->folders);
	if (status == TR_E_ARGUMENT)
		tr_die(&s->cli, "%s: %s", s->input, tr_symbols_message(s->symbols));
	tr_cli_need(&s->cli, s->symbols);
	if (status)
		tr_die(&s->cli, "%s", tr_symbols_message(s->symbols));
	for (uint32_t i = 0; i < tr_symbols_count(s->symbols); i++)
		if (tr_symbols_image(s->symbols, i))
			warn_of_image(s, tr_symbols_image(s->symbols, i));
	check_debug_info(s);
	tr_cli_check(&s->cli, tr_header_set(header, "content", "stacks"));
	if (s->names.scopes)
		tr_cli_check(&s->cli, tr_header_set(header, "addresses", "yes"));
	tr_cli_writer(&s->out, &s->cli, header);
	s->sink = tr_stacks_sink_new(tr_reader_probes(s->reader), s->out.writer);
	tr_cli_need(&s->cli, s->sink);
	open_unwind(s, header);
	tr_header_free(header);
	s->header = NULL;
}

/* Dies if a binary could not be opened when its code ran. */
static void check_opened(const struct state *s)
{
	if (s->source.status)
		tr_die(&s->cli, "%s", tr_symbols_message(s->symbols));
}

static bool unwind_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	tr_cli_wrote(&s->out, tr_stacks_sink_begin(s->sink, frame));
	int status = tr_unwind_frame(s->unwind, frame, tr_reader_block_count(s->reader),
				     tr_reader_timing_count(s->reader));
	check_opened(s);
	if (status == TR_E_CORRUPT)
		tr_die(&s->cli,
		       "%s: frame %" PRIu64
		       ": a note refers to an unknown block or binary",
		       s->input, frame->number);
	tr_cli_wrote(&s->out, status);
	tr_cli_wrote(&s->out, tr_stacks_sink_end(s->sink, frame));
	return true;
}

static void check_sum(const struct state *s, const char *what, uint64_t in, uint64_t out)
{
	uint64_t end = tr_header_get_u64(tr_reader_end(s->reader), what, in);
	if (in != out || in != end)
		tr_die(&s->cli,
		       "%s: %" PRIu64 " %s in the rows, %" PRIu64
		       " by the end record, but %" PRIu64 " charged",
		       s->input, in, what, end, out);
}

static void finish_unwound_stream(struct state *s)
{
	struct tr_unwind_totals totals;
	int status = tr_unwind_finish(s->unwind);
	check_opened(s);
	tr_cli_wrote(&s->out, status);
	tr_unwind_totals(s->unwind, &totals);
	check_sum(s, "instructions", totals.instructions, totals.out_instructions);
	check_sum(s, "cycles", totals.cycles, totals.out_cycles);
	struct tr_header *end = tr_header_copy(tr_reader_end(s->reader));
	tr_cli_need(&s->cli, end);
	tr_unwound_add_totals(end, &totals);
	tr_cli_finish(&s->out, end);
	tr_header_free(end);
	tr_cli_tell_cut_off(&s->cli, s->input, tr_reader_end(s->reader));
	tr_unwound_report(&s->cli, &totals,
			  tr_header_watches_sp(tr_reader_header(s->reader)));
}

static void unwind_stream(struct state *s)
{
	const struct tr_cli_frames take = {
	    .rows = unwind_frame, .context = s, .is_ahead = true};
	if (tr_cli_each_frame(&s->cli, s->reader, &take) != TR_END)
		tr_cli_bad_input(&s->out, s->reader);
	finish_unwound_stream(s);
}

int main(int argc, char **argv)
{
	struct state s = {0};
	parse_args(&s, argc, argv);
	open_unwind_input(&s);
	unwind_stream(&s);
	tr_unwind_free(s.unwind);
	tr_stacks_sink_free(s.sink);
	tr_symbols_close(s.symbols);
	tr_folders_release(&s.folders);
	tr_reader_close(s.reader);
	return TR_EXIT_OK;
}
