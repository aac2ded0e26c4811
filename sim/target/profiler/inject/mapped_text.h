/* SPDX-License-Identifier: Apache-2.0 */
/* A process that begins maps its text with all entries, and the stubs, from injected.o as
 * prof-extract has prepared them (struct tr_stubs_image): neither is anything written to
 * its text, nor copied for it. That takes two things: the stubs get their first places,
 * and the program is exactly the one that was extracted. */
#ifndef MAPPED_TEXT_H
#define MAPPED_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "process_maps.h"
#include "program_files.h"
#include "run/trouble.h"
#include "stubs/stubs.h"

/* Returns whether a process that has not executed anything can map the image of `stubs`,
 * which is loaded with places->bias; then with its places. Counters have `counters_size`
 * bytes. */
bool place_mapped_text(const struct tr_stubs *stubs, const struct process_maps *maps,
		       const struct process_facts *facts, uint64_t counters_size,
		       struct tr_stubs_places *places);

/* Checks the image in injected.o, and that otherwise it is the text of the program that
 * the process runs. */
bool check_mapped_text(struct program_files *files, pid_t process,
		       struct trouble *trouble);

#endif
