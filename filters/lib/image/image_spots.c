/* SPDX-License-Identifier: Apache-2.0 */
/* Scopes and lines of the code, for profiles by address and listings. */
#include <stdlib.h>
#include <string.h>

#include "image/image_state.h"

struct tr_stretch tr_image_scope_at(const struct tr_image *image, uint64_t address)
{
	return tr_image_step(image, IMAGE_INDEX_SCOPES, address);
}

/* Returns the next line of a description, and its size. */
static const char *split_description_line(const char **text, int *size)
{
	const char *part = *text;
	size_t length = strcspn(part, "\n");
	*size = length > UINT16_MAX / 2 ? UINT16_MAX / 2 : (int)length;
	*text += length + (part[length] != '\0');
	return part;
}

static uint32_t split_line_number(const char **text)
{
	int size;
	unsigned long number = strtoul(split_description_line(text, &size), NULL, 10);
	return size && number < UINT32_MAX ? (uint32_t)number : 0;
}

void tr_image_scope(const struct tr_image *image, uint32_t item,
		    struct tr_scope_text *scope)
{
	const struct image_index *index = &image->index[IMAGE_INDEX_SCOPES];
	const char *text = tr_image_index_item(index, item, &scope->around);
	scope->name = split_description_line(&text, &scope->name_size);
	scope->linkage = split_description_line(&text, &scope->linkage_size);
	scope->file = split_description_line(&text, &scope->file_size);
	scope->line = split_line_number(&text);
	scope->call_line = split_line_number(&text);
	scope->call_discriminator = split_line_number(&text);
}

struct tr_stretch tr_image_spot_at(const struct tr_image *image, uint64_t address)
{
	return tr_image_step(image, IMAGE_INDEX_SPOTS, address);
}

uint32_t tr_image_spot(const struct tr_image *image, uint32_t item,
		       uint32_t *discriminator)
{
	uint32_t line;
	const char *text =
	    tr_image_index_item(&image->index[IMAGE_INDEX_SPOTS], item, &line);
	*discriminator = split_line_number(&text);
	return line;
}

struct tr_stretch tr_image_path_at(const struct tr_image *image, uint64_t address)
{
	return tr_image_step(image, IMAGE_INDEX_PATHS, address);
}

const char *tr_image_path_line(const struct tr_image *image, uint32_t item,
			       uint32_t *line)
{
	return tr_image_index_item(&image->index[IMAGE_INDEX_PATHS], item, line);
}
