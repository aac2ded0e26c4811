/* SPDX-License-Identifier: Apache-2.0 */
/* Random programs, which modify their own code, trap, sleep and translate: tokens,
 * traps and state are the same by single commits, by rows, and by rows in runs of odd
 * lengths. */
#include <string.h>

#include "../../sim/model/model.h"
#include "check.h"
#include "stream/sp.h"

enum { PROGRAMS = 60, LENGTH = 20000, CODE_BYTES = 8192 };

#define HANDLER 0x80000400
#define CODE	0x80001000 /* two pages: one of U, one of S */
#define DATA	0x80003000
#define TABLES	0x80010000

/* Result of a run, as hashes. */
struct outcome {
	struct soc *soc;
	uint64_t hash, cycle, tokens;
	uint64_t sp;		    /* as computed from the trace */
	uint64_t written, reported; /* writes of sp to report, and those reported */
};

static uint64_t seed;

static uint32_t rnd(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(seed >> 33) % below;
}

static void mix(struct outcome *o, uint64_t value)
{
	o->hash = (o->hash ^ value) * UINT64_C(1099511628211);
}

static void token(struct outcome *o, uint64_t pc, uint32_t insn)
{
	mix(o, pc);
	mix(o, insn);
	mix(o, o->cycle);
	o->tokens++;
}

static void on_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	struct outcome *o = user;
	int64_t bytes;

	(void)hart;
	o->cycle = commit->cycle;
	token(o, commit->pc, commit->insn);
	CHECK_EQ(o->reported, o->written);
	if (tr_sp_adds(commit->insn, &bytes))
		o->sp += (uint64_t)bytes;
	else if (commit->rd == TR_REG_SP)
		o->written++;
	if (o->reported == o->written)
		CHECK_EQ(o->sp, soc_x(o->soc, hart, TR_REG_SP));
}

static void on_row(void *user, unsigned hart, const struct soc_row *row)
{
	struct outcome *o = user;
	unsigned at = 0;

	(void)hart;
	for (unsigned i = 0; i < row->count; i++) {
		unsigned bytes = (row->code[at] & 3) == 3 ? 4 : 2;
		uint32_t insn = 0;

		memcpy(&insn, row->code + at, bytes);
		o->cycle += 1 + (i + 1U == row->count ? row->slept : 0);
		token(o, row->pc + at, insn);
		at += bytes;
	}
	CHECK_EQ(at, row->bytes);
}

static void on_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct outcome *o = user;

	(void)hart;
	mix(o, trap->cause);
	mix(o, trap->tval);
	mix(o, trap->epc);
	mix(o, trap->cycle);
	mix(o, trap->priv);
}

static void on_change(void *user, unsigned hart, uint64_t value)
{
	(void)hart;
	mix(user, value);
}

static void on_reg(void *user, unsigned hart, unsigned reg, uint64_t value)
{
	struct outcome *o = user;

	CHECK_EQ(value, soc_x(o->soc, hart, reg));
	if (reg == TR_REG_SP) {
		o->reported++;
		o->sp = value;
	}
	mix(o, reg);
	mix(o, value);
}

static void on_xret(void *user, unsigned hart, unsigned priv)
{
	(void)hart;
	mix(user, priv);
}

static uint32_t i_type(uint32_t imm, uint32_t rs1, uint32_t f3, uint32_t rd, uint32_t op)
{
	return imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

static void put(struct soc *soc, uint64_t *at, uint32_t insn)
{
	CHECK(soc_write_physical(soc, *at, &insn, 4));
	*at += 4;
}

/* Continues at an address in CODE, in a privilege and with a timer that depend on the
 * cycle. */
static void write_handler(struct soc *soc)
{
	uint64_t at = HANDLER;

	put(soc, &at, i_type(0xb00, 0, 2, 30, 0x73));	      /* csrr x30, mcycle */
	put(soc, &at, i_type(1, 30, 1, 30, 0x13));	      /* slli x30, x30, 1 */
	put(soc, &at, i_type(0x7fe, 30, 7, 30, 0x13));	      /* andi x30, x30, 0x7fe */
	put(soc, &at, 1U << 12 | 31 << 7 | 0x17);	      /* auipc x31, 1 */
	put(soc, &at, 0x01ff0f33);			      /* add x30, x30, x31 */
	put(soc, &at, i_type(0x341, 30, 1, 0, 0x73));	      /* csrw mepc, x30 */
	put(soc, &at, 0x2004U << 12 | 31 << 7 | 0x37);	      /* lui x31, 0x2004 */
	put(soc, &at, i_type(0xc01, 0, 2, 30, 0x73));	      /* csrr x30, time */
	put(soc, &at, i_type(1, 30, 0, 30, 0x13));	      /* addi x30, x30, 1 */
	put(soc, &at, 30U << 20 | 31 << 15 | 3 << 12 | 0x23); /* sd x30, 0(x31) */
	put(soc, &at, i_type(0xb00, 0, 2, 30, 0x73));	      /* csrr x30, mcycle */
	put(soc, &at, i_type(11, 30, 1, 30, 0x13));	      /* slli x30, x30, 11 */
	put(soc, &at, 2U << 12 | 31 << 7 | 0x37);	      /* lui x31, 2 */
	put(soc, &at, i_type(0x800, 31, 0, 31, 0x13));	      /* addi x31, x31, -2048 */
	put(soc, &at, 0x01ff7f33);			      /* and x30, x30, x31 */
	put(soc, &at, i_type(0x300, 31, 3, 0, 0x73));	      /* csrc mstatus, x31 */
	put(soc, &at, i_type(0x300, 30, 2, 0, 0x73));	      /* csrs mstatus, x30 */
	put(soc, &at, 0x30200073);			      /* mret */
}

/* Identity mapping by page: odd ones are U's; every fifth has D=0. */
static void write_tables(struct soc *soc)
{
	uint64_t root[512] = {0}, middle[512] = {0}, leaves[512];

	root[2] = (TABLES + 0x1000) >> 12 << 10 | 1;
	middle[0] = (TABLES + 0x2000) >> 12 << 10 | 1;
	for (uint64_t i = 0; i < 512; i++)
		leaves[i] =
		    (0x80000 + i) << 10 | (i & 1 ? 0x10 : 0) | (i % 5 ? 0xcf : 0x4f);
	soc_write_physical(soc, TABLES, root, sizeof(root));
	soc_write_physical(soc, TABLES + 0x1000, middle, sizeof(middle));
	soc_write_physical(soc, TABLES + 0x2000, leaves, sizeof(leaves));
}

static uint32_t random_memory_insn(void)
{
	uint32_t base = 8 + rnd(2), rd = rnd(30), f3 = rnd(4), imm = rnd(0x800);

	switch (rnd(3)) {
	case 0:
		return i_type(imm & ~7U, base, f3, rd, 0x03);
	case 1:
		return (imm >> 5) << 25 | rd << 20 | base << 15 | f3 << 12 |
		       (imm & 0x18) << 7 | 0x23;
	default:
		return (rnd(4) << 2 | rnd(4)) << 27 | rd << 20 | base << 15 |
		       (2 + rnd(2)) << 12 | rd << 7 | 0x2f;
	}
}

static uint32_t random_insn(void)
{
	static const uint32_t some[] = {0x00000073, 0x10500073, 0x0000100f, 0x12000073,
					0x30200073, 0x10200073, 0x00100073, 0x00008067};
	static const uint16_t csrs[] = {0x300, 0x304, 0x340, 0x344, 0xb00, 0xc00, 0xc01,
					0xc02, 0x100, 0x140, 0x320, 0x3a0, 0x3b1, 0x180};

	switch (rnd(10)) {
	case 0:
	case 1:
		return random_memory_insn();
	case 2:
		return some[rnd(8)];
	case 3:
		return i_type(csrs[rnd(14)], rnd(32), 1 + rnd(3), rnd(32), 0x73);
	case 4:
		return rnd(2) << 25 | rnd(32) << 20 | rnd(32) << 15 | (rnd(8) << 12) |
		       rnd(16) << 8 | 0x63;
	case 5:
		return rnd(128) << 21 | rnd(8) << 7 | 0x6f;
	case 6:
		return rnd(1U << 31) << 1 | rnd(2);
	case 7:
		return rnd(2) << 30 | rnd(32) << 20 | rnd(32) << 15 | rnd(8) << 12 |
		       rnd(32) << 7 | 0x33;
	case 8: /* two compressed ones, or half of a 32-bit one */
		return rnd(1U << 30) << 2 | 1;
	default:
		return i_type(rnd(4096), rnd(32), rnd(8), rnd(32), 0x13);
	}
}

static struct soc *make_program(uint64_t number)
{
	struct soc *soc = soc_new(&(struct soc_config){.ram_size = 1 << 20, .harts = 1});
	uint64_t at = CODE;

	seed = number;
	write_handler(soc);
	write_tables(soc);
	while (at < CODE + CODE_BYTES)
		put(soc, &at, random_insn());
	soc_set_csr(soc, 0, 0x305, HANDLER);
	soc_set_csr(soc, 0, 0x180, UINT64_C(8) << 60 | TABLES >> 12);
	soc_set_csr(soc, 0, 0x3b0, UINT64_MAX);
	soc_set_csr(soc, 0, 0x3a0, 0x1f);
	soc_set_csr(soc, 0, 0x304, 0x80);
	soc_set_x(soc, 0, 8, DATA);
	soc_set_x(soc, 0, 9, CODE + 0x800);
	soc_set_pc(soc, 0, HANDLER);
	return soc;
}

static void finish(struct outcome *o)
{
	static uint8_t ram[1 << 20];

	mix(o, soc_pc(o->soc, 0));
	mix(o, soc_instret(o->soc, 0));
	for (unsigned i = 0; i < 32; i++)
		mix(o, soc_x(o->soc, 0, i));
	CHECK(soc_read_physical(o->soc, SOC_RAM_BASE, ram, sizeof(ram)));
	for (unsigned i = 0; i < sizeof(ram); i += 8)
		if (ram[i] | ram[i + 1])
			mix(o, (uint64_t)i << 16 | ram[i] | (unsigned)ram[i + 1] << 8);
	soc_free(o->soc);
}

static struct outcome run(uint64_t number, bool commits, uint32_t slice)
{
	struct outcome o = {.soc = make_program(number), .hash = 1};
	struct soc_hooks hooks = {.user = &o,
				  .commit = commits ? on_commit : NULL,
				  .row = commits ? NULL : on_row,
				  .trap = on_trap,
				  .xret = on_xret,
				  .satp = on_change,
				  .reg = on_reg};
	enum soc_stop stop = SOC_STOP_LIMIT;

	soc_set_hooks(o.soc, &hooks);
	while (stop == SOC_STOP_LIMIT && soc_instret(o.soc, 0) < LENGTH) {
		uint64_t next = slice ? soc_instret(o.soc, 0) + 1 + rnd(slice) : LENGTH;

		stop = soc_run(o.soc, next < LENGTH ? next : LENGTH, UINT64_MAX);
	}
	mix(&o, stop);
	CHECK_EQ(o.tokens, soc_instret(o.soc, 0));
	finish(&o);
	return o;
}

int main(void)
{
	uint64_t reported = 0;

	for (uint64_t i = 1; i <= PROGRAMS; i++) {
		struct outcome commits = run(i, true, 0), rows = run(i, false, 0);
		struct outcome sliced = run(i, false, 40);

		reported += commits.reported;
		if (!CHECK_EQ(rows.hash, commits.hash) ||
		    !CHECK_EQ(sliced.hash, commits.hash)) {
			fprintf(stderr, "program %" PRIu64 "\n", i);
			break;
		}
	}
	CHECK(reported > 0);
	return check_done();
}
