/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a process runs the program that was extracted. */
#ifndef RUNNING_BUILD_H
#define RUNNING_BUILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "process_maps.h"
#include "stubs/stubs.h"

/* Compares the build-id in the memory of the process, or of a program without one the
 * size of its file. `bias` is that of the program. */
bool is_running_build(pid_t process, int memory, const struct process_vector *vector,
		      uint64_t bias, const struct tr_stubs *stubs);

#endif
