// SPDX-License-Identifier: Apache-2.0
// The CSRs against a model of the registers: reads and writes from each mode, traps,
// returns, the choice of an interrupt, and counters.
#include "bench.h"
#include "csr/model.h"

#ifndef COMMITS
#define COMMITS 1
#endif
#ifndef EVENTBITS
#define EVENTBITS 38
#endif

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
	CHECK_EQ(b->dut.wake_o, (pending_irqs(m, c) & m->mie) != 0);
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
	CHECK_EQ(b->dut.csr_we_o, legal && writes_csr(c));
	CHECK_EQ(b->dut.pmp_we_o, legal && writes_csr(c) && pmp);
	if (!legal)
		return false;
	*value = new_value(m, c, old);
	bool satp = writes_csr(c) && c->number == SATP && satp_supported(*value);
	CHECK_EQ(b->dut.rdata_o, old);
	CHECK_EQ(b->dut.satp_we_o, satp);
	CHECK_EQ(b->dut.flush_o, satp || (writes_csr(c) && pmp));
	if (writes_csr(c)) {
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
	if ((number == MINSTRET || number == MCYCLE) && random->once_in(2))
		return 0 - uint64_t{random->below(4)};
	if (random->once_in(4))
		value &= random->next();
	return random->once_in(16) ? 0 : value;
}

// An event occurs at most COMMITS times.
static void draw_events(struct rng *random, struct cycle *c)
{
	for (unsigned i = 0; i < EVENTBITS; i++) {
		uint64_t times = random->once_in(2) ? random->below(COMMITS + 1) : 0;

		for (unsigned b = 0; b < COUNT_BITS; b++)
			c->events[b] |= (times >> b & 1) << i;
	}
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
	draw_events(random, &c);
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
		c.commits = c.mret || c.sret;
	} else {
		c.commits = random->below(COMMITS + 1);
		c.dirty = random->once_in(3);
	}
	return c;
}

static void present(struct bench *b, const struct cycle *c)
{
	uint64_t events[2] = {};

	for (unsigned bit = 0; bit < COUNT_BITS; bit++) {
		unsigned at = bit * EVENTBITS, shift = at % 64;

		events[at / 64] |= c->events[bit] << shift;
		if (shift + EVENTBITS > 64)
			events[1] |= c->events[bit] >> (64 - shift);
	}

	b->dut.pc_i = c->pc;
	b->dut.addr_i = c->number & 0xfff;
	b->dut.op_i = c->op & 3;
	b->dut.rs1_i = c->rs1 & 31;
	b->dut.operand_i = c->operand;
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
	memcpy(&b->dut.events_i, events, sizeof(b->dut.events_i));
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
	b->dut.commit_i = c->commits & (2 * COMMITS - 1);
	b->settle();
	check_state(b, m, c);
	if (c->op != OP_NONE) {
		c->commits = check_instruction(b, m, c, &value);
		b->dut.commit_i = c->commits & 1;
	} else {
		CHECK_EQ(b->dut.rdata_o | b->dut.illegal_o | b->dut.csr_we_o, 0);
	}
	CHECK_EQ(b->dut.target_o, c->trap   ? trap_target(m, c)
				  : c->mret ? m->mepc
				  : c->sret ? m->sepc
					    : 0);
	edge(b);
	count_cycle(m, c);
	if (c->op != OP_NONE && c->commits && writes_csr(c))
		write_csr(m, c->number, value);
	else if (c->trap)
		take_trap(m, c);
	else if (c->mret || c->sret)
		return_from_trap(m, c->mret);
	else if (c->dirty && c->commits) {
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
	m->most = COMMITS;
	m->events = EVENTBITS;
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
		c.commits = 1;
		present(b, &c);
		b->dut.commit_i = 1;
		edge(b);
		count_cycle(m, &c);
		write_csr(m, c.number, c.operand);
	}
}

int main()
{
	struct bench b(1);
	struct model m;

	for (unsigned i = 0; i < 600000 && going_well(); i++) {
		if (i % 1000 == 0)
			start(&b, &m);
		struct cycle c = draw(&b.random, &m);
		step(&b, &m, &c);
	}
	check_covered(covered, 100);
	return bench_done();
}
