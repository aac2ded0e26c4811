/* SPDX-License-Identifier: Apache-2.0 */
/* Derives file names from frames. */
#include "profile/frame_path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Replaces all but letters, digits and a few characters that are safe in file names. */
static void file_name(const char *frame, char *name, size_t size)
{
	static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				   "0123456789._+-";
	size_t i = 0;
	for (; frame[i] && i + 1 < size; i++)
		name[i] =
		    i + (frame[i] != '.') && strchr(good, frame[i]) ? frame[i] : '_';
	name[i] = '\0';
}

char *tr_frame_path(const char *directory, const char *frame, struct tr_folded *taken)
{
	char name[128], *path;
	uint32_t before = tr_folded_count(taken), id;
	file_name(frame, name, 100);
	size_t length = strlen(name);
	if (tr_folded_child(taken, 0, name, length, 0, &id))
		return NULL;
	for (uint32_t n = before; tr_folded_count(taken) == before; n++) {
		snprintf(name + length, 16, "-%" PRIu32, n);
		if (tr_folded_child(taken, 0, name, strlen(name), 0, &id))
			return NULL;
	}
	return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}
