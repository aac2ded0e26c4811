/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON (RFC 8259) to a file as it is made, on one line; memory does not grow with
 * the output. A failure is kept and returned at the end. */
#ifndef TR_JSON_H
#define TR_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct tr_json;

/* Returns a writer of one value, or NULL when out of memory. */
struct tr_json *tr_json_new(FILE *file);
/* Writes a newline and frees the writer, which may be NULL. Returns TR_OK, or TR_E_NOMEM
 * if anything failed; write errors are left in ferror(file). */
int tr_json_free(struct tr_json *);

void tr_json_open_object(struct tr_json *);
void tr_json_close_object(struct tr_json *);
void tr_json_open_array(struct tr_json *);
void tr_json_close_array(struct tr_json *);

/* The key of the next value. */
void tr_json_key(struct tr_json *, const char *key);
/* Text; bytes that are not UTF-8 become U+FFFD, control characters are escaped. */
void tr_json_text(struct tr_json *, const char *text);
void tr_json_u64(struct tr_json *, uint64_t value);
void tr_json_bool(struct tr_json *, bool value);
void tr_json_null(struct tr_json *);
/* A number that is already text; it must be one in JSON's syntax. */
void tr_json_number(struct tr_json *, const char *digits);
/* Returns true if `text` is a number in JSON's syntax. */
bool tr_json_is_number(const char *text);

/* A key, and the start of its value. */
void tr_json_open_member_object(struct tr_json *, const char *key);
void tr_json_open_member_array(struct tr_json *, const char *key);
/* A key, and its value. */
void tr_json_member(struct tr_json *, const char *key, const char *text);
void tr_json_member_u64(struct tr_json *, const char *key, uint64_t value);

#endif
