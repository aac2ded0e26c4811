/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for the start of programs: reads memory as the core sees it, through the L1D and
 * the page tables. */
#include <string.h>

#include "harness_state.h"
#include "soc.h"
#include "stream/insn.h"

enum { CSR_SEPC = 0x141, CSR_MEPC = 0x341 };
enum { LEVELS = 3, PAGE_BITS = 12, INDEX_BITS = 9, ENTRY_BYTES = 8 };
enum { ENTRY_V = 1, ENTRY_RWX = 14, SV39 = 8 };
#define PPN_MASK ((UINT64_C(1) << 44) - 1)

bool harness_read(const struct harness *h, uint64_t address, uint64_t *word)
{
	if (address < SOC_RAM_BASE || address - SOC_RAM_BASE >= h->image.size)
		return false;
	if (!rtl_l1d(&h->rtl, address, word))
		memcpy(word, h->image.ram + (address - SOC_RAM_BASE), sizeof(*word));
	return true;
}

/* Translates an address of U-mode. Returns false if it is not mapped. */
static bool translate_user_address(const struct harness *h, uint64_t address,
				   uint64_t *physical)
{
	uint64_t satp = h->hart.context.satp, entry = satp & PPN_MASK;

	*physical = address;
	if (satp >> 60 != SV39)
		return true;
	for (int level = LEVELS - 1; level >= 0; level--) {
		unsigned shift = PAGE_BITS + INDEX_BITS * (unsigned)level;
		uint64_t index = address >> shift & ((1U << INDEX_BITS) - 1);
		uint64_t offset = (UINT64_C(1) << shift) - 1;

		if (!harness_read(h, (entry << PAGE_BITS) + ENTRY_BYTES * index,
				  &entry) ||
		    !(entry & ENTRY_V))
			return false;
		*physical = (entry >> 10 & PPN_MASK) << PAGE_BITS;
		*physical = (*physical & ~offset) | (address & offset);
		if (entry & ENTRY_RWX)
			return true;
		entry = entry >> 10 & PPN_MASK;
	}
	return false;
}

static bool read_user_memory(void *user, uint64_t address, void *data, size_t size)
{
	uint8_t *to = data;
	uint64_t physical, word;

	while (size) {
		size_t skip = (size_t)(address % sizeof(word)),
		       part = sizeof(word) - skip;

		if (part > size)
			part = size;
		if (!translate_user_address(user, address, &physical) ||
		    !harness_read(user, physical - skip, &word))
			return false;
		memcpy(to, (const uint8_t *)&word + skip, part);
		address += part;
		to += part;
		size -= part;
	}
	return true;
}

void harness_find_programs(struct harness *h)
{
	const struct rtl_commit *c = &h->hart.commit;
	struct exec_view view = {
	    .sp = rtl_x(&h->rtl, TR_REG_SP), .user = h, .read = read_user_memory};

	rtl_csr(&h->rtl, c->insn == TR_INSN_MRET ? CSR_MEPC : CSR_SEPC, &view.pc);
	if (!exec_watch_check(&h->execs, &view))
		return;
	h->begins = true;
	h->rtl.watches[h->rtl.nwatches++] =
	    (struct rtl_watch){.pc = view.pc, .pc_mask = UINT64_MAX};
}

void harness_forget_program(struct harness *h)
{
	if (h->begins)
		h->rtl.nwatches--;
	h->begins = false;
}
