/* SPDX-License-Identifier: Apache-2.0 */
/* Finds what is wrong with a list of binaries. */
#include <inttypes.h>
#include <stdlib.h>

#include "findings.h"
#include "text_names.h"

enum {
	CEILING = 10000,  /* of so many instructions one may be in no binary */
	SPACES_SHOWN = 5, /* more would hide the other findings */
};

static bool floats(const struct tr_coverage *c, size_t i)
{
	return tr_image_is_pie(c->images[i]) && !c->bins[i].has_base;
}

static bool any_floats(const struct tr_coverage *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (floats(c, i))
			return true;
	return false;
}

/* What to do about code at `pc` that no binary has. */
static void print_cause(const struct tr_coverage *c, uint64_t pc, char *text, size_t size)
{
	for (size_t i = 0; i < c->count; i++)
		if (!c->bins[i].has_base && !tr_image_is_pie(c->images[i]) &&
		    tr_image_bytes(c->images[i], pc, 2)) {
			snprintf(text, size, "another build of %s?", c->labels[i]);
			return;
		}
	snprintf(text, size, "%s",
		 any_floats(c) ? "unless in one without a fixed address"
			       : "is a binary missing from the list?");
}

static void find_space(struct tr_findings *findings, const struct tr_coverage *c,
		       const struct tr_cover_space *space)
{
	char room[TR_NAME_ROOM], where[64], cause[512];
	print_cause(c, space->lost_pc, cause, sizeof(cause));
	if (space->others)
		snprintf(where, sizeof(where), "further address spaces");
	else if (space->priv == TR_PRIV_U)
		snprintf(where, sizeof(where), "U, satp 0x%" PRIx64, space->satp);
	else
		snprintf(where, sizeof(where), "%s", tr_priv_name(space->priv, room));
	tr_find(findings, false,
		"%.3f %% of the instructions are in no binary, first at 0x%" PRIx64
		" (%s): %s",
		100.0 * (double)space->lost / (double)space->instructions, space->lost_pc,
		where, cause);
}

/* The spaces are sorted: those with most lost come first. */
static void find_lost(struct tr_findings *findings, const struct tr_coverage *c)
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
		tr_find(findings, false, "the same of %zu more address spaces", more);
}

static const char *role_name(enum tr_role role)
{
	static const char *const names[] = {"any", "firmware", "kernel", "user"};
	return names[role];
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
				c->labels[i], role_name(c->bins[i].role),
				tr_priv_name(priv, room), say ? " or say " : "",
				say ? wanted[priv] : "");
		}
	}
}

/* May both be meant by the same block? */
static bool is_twin(const struct tr_coverage *c, const uint64_t *hashes, size_t i,
		    size_t j)
{
	const struct tr_bin *a = &c->bins[i], *b = &c->bins[j];
	return hashes[i] == hashes[j] && tr_image_code_count(c->images[i]) &&
	       a->has_base == b->has_base && a->base == b->base &&
	       (a->role == b->role || a->role == TR_ROLE_ANY || b->role == TR_ROLE_ANY);
}

static bool is_stripped(const struct tr_coverage *c, size_t i)
{
	static const struct tr_image_options names = {.functions = true};
	struct tr_image *image;
	int status = tr_image_open(&image, c->bins[i].path, &names);
	bool stripped = status == TR_OK && tr_image_function_count(image) == 0;
	tr_image_close(image);
	return stripped;
}

/* Each binary with a twin before it, and those that ran without names. */
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
		tr_find(findings, false, "%s and %s hold the same code: list one of them",
			c->bins[j].path, c->bins[i].path);
	}
	for (size_t i = 0; i < c->count && !status; i++)
		if (!twins[i] && tr_coverage_any(&c->covers[i]) && is_stripped(c, i))
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
	for (size_t i = 0; i < c->count; i++) {
		if (tr_coverage_any(&c->covers[i]))
			continue;
		if (floats(c, i))
			tr_find(findings, false,
				"%s has no fixed address: not looked for", c->labels[i]);
		else
			tr_find(findings, false,
				"%s: none of its code has run, or it is another build",
				c->labels[i]);
	}
}

int tr_find_in_bins(struct tr_findings *findings, const struct tr_coverage *c)
{
	struct tr_cover found = c->all;
	bool ran = tr_coverage_any(&c->all);
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
		found.blocks[priv] -= c->lost.blocks[priv];
	if (ran && !tr_coverage_any(&found) && !any_floats(c)) {
		tr_find(findings, true,
			"none of the code is in the binaries: another build, or base?");
		return find_twins(findings, c);
	}
	findings->empty |= ran && !tr_coverage_any(&c->fits) && !any_floats(c);
	find_misfits(findings, c);
	find_lost(findings, c);
	int status = find_twins(findings, c);
	find_unused(findings, c);
	return status;
}
