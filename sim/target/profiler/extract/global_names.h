/* SPDX-License-Identifier: Apache-2.0 */
/* The names in the shared memory of all programs, shmemg.dat: a function has the index of
 * its name, whichever program it is in. Names are only added. */
#ifndef PROF_GLOBAL_NAMES_H
#define PROF_GLOBAL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct prof_global_names {
	const char **names; /* by index; in the old file or the caller's */
	bool *loops;	    /* of each: it counts executions of the entry */
	uint32_t count, capacity;
	uint32_t *indexes; /* of the caller's functions */
};

/* Adds the names of `count` functions to those of a file of `size` bytes; size 0: there
 * is none. Returns 0; TR_E_NOMEM; TR_E_ARGUMENT if there are too many names; or, with the
 * number of the byte in *at, what tr_shared_open() returns. */
enum tr_status prof_add_global_names(const uint8_t *bytes, size_t size,
				     const char *const *names, const bool *loops,
				     uint32_t count, struct prof_global_names *global,
				     uint64_t *at);
void prof_free_global_names(struct prof_global_names *global);

#endif
