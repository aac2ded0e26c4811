/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison in which the test acts as the core and reports single commits. */
#ifndef LOCKSTEP_BENCH_H
#define LOCKSTEP_BENCH_H

#include "../../sim/lockstep/lockstep.h"
#include "check.h"

enum { T0 = 5, T1 = 6, T2 = 7, A0 = 10, A1 = 11, A2 = 12, A3 = 13 };
enum { SATP = 0x180, MSTATUS = 0x300, MIDELEG = 0x303, MIE = 0x304, MTVEC = 0x305 };
enum { MIP = 0x344, PMPCFG0 = 0x3a0, PMPADDR0 = 0x3b0 };

#define CODE UINT64_C(0x80000000)

struct bench {
	struct soc *m;
	struct lockstep *l;
	uint64_t cycle;
	uint64_t lines; /* of mip */
	bool blind;	/* the core provides no CSRs */
};

/* All CSRs equal the model's, except the lines. */
static bool bench_csr(void *user, unsigned csr, uint64_t *value)
{
	struct bench *b = user;

	if (b->blind || !soc_csr(b->m, 0, csr, value))
		return false;
	if (csr == MIP)
		*value |= b->lines;
	return true;
}

/* The model at CODE, in this privilege, with all memory accessible. */
static void bench_init(struct bench *b, unsigned priv)
{
	const struct soc_config config = {.harts = SOC_HARTS, .features.copy = true};
	const struct lockstep_side side = {.user = b, .csr = bench_csr};

	*b = (struct bench){.m = soc_new(&config)};
	soc_set_csr(b->m, 0, PMPADDR0, UINT64_MAX);
	soc_set_csr(b->m, 0, PMPCFG0, 0x1f);
	soc_set_priv(b->m, 0, priv);
	b->l = lockstep_new(b->m, &side);
	CHECK(b->l != NULL);
}

/* Starts the comparison with the model as set up by the test. */
static inline void bench_begin(struct bench *b)
{
	const struct lockstep_side side = {.user = b, .csr = bench_csr};

	lockstep_free(b->l);
	b->l = lockstep_new(b->m, &side);
}

static void bench_release(struct bench *b)
{
	lockstep_free(b->l);
	soc_free(b->m);
}

/* The core commits the instruction at pc, or takes a trap, with the contents of c; fields
 * that are not set are the model's. Returns whether they agree. */
static bool bench_commits(struct bench *b, struct rtl_commit c)
{
	c.cycle = ++b->cycle;
	c.pc = soc_pc(b->m, 0);
	c.priv = (uint8_t)soc_priv(b->m, 0);
	if (!c.trap)
		c.next_priv = c.priv;
	if (!c.wrote_satp)
		CHECK(soc_csr(b->m, 0, SATP, &c.satp));
	return lockstep_commit(b->l, &c);
}

/* The same, after the instruction is stored in memory (for a physical pc). */
static bool bench_runs(struct bench *b, uint32_t insn, struct rtl_commit c)
{
	CHECK(soc_write_physical(b->m, soc_pc(b->m, 0), &insn, 4));
	c.insn = insn;
	return bench_commits(b, c);
}

/* An instruction that writes no register, or this one. */
static bool bench_plain(struct bench *b, uint32_t insn)
{
	return bench_runs(b, insn, (struct rtl_commit){0});
}

static inline bool bench_writes(struct bench *b, uint32_t insn, unsigned rd,
				uint64_t value)
{
	return bench_runs(b, insn,
			  (struct rtl_commit){.rd = (uint8_t)rd, .value = value});
}

static inline bool bench_says(const struct bench *b, const char *what)
{
	static char text[16384];
	FILE *to = fmemopen(text, sizeof(text), "w");

	lockstep_report(b->l, to);
	fclose(to);
	return strstr(text, what) != NULL;
}

#endif
