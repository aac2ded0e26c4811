/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for the start of programs: reads memory as a hart sees it, through the L1Ds and
 * the page tables. */
#include <string.h>

#include "harness_state.h"
#include "model/csr.h"
#include "model/satp.h"
#include "soc.h"
#include "stream/insn.h"

enum { PAGE_BITS = 12, INDEX_BITS = 9, ENTRY_BYTES = 8 };
enum { ENTRY_V = 1, ENTRY_RWX = 14 };
#define PPN_MASK ((UINT64_C(1) << 44) - 1)

/* A line is the same in all caches. */
bool harness_read(const struct harness *h, uint64_t address, uint64_t *word)
{
	if (address < SOC_RAM_BASE || address - SOC_RAM_BASE >= h->image->size)
		return false;
	for (unsigned i = 0; i < h->rtl.nharts; i++)
		if (peek_l1d(&h->rtl.harts[i], address, word))
			return true;
	memcpy(word, h->image->ram + (address - SOC_RAM_BASE), sizeof(*word));
	return true;
}

/* Translates an address of U-mode. Returns false if it is not mapped. */
static bool translate_user_address(const struct hart *hart, uint64_t address,
				   uint64_t *physical)
{
	uint64_t satp = hart->context.satp, table = satp_root_of(satp), entry;

	*physical = address;
	if (satp_mode_of(satp) != SATP_SV39)
		return true;
	for (int level = SV39_LEVELS - 1; level >= 0; level--) {
		unsigned shift = PAGE_BITS + INDEX_BITS * (unsigned)level;
		uint64_t index = address >> shift & ((1U << INDEX_BITS) - 1);
		uint64_t offset = (UINT64_C(1) << shift) - 1;

		if (!harness_read(hart->harness, table + ENTRY_BYTES * index, &entry) ||
		    !(entry & ENTRY_V))
			return false;
		*physical = (entry >> 10 & PPN_MASK) << PAGE_BITS;
		*physical = (*physical & ~offset) | (address & offset);
		if (entry & ENTRY_RWX)
			return true;
		table = (entry >> 10 & PPN_MASK) << PAGE_BITS;
	}
	return false;
}

static bool read_user_memory(void *user, uint64_t address, void *data, size_t size)
{
	const struct hart *hart = user;
	uint8_t *to = data;
	uint64_t physical, word;

	while (size) {
		size_t skip = (size_t)(address % sizeof(word)),
		       part = sizeof(word) - skip;

		if (part > size)
			part = size;
		if (!translate_user_address(hart, address, &physical) ||
		    !harness_read(hart->harness, physical - skip, &word))
			return false;
		memcpy(to, (const uint8_t *)&word + skip, part);
		address += part;
		to += part;
		size -= part;
	}
	return true;
}

void harness_find_programs(struct hart *hart)
{
	const struct rtl_commit *c = &hart->commit;
	struct exec_view view = {
	    .sp = peek_x(hart->rtl, TR_REG_SP), .user = hart, .read = read_user_memory};

	peek_csr(hart->rtl, c->insn == TR_INSN_MRET ? CSR_MEPC : CSR_SEPC, &view.pc);
	if (!exec_watch_check(&hart->execs, &view))
		return;
	hart->begins = true;
	hart->rtl->watches[hart->rtl->nwatches++] =
	    (struct rtl_watch){.pc = view.pc, .pc_mask = UINT64_MAX};
}

void harness_forget_program(struct hart *hart)
{
	if (hart->begins)
		hart->rtl->nwatches--;
	hart->begins = false;
}
