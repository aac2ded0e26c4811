/* SPDX-License-Identifier: Apache-2.0 */
#include "given_files.h"

#include <inttypes.h>
#include <string.h>

static const char *close_given_file(struct given_files *files)
{
	int failed = ferror(files->file) | fclose(files->file);

	files->file = NULL;
	return failed ? "a given file cannot be written" : NULL;
}

/* Begins with the file of a complete line. */
static const char *open_given_file(struct given_files *files)
{
	char path[2 * GIVEN_LINE], name[GIVEN_LINE];

	if (sscanf(files->line, "%511s %" SCNu64, name, &files->left) != 2)
		return "given files do not begin with a name and a size";
	const char *slash = strrchr(name, '/');
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", files->folder,
			     slash ? slash + 1 : name) >= sizeof(path))
		return "the name of a given file is too long";
	files->file = fopen(path, "w");
	if (!files->file)
		return "a given file cannot be written";
	files->length = 0;
	return files->left ? NULL : close_given_file(files);
}

static const char *take_line_byte(struct given_files *files, char byte)
{
	if (files->length == GIVEN_LINE - 1)
		return "the name of a given file is too long";
	files->line[files->length++] = byte;
	files->line[files->length] = '\0';
	return byte == '\n' ? open_given_file(files) : NULL;
}

const char *take_given_bytes(struct given_files *files, const uint8_t *bytes, size_t size)
{
	const char *trouble = NULL;

	while (size && !trouble) {
		size_t part = 1;
		if (files->file) {
			part = size < files->left ? size : (size_t)files->left;
			fwrite(bytes, 1, part, files->file);
			files->left -= part;
			if (!files->left)
				trouble = close_given_file(files);
		} else {
			trouble = take_line_byte(files, (char)*bytes);
		}
		bytes += part;
		size -= part;
	}
	return trouble;
}

const char *end_given_files(struct given_files *files)
{
	if (!files->file && !files->length)
		return NULL;
	if (files->file)
		close_given_file(files);
	return "a given file is incomplete";
}
