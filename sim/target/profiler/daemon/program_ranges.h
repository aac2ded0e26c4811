/* SPDX-License-Identifier: Apache-2.0 */
/* Which function of a program a sample is of: by funcs.bin or funcsg.bin, and within
 * stubs by data.bin or datag.bin, prof-files(5). Files are read at the first sample. */
#ifndef PROGRAM_RANGES_H
#define PROGRAM_RANGES_H

#include <stdbool.h>
#include <stdint.h>

#include "run/trouble.h"
#include "stubs/stubs.h"

struct program_ranges;

/* Returns what free_program_ranges() releases, or NULL without memory. `folder` is
 * FOLDER/PROGRAM. */
struct program_ranges *make_program_ranges(const char *folder, bool global);
void free_program_ranges(struct program_ranges *program);
/* Whether the files are those that were there when it was made: else prof-extract has
 * replaced them. */
bool are_current_ranges(const struct program_ranges *program);

/* Finds the function of a program counter in a process whose stubs are at `places`, or
 * which has none. Returns the index of its counter, or -1: none that is counted. Returns
 * -1 with the trouble set, at most once for ranges and once for stubs: the files cannot
 * be read. */
int64_t find_sampled_function(struct program_ranges *program,
			      const struct tr_stubs_places *places, bool has_stubs,
			      uint64_t pc, struct trouble *trouble);

#endif
