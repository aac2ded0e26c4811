/* SPDX-License-Identifier: Apache-2.0 */
/* Validation of UTF-8, and names that are safe for any output. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if the second byte `b` makes the sequence of the lead byte `a` too long
 * for its value, a surrogate, or a value beyond U+10FFFF. */
static bool is_excluded(uint8_t a, uint8_t b)
{
	return (a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ||
	       (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f);
}

/* Returns the length of the valid sequence at `p`, of which there are `size` bytes; 0 if
 * there is none. */
static size_t valid_length(const uint8_t *p, size_t size)
{
	size_t length = p[0] < 0x80   ? 1
			: p[0] < 0xc2 ? 0
			: p[0] < 0xe0 ? 2
			: p[0] < 0xf0 ? 3
			: p[0] < 0xf5 ? 4
				      : 0;
	if (length > size)
		return 0;
	for (size_t i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return length > 1 && is_excluded(p[0], p[1]) ? 0 : length;
}

size_t tr_utf8_length(const char *text)
{
	enum { LONGEST = 4 };
	return *text ? valid_length((const uint8_t *)text, strnlen(text, LONGEST)) : 0;
}

const char *tr_utf8_valid(const char *text, char **copy)
{
	static const char replacement[] = "\xef\xbf\xbd";
	const char *at = text;
	*copy = NULL;
	for (size_t length; (length = tr_utf8_length(at));)
		at += length;
	if (!*at)
		return text;
	char *to = *copy = malloc(3 * strlen(text) + 1);
	if (!to)
		return NULL;
	for (at = text; *at;) {
		size_t length = tr_utf8_length(at);
		memcpy(to, length ? at : replacement, length ? length : 3);
		to += length ? length : 3;
		at += length ? length : 1;
	}
	*to = '\0';
	return *copy;
}

/* Returns true for a character that changes text direction (U+061C, U+200E, U+200F,
 * U+202A to U+202E, U+2066 to U+2069) or breaks lines (U+2028, U+2029): the text shown
 * would differ from the name. */
static bool turns_text(const uint8_t *p, size_t n)
{
	if (n == 2)
		return p[0] == 0xd8 && p[1] == 0x9c;
	if (n != 3 || p[0] != 0xe2)
		return false;
	return (p[1] == 0x80 &&
		(p[2] == 0x8e || p[2] == 0x8f || (p[2] >= 0xa8 && p[2] <= 0xae))) ||
	       (p[1] == 0x81 && p[2] >= 0xa6 && p[2] <= 0xa9);
}

/* Returns the length of the character at `p` if it can be shown as it is; 0 if it is not
 * valid, a control character, or one that changes the text around it. */
static size_t shown_length(const uint8_t *p, size_t size)
{
	size_t n = valid_length(p, size);
	bool control = p[0] == 0xc2 && n == 2 && p[1] < 0xa0;
	return control || turns_text(p, n) ? 0 : n;
}

/* Returns the number of bytes at `p` that need no change. */
static size_t plain_length(const uint8_t *p, size_t size)
{
	size_t n = 0;
	while (n < size && p[n] >= 0x20 && p[n] < 0x7f && p[n] != ';')
		n++;
	return n;
}

void tr_utf8_clean(char *to, size_t room, const char *text, size_t size, char semicolon)
{
	const uint8_t *in = (const uint8_t *)text;
	size_t used = plain_length(in, size < room ? size : room);
	if (used)
		memmove(to, text, used);
	for (size_t i = used; i < size;) {
		size_t n = shown_length(in + i, size - i);
		if (used + (n ? n : 1) > room)
			break;
		if (n > 1)
			memmove(to + used, in + i, n);
		else if (n == 0 || in[i] < 0x20 || in[i] == 0x7f)
			to[used] = '?';
		else
			to[used] = in[i] == ';' ? semicolon : text[i];
		used += n ? n : 1;
		i += n ? n : 1;
	}
	to[used] = '\0';
}
