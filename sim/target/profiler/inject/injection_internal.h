/* SPDX-License-Identifier: Apache-2.0 */
/* What injection.c and take_out.c share. */
#ifndef INJECTION_INTERNAL_H
#define INJECTION_INTERNAL_H

#include <stdbool.h>
#include <stdint.h>

#include "run/trouble.h"
#include "stub_places.h"
#include "tracee.h"

/* Adds a call to a counter that other processes may increment. `counts` are mapped. */
void count_missing_call(uint8_t *counts, uint32_t index);
/* The thread that makes calls: the process's first one, if it still runs. */
pid_t first_move_thread(const struct thread_move *moves, size_t count, pid_t process);

#endif
