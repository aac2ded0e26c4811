// SPDX-License-Identifier: Apache-2.0
// What does not depend on the top of the SoC.
#include "rtl.h"

#include <cstring>

#include "pins.h"
#include "record.h"
#include "verilated.h"
#include "view.h"

// A program is linked without one of these functions if it is for one hart, or if its
// harts have different cores.
#pragma weak soc_top_init
#pragma weak smp_top_init

static bool (*find_top(unsigned harts))(struct rtl *r, const struct rtl_config *config)
{
	return harts > 1 ? smp_top_init : soc_top_init;
}

bool rtl_init(struct rtl *r, const struct rtl_config *config)
{
	if (VIEW)
		Verilated::traceEverOn(true); // needed before the model is built
	memset(r, 0, sizeof(*r));
	r->nharts = config->harts;
	r->misses = L1D_MISSES;

	r->features = config->features;
	r->has_nic = config->mac != 0;
	r->has_disk = config->disk_sectors != 0;
	for (unsigned h = 0; h < r->nharts; h++)
		r->harts[h].number = h;
	if (!find_top(r->nharts)(r, config))
		return false;
	for (unsigned h = 0; h < r->nharts; h++)
		if (probe_has_window(&r->harts[h].probe))
			r->top->leave_reset(r); // which would clear its registers
	r->mtime =
	    static_cast<uint64_t *>(probe_find(r->devices, ".u_clint", "mtime_q").at);
	r->mtimecmp = probe_find(r->devices, ".u_clint", "mtimecmp_q").at;
	for (unsigned h = 0; h < r->nharts; h++) {
		struct tlb *t = &r->harts[h].tlb;

		t->next = &r->harts[(h + 1) % r->nharts].tlb;
		t->valid = r->harts[h].probe.tlb_valid;
		t->copies = t->alert = config->features.copy;
		t->has_window = HAS_WINDOW;
	}
	if (VIEW)
		r->view = view_new(r, config->wave, config->kanata);
	return !VIEW || r->view;
}

bool rtl_can_have(unsigned harts)
{
	return find_top(harts) != nullptr;
}

void rtl_count_classes(struct rtl *r)
{
	r->classes = r->has_port;
	*r->trace_mode |= TRACE_CLASSES;
	r->changed = true;
}

void rtl_observe(struct rtl *r, bool all)
{
	r->classes = r->seen = r->has_port;
	r->all |= all;
	for (unsigned h = 0; h < r->nharts; h++)
		r->harts[h].all = r->all;
	*r->trace_mode |= TRACE_ON;
	r->changed = true;
	if (r->all)
		*r->trace_mode |= TRACE_FULL;
}

void rtl_release(struct rtl *r)
{
	if (VIEW)
		view_free(r->view);
	if (r->top)
		r->top->release(r);
}

void rtl_count(struct rtl_hart *hart, const struct rtl_commit *commit)
{
	count_token_cycles(hart, commit->cycle, commit->pc, commit->insn);
	if (!hart->commits)
		record_kept_slots(hart);
}

void rtl_empty(struct rtl_hart *hart, bool all)
{
	unsigned n = all ? 0 : hart->nruns - hart->first_run;

	memmove(hart->runs, hart->runs + hart->first_run, n * sizeof(*hart->runs));
	hart->nbatch = hart->nstalls = hart->first_run = 0;
	hart->nruns = n;
}
