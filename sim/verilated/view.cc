// SPDX-License-Identifier: Apache-2.0
#include "view.h"

#include <algorithm>
#include <new>

#include "rtl.h"
#include "verilated_fst_c.h"
#include "view_pipeline.h"

struct view {
	VerilatedFstC *fst;
	bool *activity;
	struct view_log log;
	uint64_t cycle; // after the last edge
	std::unique_ptr<view_pipeline> harts[RTL_HARTS_MAX];
	unsigned nharts;
};

static void leave_pipelines(struct view *v)
{
	for (unsigned i = 0; i < v->nharts; i++)
		v->harts[i]->leave(v->cycle);
	view_log_write(&v->log, UINT64_MAX);
}

void view_before(struct view *v, uint64_t cycle)
{
	uint64_t known = cycle + 1;

	if (!v->log.file)
		return;
	if (cycle != v->cycle) // other cycles have passed since
		leave_pipelines(v);
	for (unsigned i = 0; i < v->nharts; i++) {
		v->harts[i]->look(cycle);
		known = std::min(known, v->harts[i]->told_from(cycle));
	}
	view_log_write(&v->log, known);
}

void view_after(struct view *v, uint64_t cycle)
{
	v->cycle = cycle;
	if (v->fst) {
		*v->activity = true; // set by eval(), which the loop does not call
		v->fst->dump(cycle);
	}
}

struct view *view_new(const struct rtl *r, const char *wave, FILE *kanata)
{
	view *v = new (std::nothrow) view();

	if (!v)
		return nullptr;
	v->nharts = r->nharts;
	for (unsigned i = 0; i < r->nharts; i++) {
		const struct probe *probe = &r->harts[i].probe;

		v->harts[i] =
		    (probe_has_window(probe) ? view_window_new
					     : view_stages_new)(probe, i, &v->log);
	}
	v->log.file = kanata;
	if (wave) {
		v->fst = new VerilatedFstC;
		v->activity = r->top->trace(r, v->fst);
		v->fst->open(wave);
	}
	return v;
}

void view_free(struct view *v)
{
	if (!v)
		return;
	if (v->fst)
		v->fst->close();
	delete v->fst;
	if (v->log.file)
		leave_pipelines(v);
	delete v;
}
