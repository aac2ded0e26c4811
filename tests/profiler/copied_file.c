/* SPDX-License-Identifier: Apache-2.0 */
#include "copied_file.h"

#include <stdio.h>

#include "check.h"

enum { PATH_ROOM = 512 };

void copy_file(const char *from, const char *to, long size, long flip)
{
	static char bytes[1 << 20];
	char unnamed[PATH_ROOM];

	CHECK(snprintf(unnamed, PATH_ROOM, "%s.new", to) < PATH_ROOM);
	FILE *in = fopen(from, "r"), *out = fopen(unnamed, "w");

	CHECK(in && out);
	size_t whole = fread(bytes, 1, sizeof(bytes), in);

	if (flip >= 0)
		bytes[(size_t)flip % whole] ^= 0x10;
	if (size < 0 || (size_t)size > whole)
		size = (long)whole;
	CHECK(fwrite(bytes, 1, (size_t)size, out) == (size_t)size);
	fclose(in);
	CHECK(fclose(out) == 0 && rename(unnamed, to) == 0);
}
