/* SPDX-License-Identifier: Apache-2.0 */
/* A line of the text form, split into words. '(' or '#' at the start of a word begins a
 * comment. Inside "…" blanks belong to the word, and \xNN is a byte. After "header" and
 * "end" the rest of the line is a single word, verbatim.
 *
 * The first failure stays in source->status, with a message. Values parsed after it are
 * meaningless: call tr_line_done() before using any. */
#ifndef TR_TEXT_LINE_H
#define TR_TEXT_LINE_H

#include "text/text.h"

enum { TR_LINE_WORDS = TR_MAX_COUNTERS + 64 };

struct tr_text_line {
	char *text; /* as read; `words` point into it */
	size_t room;
	uint64_t number; /* from 1 */
	char *words[TR_LINE_WORDS];
	unsigned count;
};

/* Reads the next line that has words. Returns false at the end and after a failure. */
bool tr_line_next(struct tr_text_source *source);
/* Returns the line's first word, which names its record. */
const char *tr_line_record(const struct tr_text_source *source);
/* Makes tr_line_next() return the same line again. */
void tr_line_hold(struct tr_text_source *source);

/* Fails with TR_E_CORRUPT and the message "NAME: line N: …". Returns the status. */
int tr_line_fail(struct tr_text_source *source, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Fails with another status, such as TR_E_NOMEM, or TR_E_IO (errno is set) of the output.
 * Returns the status. */
int tr_line_status(struct tr_text_source *source, int status);
/* Fails if words are left over. Returns the status. */
int tr_line_done(struct tr_text_source *source);

/* Takes the next word that is not KEY=VALUE. Returns it, or NULL if there is none. */
const char *tr_line_word(struct tr_text_source *source);
/* Takes the next word. Returns it; fails and returns "" if there is none. */
const char *tr_line_want(struct tr_text_source *source, const char *what);
/* Takes the word "KEY=VALUE". Returns VALUE, or NULL if it is absent. */
const char *tr_line_value(struct tr_text_source *source, const char *key);
/* Returns the address in `text`; 0 if `text` is NULL. */
uint64_t tr_line_address(struct tr_text_source *source, const char *text);
/* Takes KEY=NUMBER, decimal or 0x…, at most `limit`. Returns the number, or `fallback` if
 * the key is absent. */
uint64_t tr_line_u64(struct tr_text_source *source, const char *key, uint64_t limit,
		     uint64_t fallback);
/* Returns the number in a word after `prefix`, as in "x4". */
uint64_t tr_line_number(struct tr_text_source *source, const char *word,
			const char *prefix, uint64_t limit);

/* Parses "/CLASS*SLOTS/…" with at most `room` parts. Returns their number; fails on
 * anything else. */
unsigned tr_line_runs(struct tr_text_source *source, const char *text,
		      struct tr_class_cycles *parts, unsigned room);
/* Parses "CYCLES/CLASS*SLOTS/…"; `runs` has room for TR_TOKEN_MAX_RUNS. Returns the
 * cycles. */
uint64_t tr_line_cycles(struct tr_text_source *source, const char *text,
			struct tr_run *runs, unsigned *nruns);

#endif
