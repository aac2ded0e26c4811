// SPDX-License-Identifier: Apache-2.0
// The CSRs against a model of the registers: reads and writes from each mode, traps,
// returns, the choice of an interrupt, and counters.
//
// Sections are those of the RISC-V privileged specification, version 20211203. What it
// leaves to the hardware is in rtl/README.md and the header comments of csr_*.sv.
#include "bench.h"

enum : unsigned { PRIV_U, PRIV_S, PRIV_M = 3 };
enum : unsigned { OP_NONE, OP_WRITE, OP_SET, OP_CLEAR }; // soc_pkg::csr_op_e
enum : unsigned { COUNTERS = 6 };
static const uint64_t COUNTER_MASK = (UINT64_C(1) << 40) - 1;

// CSR numbers, table 2.5.
enum : unsigned { FFLAGS = 0x001, FRM, FCSR, SSTATUS = 0x100, SIE = 0x104, STVEC };
enum : unsigned { SCOUNTEREN = 0x106, SENVCFG = 0x10a, SSCRATCH = 0x140, SEPC, SCAUSE };
enum : unsigned { STVAL = 0x143, SIP, SATP = 0x180, MSTATUS = 0x300, MISA, MEDELEG };
enum : unsigned { MIDELEG = 0x303, MIE, MTVEC, MCOUNTEREN, MENVCFG = 0x30a };
enum : unsigned { MCOUNTINHIBIT = 0x320, MHPMEVENT3 = 0x323, MSCRATCH = 0x340, MEPC };
enum : unsigned { MCAUSE = 0x342, MTVAL, MIP, PMPCFG0 = 0x3a0, PMPCFG2 = 0x3a2 };
enum : unsigned { PMPADDR0 = 0x3b0, MCYCLE = 0xb00, MINSTRET = 0xb02, MHPMCOUNTER3 };
enum : unsigned { CYCLE = 0xc00, TIME, INSTRET, HPMCOUNTER3, MVENDORID = 0xf11 };
enum : unsigned { MARCHID = 0xf12, MIMPID, MHARTID, MCONFIGPTR };

// Fields of mstatus, 3.1.6.
static const uint64_t SIE_BIT = 1 << 1, MIE_BIT = 1 << 3, SPIE = 1 << 5, MPIE = 1 << 7;
static const uint64_t SPP = 1 << 8, MPP = 3 << 11, FS = 3 << 13, MPRV = 1 << 17;
static const uint64_t SUM = 1 << 18, MXR = 1 << 19, TVM = 1 << 20, TW = 1 << 21;
static const uint64_t TSR = 1 << 22;
static const uint64_t MSTATUS_WRITABLE =
    SIE_BIT | MIE_BIT | SPIE | MPIE | SPP | MPP | FS | MPRV | SUM | MXR | TVM | TW | TSR;
static const uint64_t SSTATUS_WRITABLE = SIE_BIT | SPIE | SPP | FS | SUM | MXR;
static const uint64_t SUPERVISOR_IRQS = 0x222, ALL_IRQS = 0xaaa; // 3.1.9
static const uint64_t DELEGABLE = 0xb3ff;			 // 3.1.8

enum { READ_LEGAL, WRITE_LEGAL, TOO_LOW_MODE, READ_ONLY, NO_FLOAT };
enum { TRAPPED_SATP = 5, COUNTER_OFF_S, COUNTER_OFF_U, NOT_THERE, BAD_SATP };
enum { BAD_MPP = 10, TRAP_M, TRAP_S, IRQ_DELEGATED, VECTORED, MRET, SRET };
enum { MPRV_CLEARED = 17, DATA_AS_MPP, IRQ_M, IRQ_S, IRQ_OFF, COUNTED, INHIBITED };
enum { DIRTIED = 24 };
static struct covered_case covered[] = {{"legal read", 0},
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
					{"FS made dirty", 0}};

struct model {
	unsigned priv;
	uint64_t mstatus; // without the constant fields and SD
	bool float_on;
	uint64_t mtvec, stvec, mepc, sepc, mcause, scause, mtval, stval, medeleg, mideleg;
	uint64_t mie, soft_mip, mcounteren, scounteren, mscratch, sscratch, satp;
	uint64_t menvcfg, senvcfg, mcycle, minstret, inhibit;
	uint64_t event[COUNTERS], counter[COUNTERS];
};

// What happens in a cycle.
struct cycle {
	unsigned number, op, rs1; // a CSR instruction, unless OP_NONE
	uint64_t operand, pc, tval;
	bool trap, irq, mret, sret, commit, dirty;
	unsigned code, lines; // device_pkg::irq_t
	uint64_t mtime, pmp_rdata, events, hart_id;
	unsigned skip, frm, fflags;
};

// The interrupt lines as bits of mip.
static uint64_t pending(const struct model *m, const struct cycle *c)
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
		return pending(m, c) & m->mideleg;
	case MIP:
		return pending(m, c);
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
static bool read_csr(const struct model *m, const struct cycle *c, uint64_t *value)
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

static bool writes(const struct cycle *c)
{
	return c->op == OP_WRITE || (c->op != OP_NONE && c->rs1 != 0);
}

// 2.1: modes and read-only CSRs; 3.1.6.5: TVM; 3.1.11 and 4.1.5: counters; the
// unprivileged specification, 11.2: FS.
static bool may_access(const struct model *m, const struct cycle *c)
{
	unsigned bit = c->number & 31;
	unsigned why = READ_LEGAL;

	if (c->number <= FCSR) {
		if (!(m->mstatus & FS))
			why = NO_FLOAT;
	} else if (m->priv < (c->number >> 8 & 3)) {
		why = TOO_LOW_MODE;
	} else if (writes(c) && c->number >> 10 == 3) {
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

static bool satp_supported(uint64_t value)
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

static void write_csr(struct model *m, unsigned number, uint64_t value)
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
static uint64_t trap_target(const struct model *m, const struct cycle *c)
{
	uint64_t vector = to_supervisor(m, c) ? m->stvec : m->mtvec;
	bool vectored = vector & 1 && c->irq;

	covered[VECTORED].count += vectored;
	return (vector & ~UINT64_C(3)) + (vectored ? 4 * c->code : 0);
}

// 3.1.6.1.
static void take_trap(struct model *m, const struct cycle *c)
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

static void return_from_trap(struct model *m, bool machine)
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
static unsigned interrupt_to_take(const struct model *m, const struct cycle *c)
{
	static const unsigned ORDER[] = {11, 3, 7, 9, 1, 5};
	uint64_t ready = pending(m, c) & m->mie;
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

// Sets of events have 18, 11, 5 and 4 bits.
static bool event_occurs(uint64_t event, uint64_t events)
{
	static const unsigned FIRST[] = {0, 18, 29, 34, 38};
	unsigned set = event & 3;
	uint64_t width = FIRST[set + 1] - FIRST[set];

	return event >> 8 & events >> FIRST[set] & ((UINT64_C(1) << width) - 1);
}

static void count(struct model *m, const struct cycle *c)
{
	uint64_t cycles = 1 + uint64_t{c->skip};

	if (!(m->inhibit & 1))
		m->mcycle += cycles;
	if (c->commit && !(m->inhibit & 4))
		m->minstret++;
	for (unsigned i = 0; i < COUNTERS; i++) {
		if (!event_occurs(m->event[i], c->events))
			continue;
		covered[m->inhibit >> (3 + i) & 1 ? INHIBITED : COUNTED].count++;
		if (!(m->inhibit >> (3 + i) & 1))
			m->counter[i] = (m->counter[i] + cycles) & COUNTER_MASK;
	}
}

static void check_state(struct bench *b, const struct model *m, const struct cycle *c)
{
	unsigned irq = interrupt_to_take(m, c);
	bool as_mpp = m->priv == PRIV_M && m->mstatus & MPRV;

	CHECK_EQ(b->dut.priv_o, m->priv);
	CHECK_EQ(b->dut.status_o, m->mstatus);
	CHECK_EQ(b->dut.satp_o, m->satp);
	CHECK_EQ(b->dut.data_priv_o, as_mpp ? m->mstatus >> 11 & 3 : m->priv);
	covered[DATA_AS_MPP].count += as_mpp;
	CHECK_EQ(b->dut.irq_o, irq != 0);
	CHECK_EQ(b->dut.irq_cause_o, irq);
	CHECK_EQ(b->dut.wake_o, (pending(m, c) & m->mie) != 0);
}

// Returns the value to write. Set and clear do not see the interrupt lines, 3.1.9.
static uint64_t new_value(const struct model *m, const struct cycle *c, uint64_t old)
{
	if (c->number == MIP || c->number == SIP)
		old = m->soft_mip;
	return c->op == OP_SET	   ? old | c->operand
	       : c->op == OP_CLEAR ? old & ~c->operand
				   : c->operand;
}

// Checks the answer to a CSR instruction, and returns whether it is legal.
static bool check_instruction(struct bench *b, const struct model *m,
			      const struct cycle *c, uint64_t *value)
{
	uint64_t old = 0;
	bool exists = read_csr(m, c, &old);
	bool legal = may_access(m, c) && exists;
	bool pmp = c->number >> 5 == PMPCFG0 >> 5;

	covered[NOT_THERE].count += !exists;
	CHECK_EQ(b->dut.illegal_o, !legal);
	CHECK_EQ(b->dut.csr_we_o, legal && writes(c));
	CHECK_EQ(b->dut.pmp_we_o, legal && writes(c) && pmp);
	if (!legal)
		return false;
	*value = new_value(m, c, old);
	bool satp = writes(c) && c->number == SATP && satp_supported(*value);
	CHECK_EQ(b->dut.rdata_o, old);
	CHECK_EQ(b->dut.satp_we_o, satp);
	CHECK_EQ(b->dut.flush_o, satp || (writes(c) && pmp));
	if (writes(c)) {
		covered[WRITE_LEGAL].count++;
		CHECK_EQ(b->dut.csr_wdata_o, *value & 255);
		CHECK_EQ(b->dut.pmp_wdata_o, *value);
		CHECK_EQ(b->dut.pmp_addr_o, c->number);
	}
	return true;
}

static unsigned draw_number(struct rng *random)
{
	static const unsigned NUMBERS[] = {
	    FFLAGS,    FRM,	      FCSR,	SSTATUS,  SIE,	      STVEC,   SCOUNTEREN,
	    SENVCFG,   SSCRATCH,      SEPC,	SCAUSE,	  STVAL,      SIP,     SATP,
	    MSTATUS,   MISA,	      MEDELEG,	MIDELEG,  MIE,	      MTVEC,   MCOUNTEREN,
	    MENVCFG,   MCOUNTINHIBIT, MSCRATCH, MEPC,	  MCAUSE,     MTVAL,   MIP,
	    PMPCFG0,   PMPCFG2,	      MCYCLE,	MINSTRET, CYCLE,      TIME,    INSTRET,
	    MVENDORID, MARCHID,	      MIMPID,	MHARTID,  MCONFIGPTR, MSTATUS, MIE,
	    MIDELEG,   MSTATUS,	      SSTATUS};
	static const unsigned ROWS[] = {MHPMEVENT3, MHPMCOUNTER3, HPMCOUNTER3};

	if (random->once_in(32))
		return random->below(4096);
	if (random->once_in(6))
		return ROWS[random->below(3)] +
		       random->below(random->once_in(4) ? 29 : 6);
	if (random->once_in(16))
		return PMPADDR0 + random->below(16);
	return NUMBERS[random->below(sizeof(NUMBERS) / sizeof(*NUMBERS))];
}

static uint64_t draw_operand(struct rng *random, unsigned number)
{
	uint64_t value = random->next();

	if (number == SATP && random->once_in(2))
		value &= ~(UINT64_C(7) << 60);
	if (random->once_in(4))
		value &= random->next();
	return random->once_in(16) ? 0 : value;
}

static struct cycle draw(struct rng *random, const struct model *m)
{
	struct cycle c = {};
	unsigned what = random->below(8);

	c.rs1 = random->once_in(4) ? 0 : random->below(32);
	c.pc = random->next() & ~UINT64_C(1);
	c.tval = random->next();
	c.lines = random->once_in(2) ? 0 : random->below(16);
	c.mtime = random->next();
	c.pmp_rdata = random->next();
	c.events = random->next() & ((UINT64_C(1) << 38) - 1);
	c.hart_id = 3;
	c.skip = random->once_in(4) ? random->below(1 << 16) : 0;
	c.frm = random->below(8);
	c.fflags = random->below(32);
	c.number = draw_number(random);
	c.operand = draw_operand(random, c.number);
	if (what < 4) {
		c.op = 1 + random->below(3);
	} else if (what == 4) {
		c.trap = true;
		c.irq = random->once_in(2);
		c.code = c.irq ? 1 + 2 * random->below(6) : random->below(24);
	} else if (what == 5) {
		// Returns that the mode allows
		c.mret = m->priv == PRIV_M && random->once_in(2);
		c.sret = m->priv != PRIV_U && !c.mret;
		c.commit = c.mret || c.sret;
	} else {
		c.commit = random->once_in(2);
		c.dirty = random->once_in(3);
	}
	return c;
}

static void present(struct bench *b, const struct cycle *c)
{
	// soc_pkg::executed_t
	b->dut.executed_i[0] = static_cast<uint32_t>(c->pc);
	b->dut.executed_i[1] = static_cast<uint32_t>(c->pc >> 32);
	b->dut.executed_i[4] = static_cast<uint32_t>(c->operand);
	b->dut.executed_i[5] = static_cast<uint32_t>(c->operand >> 32);
	b->dut.executed_i[9] = c->op << 23 | c->number << 8 | c->rs1 << 3;
	b->dut.valid_i = c->op != OP_NONE;
	b->dut.trap_i = c->trap;
	b->dut.trap_cause_i = (unsigned{c->irq} << 5 | c->code) & 63;
	b->dut.trap_tval_i = c->tval;
	b->dut.xret_i = c->mret ? 3 : c->sret; // soc_pkg::xret_e
	b->dut.irq_lines_i = c->lines & 15;
	b->dut.mtime_i = c->mtime;
	b->dut.hart_id_i = c->hart_id;
	b->dut.float_dirty_i = c->dirty;
	b->dut.frm_i = c->frm & 7;
	b->dut.fflags_i = c->fflags & 31;
	b->dut.events_i = c->events;
	b->dut.pmp_rdata_i = c->pmp_rdata;
	b->dut.skip_i = c->skip & 0xffff;
}

// Both clocks.
static void edge(struct bench *b)
{
	b->settle();
	b->dut.clk_i = b->dut.time_clk_i = 1;
	b->dut.eval();
	b->dut.time_clk_i = 0;
	b->settle();
}

static void step(struct bench *b, struct model *m, struct cycle *c)
{
	uint64_t value = 0;

	present(b, c);
	b->dut.commit_i = c->commit;
	b->settle();
	check_state(b, m, c);
	if (c->op != OP_NONE) {
		c->commit = check_instruction(b, m, c, &value);
		b->dut.commit_i = c->commit;
	} else {
		CHECK_EQ(b->dut.rdata_o | b->dut.illegal_o | b->dut.csr_we_o, 0);
	}
	CHECK_EQ(b->dut.target_o, c->trap   ? trap_target(m, c)
				  : c->mret ? m->mepc
				  : c->sret ? m->sepc
					    : 0);
	edge(b);
	count(m, c);
	if (c->op != OP_NONE && c->commit && writes(c))
		write_csr(m, c->number, value);
	else if (c->trap)
		take_trap(m, c);
	else if (c->mret || c->sret)
		return_from_trap(m, c->mret);
	else if (c->dirty && c->commit) {
		covered[DIRTIED].count++;
		m->mstatus |= FS;
	}
}

// Event counters have no reset.
static void start(struct bench *b, struct model *m)
{
	struct cycle c = {};

	*m = {};
	m->priv = PRIV_M;
	m->float_on = b->random.once_in(2);
	present(b, &c);
	b->dut.commit_i = 0;
	b->dut.float_on_i = m->float_on;
	b->dut.rst_ni = 0;
	edge(b);
	edge(b);
	b->dut.rst_ni = 1;
	b->dut.float_on_i = b->random.once_in(2);
	for (unsigned i = 0; i < COUNTERS; i++) {
		c.op = OP_WRITE;
		c.number = MHPMCOUNTER3 + i;
		c.operand = b->random.once_in(2) ? COUNTER_MASK : b->random.next();
		c.commit = true;
		present(b, &c);
		b->dut.commit_i = 1;
		edge(b);
		count(m, &c);
		write_csr(m, c.number, c.operand);
	}
}

int main()
{
	struct bench b(1);
	struct model m;

	for (unsigned i = 0; i < 400000 && going_well(); i++) {
		if (i % 1000 == 0)
			start(&b, &m);
		struct cycle c = draw(&b.random, &m);
		step(&b, &m, &c);
	}
	check_covered(covered, 100);
	return bench_done();
}
