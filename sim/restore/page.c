/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the page that restores a checkpoint. */
#include "page.h"

#include <string.h>

#include "base/little.h"
#include "model/csr.h"
#include "stream/mode.h"

/* What sim/target/restore/restore.S is assembled to. */
static const uint8_t CODE[] = {
#include "restore/restore.inc"
};
_Static_assert(sizeof(CODE) == RESTORE_TABLE, "the code has another size");
_Static_assert(RESTORE_TABLE + 8 * RESTORE_VALUES <= RESTORE_SIZE,
	       "the table is larger than the page");

enum { PMP_LOCKS = 0x80, UART_TX = 2 };

/* Interrupt lines that are high, as a set of sources. Others than the UART's belong to
 * devices that are refused, or are not part of a checkpoint. */
static uint64_t high_lines(const struct soc_state *s)
{
	return (uint64_t)(s->uart.ier & UART_TX && s->uart.thr_empty) << SOC_UART_IRQ;
}

static bool has_locked_pmp(const struct soc_state *s)
{
	return s->pmpcfg & UINT64_C(0x0101010101010101) * PMP_LOCKS;
}

const char *restore_refusal(const struct checkpoint *c, bool devices)
{
	const struct soc_state *s = &c->states[0];

	if (c->harts > 1)
		return "it has several harts, of which only one can be restored";
	if (c->features.disk)
		return "it has a disk, which other machines do not have in this state";
	if (s->priv == TR_PRIV_M)
		return "it is in M-mode, whose mepc and mstatus are needed to enter the "
		       "program; take it in S or U, such as by --checkpoint-at exec=FILE";
	if (s->mstatus & SOC_MSTATUS_MPRV)
		return "MPRV is set outside of M-mode, and entering the program clears "
		       "it";
	if (has_locked_pmp(s))
		return "it has locked PMP entries, which bind the code that restores it "
		       "as well";
	if (devices && s->plic.claimed)
		return "an interrupt of the PLIC is claimed and not yet completed; take "
		       "it a little later, or leave out the devices (--no-devices)";
	if (devices && s->uart.count)
		return "the UART has bytes that the program has not yet read; take it "
		       "without input, or leave out the devices (--no-devices)";
	return NULL;
}

const char *restore_doubt(const struct checkpoint *c, bool devices, unsigned n)
{
	const struct soc_state *s = &c->states[0];
	const struct {
		bool is_true;
		const char *text;
	} doubts[] = {
	    {c->features.copy, "the machine has the copy unit, whose instruction other "
			       "cores do not have"},
	    {s->reservation != SOC_NOT_RESERVED,
	     "it is between an LR and its SC, which will fail once"},
	    {devices && s->uart.overrun, "the UART's overrun is forgotten"},
	    {devices && s->plic.pending & ~high_lines(s),
	     "an interrupt is pending without its line, and will be forgotten"},
	};
	const unsigned count = sizeof(doubts) / sizeof(doubts[0]);

	for (unsigned i = 0; i < count; i++)
		if (doubts[i].is_true && n-- == 0)
			return doubts[i].text;
	return NULL;
}

/* Where the next value goes. */
struct values {
	uint8_t *at;
};

static void put_value(struct values *v, uint64_t value)
{
	tr_store64(v->at, value);
	v->at += 8;
}

static void put_values(struct values *v, const uint64_t *values, size_t n)
{
	for (size_t i = 0; i < n; i++)
		put_value(v, values[i]);
}

static void put_uart(struct values *v, const struct soc_state *s)
{
	put_value(v, s->uart.fcr);
	put_value(v, s->uart.dll);
	put_value(v, s->uart.dlm);
	put_value(v, s->uart.mcr);
	put_value(v, s->uart.scr);
	put_value(v, s->uart.ier);
	put_value(v, s->uart.ier & UART_TX && !s->uart.thr_empty);
	put_value(v, s->uart.lcr);
}

static void put_plic(struct values *v, const struct soc_state *s)
{
	put_values(v, s->plic.priority + 1, SOC_PLIC_SOURCES);
	for (unsigned i = 0; i < 2; i++) {
		put_value(v, s->plic.enable[i]);
		put_value(v, s->plic.threshold[i]);
	}
}

/* CSRs that a program does not notice to be missing. */
static void put_optional(struct values *v, const struct soc_state *s)
{
	put_values(v, s->mhpmcounter, SOC_HPM_COUNTERS);
	put_values(v, s->pmpaddr, SOC_PMP_ENTRIES);
	put_value(v, s->pmpcfg);
	put_value(v, s->mcountinhibit);
	put_values(v, s->mhpmevent, SOC_HPM_COUNTERS);
}

/* mret enters the program at mepc, with the privilege in MPP, and MIE from MPIE. */
static uint64_t entering_mstatus(const struct soc_state *s)
{
	const uint64_t own = SOC_MSTATUS_MIE | SOC_MSTATUS_MPIE | SOC_MSTATUS_MPP;
	const uint64_t mpie = s->mstatus & SOC_MSTATUS_MIE ? SOC_MSTATUS_MPIE : 0;

	return (s->mstatus & ~own) | mpie | s->priv << SOC_MPP_SHIFT;
}

static void put_last(struct values *v, const struct soc_state *s)
{
	const bool has_cycle = !(s->mcountinhibit & INHIBIT_CYCLE);
	const bool has_instret = !(s->mcountinhibit & INHIBIT_INSTRET);

	put_value(v, s->clint.msip);
	put_value(v, s->clint.mtime);
	put_value(v, s->clint.mtimecmp);
	put_value(v, s->mtvec);
	put_value(v, s->mcause);
	put_value(v, s->mtval);
	put_value(v, s->pc);
	put_value(v, entering_mstatus(s));
	put_value(v, s->mcycle - (has_cycle ? RESTORE_AFTER_CYCLE : 0));
	put_value(v, s->minstret - (has_instret ? RESTORE_AFTER_INSTRET : 0));
	put_values(v, s->x, 32);
}

void restore_build(const struct checkpoint *c, bool devices, uint64_t address,
		   uint8_t *page, uint8_t *ram)
{
	const struct soc_state *s = &c->states[0];
	struct values v = {.at = page + RESTORE_TABLE};

	memset(page, 0, RESTORE_SIZE);
	memcpy(page, CODE, sizeof(CODE));
	put_value(&v, devices);
	for (unsigned i = 0; i < RESTORE_JUMP; i += 8)
		put_value(&v, tr_load64(ram + i));
	put_value(&v, c->features.fpu);
	put_values(&v, s->f, 32);
	put_value(&v, s->fcsr);
	put_uart(&v, s);
	put_plic(&v, s);
#define PUT(name) put_value(&v, s->name);
	RESTORE_CSRS(PUT, PUT)
	put_optional(&v, s);
	put_last(&v, s);
	memcpy(ram, CODE, RESTORE_JUMP);
	tr_store64(ram + RESTORE_ENTRY, address + RESTORE_BEGIN);
}
