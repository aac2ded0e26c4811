/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numbers. */
#include "base/number.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *tr_parse_number(const char *text, uint64_t *value)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	size_t count = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
	errno = 0;
	*value = strtoull(digits, NULL, is_hex ? 16 : 10);
	return count && !errno ? digits + count : NULL;
}

const char *tr_parse_address(const char *text, uint64_t *value)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *end = tr_parse_number(text, value);
	return is_hex || end == text + 1 ? end : NULL;
}

void tr_address_trouble(const char *text, char *message, size_t size)
{
	uint64_t decimal;
	const char *end = tr_parse_number(text, &decimal);
	size_t digits = strspn(text, "0123456789abcdefABCDEF");
	if (!digits || text[digits] || digits > 16)
		snprintf(message, size, "not an address: \"%.40s\"", text);
	else if (end && !*end)
		snprintf(message, size,
			 "an address begins with 0x: write 0x%s, or 0x%" PRIx64
			 " if \"%s\" is decimal",
			 text, decimal, text);
	else
		snprintf(message, size, "an address begins with 0x: write 0x%s", text);
}
