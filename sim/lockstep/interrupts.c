/* SPDX-License-Identifier: Apache-2.0 */
/* The core may choose when to take an interrupt as far as the specification allows: the
 * interrupt must be pending and enabled, none of higher priority may have been, and after
 * a write of a CSR or an xret it must be taken at once. */
#include "compare.h"
#include "stream/insn.h"

enum { LOOK_EVERY = 1024, SETTLE = 2, M = 3, S = 1 };

/* Returns the interrupt that the model would take of these pending ones, or -1. */
static int model_interrupt_due(const struct lockstep *l, uint64_t pending)
{
	static const uint8_t order[] = {11, 3, 7, 9, 1, 5};
	unsigned priv = soc_priv(l->model, l->hart);

	pending &= model_csr(l, CSR_MIE);
	if (pending == 0)
		return -1;
	uint64_t mstatus = model_csr(l, CSR_MSTATUS);
	uint64_t delegated = model_csr(l, CSR_MIDELEG);
	uint64_t machine = priv < M || (mstatus & 8) ? pending & ~delegated : 0;
	uint64_t supervisor =
	    priv < S || (priv == S && (mstatus & 2)) ? pending & delegated : 0;
	pending = machine ? machine : supervisor;
	for (unsigned i = 0; i < sizeof(order); i++)
		if (pending >> order[i] & 1)
			return order[i];
	return -1;
}

/* Returns the current lines, or `unknown` if the core does not report them. */
static uint64_t core_interrupt_lines(const struct lockstep *l, uint64_t unknown)
{
	uint64_t mip;

	if (!l->core.csr || !l->core.csr(l->core.user, CSR_MIP, &mip))
		return unknown;
	return mip & MIP_LINES;
}

static bool refuse_interrupt(struct lockstep *l, unsigned number, const char *what)
{
	snprintf(l->why, sizeof(l->why), "%s (%u) %s",
		 port_cause_name(COMMIT_INTERRUPT | number), number, what);
	return false;
}

bool interrupts_may_take(struct lockstep *l)
{
	unsigned number = l->now->cause & 15U;
	uint64_t bit = UINT64_C(1) << number, written = model_csr(l, CSR_MIP);
	uint64_t now = core_interrupt_lines(l, MIP_LINES);

	/* A line may fall in the cycle in which its interrupt is taken. */
	if (l->interrupts.settle)
		now |= MIP_LINES;
	if (!((written | now) & bit))
		return refuse_interrupt(l, number, "taken, but not pending in mip");
	if (!(model_csr(l, CSR_MIE) & bit))
		return refuse_interrupt(l, number, "taken, but not enabled in mie");
	if (model_interrupt_due(l, bit) < 0)
		return refuse_interrupt(l, number, "taken, but disabled by mstatus");
	if (model_interrupt_due(l, bit | written | (l->interrupts.up & now)) !=
	    (int)number)
		return refuse_interrupt(l, number,
					"taken before one of a higher priority");
	return true;
}

bool interrupts_may_wait(struct lockstep *l)
{
	if (l->interrupts.must < 0)
		return true;
	return refuse_interrupt(l, (unsigned)l->interrupts.must,
				"pending and enabled, but not taken");
}

/* Checks from time to time, for interrupts that arrive while no CSR changes. */
static bool check_waiting_interrupt(struct lockstep *l)
{
	int number =
	    model_interrupt_due(l, core_interrupt_lines(l, 0) | model_csr(l, CSR_MIP));

	if (number >= 0 && number == l->interrupts.waiting)
		return refuse_interrupt(l, (unsigned)number,
					"pending and enabled for long, but not taken");
	l->interrupts.waiting = number;
	return true;
}

/* WFI ends when an interrupt is pending and enabled in mie. */
static bool wfi_may_end(struct lockstep *l)
{
	uint64_t pending = core_interrupt_lines(l, UINT64_MAX) | model_csr(l, CSR_MIP);

	if (pending & model_csr(l, CSR_MIE) || pending == UINT64_MAX)
		return true;
	snprintf(l->why, sizeof(l->why), "%s",
		 "WFI ended with no interrupt that is pending in mip and set in mie");
	return false;
}

bool interrupts_update(struct lockstep *l, bool look)
{
	struct interrupts *i = &l->interrupts;

	i->must = -1;
	if (i->settle && l->now->cycle != i->cycle)
		i->settle--;
	i->cycle = l->now->cycle;
	if (l->event.device) {
		i->up = 0;
		i->waiting = -1;
		i->settle = SETTLE;
	}
	if (look) {
		uint64_t now = core_interrupt_lines(l, 0);
		if (!l->event.trap)
			i->must =
			    model_interrupt_due(l, model_csr(l, CSR_MIP) | (i->up & now));
		i->up = now;
		i->waiting = -1;
		i->quiet = 0;
	} else if (++i->quiet % LOOK_EVERY == 0 && !check_waiting_interrupt(l)) {
		return false;
	}
	return l->event.trap || l->event.insn != TR_INSN_WFI || wfi_may_end(l);
}
