/* SPDX-License-Identifier: Apache-2.0 */
#include "linux/target_path.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { LINKS = 8 };

/* Adds one part of a path to the end of another. */
static bool add_part(char path[PATH_MAX], const char *part, size_t size)
{
	const size_t used = strlen(path);
	if (size == 0 || (size == 1 && *part == '.'))
		return true;
	if (size == 2 && memcmp(part, "..", 2) == 0) {
		char *slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
		return true;
	}
	return snprintf(path + used, PATH_MAX - used, "/%.*s", (int)size, part) <
	       (int)(PATH_MAX - used);
}

static bool add_parts(char path[PATH_MAX], const char *parts)
{
	while (*parts) {
		const size_t size = strcspn(parts, "/");
		if (!add_part(path, parts, size))
			return false;
		parts += size + (parts[size] == '/');
	}
	return true;
}

bool tr_target_path(char path[PATH_MAX], const char *folder, const char *name)
{
	*path = '\0';
	return add_parts(path, folder) && add_parts(path, name);
}

bool tr_sysroot_path(char path[PATH_MAX], const char *sysroot, const char *folder,
		     const char *name)
{
	char link[PATH_MAX];
	if (snprintf(path, PATH_MAX, "%s%s/%s", sysroot, folder, name) >= PATH_MAX)
		return false;
	for (unsigned i = 0; *sysroot && i < LINKS; i++) {
		const ssize_t size = readlink(path, link, sizeof(link) - 1);
		if (size <= 0 || *link != '/')
			return true;
		link[size] = '\0';
		if (snprintf(path, PATH_MAX, "%s%s", sysroot, link) >= PATH_MAX)
			return false;
	}
	return true;
}
