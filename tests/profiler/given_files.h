/* SPDX-License-Identifier: Apache-2.0 */
/* Files of the target that a program in it writes for whoever traces: a line "PATH SIZE",
 * and then SIZE bytes, for each file. */
#ifndef GIVEN_FILES_H
#define GIVEN_FILES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { GIVEN_LINE = 512 };
struct given_files {
	const char *folder; /* the files go here, without their own folders */
	char line[GIVEN_LINE];
	size_t length; /* of the line so far */
	uint64_t left; /* bytes of the file that are yet to come */
	FILE *file;
};

/* Takes the next bytes. Returns NULL or a message. */
const char *take_given_bytes(struct given_files *files, const uint8_t *bytes,
			     size_t size);
/* Returns NULL, or a message if a file is incomplete. */
const char *end_given_files(struct given_files *files);

#endif
