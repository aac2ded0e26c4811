/* SPDX-License-Identifier: Apache-2.0 */
#include "view.h"

#include "model/csr.h"

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

static bool read_memory(void *user, uint64_t address, void *to, size_t size)
{
	const struct replay_view *v = user;

	return soc_read_virtual(v->soc, v->hart, address, to, size);
}

struct tr_probe_machine replay_machine(struct replay_view *view, uint64_t pc,
				       uint64_t cycle)
{
	struct tr_probe_machine machine = {.user = view,
					   .x = read_x,
					   .f = read_f,
					   .read = read_memory,
					   .pc = pc,
					   .cycle = cycle,
					   .hart = view->hart};

	soc_csr(view->soc, view->hart, CSR_SATP, &machine.satp);
	return machine;
}
