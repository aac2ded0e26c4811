/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include "model/csr.h"
#include "stream/stream.h"

enum { TP = 4, PAGE = 4096 };

static bool read_x(void *user, unsigned reg, uint64_t *value)
{
	const struct replay_view *v = user;

	*value = soc_x(v->soc, v->hart, reg);
	return true;
}

static bool read_f(void *user, unsigned reg, uint64_t *value)
{
	const struct replay_view *v = user;

	*value = soc_f(v->soc, v->hart, reg);
	return true;
}

static bool is_kernel_address(uint64_t address)
{
	return address >> 63;
}

/* In the kernel tp has it. Around that, when tp is the program's or not set yet, sscratch
 * has. */
static bool read_task_pointer(void *user, uint64_t *address)
{
	const struct replay_view *v = user;

	*address = soc_x(v->soc, v->hart, TP);
	if (soc_priv(v->soc, v->hart) == TR_PRIV_U || !is_kernel_address(*address))
		soc_csr(v->soc, v->hart, CSR_SSCRATCH, address);
	return is_kernel_address(*address);
}

static bool read_table_entry(void *user, unsigned level, uint64_t address, uint64_t *pte)
{
	const struct soc *const *soc = user;

	(void)level;
	return soc_read_physical(*soc, address, pte, sizeof(*pte));
}

/* As the kernel would read it, by page. */
static bool read_kernel(const struct replay_view *v, uint64_t address, uint8_t *to,
			size_t size)
{
	const struct soc *soc = v->soc;
	struct soc_tables tables = {.user = &soc, .read = read_table_entry};
	struct soc_translation t = {
	    .address = address, .kind = SOC_LOAD, .priv = TR_PRIV_S};
	size_t part;

	soc_csr(v->soc, v->hart, CSR_SATP, &tables.satp);
	for (; size; size -= part) {
		part = PAGE - (size_t)(t.address & (PAGE - 1));
		if (part > size)
			part = size;
		t.size = (unsigned)part;
		if (!soc_translate_by(v->soc, v->hart, &tables, &t) || t.cause ||
		    !soc_read_physical(v->soc, t.physical, to, part))
			return false;
		t.address += part;
		to += part;
	}
	return true;
}

/* The firmware has no memory at the kernel's addresses. */
static bool read_as_hart(void *user, uint64_t address, void *to, size_t size)
{
	const struct replay_view *v = user;

	if (soc_priv(v->soc, v->hart) == TR_PRIV_M && is_kernel_address(address))
		return read_kernel(v, address, to, size);
	return soc_read_virtual(v->soc, v->hart, address, to, size);
}

static bool find_lowest_sp(void *user, uint64_t base, uint64_t size, uint64_t *sp)
{
	const struct replay_view *v = user;

	return v->stacks && stacks_lowest(v->stacks, base, size, sp);
}

struct tr_probe_machine replay_machine(struct replay_view *view, uint64_t pc,
				       uint64_t cycle)
{
	struct tr_probe_machine machine = {.user = view,
					   .x = read_x,
					   .f = read_f,
					   .task = read_task_pointer,
					   .lowest_sp = find_lowest_sp,
					   .read = read_as_hart,
					   .pc = pc,
					   .cycle = cycle,
					   .hart = view->hart};

	soc_csr(view->soc, view->hart, CSR_SATP, &machine.satp);
	return machine;
}
