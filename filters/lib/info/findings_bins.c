/* SPDX-License-Identifier: Apache-2.0 */
/* Finds problems in a list of binaries. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "info/findings.h"
#include "text/text_names.h"

enum {
	CEILING = 10000,  /* one in this many instructions may be in no binary */
	SPACES_SHOWN = 5, /* more would hide the other findings */
	PAGE = 4096,
	PATCHED = 32, /* a kernel may patch one in this many instructions */
	CERTAIN = 8,  /* bytes of code that are on a page hardly by chance */
};

static bool any_floats(const struct tr_coverage *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (tr_coverage_floats(c, i))
			return true;
	return false;
}

/* Returns true if the binary has any code at `pc` that may run at `priv`. A role that
 * does not fit is ignored. */
static bool binary_reaches_pc(const struct tr_coverage *c, size_t i, unsigned priv,
			      uint64_t pc)
{
	const struct tr_image *image = c->images[i];
	size_t count = tr_image_code_count(image);
	if (count == 0 || tr_coverage_floats(c, i) ||
	    (!tr_coverage_role_allows(c->bins[i].role, priv) &&
	     !tr_coverage_any(&c->misfits[i])))
		return false;
	if (c->bins[i].has_base)
		pc -= c->bins[i].base - tr_image_code(image, 0)->address / PAGE * PAGE;
	if (tr_image_bytes(image, pc, 2))
		return true;
	for (size_t k = 0; k < count && !c->bins[i].has_base; k++)
		if (tr_image_bytes(image,
				   pc - (uint64_t)tr_image_code(image, k)->load_delta, 2))
			return true;
	return false;
}

/* Returns the binary that has the lost code at the sign-extended address, since a trace
 * port may truncate addresses; c->count if there is none. */
static size_t find_extended(const struct tr_coverage *c,
			    const struct tr_cover_space *space)
{
	uint64_t pc = space->lost_pc, size = space->lost_bytes;
	static const unsigned widths[] = {32, 39, 40, 48};
	for (unsigned k = 0; k < sizeof(widths) / sizeof(widths[0]); k++) {
		uint64_t sign = UINT64_C(1) << (widths[k] - 1);
		if (pc >> widths[k] || !(pc & sign))
			continue;
		for (size_t i = 0; i < c->count; i++) {
			const uint8_t *code = tr_image_bytes(
			    c->images[i], (pc ^ sign) - sign, size ? size : 2);
			if (code && memcmp(code, space->lost_code, size) == 0)
				return i;
		}
	}
	return c->count;
}

/* Returns the binary that has the lost code on another page, with its address there,
 * since a kernel may map a page twice; c->count if there is none. */
static size_t find_on_page(const struct tr_coverage *c,
			   const struct tr_cover_space *space, uint64_t *address)
{
	for (size_t i = 0; i < c->count && space->lost_bytes >= CERTAIN; i++) {
		const struct tr_image *image = c->images[i];
		for (size_t k = 0; k < tr_image_code_count(image); k++) {
			const struct tr_code *code = tr_image_code(image, k);
			for (uint64_t at = (space->lost_pc - code->address) % PAGE;
			     at < code->size && code->size - at >= space->lost_bytes;
			     at += PAGE) {
				*address = code->address + at;
				if (memcmp(code->data + at, space->lost_code,
					   space->lost_bytes) == 0)
					return i;
			}
		}
	}
	return c->count;
}

/* Returns advice on code that no binary has, at addresses that no binary covers. */
static const char *cause_elsewhere(const struct tr_coverage *c, unsigned priv)
{
	for (size_t i = 0; i < c->count; i++)
		if (tr_coverage_floats(c, i) &&
		    tr_coverage_role_allows(c->bins[i].role, priv))
			return "unless in one without a fixed address";
	if (priv == TR_PRIV_S)
		return "is the kernel missing from the list?";
	if (priv == TR_PRIV_M)
		return "is the firmware missing from the list?";
	return "is a program, a library or the vdso missing from the list?";
}

/* Returns true if programs that may run at this privilege have stubs of the run-time
 * profiler. */
static bool may_have_stubs(const struct tr_coverage *c, uint8_t priv)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->bins[i].stubs &&
		    (c->bins[i].role == TR_ROLE_ANY || priv == TR_PRIV_U))
			return true;
	return false;
}

/* Writes advice on code that no binary has. Programs share addresses, so a program that
 * ran elsewhere need not be the one that runs here. */
static void print_cause(const struct tr_coverage *c, const struct tr_cover_space *space,
			char *text, size_t size)
{
	size_t found = 0, last = 0;
	bool mostly = space->lost > space->instructions / 2;
	for (size_t i = 0; i < c->count; i++)
		if (binary_reaches_pc(c, i, space->priv, space->lost_pc)) {
			found++;
			last = i;
		}
	uint64_t address = 0;
	size_t extended = found ? c->count : find_extended(c, space);
	size_t twice = found ? c->count : find_on_page(c, space, &address);
	if (may_have_stubs(c, space->priv))
		snprintf(text, size,
			 "stubs of the run-time profiler, as tr-match will tell, or is a "
			 "program missing from the list?");
	else if (twice < c->count && !tr_coverage_floats(c, twice) &&
		 extended == c->count)
		snprintf(
		    text, size,
		    "%s has this code at 0x%" PRIx64
		    ": the page is mapped twice, or code was moved, as tr-match will "
		    "tell",
		    c->labels[twice], address);
	else if (extended < c->count)
		snprintf(text, size,
			 "%s has code there when the sign is extended: convert the "
			 "addresses to 64 bits",
			 c->labels[extended]);
	else if (found == 0)
		snprintf(text, size, "%s", cause_elsewhere(c, space->priv));
	else if (space->priv == TR_PRIV_S && space->lost <= space->instructions / PATCHED)
		snprintf(text, size,
			 "%s patched itself when it ran, as tr-match will tell, or is "
			 "another build",
			 c->labels[last]);
	else if (found == 1 && (space->priv != TR_PRIV_U || !mostly ||
				!tr_coverage_any(&c->covers[last])))
		snprintf(text, size, "another build of %s?", c->labels[last]);
	else if (found == 1)
		snprintf(text, size,
			 "is a program missing from the list, or this another build of "
			 "%s?",
			 c->labels[last]);
	else
		snprintf(text, size,
			 "is a program missing from the list, or another build of one "
			 "there?");
}

static void find_space(struct tr_findings *findings, const struct tr_coverage *c,
		       const struct tr_cover_space *space)
{
	char room[TR_NAME_ROOM], where[64], cause[512];
	print_cause(c, space, cause, sizeof(cause));
	if (space->others)
		snprintf(where, sizeof(where), "further address spaces");
	else if (space->id.hgatp)
		snprintf(where, sizeof(where), "VU, satp 0x%" PRIx64 ", hgatp 0x%" PRIx64,
			 space->id.satp, space->id.hgatp);
	else if (space->priv == TR_PRIV_U)
		snprintf(where, sizeof(where), "U, satp 0x%" PRIx64, space->id.satp);
	else
		snprintf(where, sizeof(where), "%s", tr_priv_name(space->priv, room));
	tr_find(findings, false,
		"%.3f %% of the instructions are in no binary, first at 0x%" PRIx64
		" (%s): %s",
		100.0 * (double)space->lost / (double)space->instructions, space->lost_pc,
		where, cause);
}

/* Spaces are sorted by lost instructions, in descending order. */
static void find_lost_spaces(struct tr_findings *findings, const struct tr_coverage *c)
{
	size_t shown = 0, more = 0;
	for (size_t i = 0; i < c->nspaces; i++) {
		const struct tr_cover_space *space = &c->spaces[i];
		if (space->lost <= space->instructions / CEILING)
			continue;
		if (shown == SPACES_SHOWN) {
			more++;
			continue;
		}
		find_space(findings, c, space);
		shown++;
	}
	if (more)
		tr_find(findings, false, "likewise in %zu more address spaces", more);
}

static void find_misfits(struct tr_findings *findings, const struct tr_coverage *c)
{
	static const char *const wanted[] = {
	    [TR_PRIV_U] = "user", [TR_PRIV_S] = "kernel", [TR_PRIV_M] = "firmware"};
	for (size_t i = 0; i < c->count; i++) {
		unsigned kinds = 0;
		for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
			kinds += c->covers[i].blocks[priv] != 0;
		for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++) {
			char room[TR_NAME_ROOM];
			bool say = kinds == 1 && wanted[priv];
			if (c->misfits[i].blocks[priv] == 0)
				continue;
			tr_find(findings, false,
				"%s: its role is %s, but its code ran in %s-mode: drop "
				"the role%s%s",
				c->labels[i], tr_role_name(c->bins[i].role),
				tr_priv_name(priv, room), say ? " or say " : "",
				say ? wanted[priv] : "");
		}
	}
}

/* Returns true if a block can belong to either binary. */
static bool is_twin(const struct tr_coverage *c, const uint64_t *hashes, size_t i,
		    size_t j)
{
	const struct tr_bin *a = &c->bins[i], *b = &c->bins[j];
	return hashes[i] == hashes[j] && tr_image_code_count(c->images[i]) &&
	       a->has_base == b->has_base && a->base == b->base &&
	       (a->role == b->role || a->role == TR_ROLE_ANY || b->role == TR_ROLE_ANY);
}

/* Returns true for a copy of a binary, which counts as the same. */
static bool is_binary_copy(const struct tr_coverage *c, size_t i, size_t j)
{
	const char *id = tr_image_build_id(c->images[i]);
	return *id && strcmp(id, tr_image_build_id(c->images[j])) == 0 &&
	       tr_image_code_hash(c->images[i]) == tr_image_code_hash(c->images[j]);
}

static bool has_run(const struct tr_findings *findings, const struct tr_coverage *c,
		    size_t i)
{
	bool has = false;
	if (!findings->found)
		return tr_coverage_any(&c->covers[i]);
	for (size_t j = 0; j < c->count && !has; j++)
		has = findings->found->bins[j] && (j == i || is_binary_copy(c, i, j));
	return has;
}

static bool is_stripped(const struct tr_coverage *c, size_t i)
{
	static const struct tr_image_options names = {.functions = true};
	struct tr_image *image;
	int status = tr_image_open(&image, c->bins[i].path, &names);
	bool stripped = status == TR_OK;
	for (size_t k = 0; stripped && k < tr_image_function_count(image); k++)
		stripped = tr_image_function(image, k)->is_nameless;
	tr_image_close(image);
	return stripped;
}

/* Reports each binary with an earlier twin, and those that ran without names. Returns
 * TR_OK or TR_E_NOMEM. */
static int find_twins(struct tr_findings *findings, const struct tr_coverage *c)
{
	uint64_t *hashes = calloc(c->count + 1, sizeof(*hashes));
	bool *twins = calloc(c->count + 1, sizeof(*twins));
	int status = hashes && twins ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < c->count && !status; i++) {
		size_t j = 0;
		hashes[i] = tr_image_code_hash(c->images[i]);
		while (j < i && !is_twin(c, hashes, i, j))
			j++;
		if (j == i)
			continue;
		twins[i] = twins[j] = true;
		if (is_binary_copy(c, i, j))
			continue;
		tr_find(findings, false, "%s and %s hold the same code: list one of them",
			c->bins[j].path, c->bins[i].path);
	}
	for (size_t i = 0; i < c->count && !status; i++)
		if (!twins[i] && has_run(findings, c, i) && is_stripped(c, i))
			tr_find(findings, false,
				"%s has no symbols: its functions will have no names; "
				"list the unstripped file",
				c->bins[i].path);
	free(hashes);
	free(twins);
	return status;
}

static void find_unused(struct tr_findings *findings, const struct tr_coverage *c)
{
	const struct tr_work *found = findings->found;
	/* what fits several binaries is of one of them */
	if (found && tr_header_get_u64(found->end, "match_ambiguous_instructions", 0) >
			 tr_header_get_u64(found->end, "instructions", 0) / CEILING)
		return;
	for (size_t i = 0; i < c->count; i++) {
		if (c->bins[i].is_optional || has_run(findings, c, i))
			continue;
		if (!findings->found && tr_coverage_floats(c, i))
			tr_find(findings, false, "%s has no fixed address: not searched",
				c->labels[i]);
		else
			tr_find(findings, false,
				"%s: none of its code has run, or it is another build",
				c->labels[i]);
	}
}

/* Checks whether a file that the simulator loaded is listed with the same build, or only
 * by name. */
static void find_build(struct tr_findings *findings, const struct tr_coverage *c,
		       const char *name, const char *build)
{
	const char *other = NULL, *path = NULL;
	for (size_t i = 0; i < c->count; i++) {
		const char *id = tr_image_build_id(c->images[i]);
		if (strcmp(id, build) == 0)
			return;
		if (*id && strcmp(tr_image_name(c->images[i]), name) == 0) {
			path = c->bins[i].path;
			other = id;
		}
	}
	if (other)
		tr_find(findings, false,
			"%s: another build than the one that ran: build-id %s, in the "
			"trace %s",
			path, other, build);
	else
		tr_find(findings, false,
			"%s, which the simulator loaded, is not in the list: build-id %s",
			name, build);
}

/* Only if code is lost, since a list need not be complete. */
static void find_builds(struct tr_findings *findings, const struct tr_header *header,
			const struct tr_coverage *c)
{
	const char *name, *build;
	char key[48];
	bool lost = false;
	for (size_t i = 0; i < c->nspaces; i++)
		lost |= c->spaces[i].lost > c->spaces[i].instructions / PATCHED;
	for (size_t i = 0; lost; i++) {
		snprintf(key, sizeof(key), "image.%zu", i);
		name = tr_header_get(header, key);
		if (!name)
			return;
		snprintf(key, sizeof(key), "image.%zu.build_id", i);
		build = tr_header_get(header, key);
		if (build && *build)
			find_build(findings, c, name, build);
	}
}

/* Examines the binaries by what the filters found. Addresses and roles explain what was
 * not found only if as much code is lost by them. */
static int find_by_found(struct tr_findings *findings, const struct tr_header *header,
			 const struct tr_coverage *c)
{
	const struct tr_header *end = findings->found->end;
	uint64_t all = tr_header_get_u64(end, "instructions", 0), lost = 0;
	uint64_t unknown = tr_header_get_u64(end, "match_unknown_instructions", 0);
	for (size_t i = 0; i < c->nspaces; i++)
		lost += c->spaces[i].lost;
	if (unknown > all / CEILING) {
		find_misfits(findings, c);
		if (lost <= unknown)
			find_lost_spaces(findings, c);
		find_builds(findings, header, c);
	}
	int status = find_twins(findings, c);
	find_unused(findings, c);
	return status;
}

int tr_find_in_bins(struct tr_findings *findings, const struct tr_header *header,
		    const struct tr_coverage *c)
{
	if (findings->found)
		return find_by_found(findings, header, c);
	bool roles = !tr_header_lacks(header, "priv");
	struct tr_cover found = c->all;
	bool ran = tr_coverage_any(&c->all);
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
		found.blocks[priv] -= c->lost.blocks[priv];
	if (ran && !tr_coverage_any(&found) && !any_floats(c)) {
		size_t extended = c->nspaces ? find_extended(c, &c->spaces[0]) : c->count;
		if (extended < c->count)
			tr_find(findings, true,
				"none of the code is in the binaries, but %s has code "
				"there when the sign is extended: convert the addresses "
				"to 64 bits",
				c->labels[extended]);
		else
			tr_find(findings, true,
				"none of the code is in the binaries: another build, or "
				"base?");
		find_builds(findings, header, c);
		return find_twins(findings, c);
	}
	findings->empty |= roles && ran && !tr_coverage_any(&c->fits) && !any_floats(c);
	if (roles)
		find_misfits(findings, c);
	find_lost_spaces(findings, c);
	find_builds(findings, header, c);
	int status = find_twins(findings, c);
	find_unused(findings, c);
	return status;
}
