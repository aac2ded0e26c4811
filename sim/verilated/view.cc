// SPDX-License-Identifier: Apache-2.0
#include "view.h"

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <new>

#include "Vsoc.h"
#include "Vsoc___024root.h"
#include "Vsoc__Syms.h"
#include "verilated_fst_c.h"

// An instruction in a stage; 0: none.
struct occupant {
	uint64_t id;
};

struct view {
	Vsoc *soc;
	VerilatedFstC *fst;
	const char *wave, *kanata;
	FILE *log;
	bool begun;	// the log has its first cycle
	uint64_t cycle; // of the log
	uint64_t instructions, retired;
	occupant d, x, m;
	bool flushes, redirects, commits, traps, acks, takes; // at the next edge
};

// Signals of the core, which view.vlt keeps.
#define CORE(signal) (root->soc__DOT__u_core__DOT__##signal)

// ------------------------------------------------------------ the stages

static void log_stage(struct view *v, const occupant &o, const char *name)
{
	if (o.id)
		fprintf(v->log, "S\t%" PRIu64 "\t0\t%s\n", o.id - 1, name);
}

static void log_retire(struct view *v, occupant *o, bool flushed)
{
	if (o->id)
		fprintf(v->log, "R\t%" PRIu64 "\t%" PRIu64 "\t%d\n", o->id - 1,
			flushed ? 0 : v->retired++, flushed);
	o->id = 0;
}

// An instruction that is seen for the first time, in the stage of these registers.
static occupant log_arrival(struct view *v, uint64_t pc, uint32_t insn, const char *name)
{
	uint64_t id = v->instructions++;

	fprintf(v->log, "I\t%" PRIu64 "\t%" PRIu64 "\t0\n", id, id);
	if ((insn & 3) == 3)
		fprintf(v->log, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %08x\n", id, pc, insn);
	else
		fprintf(v->log, "L\t%" PRIu64 "\t0\t%" PRIx64 ": %04x\n", id, pc,
			insn & 0xffff);
	const occupant o = {id + 1};
	log_stage(v, o, name);
	return o;
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
static void move_instructions(struct view *v)
{
	const Vsoc___024root *root = v->soc->rootp;

	if (v->commits || v->traps)
		log_retire(v, &v->m, !v->commits);
	if (v->flushes) {
		log_retire(v, &v->x, true);
		log_retire(v, &v->d, true);
	}
	if (v->acks && !v->flushes) {
		v->m = v->x;
		v->x.id = 0;
		log_stage(v, v->m, "M");
	}
	if (v->redirects)
		log_retire(v, &v->d, true);
	if (v->takes && !v->flushes && !v->redirects) {
		v->x = v->d;
		v->d.id = 0;
		log_stage(v, v->x, "X");
	}
	if (CORE(d_valid) && !v->d.id)
		v->d = log_arrival(v, CORE(view_d_pc), CORE(view_d_insn), "D");
	if (CORE(x_valid) && !v->x.id)
		v->x = log_arrival(v, CORE(view_x_pc), CORE(view_x_insn), "X");
	if (CORE(m_valid) && !v->m.id)
		v->m = log_arrival(v, CORE(view_m_pc), CORE(view_m_insn), "M");
}

void view_before(struct view *v, uint64_t)
{
	const Vsoc___024root *root = v->soc->rootp;

	v->commits = CORE(m_commit);
	v->traps = CORE(m_trap);
	v->flushes = CORE(m_redirect);
	v->redirects = CORE(x_redirect);
	v->acks = CORE(x_ack);
	v->takes = CORE(x_ready) && CORE(d_valid) && !CORE(d_hazard);
}

void view_after(struct view *v, uint64_t cycle)
{
	if (v->log) {
		pass_time(v, cycle);
		move_instructions(v);
	}
	if (v->fst) {
		// Set by eval(), which rtl.cc does not call.
		v->soc->rootp->vlSymsp->__Vm_activity = true;
		v->fst->dump(cycle);
	}
}

// ------------------------------------------------------------ the files

struct view *view_new(Vsoc *soc, const char *wave, const char *kanata,
		      const char **failed)
{
	view *v = new (std::nothrow) view();

	*failed = nullptr;
	if (!v)
		return nullptr;
	v->soc = soc;
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
		soc->trace(v->fst, 99);
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
		for (occupant *o : {&v->m, &v->x, &v->d})
			log_retire(v, o, true);
		if (ferror(v->log) | fclose(v->log))
			failed = v->kanata;
	}
	delete v;
	return failed;
}
