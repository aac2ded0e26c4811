/* SPDX-License-Identifier: Apache-2.0 */
/* Makes names of functions safe for any output. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "image/image_state.h"

static const char dots[] = "...";

void tr_image_name_clean(char *name)
{
	size_t size = strlen(name);
	bool cut = size > IMAGE_NAME_MAX;
	tr_utf8_clean(name, cut ? IMAGE_NAME_MAX - strlen(dots) : size, name, size, ':');
	strcat(name, cut ? dots : "");
}

void tr_image_name_copy(char *to, size_t room, const char *text, int size)
{
	tr_utf8_clean(to, room - 1, text, size > 0 ? (size_t)size : 0, ':');
}

const char *tr_image_name_store(struct tr_image *image, const char *text, size_t size)
{
	bool cut = size > IMAGE_NAME_MAX;
	size_t room = cut ? IMAGE_NAME_MAX - strlen(dots) : size;
	char *name = tr_arena_take(&image->names, room + sizeof(dots));
	if (!name)
		return NULL;
	tr_utf8_clean(name, room, text, size, ':');
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
	const char *kept = tr_image_name_store(image, text, (size_t)size);
	free(text);
	return kept;
}

static size_t count_underscores(const char *name)
{
	return strspn(name, "_");
}

int tr_image_name_compare(const char *a, const char *b)
{
	if (count_underscores(a) != count_underscores(b))
		return count_underscores(a) < count_underscores(b) ? -1 : 1;
	if (strlen(a) != strlen(b))
		return strlen(a) < strlen(b) ? -1 : 1;
	return strcmp(a, b);
}
