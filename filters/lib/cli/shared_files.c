/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shared_files.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool tr_shared_probes(const char *name, char path[PATH_MAX])
{
	static const char *const places[] = {"../share/tr-profiler",
					     "../../filters/lib/probe"};
	char folder[PATH_MAX];
	const ssize_t size = readlink("/proc/self/exe", folder, sizeof(folder) - 1);
	folder[size > 0 ? size : 0] = '\0';
	char *slash = strrchr(folder, '/');
	if (!slash)
		return false;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		const int length =
		    snprintf(path, PATH_MAX, "%s/%s/%s", folder, places[i], name);
		if (length < PATH_MAX && access(path, R_OK) == 0)
			return true;
	}
	return false;
}
