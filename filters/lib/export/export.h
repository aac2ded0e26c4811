/* SPDX-License-Identifier: Apache-2.0 */
/* Formats of tr-fold's output. A format is one file, export_NAME.c, which defines one
 * struct tr_export_format; export_formats.h declares it and export.c lists it. */
#ifndef TR_EXPORT_H
#define TR_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/folded.h"
#include "profile/profile.h"
#include "stream/header.h"

/* What is written. The caller owns all of it. */
struct tr_export {
	/* The stacks as a tree of names; self[which] is in `unit`, self[!which] in
	 * `other_unit`. Only the nodes below `top` are written (0: all). */
	const struct tr_folded *folded;
	uint32_t top;
	unsigned which;
	const char *unit, *other_unit; /* "cycles", "instructions", or a counter */
	/* The same stacks by function, for formats that need more than names
	 * (tr_profile_stack()), but always all of them. */
	const struct tr_profile *profile;
	const struct tr_header *header;
	const struct tr_header *end; /* NULL before the end of the stream */
	const char *title;
	const char *note;  /* the line of conservation */
	uint64_t clock_hz; /* 0: cycles are no time, or the clock is not known */
	/* For begin(), take(), step() and write(): the reason of an error, "" for that of
	 * the status. */
	char *message;
	size_t size;
};

struct tr_export_format {
	const char *name;
	const char *suffix;  /* of a file of -d, ".folded" */
	const char *summary; /* half a line, for --format help */
	bool is_binary;	     /* not written to a terminal */
	bool has_no_parts;   /* writes the whole profile only, so not with -d */

	/* Writes the sums after the end of the stream. Returns TR_OK, or a status and
	 * perhaps a message; write errors are left in ferror(file). */
	int (*write)(const struct tr_export *, void *state, FILE *file);

	/* For formats in order of time; both NULL for those of sums. begin() is called
	 * once the header is known, and sets *state; take() with each frame, which it
	 * may write to `file` at once; write() as above. After it release() is called,
	 * if it is not NULL. Return a status, and perhaps a message. */
	int (*begin)(const struct tr_export *, void **state, FILE *file);
	int (*take)(const struct tr_export *, void *state, const struct tr_reader *,
		    const struct tr_sframe *frame, FILE *file);
	void (*release)(void *state);
	/* Takes each step of the profile (tr_profile_observe()) instead of frames; for
	 * stacks in cycles, of harts or threads. Returns a status, and perhaps a
	 * message. */
	int (*step)(const struct tr_export *, void *state,
		    const struct tr_profile_step *step);
	/* Before release(): what was left out, in a line of text; "" for nothing. */
	void (*left_out)(const void *state, char *text, size_t size);
};

/* Returns the formats, of which the first is the default; the last one is NULL. */
const struct tr_export_format *const *tr_export_formats(void);
/* Returns the format of this name, or NULL. */
const struct tr_export_format *tr_export_find(const char *name);
/* Writes the most similar names, as in "pprof, folded"; "" when none is similar. */
void tr_export_near(const char *name, char *text, size_t size);

#endif
