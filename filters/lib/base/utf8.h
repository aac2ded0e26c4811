/* SPDX-License-Identifier: Apache-2.0 */
/* Names as valid UTF-8. */
#ifndef TR_UTF8_H
#define TR_UTF8_H

#include <stddef.h>

/* Returns the length, 1 to 4, of the valid UTF-8 sequence at the start of `text`, which
 * ends with a NUL; 0 if there is none. Surrogates, overlong forms and values beyond
 * U+10FFFF are not valid. */
size_t tr_utf8_length(const char *text);
/* Returns `text` if it is valid. Otherwise returns a copy in which each byte of an
 * invalid sequence is U+FFFD; it is in *copy, for the caller to free. Returns NULL when
 * out of memory. *copy is set in any case. */
const char *tr_utf8_valid(const char *text, char **copy);
/* Writes a name of `size` bytes to `to`, at most `room` of them, and a terminator: safe
 * for tables, pictures and terminals. Each byte of a control character, of a character
 * that turns text or breaks lines, or of an invalid sequence becomes a question mark; a
 * semicolon, which separates frames in folded stacks, becomes `semicolon`. `to` may be
 * `text`, which may be NULL if size is 0. */
void tr_utf8_clean(char *to, size_t room, const char *text, size_t size, char semicolon);

#endif
