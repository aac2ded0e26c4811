/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the shared libraries of programs for RV64 Linux, and where they are in the
 * target, as the dynamic loader there will look for them: in the folders of DT_RPATH and
 * DT_RUNPATH, then in the usual ones. Here these are below each sysroot: a folder that
 * mirrors the root of the target, as that of a cross toolchain does. */
#ifndef TR_LIBRARIES_H
#define TR_LIBRARIES_H

#include <stdbool.h>
#include <stddef.h>

/* A file of the target. */
struct tr_target_file {
	char *path;   /* there, from "/" */
	char *source; /* the file here with its contents */
};

struct tr_libraries;

/* Starts with an empty list of files. `sysroots` are searched in their order, before the
 * folders of Debian's cross toolchain and of its libraries for riscv64; they must outlive
 * the result. Returns NULL when out of memory. */
struct tr_libraries *tr_libraries_open(const char *const *sysroots, size_t count);
void tr_libraries_close(struct tr_libraries *libraries);

/* Adds the program or library `source`, which is `path` in the target, unless the list
 * has that, and all libraries that it needs and that are not yet in the list. Returns
 * TR_OK, TR_E_NOMEM, TR_E_UNSUPPORTED or TR_E_CORRUPT (not a file for RV64, or a library
 * cannot be found; tr_libraries_message() says which), or TR_E_IO. */
int tr_libraries_add(struct tr_libraries *libraries, const char *source,
		     const char *path);
/* Adds a library that programs open by its name while they run, with what it needs, if it
 * can be found; the list has a program. Returns TR_OK, also if it is not found, or
 * TR_E_NOMEM. */
int tr_libraries_offer(struct tr_libraries *libraries, const char *name);
/* Returns whether the list has a file of this name in any folder. */
bool tr_libraries_have(const struct tr_libraries *libraries, const char *name);
/* Returns the message of a failed tr_libraries_add(), as in "./prog: needs libown.so.1,
 * ..."; valid until the next call. */
const char *tr_libraries_message(const struct tr_libraries *libraries);

/* Returns the files in the order in which they were found; valid until the next call. */
const struct tr_target_file *tr_libraries_files(const struct tr_libraries *libraries,
						size_t *count);

#endif
