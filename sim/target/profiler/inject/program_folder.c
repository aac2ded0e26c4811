/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the files of programs. */
#include "program_folder.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process_maps.h"

enum { UNUSED_MAX = 16 }; /* files that no process needs, and that the next one may */

bool open_program_folder(struct program_folder *folder, const char *path, bool global)
{
	*folder = (struct program_folder){.path = strdup(path), .global = global};
	return folder->path != NULL;
}

void free_program_folder(struct program_folder *folder)
{
	free_program_files(folder->files);
	free(folder->path);
}

static void free_unused(struct program_folder *folder)
{
	unsigned unused = 0;

	for (struct program_files **at = &folder->files; *at;) {
		struct program_files *files = *at;

		if (files->users || (!files->replaced && ++unused <= UNUSED_MAX)) {
			at = &files->next;
			continue;
		}
		*at = files->next;
		files->next = NULL;
		free_program_files(files);
	}
}

/* Returns the files that have been read, if they are what the folder has. */
static struct program_files *find_current(struct program_folder *folder, const char *path)
{
	for (struct program_files *files = folder->files; files; files = files->next) {
		if (files->replaced || strcmp(files->folder, path) != 0)
			continue;
		files->replaced = !are_current_files(files);
		return files->replaced ? NULL : files;
	}
	return NULL;
}

static struct program_files *find_folder_files(struct program_folder *folder,
					       const char *path, struct trouble *trouble)
{
	struct program_files *files = find_current(folder, path);

	if (files || (access(path, F_OK) < 0 && errno == ENOENT))
		return files;
	free_unused(folder);
	files = read_program_files(folder->path, path, folder->global, true, trouble);
	if (files) {
		files->logged = folder->logged;
		files->next = folder->files;
		folder->files = files;
	}
	return files;
}

struct program_files *find_process_files(struct program_folder *folder, pid_t process,
					 struct trouble *trouble)
{
	char program[PATH_MAX], path[PATH_MAX];

	if (!read_process_program(process, program, sizeof(program), trouble))
		return NULL;
	if (!join_path(path, sizeof(path) - NAME_MAX, folder->path, program)) {
		tell_trouble(trouble, "%s: the path is too long", program);
		return NULL;
	}
	return find_folder_files(folder, path, trouble);
}

void tell_no_files(const struct program_folder *folder, pid_t process,
		   struct trouble *trouble)
{
	char program[PATH_MAX];

	if (read_process_program(process, program, sizeof(program), trouble))
		tell_trouble(trouble, "%s has no files of %s", folder->path, program);
}
