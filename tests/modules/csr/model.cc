// SPDX-License-Identifier: Apache-2.0
// Registers, traps and returns.
#include "model.h"

#include <initializer_list>

struct covered_case covered[CASES] = {{"legal read", 0},
				      {"legal write", 0},
				      {"mode too low", 0},
				      {"write of a read-only CSR", 0},
				      {"fcsr with FS off", 0},
				      {"satp with TVM", 0},
				      {"counter off for S", 0},
				      {"counter off for U", 0},
				      {"CSR that does not exist", 0},
				      {"reserved mode of satp", 0},
				      {"reserved MPP", 0},
				      {"trap to M", 0},
				      {"trap to S", 0},
				      {"interrupt to S", 0},
				      {"vectored interrupt", 0},
				      {"mret", 0},
				      {"sret", 0},
				      {"return that clears MPRV", 0},
				      {"data accesses as MPP", 0},
				      {"interrupt for M", 0},
				      {"interrupt for S", 0},
				      {"pending, but disabled", 0},
				      {"event counted", 0},
				      {"event inhibited", 0},
				      {"FS made dirty", 0},
				      {"event counter that overflows", 0},
				      {"minstret that overflows", 0},
				      {"several events of a counter", 0},
				      {"as many commits as can be", 0}};

// The interrupt lines as bits of mip.
uint64_t pending_irqs(const struct model *m, const struct cycle *c)
{
	return m->soft_mip | uint64_t{c->lines >> 3 & 1} << 11 |
	       uint64_t{c->lines >> 2 & 1} << 9 | uint64_t{c->lines >> 1 & 1} << 7 |
	       uint64_t{c->lines & 1} << 3;
}

// 3.1.6.6: SD; 3.1.6.3: SXL and UXL are 2.
static uint64_t read_status(const struct model *m, bool supervisor)
{
	uint64_t dirty = (m->mstatus & FS) == FS ? UINT64_C(1) << 63 : 0;

	if (supervisor)
		return dirty | (m->mstatus & SSTATUS_WRITABLE) | UINT64_C(2) << 32;
	return dirty | m->mstatus | UINT64_C(0xa) << 32;
}

// The registers of a row that begins with three others. Those beyond the counters are 0.
static bool read_row(const struct model *m, unsigned number, uint64_t *value)
{
	unsigned row = number & ~31U, i = (number & 31) - 3;

	if ((number & 31) < 3)
		return false;
	*value = 0;
	if (row == (MHPMEVENT3 & ~31U)) {
		if (i < COUNTERS && m->event[i] >> 8)
			*value = m->event[i];
	} else if (row == MCYCLE || row == CYCLE) {
		if (i < COUNTERS)
			*value = m->counter[i];
	} else {
		return false;
	}
	return true;
}

static bool read_pmp(const struct cycle *c, uint64_t *value)
{
	*value = c->pmp_rdata;
	return c->number == PMPCFG0 || c->number == PMPCFG2 ||
	       c->number >> 4 == PMPADDR0 >> 4;
}

// Registers that have the value that was last written, but for the bits that do not
// exist.
static const struct {
	unsigned number;
	uint64_t model::*field, mask;
} PLAIN[] = {{STVEC, &model::stvec, ~UINT64_C(2)},
	     {SCOUNTEREN, &model::scounteren, UINT32_MAX},
	     {SENVCFG, &model::senvcfg, 1},
	     {SSCRATCH, &model::sscratch, UINT64_MAX},
	     {SEPC, &model::sepc, ~UINT64_C(1)},
	     {SCAUSE, &model::scause, UINT64_MAX},
	     {STVAL, &model::stval, UINT64_MAX},
	     {MEDELEG, &model::medeleg, DELEGABLE},
	     {MIDELEG, &model::mideleg, SUPERVISOR_IRQS},
	     {MIE, &model::mie, ALL_IRQS},
	     {MTVEC, &model::mtvec, ~UINT64_C(2)},
	     {MCOUNTEREN, &model::mcounteren, UINT32_MAX},
	     {MENVCFG, &model::menvcfg, 1},
	     {MCOUNTINHIBIT, &model::inhibit, 0x1fd},
	     {MSCRATCH, &model::mscratch, UINT64_MAX},
	     {MEPC, &model::mepc, ~UINT64_C(1)},
	     {MCAUSE, &model::mcause, UINT64_MAX},
	     {MTVAL, &model::mtval, UINT64_MAX},
	     {MCYCLE, &model::mcycle, UINT64_MAX},
	     {MINSTRET, &model::minstret, UINT64_MAX}};

// Returns the value of a register that is not plain; 2.2, 3.1 and 4.1. Others read 0.
static uint64_t read_other(const struct model *m, const struct cycle *c)
{
	switch (c->number) {
	case FFLAGS:
		return c->fflags;
	case FRM:
		return c->frm;
	case FCSR:
		return c->frm << 5 | c->fflags;
	case SSTATUS:
	case MSTATUS:
		return read_status(m, c->number == SSTATUS);
	case SIE:
		return m->mie & m->mideleg;
	case SIP:
		return pending_irqs(m, c) & m->mideleg;
	case MIP:
		return pending_irqs(m, c);
	case SATP:
		return m->satp;
	case MISA: // MXL 2; A, C, I, M, S, U, and D, F
		return UINT64_C(2) << 62 | 0x141105 | (m->float_on ? 0x28 : 0);
	case CYCLE:
		return m->mcycle;
	case INSTRET:
		return m->minstret;
	case TIME:
		return c->mtime;
	case MHARTID:
		return c->hart_id;
	default:
		return 0;
	}
}

// Returns false if the CSR does not exist.
bool read_csr(const struct model *m, const struct cycle *c, uint64_t *value)
{
	static const unsigned OTHERS[] = {FFLAGS, FRM,	     FCSR,	SSTATUS, MSTATUS,
					  SIE,	  SIP,	     MIP,	SATP,	 MISA,
					  CYCLE,  INSTRET,   TIME,	MHARTID, MARCHID,
					  MIMPID, MVENDORID, MCONFIGPTR};

	for (const auto &plain : PLAIN)
		if (plain.number == c->number) {
			*value = m->*plain.field;
			return true;
		}
	for (unsigned number : OTHERS)
		if (number == c->number) {
			*value = read_other(m, c);
			return true;
		}
	return read_row(m, c->number, value) || read_pmp(c, value);
}

bool writes_csr(const struct cycle *c)
{
	return c->op == OP_WRITE || (c->op != OP_NONE && c->rs1 != 0);
}

// 2.1: modes and read-only CSRs; 3.1.6.5: TVM; 3.1.11 and 4.1.5: counters; the
// unprivileged specification, 11.2: FS.
bool may_access(const struct model *m, const struct cycle *c)
{
	unsigned bit = c->number & 31;
	unsigned why = READ_LEGAL;

	if (c->number <= FCSR) {
		if (!(m->mstatus & FS))
			why = NO_FLOAT;
	} else if (m->priv < (c->number >> 8 & 3)) {
		why = TOO_LOW_MODE;
	} else if (writes_csr(c) && c->number >> 10 == 3) {
		why = READ_ONLY;
	} else if (c->number == SATP && m->priv == PRIV_S && m->mstatus & TVM) {
		why = TRAPPED_SATP;
	} else if (c->number >> 5 == CYCLE >> 5 && m->priv != PRIV_M) {
		if (!(m->mcounteren >> bit & 1))
			why = COUNTER_OFF_S;
		else if (m->priv == PRIV_U && !(m->scounteren >> bit & 1))
			why = COUNTER_OFF_U;
	}
	covered[why].count++;
	return why == READ_LEGAL;
}

bool satp_supported(uint64_t value)
{
	return value >> 60 == 0 || value >> 60 == 8;
}

static void write_status(struct model *m, uint64_t value, uint64_t mask)
{
	if (!m->float_on)
		mask &= ~FS;
	if ((value & MPP) == 2 << 11 && mask & MPP) {
		covered[BAD_MPP].count++;
		mask &= ~MPP;
	}
	m->mstatus = (m->mstatus & ~mask) | (value & mask);
}

static void write_row(struct model *m, unsigned number, uint64_t value)
{
	unsigned row = number & ~31U, i = (number & 31) - 3;

	if ((number & 31) < 3 || i >= COUNTERS)
		return;
	if (row == (MHPMEVENT3 & ~31U))
		m->event[i] = value & 0x3ffff03;
	else if (row == MCYCLE)
		m->counter[i] = value & COUNTER_MASK;
}

void write_csr(struct model *m, unsigned number, uint64_t value)
{
	for (const auto &plain : PLAIN)
		if (plain.number == number)
			m->*plain.field = value & plain.mask;
	if (number <= FCSR) {
		m->mstatus |= FS;
	} else if (number == SSTATUS || number == MSTATUS) {
		write_status(m, value,
			     number == SSTATUS ? SSTATUS_WRITABLE : MSTATUS_WRITABLE);
	} else if (number == SIE) {
		m->mie = (m->mie & ~m->mideleg) | (value & m->mideleg);
	} else if (number == MIP) {
		m->soft_mip = value & SUPERVISOR_IRQS;
	} else if (number == SIP && m->mideleg & 2) {
		// 4.1.3: SSIP alone, if it is delegated
		m->soft_mip = (m->soft_mip & ~UINT64_C(2)) | (value & 2);
	} else if (number == SATP) {
		covered[BAD_SATP].count += !satp_supported(value);
		if (satp_supported(value))
			m->satp = value;
	} else {
		write_row(m, number, value);
	}
}

// 3.1.8: traps of S and U may be delegated.
static bool to_supervisor(const struct model *m, const struct cycle *c)
{
	uint64_t delegated = c->irq ? m->mideleg : m->medeleg;

	return m->priv != PRIV_M && delegated >> c->code & 1;
}

// 3.1.7: in vectored mode, one entry for each interrupt.
uint64_t trap_target(const struct model *m, const struct cycle *c)
{
	uint64_t vector = to_supervisor(m, c) ? m->stvec : m->mtvec;
	bool vectored = vector & 1 && c->irq;

	covered[VECTORED].count += vectored;
	return (vector & ~UINT64_C(3)) + (vectored ? 4 * c->code : 0);
}

// 3.1.6.1.
void take_trap(struct model *m, const struct cycle *c)
{
	uint64_t cause = c->code | (c->irq ? UINT64_C(1) << 63 : 0);

	if (to_supervisor(m, c)) {
		covered[c->irq ? IRQ_DELEGATED : TRAP_S].count++;
		m->sepc = c->pc;
		m->scause = cause;
		m->stval = c->tval;
		m->mstatus = (m->mstatus & ~(SPP | SPIE | SIE_BIT)) |
			     (m->priv ? SPP : 0) | (m->mstatus & SIE_BIT ? SPIE : 0);
		m->priv = PRIV_S;
	} else {
		covered[TRAP_M].count++;
		m->mepc = c->pc;
		m->mcause = cause;
		m->mtval = c->tval;
		m->mstatus = (m->mstatus & ~(MPP | MPIE | MIE_BIT)) |
			     uint64_t{m->priv} << 11 | (m->mstatus & MIE_BIT ? MPIE : 0);
		m->priv = PRIV_M;
	}
}

void return_from_trap(struct model *m, bool machine)
{
	if (machine) {
		m->priv = m->mstatus >> 11 & 3;
		m->mstatus = (m->mstatus & ~(MPP | MIE_BIT)) | MPIE |
			     (m->mstatus & MPIE ? MIE_BIT : 0);
	} else {
		m->priv = m->mstatus & SPP ? PRIV_S : PRIV_U;
		m->mstatus = (m->mstatus & ~(SPP | SIE_BIT)) | SPIE |
			     (m->mstatus & SPIE ? SIE_BIT : 0);
	}
	covered[machine ? MRET : SRET].count++;
	if (m->priv != PRIV_M) {
		covered[MPRV_CLEARED].count += (m->mstatus & MPRV) != 0;
		m->mstatus &= ~MPRV;
	}
}

// 3.1.9 and 4.1.3: those for M come first; within a mode, external, software, timer.
// Returns 0 for none.
unsigned interrupt_to_take(const struct model *m, const struct cycle *c)
{
	static const unsigned ORDER[] = {11, 3, 7, 9, 1, 5};
	uint64_t ready = pending_irqs(m, c) & m->mie;
	bool for_m = m->priv != PRIV_M || m->mstatus & MIE_BIT;
	bool for_s = m->priv == PRIV_U || (m->priv == PRIV_S && m->mstatus & SIE_BIT);

	for (uint64_t set :
	     {for_m ? ready & ~m->mideleg : 0, for_s ? ready & m->mideleg : 0})
		for (unsigned number : ORDER)
			if (set >> number & 1) {
				covered[set & m->mideleg ? IRQ_S : IRQ_M].count++;
				return number;
			}
	covered[IRQ_OFF].count += ready != 0;
	return 0;
}
