/* SPDX-License-Identifier: Apache-2.0 */
/* The machine of bench.h: the functional model. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random/rng.h"
#include "model/csr.h"
#include "model/model.h"

/* Where a return goes to, where traps go to, and the code and values that set the
 * registers of floating point: only M-mode may execute or read these. */
#define RETURN	   UINT64_C(0x80000100)
#define TRAPS	   UINT64_C(0x80000200)
#define FLOAT_CODE UINT64_C(0x80001000)
#define FLOATS	   UINT64_C(0x80002000)
#define WINDOW	   UINT64_C(0x86100000)
enum {
	PMP_TOR_RX = 0x0d,
	PMP_TOR_RW = 0x0b,
	PMP_NAPOT_RW = 0x1b,
	COUNTERS_SIZE = 1 << 20,
	FETCH_ACCESS = 1, /* the cause of a trap */
	MODE_U = 0,
	MODE_M = 3,
	FUEL_REGISTER = 17,
};

static void record_step(struct bench *bench, uint64_t pc, uint32_t rd)
{
	if (bench->step_count < BENCH_STEPS)
		bench->steps[bench->step_count++] = (struct bench_step){pc, rd};
}

static void record_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	(void)hart;
	if (commit->priv == MODE_U)
		record_step(user, commit->pc, commit->rd < 32 ? commit->rd : 0);
}

static void record_trap(void *user, unsigned hart, const struct soc_trap *trap)
{
	struct bench *bench = user;

	(void)hart;
	if (trap->cause != FETCH_ACCESS)
		record_step(bench, trap->epc, 0);
	bench->trapped = true;
	bench->end.cause = trap->cause;
	bench->end.tval = trap->tval;
	bench->end.epc = trap->epc;
}

static void set_protection(struct soc *soc)
{
	const uint64_t pages[] = {BENCH_CODE, BENCH_CODE_END,
				  WINDOW | (BENCH_WINDOW / 2 - 1), BENCH_COUNTERS,
				  BENCH_COUNTERS + COUNTERS_SIZE};

	for (unsigned i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		soc_set_csr(soc, 0, CSR_PMPADDR0 + i, pages[i] >> 2);
	soc_set_csr(soc, 0, CSR_PMPCFG0,
		    (uint64_t)PMP_TOR_RX << 8 | (uint64_t)PMP_NAPOT_RW << 16 |
			(uint64_t)PMP_TOR_RW << 32);
}

struct bench *bench_new(const char *program)
{
	const struct soc_config config = {.harts = 1, .features = {.fpu = true}};
	struct bench *bench = calloc(1, sizeof(*bench));
	const struct soc_hooks hooks = {
	    .user = bench, .commit = record_commit, .trap = record_trap};
	uint32_t code[32];

	if (!bench || !(bench->soc = soc_new(&config)) ||
	    !soc_load_elf(bench->soc, program)) {
		fprintf(stderr, "check-stubs: %s\n",
			bench && bench->soc ? soc_message(bench->soc) : "out of memory");
		exit(2);
	}
	soc_set_hooks(bench->soc, &hooks);
	set_protection(bench->soc);
	soc_set_csr(bench->soc, 0, CSR_MTVEC, TRAPS);
	soc_set_csr(bench->soc, 0, CSR_MSTATUS, SOC_MSTATUS_FS);
	for (uint32_t i = 0; i < 32; i++) /* fld fI, 8 * I(a0) */
		code[i] = 8 * i << 20 | 10 << 15 | 3 << 12 | i << 7 | 0x07;
	bench_write(bench, FLOAT_CODE, code, sizeof(code));
	code[0] = 0x6f; /* a jump to itself: a step takes the trap, and executes this */
	bench_write(bench, TRAPS, code, sizeof(code[0]));
	return bench;
}

void bench_free(struct bench *bench)
{
	soc_free(bench->soc);
	free(bench);
}

void bench_write(struct bench *bench, uint64_t address, const void *data, size_t size)
{
	if (!soc_write_physical(bench->soc, address, data, size)) {
		fprintf(stderr, "check-stubs: 0x%llx is outside of the memory\n",
			(unsigned long long)address);
		exit(2);
	}
}

void bench_read(const struct bench *bench, uint64_t address, void *data, size_t size)
{
	if (!soc_read_physical(bench->soc, address, data, size))
		memset(data, 0, size);
}

void bench_set_pc(struct bench *bench, uint64_t pc)
{
	soc_set_pc(bench->soc, 0, pc);
}

uint64_t bench_pc(const struct bench *bench)
{
	return soc_pc(bench->soc, 0);
}

/* Half are boxed binary32. */
static void set_floats(struct bench *bench, struct rng *rng)
{
	uint64_t values[32];

	for (unsigned i = 0; i < 32; i++) {
		uint64_t value = rng_chance(rng, 50) ? rng_edge(rng) : rng_next(rng);
		if (rng_chance(rng, 30))
			value = 0x3ff0000000000000U + (rng_next(rng) >> 12);
		values[i] = rng_chance(rng, 50) ? value : value | 0xffffffff00000000U;
	}
	bench_write(bench, FLOATS, values, sizeof(values));
	soc_set_priv(bench->soc, 0, MODE_M);
	soc_set_x(bench->soc, 0, 10, FLOATS);
	soc_set_pc(bench->soc, 0, FLOAT_CODE);
	soc_run(bench->soc, soc_instret(bench->soc, 0) + 32, UINT64_MAX);
}

static bool points_to_window(unsigned reg)
{
	return reg == 2 || reg == 8 || reg == 9 || reg == 10 || reg == 18;
}

void bench_start(struct bench *bench, uint64_t pc, uint64_t seed)
{
	struct rng rng = rng_make(seed, pc);
	uint64_t window[BENCH_WINDOW / 8];

	for (unsigned i = 0; i < BENCH_WINDOW / 8; i++)
		window[i] = rng_next(&rng);
	bench_write(bench, WINDOW, window, sizeof(window));
	set_floats(bench, &rng);
	for (unsigned i = 1; i < 32; i++) {
		uint64_t value = rng_edge(&rng);

		if (i == 1)
			value = RETURN;
		else if (i == FUEL_REGISTER)
			value = rng_range(&rng, 1, 6);
		else if (points_to_window(i) || rng_chance(&rng, 10))
			value = WINDOW + BENCH_WINDOW / 2 +
				(rng_below(&rng, 64) - 32) * UINT64_C(8);
		soc_set_x(bench->soc, 0, i, value);
	}
	soc_set_csr(bench->soc, 0, CSR_FCSR,
		    (uint64_t)rng_below(&rng, 5) << FRM_SHIFT |
			rng_below(&rng, FFLAGS + 1));
	soc_set_priv(bench->soc, 0, MODE_U);
	soc_set_pc(bench->soc, 0, pc);
	bench->step_count = 0;
	bench->stop = 0;
	bench->trapped = false;
}

static void take_end(struct bench *bench)
{
	struct bench_end *end = &bench->end;

	for (unsigned i = 0; i < 32; i++) {
		end->x[i] = soc_x(bench->soc, 0, i);
		end->f[i] = soc_f(bench->soc, 0, i);
	}
	soc_csr(bench->soc, 0, CSR_FCSR, &end->fcsr);
	bench_read(bench, WINDOW, end->window, sizeof(end->window));
}

bool bench_execute(struct bench *bench)
{
	struct soc *soc = bench->soc;

	while (!bench->stop || soc_pc(soc, 0) != bench->stop) {
		if (bench->step_count == BENCH_STEPS) {
			fprintf(stderr, "check-stubs: a run does not end, at 0x%llx\n",
				(unsigned long long)soc_pc(soc, 0));
			exit(2);
		}
		soc_step(soc);
		if (bench->trapped) {
			take_end(bench);
			return false;
		}
	}
	return true;
}
