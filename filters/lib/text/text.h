/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as text, one line per record, and back. tr-text(1) has the format. */
#ifndef TR_TEXT_H
#define TR_TEXT_H

#include <stdio.h>

#include "stream/accesses.h"
#include "stream/header.h"
#include "stream/reader.h"
#include "stream/spans.h"
#include "stream/writer.h"

/* Writing. Errors are left in ferror(out). */
struct tr_text {
	FILE *out;
	const struct tr_reader *reader;
	uint64_t generation;
	uint32_t blocks;		/* printed, in this generation */
	uint32_t funcs, nodes, threads; /* printed */
	uint32_t scopes, spans;
	/* Those of the frame, for tr_text_tokens(); NULL: they are not printed. */
	const struct tr_accesses *accesses;
	uint32_t part; /* of the frame, that is being printed */
};
void tr_text_init(struct tr_text *text, FILE *out, const struct tr_reader *reader);
/* Prints "WORD key=value" lines; the word is "header" or "end". */
void tr_text_values(const struct tr_text *text, const char *word,
		    const struct tr_header *values);
void tr_text_frame(struct tr_text *text, const struct tr_frame *frame);
/* Prints a line for each token instead of blocks and rows. */
void tr_text_tokens(struct tr_text *text, const struct tr_frame *frame);
/* Prints the values of a counter set at the end of a line: " | branch_miss=12 …". */
void tr_text_values_of(const struct tr_text *text, uint32_t set, const uint64_t *values);
/* Prints the values of a hit of a probe at the end of a line: " | pid=+19 … (exec)". */
/* Prints "probe 3", or "probe mark". */
void tr_text_probe(FILE *out, uint32_t probe);
void tr_text_hit(const struct tr_text *text, const struct tr_hit *hit);
/* Prints a label of a value as one word, quoted if it contains a delimiter. */
void tr_text_label(FILE *out, const char *label);
void tr_text_stacks(struct tr_text *text, const struct tr_sframe *frame);
/* Print the parts of a frame of stacks about addresses: new scopes and spans; the call
 * site at the end of a node's line; counts and branches. */
void tr_text_span_definitions(struct tr_text *text);
void tr_text_site(const struct tr_text *text, uint32_t node);
void tr_text_counts(const struct tr_text *text);
/* Prints " key="value"", with escapes. */
void tr_text_quoted(FILE *out, const char *key, const char *value);

/* Reading. A status is TR_OK, TR_E_IO (errno is set), TR_E_NOMEM or TR_E_CORRUPT; on
 * failure `message` is "file: line 12: …". */
struct tr_text_source {
	FILE *in;
	const char *name; /* for messages */
	struct tr_text_line *line;
	bool held; /* the line will be returned again */
	uint32_t commit_width;
	struct tr_counters counters;  /* named in the header */
	struct tr_probe_names probes; /* named in the header */
	const char *output;	      /* name of the output, for its write errors */
	int status;		      /* sticky: the first failure */
	int error;		      /* errno for TR_E_IO */
	char message[512];
};
/* Opens `path`; "-" is standard input. Returns a status. */
int tr_text_open(struct tr_text_source *source, const char *path);
void tr_text_close(struct tr_text_source *source);
/* Reads the header lines at the start. Returns a status. */
int tr_text_read_header(struct tr_text_source *source, struct tr_header *header);

/* Encodes a stream of rows to `fd` in the plain form. Notes are collected separately,
 * because a writer of rows does not accept them. */
struct tr_text_notes {
	struct tr_note *notes;
	uint64_t *frames; /* frame of each note */
	size_t count, note_room, frame_room;
};
/* Returns a status. */
int tr_text_encode_rows(struct tr_text_source *source, const struct tr_header *header,
			int fd, struct tr_text_notes *notes);
void tr_text_notes_release(struct tr_text_notes *notes);

/* Encodes a stream of stacks to `writer`; `end` receives the keys of the end record.
 * Returns a status. */
int tr_text_encode_stacks(struct tr_text_source *source, struct tr_writer *writer,
			  struct tr_header *end);

#endif
