/* SPDX-License-Identifier: Apache-2.0 */
/* What an unwinder reads: blocks and timings from a reader, and functions, code and
 * source places from the binaries of tr-match, which are opened when their code first
 * runs. */
#ifndef TR_IMAGE_SOURCE_H
#define TR_IMAGE_SOURCE_H

#include "stream/reader.h"
#include "unwind/symbols.h"
#include "unwind/unwind.h"
#include "unwind/jit_code.h"

/* All that it points to remains the caller's, and must outlive the unwinder. */
struct tr_image_source {
	const struct tr_reader *reader;
	/* The current frame, if the reader may have gone on behind it; or NULL. */
	const struct tr_frame *frame;
	struct tr_symbols *symbols;
	const struct tr_jit_code *jit_code; /* NULL: nothing tells of it */
	bool has_places; /* inlined calls or source lines are asked for */
	/* Called for each binary that is opened. */
	void (*opened)(void *user, const struct tr_image *image);
	void *user;
	/* TR_OK, until a binary cannot be opened: then that status of tr_symbols_need(),
	 * and nothing more is found in any binary. Look after each call of the unwinder.
	 */
	int status;
};

/* Returns the callbacks for tr_unwind_new(), which use `source`. */
struct tr_unwind_source tr_image_source_calls(struct tr_image_source *source);

#endif
