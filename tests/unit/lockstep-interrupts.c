/* SPDX-License-Identifier: Apache-2.0 */
/* When the core may take an interrupt, when it must, and the values it may read of lines,
 * time and devices. */
#include "lockstep-bench.h"

enum { SSI = 1, MSI = 3, STI = 5, MTI = 7, SEI = 9, MEI = 11 };
enum {
	NOP = 0x00000013,
	SET_MIE = 0x30452073,	  /* csrs mie, a0 */
	SET_MIP = 0x34452073,	  /* csrs mip, a0 */
	SET_MSTATUS = 0x30052073, /* csrs mstatus, a0 */
	READ_MIP = 0x34402573,	  /* csrr a0, mip */
	READ_SIP = 0x14402573,	  /* csrr a0, sip */
	WFI = 0x10500073,
	LOAD_BYTE = 0x00028503,	 /* lb a0, (t0) */
	LOAD_LONG = 0x0002b503,	 /* ld a0, (t0) */
	STORE_LONG = 0x00b2b023, /* sd a1, (t0) */
	STATUS_SIE = 2,
	STATUS_MIE = 8,
};

static const uint32_t READ_TIME = 0xc0102573, /* csrr a0, time */
    READ_CYCLE = 0xb0002573,		      /* csrr a0, mcycle */
    READ_INSTRET = 0xb0202573,		      /* csrr a0, minstret */
    READ_NOTHING = 0xb0002073;		      /* csrr zero, mcycle */

static uint64_t bit(unsigned number)
{
	return UINT64_C(1) << number;
}

static void set(struct bench *b, uint64_t mstatus, uint64_t mie, uint64_t mideleg)
{
	soc_set_csr(b->m, 0, MSTATUS, mstatus);
	soc_set_csr(b->m, 0, MIE, mie);
	soc_set_csr(b->m, 0, MIDELEG, mideleg);
	soc_set_csr(b->m, 0, MTVEC, CODE + 0x1000);
	soc_set_csr(b->m, 0, 0x105, CODE + 0x2000);
}

static bool takes(struct bench *b, unsigned number, unsigned to)
{
	return bench_commits(
	    b, (struct rtl_commit){.trap = true,
				   .cause = (uint8_t)(COMMIT_INTERRUPT + number),
				   .next_priv = (uint8_t)to});
}

/* csrs of a CSR that reads 0 at first, or is not read. */
static bool sets(struct bench *b, uint32_t insn, uint64_t bits)
{
	soc_set_x(b->m, 0, A0, bits);
	return bench_plain(b, insn);
}

/* Returns whether this interrupt is allowed in M with this state and these lines. */
static bool allows(uint64_t mstatus, uint64_t mie, uint64_t lines, unsigned number,
		   const char *why)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, mstatus, mie, 0);
	CHECK(bench_plain(&b, NOP));
	b.lines = lines;
	bool good = takes(&b, number, 3);
	CHECK(good == !why);
	if (why && !CHECK(bench_says(&b, why)))
		lockstep_report(b.l, stderr);
	CHECK(soc_pc(b.m, 0) == CODE + 0x1000 || !good);
	bench_release(&b);
	return good;
}

static void enabled(void)
{
	CHECK(allows(STATUS_MIE, bit(MTI), bit(MTI), MTI, NULL));
	CHECK(allows(STATUS_MIE, bit(MEI), bit(MEI), MEI, NULL));
	CHECK(!allows(STATUS_MIE, bit(MTI), 0, MTI,
		      "\n* machine timer interrupt (7) taken, but not pending in mip\n"));
	CHECK(!allows(STATUS_MIE, bit(MEI), bit(MTI), MTI,
		      "\n* machine timer interrupt (7) taken, but not enabled in mie\n"));
	CHECK(
	    !allows(0, bit(MTI), bit(MTI), MTI,
		    "\n* machine timer interrupt (7) taken, but disabled by mstatus\n"));
	CHECK(!allows(STATUS_MIE, bit(STI), bit(MTI), STI, "(5) taken, but not pending"));
	/* Both arrived at the same time, as far as is known. */
	CHECK(allows(STATUS_MIE, bit(MTI) | bit(MEI), bit(MTI) | bit(MEI), MTI, NULL));
}

/* Lines that were high at the last check must be taken in order. */
static bool in_order(unsigned first)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, STATUS_MIE, 0, 0);
	b.lines = bit(MTI) | bit(MEI);
	CHECK(bench_plain(&b, NOP));
	CHECK(sets(&b, SET_MIE, bit(MTI) | bit(MEI)));
	bool good = takes(&b, first, 3);
	if (!good)
		CHECK(bench_says(&b, "(7) taken before one of a higher priority"));
	bench_release(&b);
	return good;
}

/* Bits written by software are known exactly. */
static bool software_order(unsigned first)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, STATUS_MIE, bit(SSI) | bit(STI), 0);
	CHECK(sets(&b, SET_MIP, bit(SSI) | bit(STI)));
	bool good = takes(&b, first, 3);
	bench_release(&b);
	return good;
}

static void delegated(void)
{
	struct bench b;

	bench_init(&b, 1);
	set(&b, STATUS_SIE, bit(SEI), bit(SEI));
	b.lines = bit(SEI);
	CHECK(takes(&b, SEI, 1));
	CHECK_EQ(soc_pc(b.m, 0), CODE + 0x2000);
	CHECK(!takes(&b, SEI, 1)); /* SIE is 0 now */
	bench_release(&b);

	bench_init(&b, 1);
	set(&b, 0, bit(SEI) | bit(MTI), bit(SEI));
	b.lines = bit(SEI);
	CHECK(bench_plain(&b, NOP));
	b.lines |= bit(MTI);
	CHECK(takes(&b, MTI, 3)); /* below M, MIE does not count */
	bench_release(&b);
}

/* After a write of a CSR, a due interrupt must come first. */
static void must(void)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, STATUS_MIE, 0, 0);
	b.lines = bit(MTI);
	CHECK(bench_plain(&b, NOP));
	CHECK(sets(&b, SET_MIE, bit(MTI)));
	CHECK(!bench_plain(&b, NOP));
	CHECK(bench_says(&b, "(7) pending and enabled, but not taken"));
	bench_release(&b);

	bench_init(&b, 3);
	set(&b, STATUS_MIE, bit(SSI), 0);
	CHECK(sets(&b, SET_MIP, bit(SSI)));
	CHECK(!bench_plain(&b, NOP));
	bench_release(&b);

	/* The line may have just risen. */
	bench_init(&b, 3);
	set(&b, STATUS_MIE, 0, 0);
	CHECK(bench_plain(&b, NOP));
	b.lines = bit(MTI);
	CHECK(sets(&b, SET_MIE, bit(MTI)));
	CHECK(bench_plain(&b, NOP));
	CHECK(takes(&b, MTI, 3));
	bench_release(&b);
}

/* Without a write of a CSR, it must come soon. */
static void soon(void)
{
	struct bench b;
	unsigned n = 0;

	bench_init(&b, 3);
	set(&b, STATUS_MIE, bit(MTI), 0);
	CHECK(bench_plain(&b, NOP));
	b.lines = bit(MTI);
	do
		soc_set_pc(b.m, 0, CODE);
	while (bench_plain(&b, NOP) && ++n < 10000);
	CHECK(n > 1000 && n < 2100);
	CHECK(bench_says(&b, "(7) pending and enabled for long, but not taken"));
	bench_release(&b);
}

/* A line may fall in the cycle of its interrupt, after a device access. */
static void falls(void)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, STATUS_MIE, bit(MTI), 0);
	CHECK(bench_plain(&b, NOP));
	soc_set_x(b.m, 0, T0, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP);
	CHECK(bench_runs(&b, STORE_LONG,
			 (struct rtl_commit){
			     .store = true,
			     .device = true,
			     .size = 3,
			     .address = SOC_CLINT_BASE + SOC_CLINT_MTIMECMP,
			 }));
	CHECK(takes(&b, MTI, 3));
	bench_release(&b);
}

static bool wakes(uint64_t mie, uint64_t lines)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, 0, mie, 0);
	CHECK(bench_plain(&b, NOP));
	b.lines = lines;
	bool good = bench_plain(&b, WFI);
	if (!good)
		CHECK(bench_says(&b, "\n* WFI ended "));
	bench_release(&b);
	return good;
}

/* Returns whether the core may read this value into a0. */
static bool reads(uint32_t insn, uint64_t value)
{
	struct bench b;

	bench_init(&b, 3);
	set(&b, 0, 0, bit(SSI) | bit(STI));
	soc_set_csr(b.m, 0, MIP, bit(STI));
	CHECK(bench_plain(&b, NOP));
	bool good = bench_writes(&b, insn, insn >> 7 & 31, value);
	bench_release(&b);
	return good;
}

static void csrs(void)
{
	CHECK(reads(READ_TIME, 12345));
	CHECK(reads(READ_CYCLE, 67890));
	CHECK(reads(READ_NOTHING, 5));
	CHECK(reads(READ_INSTRET, 1));
	CHECK(!reads(READ_INSTRET, 2));
	CHECK(reads(READ_MIP, bit(STI)));
	CHECK(reads(READ_MIP, bit(STI) | bit(MTI) | bit(MEI) | bit(MSI) | bit(SEI)));
	CHECK(!reads(READ_MIP, 0));
	CHECK(!reads(READ_MIP, bit(STI) | bit(SSI)));
	CHECK(!reads(READ_MIP, bit(STI) | bit(12)));
	CHECK(reads(READ_SIP, bit(STI)));
	CHECK(!reads(READ_SIP, bit(STI) | bit(SEI))); /* not delegated */
	CHECK(!reads(READ_SIP, bit(STI) | bit(MTI)));
}

static bool loads(uint32_t insn, uint64_t address, unsigned size, uint64_t value)
{
	struct bench b;

	bench_init(&b, 3);
	soc_set_x(b.m, 0, T0, address);
	bool good = bench_runs(&b, insn,
			       (struct rtl_commit){.load = true,
						   .device = true,
						   .address = address,
						   .size = (uint8_t)size,
						   .rd = A0,
						   .value = value});
	bench_release(&b);
	return good;
}

static void devices(void)
{
	CHECK(loads(LOAD_BYTE, SOC_UART_BASE + 5, 0, 0x61));
	CHECK(loads(LOAD_BYTE, SOC_UART_BASE + 5, 0, UINT64_C(0) - 2));
	CHECK(!loads(LOAD_BYTE, SOC_UART_BASE + 5, 0, 0xfe));
	CHECK(loads(LOAD_LONG, SOC_CLINT_BASE + SOC_CLINT_MTIME, 3, 123456789));
	/* The model decides whether a device responds. */
	CHECK(!loads(LOAD_LONG, SOC_UART_BASE, 3, 0));
	CHECK(!loads(LOAD_BYTE, 0x1000, 0, 0));
}

/* For a core that provides no CSRs, lines are assumed. */
static void blind(void)
{
	struct bench b;

	bench_init(&b, 3);
	b.blind = true;
	set(&b, STATUS_MIE, bit(MTI) | bit(STI), 0);
	CHECK(bench_plain(&b, WFI));
	CHECK(takes(&b, MTI, 3));
	CHECK(sets(&b, SET_MSTATUS, STATUS_MIE));
	CHECK(!takes(&b, STI, 3));
	bench_release(&b);
}

int main(void)
{
	enabled();
	CHECK(in_order(MEI));
	CHECK(!in_order(MTI));
	CHECK(software_order(SSI));
	CHECK(!software_order(STI));
	delegated();
	must();
	soon();
	falls();
	CHECK(wakes(bit(MTI), bit(MTI)));
	CHECK(!wakes(bit(MTI), bit(MEI)));
	CHECK(!wakes(bit(MTI), 0));
	csrs();
	devices();
	blind();
	return check_done();
}
