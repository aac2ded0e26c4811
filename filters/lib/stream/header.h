/* SPDX-License-Identifier: Apache-2.0 */
/* Ordered text key/value pairs: the header and the end record of a stream.
 *
 * A key matches [a-z0-9_.]+; a value is UTF-8 without line breaks (tr_header_set()
 * replaces control characters by '?'). Keys may repeat ("pg"). tr-stream(5) lists the
 * keys. */
#ifndef TR_HEADER_H
#define TR_HEADER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_header;

/* Return a new header, or NULL when out of memory. tr_header_free() accepts NULL. */
struct tr_header *tr_header_new(void);
struct tr_header *tr_header_copy(const struct tr_header *);
void tr_header_free(struct tr_header *);

/* Replaces the first value of `key`, or appends the pair; copies both. Returns TR_OK,
 * TR_E_NOMEM or TR_E_ARGUMENT (invalid key). */
int tr_header_set(struct tr_header *, const char *key, const char *value);
int tr_header_set_u64(struct tr_header *, const char *key, uint64_t value);
/* Appends the pair even if the key exists. Returns TR_OK, TR_E_NOMEM or TR_E_ARGUMENT
 * (invalid key). */
int tr_header_add(struct tr_header *, const char *key, const char *value);

/* Removes all keys with the given prefix. */
void tr_header_remove(struct tr_header *, const char *prefix);

/* Returns the first value of `key`, valid until the header changes, or NULL. */
const char *tr_header_get(const struct tr_header *, const char *key);
/* Returns the value of `key`, or `fallback` if it is missing or not a decimal number. */
uint64_t tr_header_get_u64(const struct tr_header *, const char *key, uint64_t fallback);
/* Returns the value of the key bin.N (tr-stream(5)), with "" the path, or of a key below
 * it, such as ".name"; NULL if there is none. */
const char *tr_header_bin(const struct tr_header *, uint32_t n, const char *below);
/* Returns XLEN: 32, or 64 by default. */
unsigned tr_header_xlen(const struct tr_header *);
/* Returns the ISA as far as the header has it (stream/isa.h). */
unsigned tr_header_isa(const struct tr_header *);
/* Returns the number of instructions that a hart can commit in a cycle: 1 by default, at
 * most TR_MAX_COMMIT_WIDTH. */
uint32_t tr_header_commit_width(const struct tr_header *);
/* Returns that of a hart, which divides the former: a hart may commit fewer. */
uint32_t tr_header_hart_width(const struct tr_header *, uint32_t hart);
/* Returns true if `what`, such as "satp", is listed among what the source cannot
 * supply. */
bool tr_header_lacks(const struct tr_header *, const char *what);
/* Returns the set of integer registers whose writes are reported, one bit each. */
uint32_t tr_header_watched(const struct tr_header *);
/* Returns true if writes of tp (x4) are reported. */
bool tr_header_watches_tp(const struct tr_header *);
/* Returns true if sp (x2) is known at each token: its writes are reported, and
 * instruction bits are present (see sp.h). */
bool tr_header_watches_sp(const struct tr_header *);

/* Returns how the run of this end record was cut off, such as "killed by signal 9", or
 * NULL when it ended by itself or as requested (by a limit or a trigger). */
const char *tr_header_cut_off(const struct tr_header *);

/* Returns the number of pairs. */
size_t tr_header_count(const struct tr_header *);
/* Return the key or value of pair `i`, valid until the header changes. */
const char *tr_header_key(const struct tr_header *, size_t i);
const char *tr_header_value(const struct tr_header *, size_t i);

/* Formats and parses "key=value\n" lines. tr_header_format() returns malloc'd text, which
 * the caller frees, or NULL when out of memory. tr_header_parse() returns TR_OK,
 * TR_E_CORRUPT or TR_E_NOMEM. */
char *tr_header_format(const struct tr_header *, size_t *size);
int tr_header_parse(struct tr_header *, const char *text, size_t size);

/* Content of the stream: rows of instructions, or the call stacks that tr-unwind derives
 * from them (key "content"; the default is rows). */
enum tr_content { TR_CONTENT_ROWS, TR_CONTENT_STACKS };
/* Returns the content of the stream. */
enum tr_content tr_header_content(const struct tr_header *header);

#endif
