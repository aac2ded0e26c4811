/* SPDX-License-Identifier: Apache-2.0 */
/* Makes names of functions safe for any output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_state.h"

static bool is_continuation(const uint8_t *p, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return false;
	return true;
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

/* Returns the length of the UTF-8 character at `p` in bytes, 0 if it is invalid. */
static size_t utf8_length(const uint8_t *p, size_t size)
{
	if (p[0] < 0x80)
		return 1;
	size_t n = p[0] >= 0xc2 && p[0] < 0xe0	 ? 2
		   : (p[0] & 0xf0) == 0xe0	 ? 3
		   : p[0] >= 0xf0 && p[0] < 0xf5 ? 4
						 : 0;
	if (n == 0 || size < n || !is_continuation(p + 1, n - 1))
		return 0;
	bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
	bool surrogate = p[0] == 0xed && p[1] >= 0xa0;
	bool too_high = p[0] == 0xf4 && p[1] >= 0x90;
	bool control = p[0] == 0xc2 && p[1] < 0xa0;
	return overlong || surrogate || too_high || control || turns_text(p, n) ? 0 : n;
}

/* Returns the number of bytes at `p` that need no change. */
static size_t plain_length(const uint8_t *p, size_t size)
{
	size_t n = 0;
	while (n < size && p[n] >= 0x20 && p[n] < 0x7f && p[n] != ';')
		n++;
	return n;
}

/* Writes at most `room` bytes and a terminator to `to`, which may equal `text`. */
static void clean(char *to, size_t room, const char *text, size_t size)
{
	const uint8_t *in = (const uint8_t *)text;
	size_t used = plain_length(in, size < room ? size : room);
	memmove(to, text, used);
	for (size_t i = used; i < size;) {
		size_t n = utf8_length(in + i, size - i);
		if (used + (n ? n : 1) > room)
			break;
		if (n > 1)
			memmove(to + used, in + i, n);
		else if (n == 0 || in[i] < 0x20 || in[i] == 0x7f)
			to[used] = '?';
		else
			to[used] = in[i] == ';' ? ':' : text[i];
		used += n ? n : 1;
		i += n ? n : 1;
	}
	to[used] = '\0';
}

static const char dots[] = "...";

void tr_image_name_clean(char *name)
{
	size_t size = strlen(name);
	bool cut = size > IMAGE_NAME_MAX;
	clean(name, cut ? IMAGE_NAME_MAX - strlen(dots) : size, name, size);
	strcat(name, cut ? dots : "");
}

void tr_image_name_copy(char *to, size_t room, const char *text, int size)
{
	clean(to, room - 1, text, size > 0 ? (size_t)size : 0);
}

const char *tr_image_name_keep(struct tr_image *image, const char *text, size_t size)
{
	bool cut = size > IMAGE_NAME_MAX;
	size_t room = cut ? IMAGE_NAME_MAX - strlen(dots) : size;
	char *name = tr_arena_take(&image->names, room + sizeof(dots));
	if (!name)
		return NULL;
	clean(name, room, text, size);
	return strcat(name, cut ? dots : "");
}

const char *tr_image_name_with_place(struct tr_image *image, const char *name,
				     const char *place)
{
	enum { PLACE_MAX = 256, MARKS = 4 };
	char *text = NULL;
	size_t length = strlen(place), skip = length > PLACE_MAX ? length - PLACE_MAX : 0;
	int most = (int)(IMAGE_NAME_MAX - MARKS - (length - skip));
	int size = asprintf(&text, "%.*s (%s)", most, name, place + skip);
	if (size < 0)
		return NULL;
	const char *kept = tr_image_name_keep(image, text, (size_t)size);
	free(text);
	return kept;
}

static size_t underscores(const char *name)
{
	return strspn(name, "_");
}

int tr_image_name_compare(const char *a, const char *b)
{
	if (underscores(a) != underscores(b))
		return underscores(a) < underscores(b) ? -1 : 1;
	if (strlen(a) != strlen(b))
		return strlen(a) < strlen(b) ? -1 : 1;
	return strcmp(a, b);
}
