// SPDX-License-Identifier: Apache-2.0
#include "view.h"

#include <cinttypes>
#include <new>

#include "rtl.h"
#include "verilated_fst_c.h"

// Only the core in order has it.
#pragma weak probe_stage

enum { STAGES_MAX = 16 };

// A stage, and what happens there at the next edge.
struct stage {
	char name;
	uint64_t id; // of its instruction; 0: none
	uint8_t valid, leaves, drops;
	uint64_t pc;
	uint32_t insn;
};

struct view_hart {
	const struct probe *probe;
	unsigned number;
	stage stages[STAGES_MAX];
	unsigned nstages;
	uint64_t retired;
};

struct view {
	VerilatedFstC *fst;
	bool *activity;
	FILE *log;
	bool begun;	// the log has its first cycle
	uint64_t cycle; // of the log
	uint64_t instructions;
	view_hart harts[RTL_HARTS_MAX];
	unsigned nharts;
};

// ------------------------------------------------------------ the stages

// Reads the stages: what they have, and what happens there at the next edge.
static void read_stages(view_hart *h)
{
	probe_ask_core(h->probe);
	for (h->nstages = 0; h->nstages < STAGES_MAX; h->nstages++) {
		stage *s = &h->stages[h->nstages];

		s->name = probe_stage(h->nstages, &s->valid, &s->leaves, &s->drops,
				      &s->pc, &s->insn);
		if (!s->name)
			break;
	}
}

static void log_stage(struct view *v, const stage &s)
{
	fprintf(v->log, "S\t%" PRIu64 "\t0\t%c\n", s.id - 1, s.name);
}

static void log_retire(struct view *v, view_hart *h, stage *s, bool flushed)
{
	if (s->id)
		fprintf(v->log, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", s->id - 1,
			flushed ? 0 : h->retired++, flushed);
	s->id = 0;
}

// An instruction that is seen for the first time, in a stage.
static void log_arrival(struct view *v, const view_hart *h, stage *s)
{
	const uint64_t id = v->instructions++;

	fprintf(v->log, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", id, id, h->number);
	if ((s->insn & 3) == 3)
		fprintf(v->log, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %08x\n", id, s->pc,
			s->insn);
	else
		fprintf(v->log, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %04x\n", id, s->pc,
			s->insn & 0xffff);
	s->id = id + 1;
	log_stage(v, *s);
}

// Moves an instruction to the next stage.
static void log_move(struct view *v, stage *from)
{
	from[1].id = from->id;
	from->id = 0;
	if (from[1].id)
		log_stage(v, from[1]);
}

static void pass_time(struct view *v, uint64_t cycle)
{
	if (!v->begun)
		fprintf(v->log, "Kanata\t0004\nC=\t%" PRIu64 "\n", cycle);
	else if (cycle > v->cycle)
		fprintf(v->log, "C\t%" PRIu64 "\n", cycle - v->cycle);
	v->begun = true;
	v->cycle = cycle;
}

// Moves the instructions as the edge has done, the oldest first.
static void move_instructions(struct view *v, view_hart *h)
{
	for (unsigned i = h->nstages; i-- > 0;) {
		stage *s = &h->stages[i];

		if (s->drops || (s->leaves && i + 1 == h->nstages))
			log_retire(v, h, s, s->drops);
		else if (s->leaves)
			log_move(v, s);
	}
	read_stages(h);
	for (unsigned i = 0; i < h->nstages; i++)
		if (h->stages[i].valid && !h->stages[i].id)
			log_arrival(v, h, &h->stages[i]);
}

void view_before(struct view *v)
{
	for (unsigned i = 0; v->log && i < v->nharts; i++)
		read_stages(&v->harts[i]);
}

void view_after(struct view *v, uint64_t cycle)
{
	if (v->log) {
		pass_time(v, cycle);
		for (unsigned i = 0; i < v->nharts; i++)
			move_instructions(v, &v->harts[i]);
	}
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
		v->harts[i].number = i;
		v->harts[i].probe = &r->harts[i].probe;
	}
	v->log = kanata;
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
	for (unsigned i = 0; v->log && i < v->nharts; i++)
		for (unsigned k = v->harts[i].nstages; k-- > 0;)
			log_retire(v, &v->harts[i], &v->harts[i].stages[k], true);
	delete v;
}
