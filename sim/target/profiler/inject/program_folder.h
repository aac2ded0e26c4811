/* SPDX-License-Identifier: Apache-2.0 */
/* FOLDER of prof-extract: the files of the programs that processes run, which are read
 * once, and again when prof-extract has replaced them. */
#ifndef PROGRAM_FOLDER_H
#define PROGRAM_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

#include "program_files.h"
#include "run/trouble.h"

struct program_folder {
	char *path; /* absolute */
	bool global;
	bool logged;		     /* as in the files */
	struct program_files *files; /* the latest first */
};

/* Returns false without memory. Released by free_program_folder(). */
bool open_program_folder(struct program_folder *folder, const char *path, bool global);
/* Nothing refers to the files of any program. */
void free_program_folder(struct program_folder *folder);

/* Returns the files of the program that a process runs, which remain valid while they are
 * referred to (program_files.users) and until the next call. NULL without trouble: FOLDER
 * has none. */
struct program_files *find_process_files(struct program_folder *folder, pid_t process,
					 struct trouble *trouble);
/* Tells that FOLDER has no files of the program, which is named as they are looked for:
 * after symbolic links and "#!". */
void tell_no_files(const struct program_folder *folder, pid_t process,
		   struct trouble *trouble);

#endif
