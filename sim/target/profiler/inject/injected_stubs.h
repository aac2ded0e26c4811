/* SPDX-License-Identifier: Apache-2.0 */
/* What stubs a process has, whoever has brought them in: its mappings tell. Functions
 * that may fail return false with the trouble set. */
#ifndef INJECTED_STUBS_H
#define INJECTED_STUBS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "process_maps.h"
#include "program_files.h"
#include "run/trouble.h"
#include "stubs/stubs.h"

struct injected_stubs {
	bool image; /* they are of an image */
	bool global;
	/* NULL: an injector that was killed before it mapped the counters has written no
	 * entry. Then there is no folder. */
	const struct process_map *counters;
	char folder[PATH_MAX]; /* FOLDER/PROGRAM */
};

/* Tells whether a process with these mappings has stubs; then with `stubs`. False without
 * trouble: it has none. */
bool find_injected_stubs(const struct process_maps *maps, struct injected_stubs *stubs,
			 struct trouble *trouble);
/* Finds where the parts are that `files` describe. */
bool find_injected_places(pid_t process, const struct process_maps *maps,
			  const struct injected_stubs *stubs,
			  const struct program_files *files,
			  struct tr_stubs_places *places, struct trouble *trouble);
/* Compares the stubs of an image with those of `files`: its folder may have files of
 * another extraction by now. */
bool has_image_code(pid_t process, int memory, const struct program_files *files,
		    const struct tr_stubs_places *places, struct trouble *trouble);
/* Tells whether all entries are there; `files` are complete. */
bool has_all_entries(int memory, const struct program_files *files,
		     const struct tr_stubs_places *places);

#endif
