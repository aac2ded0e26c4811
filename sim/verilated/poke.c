/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the architectural state of the Verilated SoC, which has just left reset:
 * pipelines, caches, TLBs and predictors are empty.
 *
 * The registers are written directly, because no program could load all of them: the mret
 * at its end needs mepc and mstatus, which are part of the state. The logic between
 * registers is evaluated afterwards, so that the first edge sees a consistent state. */
#include "model/csr.h"
#include "model/state.h"
#include "peek.h"
#include "rtl_constants.h"
#include "soc.h"

static const uint64_t CYCLES_PER_TICK = SOC_CLOCK_HZ / SOC_TIMEBASE_HZ;

void poke_x(struct rtl_hart *hart, unsigned reg, uint64_t value)
{
	hart->probe.x[reg & 31] = value;
}

static void poke_privilege(const struct probe *p, const struct soc_state *s)
{
	bool as_previous = s->priv == RTL_PrivM && (s->mstatus & SOC_MSTATUS_MPRV);

	*p->status = (uint32_t)s->mstatus;
	*p->data_priv =
	    (uint8_t)(as_previous ? s->mstatus >> SOC_MPP_SHIFT & 3 : s->priv);
	*p->priv = (uint8_t)s->priv;
	*p->satp = s->satp;
}

static void poke_traps(const struct probe *p, const struct soc_state *s)
{
	*p->medeleg = (uint16_t)s->medeleg;
	*p->mtvec = s->mtvec;
	*p->stvec = s->stvec;
	*p->mepc = s->mepc;
	*p->sepc = s->sepc;
	*p->mcause = s->mcause;
	*p->scause = s->scause;
	*p->mtval = s->mtval;
	*p->stval = s->stval;
	*p->soft = (uint16_t)s->mip;
	*p->mie = (uint16_t)s->mie;
	*p->mideleg = (uint16_t)s->mideleg;
}

/* An event selector holds {events, set}, and is valid if it selects an event. */
static void poke_counters(const struct probe *p, const struct soc_state *s)
{
	*p->mcycle = s->mcycle;
	*p->minstret = s->minstret;
	*p->mcountinhibit = (uint32_t)s->mcountinhibit;
	for (unsigned i = 0; p->events && i < SOC_HPM_COUNTERS; i++) {
		uint64_t events = s->mhpmevent[i] >> 8;

		p->events[i] = (uint32_t)(events << 2 | (s->mhpmevent[i] & 3));
		*p->events_on = (uint8_t)(*p->events_on | (events != 0) << i);
		*p->event_counts[i] = s->mhpmcounter[i];
	}
}

static void poke_other_csrs(const struct probe *p, const struct soc_state *s)
{
	*p->mcounteren = (uint32_t)s->mcounteren;
	*p->scounteren = (uint32_t)s->scounteren;
	*p->mscratch = s->mscratch;
	*p->sscratch = s->sscratch;
	*p->menvcfg = (uint8_t)s->menvcfg;
	*p->senvcfg = (uint8_t)s->senvcfg;
	*p->pmpcfg = s->pmpcfg;
	*p->pmp_written = (1 << SOC_PMP_ENTRIES) - 1;
	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++)
		p->pmpaddr[i] = s->pmpaddr[i];
}

static void poke_registers(const struct probe *p, const struct soc_state *s)
{
	*p->fetch_pc = *p->fetch_next = s->pc;
	for (unsigned i = 0; i < 32; i++)
		p->x[i] = s->x[i];
	for (unsigned i = 0; p->f && i < 32; i++)
		p->f[i] = s->f[i];
	if (p->f) {
		*p->frm = (uint8_t)(s->fcsr >> FRM_SHIFT);
		*p->fflags = (uint8_t)(s->fcsr & FFLAGS);
	}
	*p->reserved = s->reservation != SOC_NOT_RESERVED;
	*p->reserved_line = s->reservation / SOC_LR_BYTES & ((UINT64_C(1) << 50) - 1);
}

static void poke_hart(struct rtl_hart *hart, const struct soc_state *s)
{
	poke_registers(&hart->probe, s);
	poke_privilege(&hart->probe, s);
	poke_traps(&hart->probe, s);
	poke_counters(&hart->probe, s);
	poke_other_csrs(&hart->probe, s);
}

/* ------------------------------------------------------------ devices */

/* Sets the bits of field number `n` of a register with fields of `width` bits. */
static void poke_field(void *fields, unsigned n, unsigned width, uint64_t value)
{
	uint8_t *bytes = fields;

	for (unsigned i = 0; i < width; i++) {
		unsigned at = n * width + i, bit = at % 8;

		bytes[at / 8] = (uint8_t)((bytes[at / 8] & ~(1U << bit)) |
					  (unsigned)(value >> i & 1) << bit);
	}
}

static void poke_clint(const struct rtl *r, const struct soc_state *states)
{
	const struct device_probe *d = &r->devices;

	*d->tick = (uint16_t)(CYCLES_PER_TICK - r->cycle % CYCLES_PER_TICK);
	*d->mtime = states[0].clint.mtime;
	for (unsigned h = 0; h < r->nharts; h++) {
		poke_field(d->mtimecmp, h, 64, states[h].clint.mtimecmp);
		poke_field(d->mtip, h, 1, *d->mtime >= states[h].clint.mtimecmp);
		poke_field(d->msip, h, 1, states[h].clint.msip);
	}
}

/* Returns the result of the PLIC's search for a context: {interrupts, source}. */
static unsigned best_source(const struct soc_state *s, unsigned context)
{
	uint64_t ready = s->plic.pending & s->plic.enable[context];
	unsigned best = 0;

	for (unsigned i = 1; i <= SOC_PLIC_SOURCES; i++)
		if ((ready >> i & 1) && s->plic.priority[i] > s->plic.priority[best])
			best = i;
	return (s->plic.priority[best] > s->plic.threshold[context] ? 1U << 5 : 0) | best;
}

static void poke_plic(const struct rtl *r, const struct soc_state *states)
{
	const struct device_probe *d = &r->devices;

	for (unsigned bit = 0; bit < 3; bit++) {
		uint32_t bits = 0;

		for (unsigned i = 0; i <= SOC_PLIC_SOURCES; i++)
			bits |= (uint32_t)(states->plic.priority[i] >> bit & 1) << i;
		*d->priority[bit] = bits;
	}
	*d->pending = (uint32_t)states->plic.pending;
	*d->claimed = (uint32_t)states->plic.claimed;
	for (unsigned c = 0; c < 2 * r->nharts; c++) {
		const struct soc_state *s = &states[c / 2];

		poke_field(d->enable, c, 32, s->plic.enable[c % 2]);
		poke_field(d->threshold, c, 3, s->plic.threshold[c % 2]);
		poke_field(d->best, c, 6, best_source(s, c % 2));
	}
}

/* Its FIFO begins at the first place, as after reset. The cause of its interrupt is found
 * again in each cycle that needs it. */
static void poke_uart(const struct device_probe *d, const struct soc_state *s)
{
	*d->ier = (uint8_t)s->uart.ier;
	*d->lcr = (uint8_t)s->uart.lcr;
	*d->mcr = (uint8_t)s->uart.mcr;
	*d->scr = (uint8_t)s->uart.scr;
	*d->dll = (uint8_t)s->uart.dll;
	*d->dlm = (uint8_t)s->uart.dlm;
	*d->fifo_on = s->uart.fcr & 1;
	*d->trigger = (uint8_t)(s->uart.fcr >> 6);
	*d->thr_empty = (uint8_t)s->uart.thr_empty;
	*d->overrun = (uint8_t)s->uart.overrun;
	*d->count = (uint8_t)s->uart.count;
	for (unsigned i = 0; i < SOC_UART_FIFO; i++)
		d->fifo[i] = (uint8_t)s->uart.fifo[i];
}

/* One edge of all clocks without reset: the cores, whose reset is registered, are still
 * in reset at this edge, and leave it after it. */
void poke_state(struct rtl *r, const struct soc_state *states)
{
	r->top->leave_reset(r);
	r->cycle = r->tokens = 0;
	for (unsigned h = 0; h < r->nharts; h++) {
		struct rtl_hart *hart = &r->harts[h];

		poke_hart(hart, &states[h]);
		hart->tokens = states[h].instret;
		r->tokens += states[h].instret;
		if (states[h].cycle > r->cycle)
			r->cycle = states[h].cycle;
	}
	for (unsigned h = 0; h < r->nharts; h++)
		r->harts[h].cycle = r->harts[h].since = r->cycle;
	poke_clint(r, states);
	poke_plic(r, states);
	poke_uart(&r->devices, states);
	r->top->settle(r);
}
