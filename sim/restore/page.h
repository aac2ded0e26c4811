/* SPDX-License-Identifier: Apache-2.0 */
/* The page that restores a checkpoint: its code, and the values of the checkpoint. */
#ifndef RESTORE_PAGE_H
#define RESTORE_PAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/checkpoint.h"
#include "table.h"

/* Returns NULL, or why this state cannot be restored on another machine. Without
 * `devices` these stay as they are there. */
const char *restore_refusal(const struct checkpoint *c, bool devices);
/* Returns the n-th (from 0) reason why a program can notice that it was restored; NULL:
 * there are no more. */
const char *restore_doubt(const struct checkpoint *c, bool devices, unsigned n);

/* Fills `page`, of RESTORE_SIZE bytes, which will be at `address`, and puts the jump to
 * it over the first RESTORE_JUMP bytes of `ram`. */
void restore_build(const struct checkpoint *c, bool devices, uint64_t address,
		   uint8_t *page, uint8_t *ram);

#endif
