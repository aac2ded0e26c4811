/* SPDX-License-Identifier: Apache-2.0 */
#include "unset.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/cause.h"
#include "model/satp.h"
#include "soc.h"

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_A = 64, PTE_D = 128 };
enum { FETCH = 12, LOAD = 13, STORE = 15 };
#define PTE_PPN ((UINT64_C(1) << 44) - 1)

/* Finds the leaf of an address. Returns false if there is none in memory. */
static bool find_leaf(const struct soc_image *image, uint64_t satp, uint64_t address,
		      uint64_t *at, uint64_t *pte)
{
	uint64_t table = satp_root_of(satp);

	for (unsigned level = SV39_LEVELS; level-- > 0;) {
		*at = table + (address >> (12 + 9 * level) & 511) * 8;
		if (!soc_image_in_ram(image, *at, 8))
			return false;
		memcpy(pte, image->ram + (*at - SOC_RAM_BASE), sizeof(*pte));
		if (!(*pte & PTE_V))
			return false;
		if (*pte & (PTE_R | PTE_X))
			return true;
		table = (*pte >> 10 & PTE_PPN) << 12;
	}
	return false;
}

bool unset_text(const struct soc_image *image, uint64_t satp, const struct soc_trap *trap,
		char *text, size_t size)
{
	const uint64_t needed = trap->cause == FETCH  ? PTE_X
				: trap->cause == LOAD ? PTE_R
						      : PTE_W;
	uint64_t at, pte;

	if ((trap->cause != FETCH && trap->cause != LOAD && trap->cause != STORE) ||
	    satp_mode_of(satp) != SATP_SV39 ||
	    !find_leaf(image, satp, trap->tval, &at, &pte) || !(pte & needed) ||
	    ((pte & PTE_A) && (trap->cause != STORE || (pte & PTE_D))))
		return false;
	cause_text(trap, text, size);
	size_t used = strlen(text);
	snprintf(text + used, size - used,
		 ": %s is 0 in its page-table entry, at 0x%" PRIx64
		 ": this machine does not set A and D, software must",
		 pte & PTE_A ? "D" : "A", at);
	return true;
}
