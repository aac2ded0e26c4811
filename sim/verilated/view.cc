// SPDX-License-Identifier: Apache-2.0
#include "view.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <new>

#include "rtl.h"
#include "verilated_fst_c.h"

// An instruction in a stage; 0: none.
struct occupant {
	uint64_t id;
};

enum stage { D, X, M, STAGES };

// Signals of a core; those of the stages are in the order of these.
enum view_signal {
	VALID,
	PC = VALID + STAGES,
	INSN = PC + STAGES,
	D_HAZARD = INSN + STAGES,
	X_READY,
	X_ACK,
	X_REDIRECT,
	M_COMMIT,
	M_TRAP,
	M_REDIRECT,
	SIGNALS
};
static const char *const NAMES[SIGNALS] = {
    "d_valid",	   "x_valid",	  "m_valid",	 "view_d_pc", "view_x_pc", "view_m_pc",
    "view_d_insn", "view_x_insn", "view_m_insn", "d_hazard",  "x_ready",   "x_ack",
    "x_redirect",  "m_commit",	  "m_trap",	 "m_redirect"};

// What a hart has in its stages, and what happens there at the next edge.
struct view_hart {
	struct probe_signal signals[SIGNALS];
	unsigned number;
	occupant stages[STAGES];
	uint64_t retired;
	bool flushes, redirects, commits, traps, acks, takes;
};

struct view {
	VerilatedFstC *fst;
	bool *activity;
	const char *wave, *kanata;
	FILE *log;
	bool begun;	// the log has its first cycle
	uint64_t cycle; // of the log
	uint64_t instructions;
	view_hart harts[RTL_HARTS_MAX];
	unsigned nharts;
};

// ------------------------------------------------------------ the stages

static uint64_t value_of(const view_hart *h, unsigned signal)
{
	return probe_get(&h->signals[signal], 0);
}

static void log_stage(struct view *v, const occupant &o, unsigned stage)
{
	if (o.id)
		fprintf(v->log, "S\t%" PRIu64 "\t0\t%c\n", o.id - 1, "DXM"[stage]);
}

static void log_retire(struct view *v, view_hart *h, unsigned stage, bool flushed)
{
	occupant *o = &h->stages[stage];

	if (o->id)
		fprintf(v->log, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", o->id - 1,
			flushed ? 0 : h->retired++, flushed);
	o->id = 0;
}

// An instruction that is seen for the first time, in a stage.
static void log_arrival(struct view *v, view_hart *h, unsigned stage)
{
	const uint64_t pc = value_of(h, PC + stage), id = v->instructions++;
	const uint32_t insn = static_cast<uint32_t>(value_of(h, INSN + stage));

	fprintf(v->log, "I\t%" PRIu64 "\t%" PRIu64 "\t%u\n", id, id, h->number);
	if ((insn & 3) == 3)
		fprintf(v->log, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %08x\n", id, pc, insn);
	else
		fprintf(v->log, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %04x\n", id, pc,
			insn & 0xffff);
	h->stages[stage].id = id + 1;
	log_stage(v, h->stages[stage], stage);
}

// Moves an instruction to the next stage.
static void log_move(struct view *v, view_hart *h, unsigned from)
{
	h->stages[from + 1] = h->stages[from];
	h->stages[from].id = 0;
	log_stage(v, h->stages[from + 1], from + 1);
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

// Moves the instructions as the edge has done.
static void move_instructions(struct view *v, view_hart *h)
{
	if (h->commits || h->traps)
		log_retire(v, h, M, !h->commits);
	if (h->flushes) {
		log_retire(v, h, X, true);
		log_retire(v, h, D, true);
	}
	if (h->acks && !h->flushes)
		log_move(v, h, X);
	if (h->redirects)
		log_retire(v, h, D, true);
	if (h->takes && !h->flushes && !h->redirects)
		log_move(v, h, D);
	for (unsigned stage = 0; stage < STAGES; stage++)
		if (value_of(h, VALID + stage) && !h->stages[stage].id)
			log_arrival(v, h, stage);
}

void view_before(struct view *v, uint64_t)
{
	for (unsigned i = 0; i < v->nharts; i++) {
		view_hart *h = &v->harts[i];

		h->commits = value_of(h, M_COMMIT);
		h->traps = value_of(h, M_TRAP);
		h->flushes = value_of(h, M_REDIRECT);
		h->redirects = value_of(h, X_REDIRECT);
		h->acks = value_of(h, X_ACK);
		h->takes = value_of(h, X_READY) && value_of(h, VALID + D) &&
			   !value_of(h, D_HAZARD);
	}
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

// ------------------------------------------------------------ the files

struct view *view_new(const struct rtl *r, const char *wave, const char *kanata,
		      const char **failed)
{
	view *v = new (std::nothrow) view();

	*failed = nullptr;
	if (!v)
		return nullptr;
	v->nharts = r->nharts;
	for (unsigned i = 0; i < r->nharts; i++) {
		v->harts[i].number = i;
		for (unsigned k = 0; k < SIGNALS; k++)
			v->harts[i].signals[k] =
			    probe_find(r->harts[i].probe.core, "", NAMES[k]);
	}
	v->wave = wave;
	v->kanata = kanata;
	if (kanata && !(v->log = fopen(kanata, "we")))
		*failed = kanata;
	if (wave && !*failed) {
		FILE *probe = fopen(wave, "we"); // the writer of FST reports no reason
		if (probe)
			fclose(probe);
		else
			*failed = wave;
	}
	if (wave && !*failed) {
		v->fst = new VerilatedFstC;
		v->activity = r->top->trace(r, v->fst);
		v->fst->open(wave);
	}
	return v;
}

const char *view_end(struct view *v)
{
	const char *failed = nullptr;

	if (v->fst) {
		v->fst->close();
		delete v->fst;
	}
	if (v->log) {
		for (unsigned i = 0; i < v->nharts; i++)
			for (unsigned stage : {M, X, D})
				log_retire(v, &v->harts[i], stage, true);
		if (ferror(v->log) | fclose(v->log))
			failed = v->kanata;
	}
	delete v;
	return failed;
}
