/* SPDX-License-Identifier: Apache-2.0 */
/* Unwinding of a stream from tr-match. */
#include "cli/cli_unwind.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli_matched.h"

/* Counts a binary without DWARF, of which there are many in a distribution's packages. */
static void count_without_dwarf(struct tr_cli_unwind *u, const struct tr_image *image)
{
	if (!u->without_dwarf++)
		u->warning = tr_image_warning(image);
}

/* Tells of binaries without DWARF that were not told of one by one. */
static void warn_of_counted(struct tr_cli_unwind *u)
{
	if (u->without_dwarf == 1)
		tr_warn(u->cli, "%s", u->warning);
	else if (u->without_dwarf)
		tr_warn(u->cli,
			"%lu binaries have no DWARF, names from symbols only; -v lists "
			"them",
			u->without_dwarf);
	u->without_dwarf = 0;
}

/* Prints what is to be said of a binary that was opened. */
static void warn_of_image(void *user, const struct tr_image *image)
{
	struct tr_cli_unwind *u = user;
	const char *warning = tr_image_warning(image);
	tr_cli_protect_input(u->cli, u->cli->output, tr_image_path(image));
	if (!u->is_quiet && !u->cli->verbose && tr_image_only_lacks_dwarf(image))
		count_without_dwarf(u, image);
	else if (*warning && !u->is_quiet)
		tr_warn(u->cli, "%s", warning);
	if (u->has_places && tr_image_places_failed(image))
		tr_die(u->cli, "cannot read what --%s asks for",
		       u->names.lines ? "lines" : "inline");
}

static uint8_t find_bin_role(const struct tr_header *header, uint32_t n)
{
	static const char *const roles[] = {[TR_UNWIND_FIRMWARE] = "firmware",
					    [TR_UNWIND_KERNEL] = "kernel",
					    [TR_UNWIND_USER] = "user"};
	const char *role = tr_header_bin(header, n, ".role");
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

static struct binaries describe_binaries(const struct tr_cli_unwind *u,
					 const struct tr_header *header)
{
	const uint32_t count = tr_symbols_count(u->symbols);
	const struct binaries b = {.count = count,
				   .libraries = calloc(count + 1UL, sizeof(*b.libraries)),
				   .roles = calloc(count + 1UL, sizeof(*b.roles)),
				   .entries = calloc(count + 1UL, sizeof(*b.entries))};
	tr_cli_need(u->cli, b.libraries);
	tr_cli_need(u->cli, b.roles);
	tr_cli_need(u->cli, b.entries);
	for (uint32_t i = 0; i < count; i++) {
		b.libraries[i] = tr_symbols_is_library(u->symbols, i);
		b.roles[i] = find_bin_role(header, i);
		b.entries[i] = tr_symbols_entry(u->symbols, i);
	}
	return b;
}

void tr_cli_unwind_start(struct tr_cli_unwind *u, const struct tr_unwind_sink *sink,
			 bool by_address)
{
	const struct tr_header *header = u->header;
	if (tr_jit_code_possible(tr_reader_probes(u->reader))) {
		u->jit_code = tr_jit_code_new(tr_reader_probes(u->reader));
		tr_cli_need(u->cli, u->jit_code);
	}
	u->source = (struct tr_image_source){.reader = u->reader,
					     .symbols = u->symbols,
					     .jit_code = u->jit_code,
					     .has_places = u->has_places,
					     .opened = warn_of_image,
					     .user = u};
	const struct tr_unwind_source source = tr_image_source_calls(&u->source);
	struct binaries binaries = describe_binaries(u, header);
	const struct tr_unwind_options options = {
	    .programs = tr_symbols_programs(u->symbols),
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
	    .keeps_gaps = tr_header_get(header, "sampled_hart") != NULL,
	    .addresses = by_address,
	    .probes = u->has_virtual ? tr_reader_probes(u->reader) : NULL};
	tr_cli_check(u->cli, tr_unwind_new(&u->unwind, &source, sink, &options));
	free(binaries.libraries);
	free(binaries.roles);
	free(binaries.entries);
}

/* Checks that the requested information exists, as far as the binaries were compiled with
 * it. Those of a sysroot are not yet open. */
static void check_debug_info(const struct tr_cli_unwind *u)
{
	bool has_dwarf = false, has_lines = false;
	for (uint32_t i = 0; i < tr_symbols_count(u->symbols); i++) {
		const struct tr_image *image = tr_symbols_image(u->symbols, i);
		if (tr_symbols_has_stubs(u->symbols, i))
			continue;
		has_dwarf |= !image || tr_image_has_dwarf(image);
		has_lines |= !image || tr_image_has_lines(image);
	}
	if (u->names.lines && !has_lines)
		tr_die(u->cli, "--lines: no binary has source lines; compile with -g");
	if (u->names.calls && !has_dwarf)
		tr_die(u->cli, "--inline: no binary has DWARF; compile with -g");
}

void tr_cli_unwind_folders(const struct tr_cli *cli, const struct tr_texts *paths,
			   struct tr_folders *folders)
{
	for (size_t i = 0; i < paths->count; i++)
		if (!tr_folders_add(folders, paths->text[i]))
			tr_cli_check(cli, TR_E_NOMEM);
}

static void open_unwind_input(struct tr_cli_unwind *u, const char *path)
{
	if (tr_cli_match_has_places(&u->match)) {
		tr_cli_match_open(&u->match, path);
		u->reader = u->match.reader;
		u->header = u->match.header;
	} else {
		u->reader = tr_cli_reader_of(u->cli, path, TR_CONTENT_ROWS);
		u->header = tr_reader_header(u->reader);
	}
}

void tr_cli_unwind_open(struct tr_cli_unwind *u, const char *path)
{
	u->input = strcmp(path, "-") == 0 ? "<stdin>" : path;
	open_unwind_input(u, path);
	tr_cli_unwind_folders(u->cli, &u->paths, &u->folders);
	int status = tr_symbols_open(&u->symbols, u->header, &u->names, &u->folders);
	if (status == TR_E_ARGUMENT)
		tr_die(u->cli, "%s: %s", u->input, tr_symbols_message(u->symbols));
	tr_cli_need(u->cli, u->symbols);
	if (status)
		tr_die(u->cli, "%s", tr_symbols_message(u->symbols));
	for (uint32_t i = 0; i < tr_symbols_count(u->symbols); i++)
		if (tr_symbols_image(u->symbols, i))
			warn_of_image(u, tr_symbols_image(u->symbols, i));
	if (u->has_places)
		check_debug_info(u);
}

/* Dies if a binary could not be opened when its code ran. */
static void check_opened(const struct tr_cli_unwind *u)
{
	if (u->source.status)
		tr_die(u->cli, "%s", tr_symbols_message(u->symbols));
}

int tr_cli_unwind_frame(struct tr_cli_unwind *u, const struct tr_frame *frame)
{
	if (u->jit_code && tr_jit_code_frame(u->jit_code, frame))
		return TR_E_NOMEM;
	int status =
	    tr_unwind_frame(u->unwind, frame, frame->view.nblocks, frame->view.ntimings);
	check_opened(u);
	if (status == TR_E_CORRUPT)
		tr_die(u->cli,
		       "%s: frame %" PRIu64
		       ": a note refers to an unknown block or binary",
		       u->input, frame->number);
	return status;
}

int tr_cli_unwind_finish(struct tr_cli_unwind *u)
{
	int status = tr_unwind_finish(u->unwind);
	check_opened(u);
	warn_of_counted(u);
	return status;
}

static void check_sum(const struct tr_cli_unwind *u, const char *what, uint64_t in,
		      uint64_t out)
{
	uint64_t end = tr_header_get_u64(tr_reader_end(u->reader), what, in);
	if (in != out || in != end)
		tr_die(u->cli,
		       "%s: %" PRIu64 " %s in the rows, %" PRIu64
		       " by the end record, but %" PRIu64 " charged",
		       u->input, in, what, end, out);
}

void tr_cli_unwind_totals(const struct tr_cli_unwind *u, struct tr_unwind_totals *totals)
{
	tr_unwind_totals(u->unwind, totals);
	check_sum(u, "instructions", totals->instructions, totals->out_instructions);
	check_sum(u, "cycles", totals->cycles, totals->out_cycles);
}

/* What takes the frames of the matcher. */
struct matched_frames {
	struct tr_cli_unwind *unwind;
	const struct tr_cli_frames *take;
};

static bool take_matched_frame(void *context, const struct tr_frame *frame)
{
	const struct matched_frames *of = context;
	of->unwind->source.frame = frame;
	return of->take->rows(of->take->context, frame);
}

int tr_cli_unwind_each(struct tr_cli_unwind *u, const struct tr_cli_frames *take)
{
	if (!tr_cli_match_has_places(&u->match))
		return tr_cli_each_frame(u->cli, u->reader, take);
	struct matched_frames of = {.unwind = u, .take = take};
	struct tr_cli_frames matched = *take;
	matched.rows = take_matched_frame;
	matched.context = &of;
	return tr_cli_each_matched(&u->match, &matched, &u->source.frame);
}

struct tr_header *tr_cli_unwind_end(const struct tr_cli_unwind *u)
{
	if (tr_cli_match_has_places(&u->match))
		return tr_cli_match_end(&u->match);
	struct tr_header *end = tr_header_copy(tr_reader_end(u->reader));
	tr_cli_need(u->cli, end);
	return end;
}

void tr_cli_unwind_tell(const struct tr_cli_unwind *u)
{
	if (tr_cli_match_has_places(&u->match))
		tr_cli_match_tell(&u->match);
	else
		tr_cli_tell_cut_off(u->cli, u->input, tr_reader_end(u->reader));
}

void tr_cli_unwind_release(struct tr_cli_unwind *u)
{
	tr_unwind_free(u->unwind);
	tr_jit_code_free(u->jit_code);
	tr_symbols_close(u->symbols);
	tr_folders_release(&u->folders);
	free(u->paths.text);
	tr_match_release_frame(u->source.frame);
	if (tr_cli_match_has_places(&u->match))
		tr_cli_match_release(&u->match);
	else
		tr_reader_close(u->reader);
}
