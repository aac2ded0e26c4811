/* SPDX-License-Identifier: Apache-2.0 */
/* A stream as text, one line a record, and back. tr-text(1) has the format. */
#ifndef TR_TEXT_H
#define TR_TEXT_H

#include <stdio.h>

#include "stream/header.h"
#include "stream/reader.h"
#include "stream/writer.h"

/* Writing. Failures of `out` are the caller's to find. */
struct tr_text {
	FILE *out;
	const struct tr_reader *reader;
	uint64_t generation;
	uint32_t blocks;		/* printed of this generation */
	uint32_t funcs, nodes, threads; /* printed */
};
void tr_text_init(struct tr_text *text, FILE *out, const struct tr_reader *reader);
/* "WORD key=value" lines; the word is "header" or "end". */
void tr_text_values(const struct tr_text *text, const char *word,
		    const struct tr_header *values);
void tr_text_frame(struct tr_text *text, const struct tr_frame *frame);
/* The same with a line for each token in place of blocks and rows. */
void tr_text_tokens(struct tr_text *text, const struct tr_frame *frame);
/* Values of a set of counters to the end of a line: " | branch_miss=12 …". */
void tr_text_values_of(const struct tr_text *text, uint32_t set, const uint64_t *values);
void tr_text_stacks(struct tr_text *text, const struct tr_sframe *frame);

/* Reading. The functions return TR_OK, TR_E_IO (errno), TR_E_NOMEM, or
 * TR_E_CORRUPT, and ->message has the line "file: line 12: …". */
struct tr_text_source {
	FILE *in;
	const char *name; /* as in messages */
	struct tr_text_line *line;
	bool held; /* the line is to be taken once more */
	uint32_t commit_width;
	struct tr_counters counters; /* of the header */
	const char *output; /* what is written: a failure to do so is blamed on it */
	int status;	    /* the first failure stays */
	int error;	    /* of TR_E_IO: errno */
	char message[512];
};
/* `path` "-" is standard input. */
int tr_text_open(struct tr_text_source *source, const char *path);
void tr_text_close(struct tr_text_source *source);
/* The header lines at the start. */
int tr_text_read_header(struct tr_text_source *source, struct tr_header *header);

/* A whole stream of rows goes to `fd` as a plain stream, but for its notes,
 * which a writer of rows does not take. */
struct tr_text_notes {
	struct tr_note *notes;
	uint64_t *frames; /* which frame a note belongs to */
	size_t count, note_room, frame_room;
};
int tr_text_encode_rows(struct tr_text_source *source, const struct tr_header *header,
			int fd, struct tr_text_notes *notes);
void tr_text_notes_release(struct tr_text_notes *notes);

/* A stream of stacks goes to `writer`; `end` takes what the text says of it. */
int tr_text_encode_stacks(struct tr_text_source *source, struct tr_writer *writer,
			  struct tr_header *end);

#endif
