/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of the target, and where they are below a folder of this machine. */
#ifndef TR_TARGET_PATH_H
#define TR_TARGET_PATH_H

#include <limits.h>
#include <stdbool.h>

/* Sets `path` to FOLDER/NAME as an absolute path of the target, whose working directory
 * is its root: without ".", ".." and empty parts. Returns false if it is too long. */
bool tr_target_path(char path[PATH_MAX], const char *folder, const char *name);

/* Sets `path` to FOLDER/NAME below a sysroot, "" being the root of this machine. A
 * symbolic link to an absolute path, as a copy of a root has them, is followed below the
 * sysroot. Returns false if the path is too long. */
bool tr_sysroot_path(char path[PATH_MAX], const char *sysroot, const char *folder,
		     const char *name);

#endif
