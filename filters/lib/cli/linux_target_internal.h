/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of linux_target.h: the plan, the files (linux_files.c), the run
 * (linux_run.c). */
#ifndef TR_LINUX_TARGET_INTERNAL_H
#define TR_LINUX_TARGET_INTERNAL_H

#include "cli/linux_target.h"
#include "linux/checkpoints.h"
#include "linux/libraries.h"

struct tr_linux_target {
	const struct tr_cli *cli;
	const struct tr_linux_options *options;
	char *const *arguments;
	const char *programs;	/* folder of the programs */
	char program[PATH_MAX]; /* in the target */
	struct tr_libraries *libraries;
	char firmware[PATH_MAX], kernel[PATH_MAX], first[PATH_MAX], busybox[PATH_MAX];
	bool has_busybox, is_raw_kernel, is_tried;
	bool has_file_system; /* of the disk: one that is to be mounted */
	uint64_t ram;
	char mark[33];
	struct tr_checkpoint_key key;
	struct tr_linux_console *console;
	struct tr_archive *archive; /* that is being written; no leak if that fails */
};

/* Dies, out of memory, unless `is_good`. */
void tr_linux_require(const struct tr_linux_target *target, bool is_good);
/* Finds files that are installed or built, and the kernel; dies if one is missing, but
 * for a kernel that no option names: its path is empty then. */
void tr_linux_find_system(struct tr_linux_target *target);
/* Sets the size of the memory that tr_linux_target_write() would choose. */
void tr_linux_choose_ram(struct tr_linux_target *target);
/* Sets `path` to that of a file in a folder, and returns it; dies if it is too long. */
const char *tr_linux_path_in(const struct tr_linux_target *target, const char *folder,
			     const char *name, char path[PATH_MAX]);

#endif
