/* SPDX-License-Identifier: Apache-2.0 */
/* Reads ISA naming strings (unprivileged specification, chapter "ISA Extension Naming
 * Conventions"). */
#include "stream/isa.h"

#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_digits(const char *at, const char *end)
{
	while (at < end && is_digit(*at))
		at++;
	return at;
}

/* Skips a version, "2" or "2p1", if there is one. */
static const char *skip_version(const char *at, const char *end)
{
	const char *rest = skip_digits(at, end);
	if (rest == at || rest == end || (*rest | 0x20) != 'p')
		return rest;
	const char *minor = skip_digits(rest + 1, end);
	return minor > rest + 1 ? minor : rest; /* else it is the letter P */
}

/* Returns true if [at, end) is the name, perhaps with a version. */
static bool is_extension_named(const char *at, const char *end, const char *name)
{
	const size_t length = strlen(name);
	return (size_t)(end - at) >= length && strncasecmp(at, name, length) == 0 &&
	       skip_version(at + length, end) == end;
}

/* Returns true if the name of an extension of several letters begins here: of z, x, or s
 * unless it is S-mode, as in "rv64imafdcsu". */
static bool is_long(const char *at, const char *end)
{
	const char c = (char)(*at | 0x20), next = at + 1 < end ? (char)(at[1] | 0x20) : 0;
	return c == 'z' || c == 'x' ||
	       (c == 's' && next >= 'a' && next <= 'z' && next != 'u');
}

struct extensions {
	bool has_c, has_d, has_zcd, has_zcm;
};

static const char *take_long(struct extensions *e, const char *at, const char *end)
{
	const char *under = memchr(at, '_', (size_t)(end - at));
	const char *stop = under ? under : end;
	e->has_zcm |= is_extension_named(at, stop, "zcmp") ||
		      is_extension_named(at, stop, "zcmt") ||
		      is_extension_named(at, stop, "zce");
	e->has_zcd |= is_extension_named(at, stop, "zcd");
	return stop;
}

static const char *take_letter(struct extensions *e, const char *at, const char *end)
{
	const char c = (char)(*at | 0x20);
	e->has_c |= c == 'c';
	/* G and V include D, as Q does. */
	e->has_d |= c == 'd' || c == 'g' || c == 'q' || c == 'v';
	return skip_version(at + 1, end);
}

unsigned tr_isa_parse(unsigned xlen, const char *text, size_t size)
{
	struct extensions e = {false};
	const char *at = text, *end = text + size;
	if (size < 5 || strncasecmp(text, "rv", 2) != 0 || !is_digit(text[2]))
		return xlen;
	at = skip_digits(at + 2, end);
	while (at < end)
		at = *at == '_'		? at + 1
		     : is_long(at, end) ? take_long(&e, at, end)
					: take_letter(&e, at, end);
	if (e.has_zcm)
		return xlen | TR_ISA_ZCMP;
	if (e.has_zcd || (e.has_c && e.has_d))
		return xlen | TR_ISA_ZCD;
	return e.has_d || xlen != 32 ? xlen : xlen | TR_ISA_ZCMP;
}
