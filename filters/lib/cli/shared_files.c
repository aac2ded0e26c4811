/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shared_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Sets `folder` to that of this program. Returns false if it is not known. */
static bool find_own_folder(char folder[PATH_MAX])
{
	const ssize_t size = readlink("/proc/self/exe", folder, PATH_MAX - 1);
	folder[size > 0 ? size : 0] = '\0';
	char *slash = strrchr(folder, '/');
	if (slash)
		*slash = '\0';
	return slash;
}

/* Sets `path` to the file in the first of these places, which are relative to the folder
 * of this program, and end with NULL, that has it. */
static bool find_shared(const char *const *places, const char *name, char path[PATH_MAX])
{
	char folder[PATH_MAX];
	if (!find_own_folder(folder))
		return false;
	for (; *places; places++) {
		const int length =
		    snprintf(path, PATH_MAX, "%s/%s/%s", folder, *places, name);
		if (length < PATH_MAX && access(path, R_OK) == 0)
			return true;
	}
	return false;
}

bool tr_shared_probes(const char *name, char path[PATH_MAX])
{
	static const char *const places[] = {"../share/tr-profiler",
					     "../../filters/lib/probe", NULL};
	return find_shared(places, name, path);
}

bool tr_shared_linux(const char *name, const char *built, char path[PATH_MAX])
{
	/* Builds with other options are in folders of their own in build/. */
	static const char *const above[] = {"..", "../..", "../../.."};
	static const char *const installed[] = {"../share/tr-profiler/linux", NULL};
	char folder[64], found[PATH_MAX];
	if (find_shared(installed, name, found))
		return realpath(found, path);
	for (size_t i = 0; i < sizeof(above) / sizeof(above[0]); i++) {
		snprintf(folder, sizeof(folder), "%s/%s", above[i], built);
		if (find_shared((const char *const[]){folder, NULL}, name, found))
			return realpath(found, path);
	}
	return false;
}
