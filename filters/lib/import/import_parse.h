/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the pieces of a line. Each function advances the line past what it accepts and
 * returns true, or leaves the line where it is and returns false. */
#ifndef TR_IMPORT_PARSE_H
#define TR_IMPORT_PARSE_H

#include <string.h>

#include "base/number.h"
#include "import/import_state.h"

static inline bool import_text(struct import_line *l, const char *text)
{
	size_t size = strlen(text);
	if ((size_t)(l->end - l->at) < size || memcmp(l->at, text, size) != 0)
		return false;
	l->at += size;
	return true;
}

/* Blanks and tabs, or none. */
static inline void import_blanks(struct import_line *l)
{
	while (l->at < l->end && (*l->at == ' ' || *l->at == '\t'))
		l->at++;
}

/* Hexadecimal digits, at most 16. */
static inline bool import_hex(struct import_line *l, uint64_t *value)
{
	const char *at = l->at;
	uint64_t sum = 0;
	int digit;
	while ((digit = tr_hex_digit(*at)) >= 0) {
		sum = sum << 4 | (uint64_t)digit;
		at++;
	}
	if (at == l->at || at - l->at > 16)
		return false;
	l->at = at;
	*value = sum;
	return true;
}

/* Hexadecimal digits after 0x. */
static inline bool import_0x(struct import_line *l, uint64_t *value)
{
	const char *at = l->at;
	if (l->end - at < 3 || at[0] != '0' || at[1] != 'x')
		return false;
	l->at += 2;
	if (import_hex(l, value))
		return true;
	l->at = at;
	return false;
}

/* Decimal digits, below 2^63. */
static inline bool import_decimal(struct import_line *l, uint64_t *value)
{
	const char *at = l->at;
	uint64_t sum = 0;
	while (*at >= '0' && *at <= '9') {
		if (sum > (INT64_MAX - 9) / 10)
			return false;
		sum = sum * 10 + (uint64_t)(*at++ - '0');
	}
	if (at == l->at)
		return false;
	l->at = at;
	*value = sum;
	return true;
}

/* The number of a hart: decimal digits, below TR_MAX_HARTS. */
static inline bool import_hart(struct import_line *l, uint64_t *hart)
{
	const char *at = l->at;
	if (import_decimal(l, hart) && *hart < TR_MAX_HARTS)
		return true;
	l->at = at;
	return false;
}

#endif
