/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are installed with the programs, or are in the source beside the build. */
#ifndef TR_SHARED_FILES_H
#define TR_SHARED_FILES_H

#include <limits.h>
#include <stdbool.h>

/* Sets `path` to that of the probes of this name, as in "linux.probes". Returns false if
 * they are not there. */
bool tr_shared_probes(const char *name, char path[PATH_MAX]);

/* Sets `path` to that of a file with which tr-profile --linux boots, as in "vmlinux": it
 * is installed, or in the folder `built` of the build. Returns false if it is not
 * there. */
bool tr_shared_linux(const char *name, const char *built, char path[PATH_MAX]);

#endif
