/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli_match.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"

void tr_cli_match_init(struct tr_cli_match *m, const struct tr_cli *cli)
{
	*m = (struct tr_cli_match){
	    .cli = cli,
	    .options = {.depth = TR_MATCH_DEPTH, .history = TR_MATCH_HISTORY}};
}

bool tr_cli_match_has_places(const struct tr_cli_match *m)
{
	return m->places.bins.count || m->places.sysroots.count;
}

void tr_cli_match_open(struct tr_cli_match *m, const char *path)
{
	m->input = path;
	m->reader = tr_cli_reader_of(m->cli, path, TR_CONTENT_ROWS);
	m->header = tr_header_copy(tr_reader_header(m->reader));
	tr_cli_need(m->cli, m->header);
	tr_header_remove(m->header, "bin."); /* from an earlier tr-match */
	tr_cli_binaries_open(m->cli, &m->places, m->header, &m->binaries);
	tr_jit_maps_open(m->cli, &m->maps, m->binaries.list.count + m->binaries.nstubs,
			 m->header, &m->jits);
	m->options.jits = m->jits.maps;
	m->options.njits = m->jits.count;
}

void tr_cli_match_start(struct tr_cli_match *m, struct tr_writer *writer)
{
	m->match = tr_match_new(m->binaries.index, &m->options, m->reader, writer);
	tr_cli_need(m->cli, m->match);
}

int tr_cli_match_frame(struct tr_cli_match *m, const struct tr_frame *frame)
{
	const int status = tr_match_frame(m->match, frame);
	if (!status)
		tr_jit_maps_check(m->cli, m->match);
	return status;
}

int tr_cli_match_finish(struct tr_cli_match *m)
{
	const int status = tr_match_finish(m->match);
	tr_match_report(m->match, &m->report);
	return status;
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

static bool is_listed(const struct tr_cli_binaries *b, const char *name,
		      const char *build)
{
	for (size_t i = 0; i < b->list.count; i++)
		if (strcmp(tr_image_build_id(b->images[i]), build) == 0 ||
		    strcmp(tr_image_name(b->images[i]), name) == 0)
			return true;
	return false;
}

/* Warns of files that the simulator loaded whose build is not listed. */
static void warn_of_missing(const struct tr_cli *cli, const struct tr_cli_binaries *b,
			    const struct tr_header *header)
{
	const char *name, *build;
	for (size_t i = 0; tr_cli_loaded_file(header, i, &name, &build); i++)
		if (*build && !is_listed(b, name, build))
			tr_warn(cli,
				"warning: %s, which the simulator loaded, is not in the "
				"list",
				name);
}

static bool has_library(const struct tr_cli_binaries *b, const char *name)
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
static void warn_of_libraries(const struct tr_cli *cli, const struct tr_cli_binaries *b,
			      const struct tr_match *match)
{
	for (uint32_t i = 0; i < b->list.count; i++) {
		const char *name;
		for (size_t k = 0; tr_match_has_found(match, i) &&
				   (name = tr_image_need(b->images[i], k));
		     k++)
			if (!has_library(b, name))
				tr_warn(cli,
					"warning: %s needs %s, which is not among the "
					"binaries: its code is unknown",
					b->list.bins[i].path, name);
	}
}

/* Warns of binaries that are similar to what ran, but are not it. */
static void warn_of_versions(const struct tr_cli *cli, const struct tr_cli_binaries *b,
			     const struct tr_match *match)
{
	for (uint32_t i = 0; i < b->list.count; i++) {
		const struct tr_match_suspect suspect = tr_match_suspect(match, i);
		if (suspect.agreed)
			tr_warn(cli,
				"warning: %s: another version ran: %" PRIu64
				" instruction%s with it, %" PRIu64 " differ%s",
				b->list.bins[i].path, suspect.agreed,
				suspect.agreed == 1 ? " agrees" : "s agree",
				suspect.differing, suspect.differing == 1 ? "s" : "");
	}
}

/* More than 1 unknown instruction in 10,000 is reported even without -v. */
static void warn_of_unknown(const struct tr_cli *cli, const struct tr_cli_binaries *b,
			    const struct tr_header *header, const struct tr_match *match,
			    const struct tr_match_report *report)
{
	uint64_t all = report->matched.instructions + report->ambiguous.instructions +
		       report->unknown.instructions;
	if (report->unknown.instructions > all / 10000) {
		tr_warn(cli,
			"warning: %.3f %% of the instructions are in no binary of the "
			"list, the first at 0x%" PRIx64
			": another build, or a file is missing; see tr-info --bins",
			100.0 * (double)report->unknown.instructions / (double)all,
			report->first_unknown);
		warn_of_missing(cli, b, header);
		warn_of_libraries(cli, b, match);
		warn_of_versions(cli, b, match);
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

struct tr_header *tr_cli_match_end(const struct tr_cli_match *m)
{
	const struct tr_match_report *report = &m->report;
	struct tr_header *end = tr_header_copy(tr_reader_end(m->reader));
	tr_cli_need(m->cli, end);
	add_sum(end, "matched", report->matched);
	add_sum(end, "ambiguous", report->ambiguous);
	add_sum(end, "unknown", report->unknown);
	tr_header_set_u64(end, "match_spaces", report->spaces);
	tr_header_set_u64(end, "match_patched", report->patched);
	if (report->too_patched)
		tr_header_set_u64(end, "match_kernel_refused", report->too_patched);
	tr_header_set_u64(end, "match_cached", report->cached);
	tr_header_set_u64(end, "match_searched", report->searched);
	return end;
}

void tr_cli_match_tell(const struct tr_cli_match *m)
{
	const struct tr_header *header = tr_reader_header(m->reader);
	tr_cli_tell_cut_off(m->cli, m->input, tr_reader_end(m->reader));
	warn_of_source(m->cli, header);
	warn_of_unknown(m->cli, &m->binaries, header, m->match, &m->report);
	if (m->cli->verbose)
		print_report(m->cli, &m->report);
}

void tr_cli_match_release(struct tr_cli_match *m)
{
	tr_match_free(m->match);
	tr_cli_binaries_close(&m->binaries);
	tr_jit_maps_release(&m->jits);
	tr_header_free(m->header);
	free(m->places.bins.text);
	free(m->places.sysroots.text);
	free(m->maps.text);
	tr_reader_close(m->reader);
}
