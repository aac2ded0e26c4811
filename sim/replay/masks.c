/* SPDX-License-Identifier: Apache-2.0 */
#include "masks.h"

#include <stdlib.h>

#include "base/little.h"
#include "model/csr.h"
#include "stream/stream.h"

enum { SYSTEM = 0x73, SRET = 0x10200073, MRET = 0x30200073, WFI = 0x10500073 };

/* What differs between the modes. */
struct level {
	unsigned priv, tvec;
	uint64_t enable, previous, from; /* bits of mstatus; `from`: the mode before */
	uint32_t ret;
};
static const struct level levels[MASKS_LEVELS] = {
    {TR_PRIV_S, CSR_STVEC, SOC_MSTATUS_SIE, SOC_MSTATUS_SPIE, SOC_MSTATUS_SPP, SRET},
    {TR_PRIV_M, CSR_MTVEC, SOC_MSTATUS_MIE, SOC_MSTATUS_MPIE, SOC_MSTATUS_MPP, MRET}};

bool masks_create(struct masks *m, const struct probing_options *options)
{
	const size_t count = tr_probes_place_count(options->probes);

	*m = (struct masks){.o = options};
	m->places = calloc(count + 1, sizeof(*m->places));
	m->biases = calloc(count + 1, sizeof(*m->biases));
	for (size_t i = 0; m->places && i < count; i++) {
		const struct tr_probe_place *place = tr_probes_place(options->probes, i);

		if (place->kind != TR_PROBE_MASKED)
			continue;
		m->places[m->nplaces++] = i;
		if (place->saved_size > m->stride)
			m->stride = place->saved_size;
	}
	m->stride = (m->stride + 8) / 8 * 8; /* there may be nothing to save */
	m->saved = calloc(SOC_HARTS_MAX * MASKS_LEVELS * (m->nplaces + 1), m->stride);
	if (m->places && m->biases && m->saved)
		return true;
	masks_free(m);
	return false;
}

void masks_free(struct masks *m)
{
	free(m->places);
	free(m->biases);
	free(m->saved);
}

/* ------------------------------------------------------------ what is watched */

bool masks_want_pc(const struct masks *m, uint64_t pc)
{
	uint64_t tvec = 0;

	for (unsigned hart = 0; m->nplaces && hart < soc_harts(m->o->soc); hart++) {
		if (m->behind_wfi[hart] == pc)
			return true;
		for (unsigned i = 0; i < MASKS_LEVELS; i++)
			if (soc_csr(m->o->soc, hart, levels[i].tvec, &tvec) && tvec &&
			    (tvec & ~UINT64_C(3)) == pc)
				return true;
	}
	return false;
}

bool masks_want_insn(void *user, const uint8_t *code, unsigned size)
{
	const uint32_t insn = size == 4 ? tr_load32(code) : 0;
	const unsigned csr = insn >> 20;

	(void)user;
	if ((insn & 0x7f) != SYSTEM)
		return false;
	return insn == SRET || insn == MRET || insn == WFI ||
	       ((insn >> 12 & 3) && (csr == CSR_SSTATUS || csr == CSR_MSTATUS));
}

void masks_found_binary(struct masks *m, uint32_t number, uint64_t bias)
{
	for (size_t i = 0; i < m->nplaces; i++)
		if (m->o->places[m->places[i]].number == number)
			m->biases[i] = bias;
}

/* ------------------------------------------------------------ what instructions do */

/* Returns the bits of mstatus after a CSR instruction. */
static uint64_t written_status(const struct masks *m, unsigned hart, uint32_t insn,
			       uint64_t status)
{
	const unsigned operand = insn >> 15 & 31, kind = insn >> 12 & 7;
	const uint64_t value = kind & 4 ? operand : soc_x(m->o->soc, hart, operand);

	switch (kind & 3) {
	case 1:
		return value;
	case 2:
		return status | value;
	default:
		return status & ~value;
	}
}

/* Returns whether interrupts are taken after an instruction of this level. */
static bool is_enabled_after(const struct masks *m, const struct level *level,
			     unsigned hart, uint32_t insn, uint64_t status)
{
	const unsigned csr = insn >> 20;

	if (insn == level->ret)
		return (status & level->from) != level->from ||
		       (status & level->previous) != 0;
	if ((insn & 0x7f) == SYSTEM && (insn >> 12 & 3) &&
	    (csr == CSR_SSTATUS || csr == CSR_MSTATUS))
		status = written_status(m, hart, insn, status);
	return status & level->enable;
}

/* ------------------------------------------------------------ probes */

static void *saved_of(const struct masks *m, unsigned hart, unsigned level, size_t place)
{
	return m->saved +
	       ((hart * MASKS_LEVELS + level) * (m->nplaces + 1) + place) * m->stride;
}

static void begin_masked(struct masks *m, unsigned hart, unsigned level,
			 struct tr_probe_machine *machine)
{
	m->is_masked[hart][level] = true;
	m->since[hart][level] = machine->cycle;
	for (size_t i = 0; i < m->nplaces; i++) {
		machine->bias = m->biases[i];
		tr_probes_enter(m->o->probes, m->places[i], machine,
				saved_of(m, hart, level, i));
	}
}

static void end_masked(struct masks *m, const struct replay_reached *at, unsigned level,
		       struct tr_probe_machine *machine)
{
	struct tr_probe_hit hit;

	m->is_masked[at->hart][level] = false;
	if (at->cycle - m->since[at->hart][level] > m->longest)
		m->longest = at->cycle - m->since[at->hart][level];
	for (size_t i = 0; i < m->nplaces; i++) {
		machine->bias = m->biases[i];
		if (tr_probes_hit(m->o->probes, m->places[i], machine,
				  saved_of(m, at->hart, level, i), &hit))
			m->o->hit(m->o->user, at, &hit);
	}
}

/* Watches the instruction behind a WFI. */
static void wait_behind(struct masks *m, unsigned hart, uint64_t pc)
{
	if (m->behind_wfi[hart])
		replay_watch_return(m->o->replay, m->behind_wfi[hart], false);
	m->behind_wfi[hart] = pc;
	if (pc)
		replay_watch_return(m->o->replay, pc, true);
}

void masks_reach(struct masks *m, const struct replay_reached *at,
		 struct tr_probe_machine *machine)
{
	uint64_t status = 0, tvec = 0;
	uint8_t code[4] = {0};
	unsigned i = 0;

	while (i < MASKS_LEVELS && levels[i].priv != at->priv)
		i++;
	if (!m->nplaces || i == MASKS_LEVELS)
		return;
	const struct level *level = &levels[i];
	soc_csr(m->o->soc, at->hart, CSR_MSTATUS, &status);
	soc_csr(m->o->soc, at->hart, level->tvec, &tvec);
	if (!machine->read(machine->user, at->pc, code, 2) ||
	    ((code[0] & 3) == 3 &&
	     !machine->read(machine->user, at->pc + 2, code + 2, 2)))
		return;
	const uint32_t insn = tr_load32(code);
	const bool is_behind_wfi = m->behind_wfi[at->hart] == at->pc;
	bool was_enabled = status & level->enable;
	if (is_behind_wfi)
		wait_behind(m, at->hart, 0);
	if (!was_enabled && (is_behind_wfi || (tvec & ~UINT64_C(3)) == at->pc) &&
	    !m->is_masked[at->hart][i])
		begin_masked(m, at->hart, i, machine);
	if (insn == WFI) {
		m->is_masked[at->hart][i] = false;
		wait_behind(m, at->hart, at->behind);
		return;
	}
	const bool is_enabled = is_enabled_after(m, level, at->hart, insn, status);
	if (was_enabled && !is_enabled)
		begin_masked(m, at->hart, i, machine);
	else if (!was_enabled && is_enabled && m->is_masked[at->hart][i])
		end_masked(m, at, i, machine);
}

bool masks_open(const struct masks *m, unsigned *hart, uint64_t *from, uint64_t *to)
{
	uint64_t longest = m->longest;
	bool is_open = false;

	for (unsigned h = 0; m->nplaces && h < soc_harts(m->o->soc); h++)
		for (unsigned i = 0; i < MASKS_LEVELS; i++) {
			const uint64_t end = replay_cycle(m->o->replay, h);

			if (!m->is_masked[h][i] || end - m->since[h][i] <= longest)
				continue;
			longest = end - m->since[h][i];
			*hart = h;
			*from = m->since[h][i];
			*to = end;
			is_open = true;
		}
	return is_open;
}
