// SPDX-License-Identifier: Apache-2.0
// The window as a list of instructions in program order.
//
// The value of a physical register is the number of the instruction that wrote it, and
// each instruction knows the numbers that it must read.
#ifndef WINDOW_MODEL_H
#define WINDOW_MODEL_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#ifndef WIDTH
#define WIDTH 4
#endif
#ifndef WINDOW
#define WINDOW 64
#endif
enum { WALK = 8, REGISTERS = 64, TAGS = 128, OPERANDS = 3 };
enum port { ALU, BRANCH, MUL, DIV, MEM, FLOAT, HEAD, PORTS }; // ooo_pkg::port_e
// ooo_pkg::issue_e, source_e
enum { INT0, INT1, INT2, TO_MEM, TO_FLOAT, TO_HEAD, ISSUES };
enum { ALU0, ALU1, ALU2, FROM_MEM, FROM_MUL, FROM_DIV, FROM_FLOAT, FROM_HEAD, SOURCES };
enum state { PENDING, ISSUED, DONE };

struct insn {
	uint64_t number;
	enum port port;
	unsigned rd, rs[OPERANDS];
	uint64_t reads[OPERANDS]; // numbers of the instructions, or of initial registers
	bool alone;
	bool held; // replayed, and waits for a wake
	unsigned slot, tag;
	enum state state;
	unsigned source;
	uint64_t due; // cycle of the result
};

// How a run draws; a rate is once in so many times, 0 for never.
struct temper {
	unsigned registers;	 // instructions use so many, at least 2
	unsigned weights[PORTS]; // of the ports
	unsigned dispatch_gap, squash, flush, hold, alone, replay, busy, late;
	unsigned thirds;
	unsigned wake;
	enum shape { RANDOM, INDEPENDENT, CHAIN } shape; // of the operands
};

struct model {
	const struct temper *temper;
	std::deque<struct insn> window; // from the oldest on
	unsigned head, extra;		// extra slots are to be walked over
	unsigned init;			// cycles until the arrays are set
	uint64_t now, numbers, committed;
	uint64_t latest[REGISTERS], architectural[REGISTERS];
	unsigned architectural_tag[REGISTERS];
	uint64_t value[TAGS];
	std::vector<bool> known; // by number: the result is told
	// Of this cycle
	std::vector<struct insn> group;
	unsigned commits;
	unsigned woken; // that waited for a wake
	bool squash, inclusive, flush;
	size_t stay; // instructions that do not leave
};

static void model_reset(struct model *m, const struct temper *temper)
{
	*m = {};
	m->temper = temper;
	m->init = 64;
	m->numbers = REGISTERS;
	for (unsigned i = 0; i < REGISTERS; i++) {
		m->latest[i] = m->architectural[i] = m->value[i] = i;
		m->architectural_tag[i] = i;
	}
	m->known.assign(REGISTERS, true);
}

static bool is_ready(const struct model *m, const struct insn *i)
{
	return i->state == PENDING && !i->held &&
	       std::all_of(i->reads, i->reads + OPERANDS,
			   [m](uint64_t number) { return m->known[number]; });
}

static bool model_ready(const struct model *m)
{
	return !m->init && !m->extra && m->window.size() + WIDTH <= WINDOW;
}

static void enter_group(struct model *m)
{
	for (struct insn i : m->group) {
		i.number = m->numbers++;
		i.slot = static_cast<unsigned>(m->head + m->window.size()) % WINDOW;
		for (unsigned k = 0; k < OPERANDS; k++)
			i.reads[k] = m->latest[i.rs[k]];
		if (i.rd)
			m->latest[i.rd] = i.number;
		m->known.push_back(false);
		m->window.push_back(i);
	}
}

// Returns the oldest ready instruction of a class that is not taken, or NULL.
static struct insn *find_oldest(struct model *m, enum port port,
				struct insn *const *taken)
{
	for (struct insn &i : m->window)
		if (i.port == port && is_ready(m, &i) &&
		    std::find(taken, taken + ISSUES, &i) == taken + ISSUES)
			return &i;
	return nullptr;
}

static void take_results(struct model *m, struct insn *const *results,
			 struct insn *replayed, bool as_head, bool waits)
{
	for (unsigned source = 0; source < SOURCES; source++) {
		struct insn *i = results[source];

		if (!i)
			continue;
		i->state = DONE;
		m->known[i->number] = true;
		if (i->tag)
			m->value[i->tag] = i->number;
	}
	if (!replayed)
		return;
	replayed->state = PENDING;
	replayed->held = waits;
	if (as_head) {
		replayed->port = HEAD;
		replayed->alone = true;
	}
}

static void commit_slots(struct model *m)
{
	for (unsigned n = 0; n < m->commits; n++) {
		const struct insn *i = &m->window.front();

		if (i->rd) {
			m->architectural[i->rd] = i->number;
			m->architectural_tag[i->rd] = i->tag;
		}
		m->window.pop_front();
	}
	m->head = (m->head + m->commits) % WINDOW;
	m->committed += m->commits;
}

static void leave_slots(struct model *m)
{
	size_t stay = m->stay - m->commits;

	m->extra -= std::min<unsigned>(m->extra, WALK);
	if (!m->squash && !m->flush)
		return;
	m->extra += static_cast<unsigned>(m->window.size() - stay);
	m->window.resize(stay);
	std::copy(m->architectural, m->architectural + REGISTERS, m->latest);
	for (const struct insn &i : m->window)
		if (i.rd)
			m->latest[i.rd] = i.number;
}

#endif
