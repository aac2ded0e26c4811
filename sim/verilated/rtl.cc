// SPDX-License-Identifier: Apache-2.0
// What does not depend on the top of the SoC.
#include "rtl.h"

#include <cstring>

#include "pins.h"
#include "record.h"
#include "verilated.h"
#include "view.h"

// A program for one hart is linked without this function.
#pragma weak smp_top_init

bool rtl_init(struct rtl *r, const struct rtl_config *config)
{
	if (VIEW)
		Verilated::traceEverOn(true); // needed before the model is built
	memset(r, 0, sizeof(*r));
	r->nharts = config->harts;
	r->features = config->features;
	r->has_nic = config->mac != 0;
	for (unsigned h = 0; h < r->nharts; h++)
		r->harts[h].number = h;
	if (!(r->nharts > 1 ? smp_top_init : soc_top_init)(r, config))
		return false;
	r->mtime =
	    static_cast<uint64_t *>(probe_find(r->devices, ".u_clint", "mtime_q").at);
	r->mtimecmp = probe_find(r->devices, ".u_clint", "mtimecmp_q").at;
	for (unsigned h = 0; h < r->nharts; h++) {
		struct tlb *t = &r->harts[h].tlb;

		t->next = &r->harts[(h + 1) % r->nharts].tlb;
		t->valid = r->harts[h].probe.tlb_valid;
		t->copies = t->alert = config->features.copy;
	}
	if (VIEW)
		r->view = view_new(r, config->wave, config->kanata);
	return !VIEW || r->view;
}

bool rtl_has_several(void)
{
	return smp_top_init != nullptr;
}

void rtl_count_classes(struct rtl *r)
{
	r->classes = r->has_port;
	*r->trace_mode |= TRACE_CLASSES;
	r->changed = true;
}

void rtl_observe(struct rtl *r, bool all)
{
	rtl_count_classes(r);
	r->seen = r->has_port;
	r->all |= all;
	for (unsigned h = 0; h < r->nharts; h++)
		r->harts[h].all = r->all;
	*r->trace_mode |= TRACE_ON;
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
