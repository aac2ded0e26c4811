/* SPDX-License-Identifier: Apache-2.0 */
/* Sets the architectural state of the Verilated SoC, which has just left reset:
 * pipelines, caches, TLBs and predictors are empty.
 *
 * The registers are written directly, because no program could load all of them: the mret
 * at its end needs mepc and mstatus, which are part of the state. The logic between
 * registers is evaluated afterwards, so that the first edge sees a consistent state. */
#include "devices.h"
#include "model/csr.h"
#include "model/state.h"
#include "peek.h"
#include "rtl_constants.h"

enum { VALUES_CLEARED = 128 };

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
	devices_set(r, states);
	r->top->settle(r);
}
