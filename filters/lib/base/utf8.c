/* SPDX-License-Identifier: Apache-2.0 */
/* Validation of UTF-8. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool follows(char byte)
{
	return ((uint8_t)byte & 0xc0) == 0x80;
}

/* Returns true if the second byte `b` makes the sequence of the lead byte `a` too long
 * for its value, a surrogate, or a value beyond U+10FFFF. */
static bool is_excluded(uint8_t a, uint8_t b)
{
	return (a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f) ||
	       (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f);
}

size_t tr_utf8_length(const char *text)
{
	uint8_t lead = (uint8_t)*text;
	size_t length = lead < 0x80   ? 1
			: lead < 0xc2 ? 0
			: lead < 0xe0 ? 2
			: lead < 0xf0 ? 3
			: lead < 0xf5 ? 4
				      : 0;
	if (!lead)
		return 0;
	for (size_t i = 1; i < length; i++)
		if (!follows(text[i]))
			return 0;
	return length > 1 && is_excluded(lead, (uint8_t)text[1]) ? 0 : length;
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
