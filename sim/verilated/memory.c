/* SPDX-License-Identifier: Apache-2.0 */
#include "memory.h"

#include <stdlib.h>

#include "rtl_constants.h"

struct memory {
	struct rtl *rtl;
	struct l2_dram *lines;	  /* of one hart, or NULL */
	struct smp_memory *beats; /* of several */
	struct memory_hooks hooks;
	const char *fault; /* other than theirs */
};

/* For l2_dram_set_hook(). */
static void pass_dma_line(void *user, uint64_t line, const uint8_t *data, uint64_t mask,
			  bool copy)
{
	const struct memory *m = user;
	const struct memory_written w = {.address = line,
					 .mask = mask,
					 .data = data,
					 .size = L2_DRAM_LINE,
					 .master = {.copies = copy}};

	m->hooks.dma_written(m->hooks.user, &w);
}

struct memory *memory_new(struct rtl *r, uint8_t *ram, uint64_t size,
			  const struct l2_dram_timing *timing,
			  const struct memory_hooks *hooks)
{
	struct memory *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	*m = (struct memory){.rtl = r, .hooks = *hooks};
	if (r->nharts > 1)
		m->beats = smp_memory_new(ram, size, r->nharts, timing);
	else
		m->lines = l2_dram_new(ram, size, timing);
	if (!m->beats && !m->lines) {
		free(m);
		return NULL;
	}
	if (m->lines)
		l2_dram_set_hook(m->lines, &(struct l2_dram_hook){
					       .user = m, .written = pass_dma_line});
	return m;
}

void memory_free(struct memory *m)
{
	if (!m)
		return;
	l2_dram_free(m->lines);
	smp_memory_free(m->beats);
	free(m);
}

static void answer_lines(struct memory *m, uint64_t cycle,
			 const struct l2_dram_requests *q)
{
	if (q->probe_ack)
		l2_dram_probe_ack(m->lines, cycle - 1);
	if (q->wb_valid) {
		l2_dram_write_back(m->lines, q->wb_addr, q->wb_data);
		m->hooks.written_back(m->hooks.user, q->wb_addr);
	}
	if (q->imem_req)
		l2_dram_fetch(m->lines, cycle, q->imem_addr);
	if (q->dmem_req)
		l2_dram_data(m->lines, cycle, q->dmem_addr, q->dmem_upgrade);
	if (q->dma_req && q->dma_write)
		l2_dram_dma_write(m->lines, cycle, q->dma_id, q->dma_addr);
	else if (q->dma_req)
		l2_dram_dma_read(m->lines, cycle, q->dma_id, q->dma_addr);
	if (q->dma_beat_valid)
		l2_dram_dma_beat(m->lines, cycle, &q->dma_beat);
}

/* Finds a master by its number in mem_pkg.sv. Returns false, with a fault, if there is
 * none of this number. */
static bool find_dma_master(struct memory *m, unsigned number,
			    struct memory_master *master)
{
	*master = (struct memory_master){.copies = number != RTL_DmaMasterNic};
	if (!master->copies)
		return true;
	master->hart = number - (unsigned)RTL_DmaMasterCopy;
	if (master->hart < m->rtl->nharts)
		return true;
	m->fault = "DMA of an unknown master";
	return false;
}

/* The probes before a write by DMA have ended reservations, and no L1D has the line
 * before it is complete, so it is reported word by word. */
static void pass_dma_beat(struct memory *m, const struct smp_requests *q)
{
	struct memory_written w = {.address = q->write_address,
				   .mask = q->strobe,
				   .data = (const uint8_t *)&q->data,
				   .size = sizeof(q->data)};

	if (find_dma_master(m, q->write_master, &w.master))
		m->hooks.dma_written(m->hooks.user, &w);
}

static void answer_beats(struct memory *m, uint64_t cycle, const struct smp_requests *q)
{
	struct memory_master master;

	if (q->write)
		smp_memory_write(m->beats, q->write_address, q->strobe, q->data, q->dma);
	if (q->answer && find_dma_master(m, q->answer_master, &master))
		m->hooks.dma_read(m->hooks.user, master, q->answer_address,
				  q->answer_data);
	if (q->write && q->dma)
		pass_dma_beat(m, q);
	else if (q->write)
		m->hooks.written_back(m->hooks.user, q->write_address);
	if (q->read)
		smp_memory_read(m->beats, cycle, q->read_id, q->read_address);
}

void memory_answer(struct memory *m, uint64_t cycle, const struct rtl_ports *ports)
{
	if (m->lines)
		answer_lines(m, cycle, &ports->lines);
	else
		answer_beats(m, cycle, &ports->beats);
}

void memory_drive(struct memory *m, uint64_t cycle)
{
	if (m->lines)
		l2_dram_drive(m->lines, cycle, &m->rtl->lines);
	else
		smp_memory_drive(m->beats, cycle, &m->rtl->beats);
	m->rtl->changed = true;
}

uint64_t memory_next(const struct memory *m)
{
	return m->lines ? l2_dram_next(m->lines) : smp_memory_next(m->beats);
}

const char *memory_fault(const struct memory *m)
{
	if (m->fault)
		return m->fault;
	return m->lines ? l2_dram_fault(m->lines) : smp_memory_fault(m->beats);
}
