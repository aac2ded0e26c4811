/* SPDX-License-Identifier: Apache-2.0 */
/* Page faults of an access that the page tables allow, but for a bit that is not set:
 * this machine does not set A and D itself, as others do (Svadu). */
#ifndef RUN_UNSET_H
#define RUN_UNSET_H

#include "model/load.h"
#include "model/model.h"

/* Writes "load page fault for 0x1000 at 0x80000010: A is 0 in its page-table entry, at
 * 0x80201008: ..." if memory has such an entry for the trap, under this satp. Returns
 * false for any other trap. */
bool unset_text(const struct soc_image *image, uint64_t satp, const struct soc_trap *trap,
		char *text, size_t size);

#endif
