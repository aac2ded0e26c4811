/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of a plan for the tests. */
#include "plan_file.h"

#include <stdio.h>
#include <stdlib.h>

static uint8_t *read_rest(FILE *file, size_t *size)
{
	long length;
	if (fseek(file, 0, SEEK_END) || (length = ftell(file)) < 0)
		return NULL;
	rewind(file);
	uint8_t *bytes = malloc((size_t)length + 1);
	*size = (size_t)length;
	if (bytes && fread(bytes, 1, *size, file) == *size)
		return bytes;
	free(bytes);
	return NULL;
}

uint8_t *read_plan_file(const char *folder, const char *name, size_t *size)
{
	char path[4096];
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	FILE *file = fopen(path, "rb");
	if (!file)
		return NULL;
	uint8_t *bytes = read_rest(file, size);
	fclose(file);
	return bytes;
}
