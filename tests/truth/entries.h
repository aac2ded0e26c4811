/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of functions of which the file tells nothing: code between targets of calls, and
 * stubs of the procedure linkage table. */
#ifndef TRUTH_ENTRIES_H
#define TRUTH_ENTRIES_H

#include "machine.h"

/* Gets [low, high) around the address: from a known function, the target of a call or the
 * file's entry point to the next one. Returns false if there is none below. */
bool entries_find(const struct binary *binary, uint64_t address, uint64_t *low,
		  uint64_t *high);
/* Returns whether the address is in a stub of the linkage table, or in the code before
 * the first of them. */
bool entries_is_stub(const struct binary *binary, uint64_t address);

#endif
