/* SPDX-License-Identifier: Apache-2.0 */
/* Whether an answer is JSON (RFC 8259), whatever was in the file that it is of. */
#ifndef FUZZ_VALID_JSON_H
#define FUZZ_VALID_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/utf8.h"

enum { JSON_DEPTH = 20 };

static inline void json_skip_blanks(const char **at)
{
	*at += strspn(*at, " \n");
}

/* Return false if the next is no string, or no number. */
static inline bool json_string(const char **at)
{
	const char *p = *at;
	if (*p++ != '"')
		return false;
	while (*p != '"') {
		const size_t length = tr_utf8_length(p);
		if (!length || (unsigned char)*p < ' ')
			return false;
		if (*p == '\\' && p[1] == 'u' && strspn(p + 2, "0123456789abcdef") >= 4)
			p += 6;
		else if (*p == '\\')
			return false;
		else
			p += length;
	}
	*at = p + 1;
	return true;
}

static inline bool json_number(const char **at)
{
	const char *p = *at + (**at == '-');
	const size_t digits = strspn(p, "0123456789");
	if (!digits || (*p == '0' && digits > 1))
		return false;
	p += digits;
	if (*p == '.') {
		const size_t more = strspn(p + 1, "0123456789");
		if (!more)
			return false;
		p += 1 + more;
	}
	*at = p;
	return true;
}

static inline bool json_value(const char **at, unsigned depth);

/* Returns false if the next is no list of values, or members, up to `end`. */
static inline bool json_list(const char **at, unsigned depth, char end)
{
	++*at;
	json_skip_blanks(at);
	for (bool is_first = true; **at != end; is_first = false) {
		if (!is_first && *(*at)++ != ',')
			return false;
		json_skip_blanks(at);
		if (end == '}') {
			if (!json_string(at) || *(*at)++ != ':')
				return false;
			json_skip_blanks(at);
		}
		if (!json_value(at, depth))
			return false;
		json_skip_blanks(at);
	}
	++*at;
	return true;
}

static inline bool json_value(const char **at, unsigned depth)
{
	static const char *const words[] = {"true", "false", "null"};
	if (depth == JSON_DEPTH)
		return false;
	if (**at == '{' || **at == '[')
		return json_list(at, depth + 1, **at == '{' ? '}' : ']');
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (strncmp(*at, words[i], strlen(words[i])) == 0) {
			*at += strlen(words[i]);
			return true;
		}
	return **at == '"' ? json_string(at) : json_number(at);
}

/* Returns true if a text of `size` bytes, which ends with a zero, is one value. */
static inline bool is_valid_json(const char *text, size_t size)
{
	const char *at = text;
	json_skip_blanks(&at);
	if (!json_value(&at, 0))
		return false;
	json_skip_blanks(&at);
	return at == text + size;
}

#endif
