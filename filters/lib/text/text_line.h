/* SPDX-License-Identifier: Apache-2.0 */
/* One line of the text form, cut into words. A word that begins with '(' or '#'
 * begins a comment. In "…" blanks belong to the word, and \xNN is a byte. After
 * "header" and "end" the rest of the line is one word as it stands.
 *
 * The first failure stays in source->status, with a message, and values taken
 * after it mean nothing: ask tr_line_done() before using any.
 */
#ifndef TR_TEXT_LINE_H
#define TR_TEXT_LINE_H

#include "text/text.h"

enum { TR_LINE_WORDS = TR_MAX_COUNTERS + 64 };

struct tr_text_line {
	char *text; /* as read; the words point into it */
	size_t room;
	uint64_t number; /* 1 for the first */
	char *words[TR_LINE_WORDS];
	unsigned count;
};

/* The next line that has words. False at the end and after a failure. */
bool tr_line_next(struct tr_text_source *source);
/* The line's first word, which names its record. */
const char *tr_line_record(const struct tr_text_source *source);
/* The same line comes again. */
void tr_line_hold(struct tr_text_source *source);

/* "NAME: line N: …", TR_E_CORRUPT; returns the status. */
int tr_line_fail(struct tr_text_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Another status, such as TR_E_NOMEM, or TR_E_IO (errno) of what is written. */
int tr_line_status(struct tr_text_source *source, int status);
/* Fails if words are left that nobody took; returns the status. */
int tr_line_done(struct tr_text_source *source);

/* Takes the next word that is no KEY=VALUE; NULL when there is none. */
const char *tr_line_word(struct tr_text_source *source);
/* Takes the next word; fails and returns "" when there is none. */
const char *tr_line_want(struct tr_text_source *source, const char *what);
/* Takes "KEY=VALUE"; NULL when it is not there. */
const char *tr_line_value(struct tr_text_source *source, const char *key);
/* An address; 0 when there is no text. */
uint64_t tr_line_address(struct tr_text_source *source, const char *text);
/* Numbers, decimal or 0x…, at most `limit`; `fallback` for a missing key. */
uint64_t tr_line_u64(struct tr_text_source *source, const char *key, uint64_t limit,
		     uint64_t fallback);
/* A number that is a word, after `prefix`, as in "x4". */
uint64_t tr_line_number(struct tr_text_source *source, const char *word,
			const char *prefix, uint64_t limit);

/* "/CLASS*SLOTS/…" with at most `room` parts: their count; fails on others. */
unsigned tr_line_runs(struct tr_text_source *source, const char *text,
		      struct tr_class_cycles *parts, unsigned room);
/* "CYCLES/CLASS*SLOTS/…"; `runs` has room for TR_TOKEN_MAX_RUNS. */
uint64_t tr_line_cycles(struct tr_text_source *source, const char *text,
			struct tr_run *runs, unsigned *nruns);

#endif
