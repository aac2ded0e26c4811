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

enum { VALUES_CLEARED = 128 };
static const uint64_t CYCLES_PER_TICK = SOC_CLOCK_HZ / SOC_TIMEBASE_HZ;

/* Registers of devices that have values of struct soc_state. */
static const struct {
	const char *module, *name;
	size_t at, count;
} DEVICE_REGISTERS[] = {
    {".u_plic", "pending_q", offsetof(struct soc_state, plic.pending), 1},
    {".u_plic", "claimed_q", offsetof(struct soc_state, plic.claimed), 1},
    {".u_uart", "ier_q", offsetof(struct soc_state, uart.ier), 1},
    {".u_uart", "lcr_q", offsetof(struct soc_state, uart.lcr), 1},
    {".u_uart", "mcr_q", offsetof(struct soc_state, uart.mcr), 1},
    {".u_uart", "scr_q", offsetof(struct soc_state, uart.scr), 1},
    {".u_uart", "dll_q", offsetof(struct soc_state, uart.dll), 1},
    {".u_uart", "dlm_q", offsetof(struct soc_state, uart.dlm), 1},
    {".u_uart", "thr_empty_q", offsetof(struct soc_state, uart.thr_empty), 1},
    {".u_uart", "overrun_q", offsetof(struct soc_state, uart.overrun), 1},
    {".u_uart", "count_q", offsetof(struct soc_state, uart.count), 1},
    {".u_uart", "fifo_q", offsetof(struct soc_state, uart.fifo), SOC_UART_FIFO},
};

/* Returns value number `n` of those at this place. */
static uint64_t state_value(const struct soc_state *s, size_t at, unsigned n)
{
	uint64_t value;

	memcpy(&value, (const char *)s + at + n * sizeof(value), sizeof(value));
	return value;
}

/* Sets element number `i` of a signal, if there is one of this name. */
static void poke_signal(const char *path, const char *module, const char *name,
			unsigned i, uint64_t value)
{
	const struct probe_signal s = probe_find(path, module, name);

	if (s.at)
		probe_set(&s, i, value);
}

/* Sets field number `n` of a signal of a device with fields of `width` bits. */
static void poke_field(const struct rtl *r, const char *module, const char *name,
		       unsigned n, unsigned width, uint64_t value)
{
	uint8_t *bytes = probe_find(r->devices, module, name).at;

	for (unsigned i = 0; i < width; i++) {
		unsigned at = n * width + i, bit = 1U << at % 8;

		bytes[at / 8] = (uint8_t)(value >> i & 1 ? bytes[at / 8] | bit
							 : bytes[at / 8] & ~bit);
	}
}

/* After reset a window clears its registers, which is skipped. */
void poke_x(struct rtl_hart *hart, unsigned reg, uint64_t value)
{
	const struct probe *p = &hart->probe;

	if (probe_has_window(p)) {
		p->values[reg & 31] = value;
		probe_set_named(p, "values_cleared", 0, VALUES_CLEARED);
	} else {
		p->x[reg & 31] = value;
	}
}

/* ------------------------------------------------------------ harts */

static void poke_registers(const struct probe *p, const struct soc_state *s)
{
	for (unsigned i = 0; i < PROBE_REGISTERS; i++) {
		const struct probe_register *r = &probe_registers[i];

		for (unsigned k = 0; k < r->count; k++)
			probe_set_named(p, r->name, k, state_value(s, r->at, k));
	}
}

/* An event selector holds {events, set}, and is valid if it selects an event. */
static void poke_events(const struct probe *p, const struct soc_state *s)
{
	uint64_t on = 0;

	for (unsigned i = 0; i < SOC_HPM_COUNTERS; i++) {
		uint64_t events = s->mhpmevent[i] >> 8;

		probe_set_named(p, "hpm_event", i, events << 2 | (s->mhpmevent[i] & 3));
		on |= (uint64_t)(events != 0) << i;
	}
	probe_set_named(p, "hpm_on", 0, on);
}

/* The map is set after reset: it gives each register the physical one of its number. */
static void poke_window(const struct probe *p, const struct soc_state *s)
{
	memcpy(p->values, s->x, sizeof(s->x));
	memcpy(p->values + 32, s->f, sizeof(s->f));
	probe_set_named(p, "values_cleared", 0, VALUES_CLEARED);
	probe_set_named(p, "fetch_halfword", 0, s->pc >> 1);
}

static void poke_hart(const struct probe *p, const struct soc_state *s)
{
	bool as_previous = s->priv == RTL_PrivM && (s->mstatus & SOC_MSTATUS_MPRV);

	poke_registers(p, s);
	if (probe_has_window(p))
		poke_window(p, s);
	poke_events(p, s);
	probe_set_named(p, "pmp_written", 0, (1 << SOC_PMP_ENTRIES) - 1);
	probe_set_named(p, "frm", 0, s->fcsr >> FRM_SHIFT);
	probe_set_named(p, "fflags", 0, s->fcsr & FFLAGS);
	probe_set_named(p, "data_priv", 0,
			as_previous ? s->mstatus >> SOC_MPP_SHIFT & 3 : s->priv);
	probe_set_named(p, "reserved", 0, s->reservation != SOC_NOT_RESERVED);
	probe_set_named(p, "reserved_line", 0,
			s->reservation / SOC_LR_BYTES & ((UINT64_C(1) << 50) - 1));
}

/* ------------------------------------------------------------ devices */

static void poke_clint(const struct rtl *r, const struct soc_state *states)
{
	/* Time has passed from the cycle of the first hart to the one in which all go on.
	 */
	const uint64_t mtime = states->clint.mtime + r->cycle / CYCLES_PER_TICK -
			       states->cycle / CYCLES_PER_TICK;

	poke_signal(r->devices, ".u_clint", "tick_q", 0,
		    CYCLES_PER_TICK - r->cycle % CYCLES_PER_TICK);
	poke_signal(r->devices, ".u_clint", "mtime_q", 0, mtime);
	for (unsigned h = 0; h < r->nharts; h++) {
		const uint64_t mtimecmp = states[h].clint.mtimecmp;

		poke_field(r, ".u_clint", "mtimecmp_q", h, 64, mtimecmp);
		poke_field(r, ".u_clint", "mtip_q", h, 1, mtime >= mtimecmp);
		poke_field(r, ".u_clint", "msip_q", h, 1, states[h].clint.msip);
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
	static const char *const priorities[] = {"priority0_q", "priority1_q",
						 "priority2_q"};

	for (unsigned i = 0; i <= SOC_PLIC_SOURCES; i++)
		for (unsigned bit = 0; bit < 3; bit++)
			poke_field(r, ".u_plic", priorities[bit], i, 1,
				   states->plic.priority[i] >> bit);
	for (unsigned c = 0; c < 2 * r->nharts; c++) {
		const struct soc_state *s = &states[c / 2];

		poke_field(r, ".u_plic", "enable_q", c, 32, s->plic.enable[c % 2]);
		poke_field(r, ".u_plic", "threshold_q", c, 3, s->plic.threshold[c % 2]);
		poke_field(r, ".u_plic", "best_q", c, 6, best_source(s, c % 2));
	}
}

/* The FIFO of the UART begins at the first place, as after reset. The cause of its
 * interrupt is found again in each cycle that needs it. */
static void poke_devices(const struct rtl *r, const struct soc_state *s)
{
	for (unsigned i = 0; i < sizeof(DEVICE_REGISTERS) / sizeof(*DEVICE_REGISTERS);
	     i++) {
		for (unsigned k = 0; k < DEVICE_REGISTERS[i].count; k++)
			poke_signal(r->devices, DEVICE_REGISTERS[i].module,
				    DEVICE_REGISTERS[i].name, k,
				    state_value(s, DEVICE_REGISTERS[i].at, k));
	}
	poke_signal(r->devices, ".u_uart", "fifo_on_q", 0, s->uart.fcr & 1);
	poke_signal(r->devices, ".u_uart", "trigger_q", 0, s->uart.fcr >> 6);
}

/* One edge of all clocks without reset: the cores, whose reset is registered, are still
 * in reset at this edge, and leave it after it. */
void poke_state(struct rtl *r, const struct soc_state *states)
{
	r->top->leave_reset(r);
	r->cycle = 0;
	for (unsigned h = 0; h < r->nharts; h++) {
		poke_hart(&r->harts[h].probe, &states[h]);
		r->harts[h].tokens = states[h].instret;
		if (states[h].cycle > r->cycle)
			r->cycle = states[h].cycle;
	}
	for (unsigned h = 0; h < r->nharts; h++)
		r->harts[h].since = r->cycle;
	poke_clint(r, states);
	poke_plic(r, states);
	poke_devices(r, states);
	r->top->settle(r);
}
