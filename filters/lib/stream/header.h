/* SPDX-License-Identifier: Apache-2.0 */
/* Ordered text key/values: the header and the end record of a stream.
 *
 * A key is [a-z0-9_.]+, a value any UTF-8 without line breaks (tr_header_set
 * replaces control characters by '?'). Keys may repeat ("pg"). tr-stream(5)
 * lists the keys in use.
 */
#ifndef TR_HEADER_H
#define TR_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_header;

/* NULL when out of memory; tr_header_free takes NULL. */
struct tr_header *tr_header_new(void);
struct tr_header *tr_header_copy(const struct tr_header *);
void tr_header_free(struct tr_header *);

/* Replaces the first value of `key`, or appends. Copies both.
 * TR_OK, TR_E_NOMEM, TR_E_ARGUMENT (not a key). */
int tr_header_set(struct tr_header *, const char *key, const char *value);
int tr_header_set_u64(struct tr_header *, const char *key, uint64_t value);
/* Appends, also when the key is there. */
int tr_header_add(struct tr_header *, const char *key, const char *value);

/* Removes all keys that begin with `prefix`. */
void tr_header_remove(struct tr_header *, const char *prefix);

/* NULL when there is none. Valid until the header changes. */
const char *tr_header_get(const struct tr_header *, const char *key);
/* `fallback` when there is none or it is no decimal number. */
uint64_t tr_header_get_u64(const struct tr_header *, const char *key, uint64_t fallback);
/* Instructions that a hart can commit in a cycle: 1 when the header does not say,
 * at most TR_MAX_COMMIT_WIDTH. */
uint32_t tr_header_commit_width(const struct tr_header *);
/* Is `what`, such as "satp", among what the source cannot supply? */
bool tr_header_lacks(const struct tr_header *, const char *what);
/* The integer registers whose writes are reported, a bit each. */
uint32_t tr_header_watched(const struct tr_header *);
/* Whether the writes of tp (x4) are reported. */
bool tr_header_watches_tp(const struct tr_header *);
/* Whether sp (x2) is known at each token: its writes are reported, and the instruction
 * bits are there (see sp.h). */
bool tr_header_watches_sp(const struct tr_header *);

/* In an end record: how the run was cut off, such as "killed by signal 9"; NULL when it
 * came to its own end, or to one that was asked for (a limit, a trigger). */
const char *tr_header_cut_off(const struct tr_header *);

size_t tr_header_count(const struct tr_header *);
const char *tr_header_key(const struct tr_header *, size_t i);
const char *tr_header_value(const struct tr_header *, size_t i);

/* "key=value\n" lines. The text is malloc'd, the caller frees it; NULL when out
 * of memory. Parse: TR_OK, TR_E_CORRUPT, TR_E_NOMEM. */
char *tr_header_format(const struct tr_header *, size_t *size);
int tr_header_parse(struct tr_header *, const char *text, size_t size);

/* What the stream holds: rows of instructions, or the call stacks that tr-unwind makes
 * of them (key "content"; without it, rows). */
enum tr_content { TR_CONTENT_ROWS, TR_CONTENT_STACKS };
enum tr_content tr_header_content(const struct tr_header *header);

#endif
