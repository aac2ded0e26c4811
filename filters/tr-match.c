/* SPDX-License-Identifier: Apache-2.0 */
/* tr-match: finds the binary and address of every block in every address space. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/number.h"
#include "cli/jit_maps.h"
#include "cli/options.h"
#include "image/bin_keys.h"
#include "image/bins.h"
#include "image/image.h"
#include "match/match.h"

static const char USAGE[] =
    "usage: tr-match {--bins FILE | --sysroot DIR}... [options] [STREAM]\n"
    "Add to a trace stream the binary and the address that each block comes from.\n";

enum { PAGE = 4096 };

struct settings {
	struct tr_cli cli;
	struct tr_match_options match;
	struct tr_texts bins, sysroots; /* lists and ELF files; folders */
	struct tr_texts maps;		/* of JIT code */
};

static void parse_args(struct settings *s, int argc, char **argv)
{
	const struct tr_option options[] = {
	    {"bins", 'b', .argument = "FILE", .texts = &s->bins,
	     .help =
		 "an ELF file, or a list of them: a line each, PATH "
		 "[firmware|kernel|user] [base=0xADDRESS] [stubs=DIR]; may be repeated"},
	    {"sysroot", .argument = "DIR", .texts = &s->sysroots,
	     .help = "all programs and libraries below a folder, such as the target's "
		     "root; may be repeated"},
	    TR_JIT_MAPS_OPTION(&s->maps),
	    {"depth", .argument = "N", .range = {&s->match.depth, 1, UINT32_MAX},
	     .help = "tokens that must agree for a match (3)"},
	    {"history", .argument = "N", .range = {&s->match.history, 0, UINT32_MAX},
	     .help = "distinct tokens of an address space that may wait for a unique "
		     "match (2048)"},
	    {"no-satp-cache", .flag = &s->match.no_cache,
	     .help = "search all binaries for each block, even if that of its address "
		     "space is known"},
	    {0}};
	tr_cli_init(&s->cli, TR_CLI_STREAM, "tr-match", USAGE, argc, argv);
	s->cli.takes_sampled = true;
	tr_cli_promise(&s->cli);
	tr_options_parse(&s->cli, options, s);
	if (!s->bins.count && !s->sysroots.count)
		tr_die(&s->cli, "no --bins FILE or --sysroot DIR given; try --help");
}

struct binaries {
	struct tr_bins list;
	struct tr_image **images;
	struct tr_match_binary *binaries;
	size_t image_room, binary_room;
	struct tr_stub_files **stubs; /* by their numbers, less list.count */
	size_t nstubs, stub_room;
	struct tr_match_index *index;
	struct tr_map codes; /* hashes of the code of all binaries */
	struct tr_jit_maps maps;
};

/* Refuses a binary of another width than the machine's. */
static void check_xlen(const struct settings *s, struct binaries *b, size_t i,
		       const struct tr_header *header)
{
	unsigned xlen = tr_header_xlen(header);
	char text[512];
	if (tr_image_xlen(b->images[i]) == xlen)
		return;
	snprintf(text, sizeof(text), "%s: for RV%u, but the stream is of RV%u%s",
		 b->list.bins[i].path, tr_image_xlen(b->images[i]), xlen,
		 tr_header_lacks(header, "traps")
		     ? "; if a log did not show it: tr-capture --xlen"
		     : "");
	tr_die(&s->cli, "%s", tr_bins_blame(&b->list, i, text));
}

/* Gets the N-th file that the simulator loaded. Returns false after the last one. */
static bool loaded_file(const struct tr_header *header, size_t n, const char **name,
			const char **build)
{
	char key[48];
	snprintf(key, sizeof(key), "image.%zu", n);
	*name = tr_header_get(header, key);
	snprintf(key, sizeof(key), "image.%zu.build_id", n);
	*build = tr_header_get(header, key);
	if (!*build)
		*build = "";
	return *name;
}

/* Returns true if one of the first binaries is of this build. */
static bool has_build(const struct binaries *b, size_t count, const char *build)
{
	size_t i = 0;
	while (i < count && strcmp(tr_image_build_id(b->images[i]), build) != 0)
		i++;
	return i < count;
}

/* Warns of a file with the name of one that the machine ran, but of another build, unless
 * an earlier one is that. */
static void check_build(const struct settings *s, const struct binaries *b, size_t n,
			const struct tr_header *header)
{
	const struct tr_image *image = b->images[n];
	const char *build = tr_image_build_id(image), *name, *ran;
	for (size_t i = 0; loaded_file(header, i, &name, &ran); i++)
		if (*ran && *build && strcmp(name, tr_image_name(image)) == 0 &&
		    strcmp(ran, build) != 0 && !has_build(b, n, ran))
			tr_warn(&s->cli,
				"warning: %s: another build than the one that ran: "
				"build-id %s, in the trace %s",
				tr_image_path(image), build, ran);
}

static void check_binary(const struct settings *s, struct binaries *b, size_t i,
			 const struct tr_header *header)
{
	check_xlen(s, b, i, header);
	const char *reason = tr_bins_check_base(&b->list, i, b->images[i]);
	if (reason)
		tr_die(&s->cli, "%s", reason);
	if (!tr_image_code_count(b->images[i]))
		tr_warn(&s->cli,
			"warning: %s: no executable code; a file of debug information "
			"alone is put together with the stripped one by eu-unstrip",
			b->list.bins[i].path);
	check_build(s, b, i, header);
}

/* Returns true if a file of a sysroot can be left out: it is damaged, of which there is a
 * warning, for another width, without code, or a copy of an earlier one. So can a vdso
 * that a kernel does not have, or that is listed as well. */
static bool may_leave_out_image(const struct settings *s, const struct binaries *b,
				size_t i, int status, const struct tr_header *header)
{
	const struct tr_image *image = b->images[i];
	const struct tr_bin *bin = &b->list.bins[i];
	if (!bin->in_sysroot && !bin->part)
		return false;
	if (status && bin->in_sysroot)
		tr_warn(&s->cli, "warning: %s: left out", tr_image_message(image));
	return status || !tr_image_code_count(image) ||
	       tr_image_xlen(image) != tr_header_xlen(header) ||
	       (!tr_image_is_module(image) &&
		tr_map_get(&b->codes, tr_image_code_hash(image)) != TR_MAP_NONE);
}

/* A kernel contains the vdso, the kernel places each section of a module by itself, and
 * overlays are loaded in turns.
 * Files are opened in the order of the list, so what is listed as well comes first. */
static void add_image_parts(const struct settings *s, struct binaries *b, size_t i)
{
	const struct tr_bin *bin = &b->list.bins[i];
	const struct tr_image *image = b->images[i];
	const char *part;
	int status = TR_OK;
	if (bin->part)
		return;
	for (size_t k = 0; !status && (part = tr_image_part(image, k)); k++)
		status = tr_bins_add_part(&b->list, i, part,
					  tr_image_is_module(image) ? TR_ROLE_KERNEL
								    : bin->role);
	if (!status && bin->role == TR_ROLE_KERNEL && !tr_image_is_module(image))
		status = tr_bins_add_part(&b->list, i, "vdso", TR_ROLE_USER);
	tr_cli_check(&s->cli, status);
}

static void reserve_image_slots(const struct settings *s, struct binaries *b)
{
	bool good =
	    tr_grow(&b->images, &b->image_room, b->list.count + 1, sizeof(*b->images)) &&
	    tr_grow(&b->binaries, &b->binary_room, b->list.count + 1,
		    sizeof(*b->binaries));
	tr_cli_check(&s->cli, good ? TR_OK : TR_E_NOMEM);
}

/* Returns how far the code of an overlay is behind that of its file. */
static uint64_t base_of_part(const struct binaries *b, size_t i)
{
	const struct tr_bin *bin = &b->list.bins[i];
	for (size_t k = 0; bin->part && bin->has_base && k < i; k++)
		if (!b->list.bins[k].part &&
		    strcmp(b->list.bins[k].path, bin->path) == 0 &&
		    tr_image_has_overlays(b->images[i]))
			return tr_image_code(b->images[i], 0)->address / PAGE * PAGE -
			       tr_image_code(b->images[k], 0)->address / PAGE * PAGE;
	return 0;
}

/* Opens binary `i`. Returns false if it is left out. */
static bool open_listed_binary(const struct settings *s, struct binaries *b, size_t i,
			       struct tr_header *header)
{
	const struct tr_bin *bin = &b->list.bins[i];
	const struct tr_image_options options = {.part = bin->part};
	tr_cli_check_path(&s->cli, bin->path);
	int status = tr_image_open(&b->images[i], bin->path, &options);
	tr_cli_need(&s->cli, b->images[i]);
	if (may_leave_out_image(s, b, i, status, header))
		return false;
	if (status)
		tr_die(&s->cli, "%s",
		       tr_bins_blame(&b->list, i, tr_image_message(b->images[i])));
	if (!tr_map_set(&b->codes, tr_image_code_hash(b->images[i]), (uint32_t)i))
		tr_cli_check(&s->cli, TR_E_NOMEM);
	check_binary(s, b, i, header);
	b->binaries[i] = (struct tr_match_binary){
	    .overlays = tr_image_has_overlays(b->images[i]),
	    .image = b->images[i],
	    .role = tr_image_is_module(b->images[i]) ? TR_ROLE_KERNEL : bin->role,
	    .any_priv = tr_header_lacks(header, "priv"),
	    .has_base = bin->has_base,
	    .base = bin->base + base_of_part(b, i)};
	tr_cli_check(&s->cli, tr_bin_keys_binary(header, i, b->images[i], bin));
	add_image_parts(s, b, i);
	return true;
}

static void list_given_binaries(const struct settings *s, struct binaries *b)
{
	for (size_t i = 0; i < s->bins.count; i++) {
		if (tr_bins_add(&b->list, s->bins.text[i]))
			tr_die(&s->cli, "%s", b->list.message);
		tr_cli_protect_input(&s->cli, s->cli.output, s->bins.text[i]);
	}
	for (size_t i = 0; i < s->sysroots.count; i++)
		if (tr_bins_add_sysroot(&b->list, s->sysroots.text[i]))
			tr_die(&s->cli, "%s", b->list.message);
}

/* Opens the stubs of binary `i`. */
static void open_listed_stubs(const struct settings *s, struct binaries *b, size_t i,
			      struct tr_header *header)
{
	struct tr_stub_files *files;
	int status = tr_stub_files_open(&files, b->list.bins[i].stubs);
	tr_cli_need(&s->cli, files);
	if (!status)
		status = tr_stub_files_check(files, b->images[i]);
	if (status)
		tr_die(&s->cli, "%s",
		       tr_bins_blame(&b->list, i, tr_stub_files_message(files)));
	tr_cli_check(&s->cli,
		     tr_grow(&b->stubs, &b->stub_room, b->nstubs + 1, sizeof(*b->stubs))
			 ? TR_OK
			 : TR_E_NOMEM);
	b->binaries[i].stubs = files;
	b->binaries[i].stubs_number = (uint32_t)(b->list.count + b->nstubs);
	tr_cli_check(&s->cli, tr_bin_keys_stubs(header, b->list.count + b->nstubs, files,
						i, b->images[i], b->list.bins[i].role));
	b->stubs[b->nstubs++] = files;
}

static void open_binaries(const struct settings *s, struct binaries *b,
			  struct tr_header *header)
{
	list_given_binaries(s, b);
	for (size_t i = 0; i < b->list.count;) {
		reserve_image_slots(s, b);
		if (open_listed_binary(s, b, i, header)) {
			i++;
			continue;
		}
		tr_image_close(b->images[i]);
		tr_bins_remove(&b->list, i);
	}
	for (size_t i = 0; i < b->list.count; i++)
		if (b->list.bins[i].stubs)
			open_listed_stubs(s, b, i, header);
	b->index = tr_match_index_new(b->binaries, b->list.count);
	tr_cli_need(&s->cli, b->index);
}

static void close_binaries(struct binaries *b)
{
	tr_match_index_free(b->index);
	for (size_t i = 0; i < b->list.count; i++)
		tr_image_close(b->images[i]);
	for (size_t i = 0; i < b->nstubs; i++)
		tr_stub_files_close(b->stubs[i]);
	tr_jit_maps_release(&b->maps);
	free(b->stubs);
	free(b->images);
	free(b->binaries);
	tr_map_free(&b->codes);
	tr_bins_release(&b->list);
}

static void add_sum(struct tr_header *end, const char *what, struct tr_match_sum sum)
{
	char key[64];
	snprintf(key, sizeof(key), "match_%s_instructions", what);
	tr_header_set_u64(end, key, sum.instructions);
	snprintf(key, sizeof(key), "match_%s_cycles", what);
	tr_header_set_u64(end, key, sum.cycles);
}

static void print_report(const struct tr_cli *cli, const struct tr_match_report *report)
{
	tr_warn(cli,
		"matched %" PRIu64 " instruction%s (%" PRIu64
		" cycle%s), ambiguous %" PRIu64 " (%" PRIu64 "), unknown %" PRIu64
		" (%" PRIu64 "); %" PRIu64 " address space%s; satp cache: %" PRIu64
		" block%s, searched %" PRIu64,
		report->matched.instructions, tr_plural(report->matched.instructions),
		report->matched.cycles, tr_plural(report->matched.cycles),
		report->ambiguous.instructions, report->ambiguous.cycles,
		report->unknown.instructions, report->unknown.cycles, report->spaces,
		tr_plural(report->spaces), report->cached, tr_plural(report->cached),
		report->searched);
	if (report->latest)
		tr_warn(cli,
			"places known after at most %" PRIu64 " instruction%s in them",
			report->latest, tr_plural(report->latest));
	if (report->stub_places)
		tr_warn(cli, "stubs of the run-time profiler ran at %" PRIu64 " place%s",
			report->stub_places, tr_plural(report->stub_places));
	if (report->patched && !report->too_patched)
		tr_warn(cli, "%" PRIu64 " block%s from the file: the kernel patched %s",
			report->patched, report->patched == 1 ? " differs" : "s differ",
			report->patched == 1 ? "it" : "them");
}

/* Warns of missing information in the source that no list of binaries can replace. */
static void warn_of_source(const struct tr_cli *cli, const struct tr_header *header)
{
	if (tr_header_lacks(header, "priv"))
		tr_warn(cli, "warning: the source does not report the privilege: roles "
			     "are ignored, and stacks may be mixed up; capture it");
	if (tr_header_lacks(header, "satp"))
		tr_warn(cli, "warning: the source does not report satp: programs at the "
			     "same addresses may be mixed up; capture it");
}

static bool is_listed(const struct binaries *b, const char *name, const char *build)
{
	for (size_t i = 0; i < b->list.count; i++)
		if (strcmp(tr_image_build_id(b->images[i]), build) == 0 ||
		    strcmp(tr_image_name(b->images[i]), name) == 0)
			return true;
	return false;
}

/* Warns of files that the simulator loaded whose build is not listed. */
static void warn_of_missing(const struct settings *s, const struct binaries *b,
			    const struct tr_header *header)
{
	const char *name, *build;
	for (size_t i = 0; loaded_file(header, i, &name, &build); i++)
		if (*build && !is_listed(b, name, build))
			tr_warn(&s->cli,
				"warning: %s, which the simulator loaded, is not in the "
				"list",
				name);
}

static bool has_library(const struct binaries *b, const char *name)
{
	for (size_t i = 0; i < b->list.count; i++) {
		const char *slash = strrchr(b->list.bins[i].path, '/');
		if (strcmp(tr_image_soname(b->images[i]), name) == 0 ||
		    strcmp(slash ? slash + 1 : b->list.bins[i].path, name) == 0)
			return true;
	}
	return false;
}

/* Warns of libraries that the programs that ran need, and that are not there. */
static void warn_of_libraries(const struct settings *s, const struct binaries *b,
			      const struct tr_match *match)
{
	for (uint32_t i = 0; i < b->list.count; i++) {
		const char *name;
		for (size_t k = 0; tr_match_has_found(match, i) &&
				   (name = tr_image_need(b->images[i], k));
		     k++)
			if (!has_library(b, name))
				tr_warn(&s->cli,
					"warning: %s needs %s, which is not among the "
					"binaries: its code is unknown",
					b->list.bins[i].path, name);
	}
}

/* Warns of binaries that are similar to what ran, but are not it. */
static void warn_of_versions(const struct settings *s, const struct binaries *b,
			     const struct tr_match *match)
{
	for (uint32_t i = 0; i < b->list.count; i++) {
		const struct tr_match_suspect suspect = tr_match_suspect(match, i);
		if (suspect.agreed)
			tr_warn(&s->cli,
				"warning: %s: another version ran: %" PRIu64
				" instruction%s with it, %" PRIu64 " differ%s",
				b->list.bins[i].path, suspect.agreed,
				suspect.agreed == 1 ? " agrees" : "s agree",
				suspect.differing, suspect.differing == 1 ? "s" : "");
	}
}

/* More than 1 unknown instruction in 10,000 is reported even without -v. */
static void warn_of_unknown(const struct settings *s, const struct binaries *b,
			    const struct tr_header *header, const struct tr_match *match,
			    const struct tr_match_report *report)
{
	const struct tr_cli *cli = &s->cli;
	uint64_t all = report->matched.instructions + report->ambiguous.instructions +
		       report->unknown.instructions;
	if (report->unknown.instructions > all / 10000) {
		tr_warn(cli,
			"warning: %.3f %% of the instructions are in no binary of the "
			"list, the first at 0x%" PRIx64
			": another build, or a file is missing; see tr-info --bins",
			100.0 * (double)report->unknown.instructions / (double)all,
			report->first_unknown);
		warn_of_missing(s, b, header);
		warn_of_libraries(s, b, match);
		warn_of_versions(s, b, match);
	}
	if (report->too_patched)
		tr_warn(cli,
			"warning: the kernel's code differs from its file in more places "
			"than a kernel patches itself (%" PRIu64 " block%s refused): "
			"another build of the kernel ran; give the vmlinux of the one "
			"that did",
			report->too_patched, tr_plural(report->too_patched));
	if (report->stubs_differ)
		tr_warn(cli,
			"warning: %" PRIu64 " block%s where stubs should be %s not the "
			"injector's code: other files than the list's were injected",
			report->stubs_differ, tr_plural(report->stubs_differ),
			report->stubs_differ == 1 ? "is" : "are");
	if (report->ambiguous.instructions > all / 10000)
		tr_warn(cli,
			"warning: %.3f %% of the instructions fit several binaries, or "
			"are too few to tell; see tr-info --bins",
			100.0 * (double)report->ambiguous.instructions / (double)all);
}

static void finish_matched_stream(const struct settings *s,
				  const struct binaries *binaries, struct tr_match *match,
				  struct tr_reader *reader, struct tr_output *out)
{
	struct tr_match_report report;
	tr_cli_wrote(out, tr_match_finish(match));
	tr_match_report(match, &report);
	struct tr_header *end = tr_header_copy(tr_reader_end(reader));
	tr_cli_need(&s->cli, end);
	add_sum(end, "matched", report.matched);
	add_sum(end, "ambiguous", report.ambiguous);
	add_sum(end, "unknown", report.unknown);
	tr_header_set_u64(end, "match_spaces", report.spaces);
	tr_header_set_u64(end, "match_patched", report.patched);
	if (report.too_patched)
		tr_header_set_u64(end, "match_kernel_refused", report.too_patched);
	tr_header_set_u64(end, "match_cached", report.cached);
	tr_header_set_u64(end, "match_searched", report.searched);
	tr_cli_finish(out, end);
	tr_header_free(end);
	tr_cli_tell_cut_off(&s->cli, tr_cli_input(&s->cli, NULL), tr_reader_end(reader));
	warn_of_source(&s->cli, tr_reader_header(reader));
	warn_of_unknown(s, binaries, tr_reader_header(reader), match, &report);
	if (s->cli.verbose)
		print_report(&s->cli, &report);
}

struct matching {
	const struct settings *settings;
	struct tr_match *match;
	struct tr_output *out;
};

static bool match_frame(void *context, const struct tr_frame *frame)
{
	const struct matching *matching = context;
	tr_cli_wrote(matching->out, tr_match_frame(matching->match, frame));
	tr_jit_maps_check(&matching->settings->cli, matching->match);
	return true;
}

static void match_input_stream(const struct settings *s, const struct binaries *binaries,
			       struct tr_reader *reader, struct tr_match *match,
			       struct tr_output *out)
{
	const struct tr_cli_frames take = {.rows = match_frame,
					   .context = &(struct matching){s, match, out},
					   .is_ahead = true};
	int status = tr_cli_each_frame(&s->cli, reader, &take);
	if (status != TR_END) {
		tr_match_finish(match);
		tr_cli_bad_input(out, reader);
	}
	finish_matched_stream(s, binaries, match, reader, out);
}

int main(int argc, char **argv)
{
	struct settings s = {
	    .match = {.depth = TR_MATCH_DEPTH, .history = TR_MATCH_HISTORY}};
	struct binaries binaries = {0};
	struct tr_output out;

	parse_args(&s, argc, argv);
	struct tr_reader *reader =
	    tr_cli_reader_of(&s.cli, tr_cli_input(&s.cli, NULL), TR_CONTENT_ROWS);
	struct tr_header *header = tr_header_copy(tr_reader_header(reader));
	tr_cli_need(&s.cli, header);
	tr_header_remove(header, "bin."); /* from an earlier tr-match */
	open_binaries(&s, &binaries, header);
	tr_jit_maps_open(&s.cli, &s.maps, binaries.list.count + binaries.nstubs, header,
			 &binaries.maps);
	s.match.jits = binaries.maps.maps;
	s.match.njits = binaries.maps.count;
	tr_cli_writer(&out, &s.cli, header);
	struct tr_match *match =
	    tr_match_new(binaries.index, &s.match, reader, out.writer);
	tr_cli_need(&s.cli, match);
	match_input_stream(&s, &binaries, reader, match, &out);
	tr_match_free(match);
	close_binaries(&binaries);
	tr_header_free(header);
	free(s.bins.text);
	free(s.sysroots.text);
	free(s.maps.text);
	tr_reader_close(reader);
	return TR_EXIT_OK;
}
