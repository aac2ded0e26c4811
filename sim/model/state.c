/* SPDX-License-Identifier: Apache-2.0 */
/* Gets and sets the state of hart and devices. */
#include "state.h"

#include <string.h>
#include <xxhash.h>

#include "csr.h"
#include "internal.h"

static void get_counters(const struct soc_hart *h, struct soc_state *s)
{
	s->cycle = h->cycle;
	s->instret = h->instret;
	s->mcountinhibit = h->mcountinhibit;
	soc_csr_get(h, CSR_MCYCLE, &s->mcycle);
	soc_csr_get(h, CSR_MINSTRET, &s->minstret);
	memcpy(s->mhpmevent, h->mhpmevent, sizeof(s->mhpmevent));
	memcpy(s->mhpmcounter, h->mhpmcounter, sizeof(s->mhpmcounter));
}

static void get_csrs(const struct soc_hart *h, struct soc_state *s)
{
	s->fcsr = h->fcsr;
	s->mstatus = h->mstatus;
	s->mie = h->mie;
	s->mip = h->mip;
	s->medeleg = h->medeleg;
	s->mideleg = h->mideleg;
	s->mtvec = h->mtvec;
	s->stvec = h->stvec;
	s->mscratch = h->mscratch;
	s->sscratch = h->sscratch;
	s->mepc = h->mepc;
	s->sepc = h->sepc;
	s->mcause = h->mcause;
	s->scause = h->scause;
	s->mtval = h->mtval;
	s->stval = h->stval;
	s->mcounteren = h->mcounteren;
	s->scounteren = h->scounteren;
	s->menvcfg = h->menvcfg;
	s->senvcfg = h->senvcfg;
	s->satp = h->satp;
	s->pmpcfg = soc_pmp_cfg(h);
	memcpy(s->pmpaddr, h->pmpaddr, sizeof(s->pmpaddr));
}

static void get_plic(const struct soc_plic *p, unsigned hart, struct soc_state *s)
{
	for (unsigned i = 0; i <= SOC_PLIC_SOURCES; i++)
		s->plic.priority[i] = p->priority[i];
	s->plic.pending = p->pending;
	s->plic.claimed = p->claimed;
	for (unsigned i = 0; i < 2; i++) {
		s->plic.enable[i] = p->enable[2 * hart + i];
		s->plic.threshold[i] = p->threshold[2 * hart + i];
	}
}

static void get_uart(const struct soc_uart *u, struct soc_state *s)
{
	s->uart.ier = u->ier;
	s->uart.lcr = u->lcr;
	s->uart.mcr = u->mcr;
	s->uart.scr = u->scr;
	s->uart.fcr = u->fcr;
	s->uart.dll = u->dll;
	s->uart.dlm = u->dlm;
	s->uart.thr_empty = u->thr_empty;
	s->uart.overrun = u->overrun;
	s->uart.count = u->count;
	for (unsigned i = 0; i < u->count; i++)
		s->uart.fifo[i] = u->fifo[(u->first + i) % SOC_UART_FIFO];
}

static void get_disk(const struct soc_virtio *v, struct soc_state *s)
{
	s->disk.offered_half = v->offered_half;
	s->disk.accepted_half = v->accepted_half;
	s->disk.accepted[0] = v->accepted[0];
	s->disk.accepted[1] = v->accepted[1];
	s->disk.status = v->status;
	s->disk.interrupt = v->interrupt;
	s->disk.selected = v->selected;
	s->disk.size = v->size;
	s->disk.ready = v->ready;
	s->disk.descriptors = v->descriptors;
	s->disk.driver = v->driver;
	s->disk.device = v->device;
	s->disk.last = v->last;
	s->disk.used = v->used;
	s->disk.due = v->due;
}

void soc_get_state(const struct soc *soc, unsigned hart, struct soc_state *state)
{
	const struct soc_hart *h = &soc->harts[hart];

	*state = (struct soc_state){.pc = h->pc, .priv = h->priv};
	memcpy(state->x, h->x, sizeof(state->x));
	memcpy(state->f, h->x + SOC_F0, sizeof(state->f));
	state->reservation = h->reserved;
	get_counters(h, state);
	get_csrs(h, state);
	state->clint.mtime = soc_mtime(soc, h->cycle);
	state->clint.mtimecmp = h->mtimecmp;
	state->clint.msip = h->msip;
	get_plic(&soc->plic, hart, state);
	get_uart(&soc->uart, state);
	if (soc->features.disk)
		get_disk(&soc->virtio, state);
}

void soc_get_states(const struct soc *soc, struct soc_state *states)
{
	for (unsigned i = 0; i < soc->nharts; i++) {
		struct soc_state *s = &states[i];
		uint64_t now = soc_cycle(soc, i);

		soc_get_state(soc, i, s);
		if (!(s->mcountinhibit & INHIBIT_CYCLE))
			s->mcycle += now - s->cycle;
		s->cycle = now;
		s->clint.mtime = soc_mtime(soc, now);
	}
}

static void set_counters(struct soc_hart *h, const struct soc_state *s)
{
	h->now = h->cycle = s->cycle;
	h->instret = s->instret;
	h->mcountinhibit = s->mcountinhibit;
	h->mcycle = s->mcycle - (s->mcountinhibit & INHIBIT_CYCLE ? 0 : s->cycle);
	h->minstret = s->minstret - (s->mcountinhibit & INHIBIT_INSTRET ? 0 : s->instret);
	memcpy(h->mhpmevent, s->mhpmevent, sizeof(h->mhpmevent));
	memcpy(h->mhpmcounter, s->mhpmcounter, sizeof(h->mhpmcounter));
}

static void set_csrs(struct soc_hart *h, const struct soc_state *s)
{
	h->fcsr = s->fcsr;
	h->mstatus = s->mstatus;
	h->mie = s->mie;
	h->mip = s->mip;
	h->medeleg = s->medeleg;
	h->mideleg = s->mideleg;
	h->mtvec = s->mtvec;
	h->stvec = s->stvec;
	h->mscratch = s->mscratch;
	h->sscratch = s->sscratch;
	h->mepc = s->mepc;
	h->sepc = s->sepc;
	h->mcause = s->mcause;
	h->scause = s->scause;
	h->mtval = s->mtval;
	h->stval = s->stval;
	h->mcounteren = s->mcounteren;
	h->scounteren = s->scounteren;
	h->menvcfg = s->menvcfg;
	h->senvcfg = s->senvcfg;
	h->satp = s->satp;
	memcpy(h->pmpaddr, s->pmpaddr, sizeof(h->pmpaddr));
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		h->pmpcfg[i] = (uint8_t)(s->pmpcfg >> 8 * i);
}

static void set_plic(struct soc_plic *p, unsigned hart, const struct soc_state *s)
{
	for (unsigned i = 0; i <= SOC_PLIC_SOURCES; i++)
		p->priority[i] = (uint32_t)s->plic.priority[i];
	p->pending = (uint32_t)s->plic.pending;
	p->claimed = (uint32_t)s->plic.claimed;
	for (unsigned i = 0; i < 2; i++) {
		p->enable[2 * hart + i] = (uint32_t)s->plic.enable[i];
		p->threshold[2 * hart + i] = (uint32_t)s->plic.threshold[i];
	}
}

static void set_uart(struct soc_uart *u, const struct soc_state *s)
{
	*u = (struct soc_uart){.ier = (uint8_t)s->uart.ier,
			       .lcr = (uint8_t)s->uart.lcr,
			       .mcr = (uint8_t)s->uart.mcr,
			       .scr = (uint8_t)s->uart.scr,
			       .fcr = (uint8_t)s->uart.fcr,
			       .dll = (uint8_t)s->uart.dll,
			       .dlm = (uint8_t)s->uart.dlm,
			       .thr_empty = s->uart.thr_empty != 0,
			       .overrun = s->uart.overrun != 0,
			       .count = (unsigned)s->uart.count};
	for (unsigned i = 0; i < SOC_UART_FIFO; i++)
		u->fifo[i] = (uint8_t)s->uart.fifo[i];
}

/* The disk itself, and what a request costs, are not part of the state. */
static void set_disk(struct soc_virtio *v, const struct soc_state *s)
{
	v->offered_half = (uint32_t)s->disk.offered_half;
	v->accepted_half = (uint32_t)s->disk.accepted_half;
	v->accepted[0] = (uint32_t)s->disk.accepted[0];
	v->accepted[1] = (uint32_t)s->disk.accepted[1];
	v->status = (uint32_t)s->disk.status;
	v->interrupt = (uint32_t)s->disk.interrupt;
	v->selected = (uint32_t)s->disk.selected;
	v->size = (uint32_t)s->disk.size;
	v->ready = s->disk.ready != 0;
	v->descriptors = s->disk.descriptors;
	v->driver = s->disk.driver;
	v->device = s->disk.device;
	v->last = (uint16_t)s->disk.last;
	v->used = (uint16_t)s->disk.used;
	v->due = s->disk.due;
}

/* The interrupt lines follow from the devices' registers. */
static void set_devices(struct soc_hart *h, const struct soc_state *s)
{
	struct soc *soc = h->soc;

	soc->mtime_offset = s->clint.mtime - s->cycle / SOC_CYCLES_PER_TICK;
	h->mtimecmp = s->clint.mtimecmp;
	h->msip = (uint32_t)s->clint.msip;
	soc_set_line(h, SOC_IRQ_MS, h->msip);
	set_plic(&soc->plic, h->id, s);
	set_uart(&soc->uart, s);
	if (soc->virtio.disk)
		set_disk(&soc->virtio, s);
	soc->plic.level = (uint32_t)soc_uart_interrupts(soc) << SOC_UART_IRQ |
			  (uint32_t)soc_virtio_interrupts(soc) << SOC_DISK_IRQ;
	soc_plic_update(soc);
}

void soc_set_state(struct soc *soc, unsigned hart, const struct soc_state *state)
{
	struct soc_hart *h = &soc->harts[hart];

	h->pc = state->pc;
	h->priv = (uint8_t)state->priv;
	memcpy(h->x, state->x, sizeof(state->x));
	memcpy(h->x + SOC_F0, state->f, sizeof(state->f));
	h->last_tp = h->x[TR_REG_TP];
	h->reserved = state->reservation;
	set_counters(h, state);
	set_csrs(h, state);
	set_devices(h, state);
	soc_blocks_flush(soc);
	soc_old_reset(soc);
	soc_tables_reset(soc);
	soc_mmu_flush(h);
	soc_mmu_switch(h);
}

uint64_t soc_hash_registers(const uint64_t x[32], const uint64_t f[32], uint64_t fcsr)
{
	uint64_t all[31 + 32 + 1];
	size_t n = 31;

	memcpy(all, x + 1, n * sizeof(*all));
	if (f) {
		memcpy(all + n, f, 32 * sizeof(*all));
		all[n + 32] = fcsr;
		n += 33;
	}
	return XXH64(all, n * sizeof(*all), 0);
}

uint64_t soc_hash_hart(const struct soc *soc, unsigned hart)
{
	const struct soc_hart *h = &soc->harts[hart];

	return soc_hash_registers(h->x, soc->features.fpu ? h->x + SOC_F0 : NULL,
				  h->fcsr);
}
