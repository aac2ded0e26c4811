/* SPDX-License-Identifier: Apache-2.0 */
/* Operations on CSRs. */
#include "ops.h"

static const uint16_t s_free[] = {CSR_SIE,  CSR_SCOUNTEREN, CSR_SENVCFG, CSR_SSCRATCH,
				  CSR_SEPC, CSR_SCAUSE,	    CSR_STVAL,	 CSR_SIP};
/* CSRs of M that may have any value while a segment of M runs: the handler does not need
 * them, and the next segment sets them. */
static const uint16_t m_free[] = {CSR_SIE,
				  CSR_SCOUNTEREN,
				  CSR_SENVCFG,
				  CSR_SSCRATCH,
				  CSR_SEPC,
				  CSR_SCAUSE,
				  CSR_STVAL,
				  CSR_SIP,
				  CSR_STVEC,
				  CSR_SATP,
				  CSR_MEDELEG,
				  CSR_MIDELEG,
				  CSR_MIE,
				  CSR_MCOUNTEREN,
				  CSR_MENVCFG,
				  CSR_MCOUNTINHIBIT,
				  CSR_MSCRATCH,
				  CSR_MEPC,
				  CSR_MCAUSE,
				  CSR_MTVAL,
				  CSR_MIP,
				  CSR_MCYCLE,
				  CSR_MINSTRET,
				  CSR_MISA,
				  CSR_PMPCFG2,
				  CSR_PMPADDR0 + 8,
				  CSR_PMPADDR0 + 15,
				  CSR_MHPMEVENT3,
				  CSR_MHPMEVENT3 + 1,
				  CSR_MHPMEVENT3 + 5,
				  CSR_MHPMEVENT3 + 6,
				  CSR_MHPMEVENT3 + 28,
				  CSR_MHPMCOUNTER3,
				  CSR_MHPMCOUNTER3 + 5,
				  CSR_MHPMCOUNTER3 + 6,
				  CSR_MHPMCOUNTER3 + 28};
/* CSRs whose bits are the same on QEMU, and independent of time. */
static const uint16_t plain_free[] = {CSR_SSCRATCH, CSR_STVAL, CSR_MSCRATCH, CSR_MTVAL};

static const struct {
	uint16_t first, last;
} existing[] = {{CSR_SSTATUS, CSR_SSTATUS},
		{CSR_SIE, CSR_SCOUNTEREN},
		{CSR_SENVCFG, CSR_SENVCFG},
		{CSR_SSCRATCH, CSR_SIP},
		{CSR_SATP, CSR_SATP},
		{CSR_MSTATUS, CSR_MCOUNTEREN},
		{CSR_MENVCFG, CSR_MENVCFG},
		{CSR_MCOUNTINHIBIT, CSR_MCOUNTINHIBIT},
		{CSR_MHPMEVENT3, CSR_MHPMEVENT3 + 28},
		{CSR_MSCRATCH, CSR_MIP},
		{CSR_PMPCFG0, CSR_PMPCFG0},
		{CSR_PMPCFG2, CSR_PMPCFG2},
		{CSR_PMPADDR0, CSR_PMPADDR0 + 15},
		{CSR_MCYCLE, CSR_MCYCLE},
		{CSR_MINSTRET, CSR_MHPMCOUNTER3 + 28},
		{CSR_CYCLE, CSR_HPMCOUNTER3 + 28},
		{CSR_MVENDORID, CSR_MCONFIGPTR}};

bool csr_exists(unsigned csr)
{
	for (unsigned i = 0; i < sizeof(existing) / sizeof(*existing); i++)
		if (csr >= existing[i].first && csr <= existing[i].last)
			return true;
	return false;
}

bool csr_varies(unsigned csr)
{
	return csr == CSR_MIP || csr == CSR_SIP || csr == CSR_MCYCLE ||
	       (csr >= CSR_MINSTRET && csr <= CSR_MHPMCOUNTER3 + 28) ||
	       (csr >= CSR_CYCLE && csr <= CSR_HPMCOUNTER3 + 28);
}

/* Clears rd after a CSR that depends on time, so that nothing else does. */
static void forget(struct chunk *k, unsigned csr, unsigned rd)
{
	if (rd && csr_varies(csr))
		code_li(&k->code, rd, rng_below(&k->rng, 32));
}

static const enum insn with_register[] = {INSN_csrrw, INSN_csrrs, INSN_csrrc};
static const enum insn with_number[] = {INSN_csrrwi, INSN_csrrsi, INSN_csrrci};

/* Any access to a CSR that is harmless here. */
void op_csr(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned rd = gen_dest(k), csr;

	if (k->p->plain)
		csr = RNG_PICK(rng, plain_free);
	else if (k->now->priv == PRIV_M)
		csr = RNG_PICK(rng, m_free);
	else
		csr = RNG_PICK(rng, s_free);
	if (k->p->plain && k->now->priv == PRIV_S)
		csr = CSR_SSCRATCH;
	if (rng_chance(rng, 30)) {
		code_csr(&k->code, RNG_PICK(rng, with_number), rd, csr,
			 rng_below(rng, 32));
	} else {
		unsigned value = gen_hold(k);
		if (rng_chance(rng, 40))
			code_li(&k->code, value, rng_edge(rng));
		code_csr(&k->code, RNG_PICK(rng, with_register), rd, csr,
			 rng_chance(rng, 20) ? 0 : value);
		gen_release(k, value);
	}
	forget(k, csr, rd);
}

/* Reads one of all 4096 CSRs if it exists; writes it only if it does not. */
void op_csr_any(struct chunk *k)
{
	struct rng *rng = &k->rng;
	unsigned csr = rng_below(rng, 0x1000), rd = gen_dest(k);

	if (rng_chance(rng, 60)) {
		unsigned i = rng_below(rng, sizeof(existing) / sizeof(*existing));

		csr = rng_range(rng, existing[i].first, existing[i].last);
	}
	if (k->p->has_float && csr <= CSR_FCSR) {
		op_fcsr(k);
		return;
	}
	bool traps = !csr_exists(csr) || k->now->priv < (csr >> 8 & 3);
	if (traps || (csr >> 10 == 3 && rng_chance(rng, 30)))
		code_csr(&k->code,
			 rng_chance(rng, 50) ? RNG_PICK(rng, with_register)
					     : RNG_PICK(rng, with_number),
			 rd, csr, gen_source(k));
	else
		code_csr(&k->code, rng_chance(rng, 50) ? INSN_csrrs : INSN_csrrci, rd,
			 csr, 0);
	if (traps)
		gen_cost_traps(k, 1);
	forget(k, csr, rd);
}

/* Reads of counters, which may be disabled. */
void op_counter(struct chunk *k)
{
	unsigned csr = CSR_CYCLE + rng_below(&k->rng, 3), rd = gen_dest(k);

	if (rng_chance(&k->rng, 20))
		csr = CSR_HPMCOUNTER3 + rng_below(&k->rng, 29);
	code_csr(&k->code, INSN_csrrs, rd, csr, 0);
	if (k->now->priv != PRIV_M)
		gen_cost_traps(k, 1);
	forget(k, csr, rd);
}

/* Writes mstatus except MPRV and, with floating point, FS; in S, bits that the segment
 * relies on are preserved. */
void op_status(struct chunk *k)
{
	struct rng *rng = &k->rng;
	const uint64_t kept = STATUS_SUM | STATUS_MXR;
	const uint64_t fs = k->p->has_float ? STATUS_FS : 0;
	uint64_t bits = rng_next(rng) & ~(uint64_t)STATUS_MPRV;
	unsigned value = gen_hold(k), rd = gen_dest(k);
	unsigned csr = CSR_MSTATUS;

	if (k->now->priv == PRIV_S) {
		csr = CSR_SSTATUS;
		bits = (bits & ~kept) | (k->env.mstatus & kept);
	}
	bits &= ~fs;
	switch (rng_below(rng, 3)) {
	case 0:
		code_li(&k->code, value, bits | (k->env.mstatus & fs));
		code_csr(&k->code, INSN_csrrw, rd, csr, value);
		break;
	case 1:
		code_csr(&k->code, rng_chance(rng, 50) ? INSN_csrrsi : INSN_csrrci, rd,
			 csr, rng_below(rng, 16));
		break;
	default:
		code_li(&k->code, value, bits & ~kept & UINT32_MAX);
		code_csr(&k->code, rng_chance(rng, 50) ? INSN_csrrs : INSN_csrrc, rd, csr,
			 value);
		break;
	}
	gen_release(k, value);
}

/* Writes mtvec or stvec, that of the current privilege, while nothing can trap. */
void op_tvec(struct chunk *k)
{
	bool machine = k->now->priv == PRIV_M;
	unsigned csr = machine ? CSR_MTVEC : CSR_STVEC;
	unsigned value = gen_hold(k);

	gen_stay(k, 120);
	if (machine)
		code_csr(&k->code, INSN_csrrci, 0, CSR_MSTATUS, STATUS_MIE);
	else
		code_csr(&k->code, INSN_csrrci, 0, CSR_SSTATUS, STATUS_SIE);
	code_li(&k->code, value, rng_edge(&k->rng));
	code_csr(&k->code, RNG_PICK(&k->rng, with_register), gen_dest(k), csr, value);
	code_csr(&k->code, INSN_csrrs, gen_dest(k), csr, 0);
	if (machine)
		code_li(&k->code, value, k->p->m_trap[k->env.m_vector] | k->env.m_vector);
	else
		code_li(&k->code, value, k->p->s_trap[k->env.s_vector] | k->env.s_vector);
	code_csr(&k->code, INSN_csrrw, gen_dest(k), csr, value);
	gen_release(k, value);
}
