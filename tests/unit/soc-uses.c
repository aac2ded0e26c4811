/* SPDX-License-Identifier: Apache-2.0 */
/* The record of when lines of memory were used last: what a program leaves in it, in
 * which order, how many are kept, and for how long. */
#include <stdlib.h>
#include <string.h>

#include "../../sim/model/model.h"
#include "../../sim/model/state.h"
#include "check.h"

enum { RAM = 16 << 20, LINE = 64 };

#define CODE SOC_RAM_BASE
#define DATA (SOC_RAM_BASE + 0x2000)

#define LD_A1	   0x00053583U /* ld a1, 0(a0) */
#define SD_A1	   0x00b53023U /* sd a1, 0(a0) */
#define ADDI_A0_64 0x04050513U /* addi a0, a0, 64 */
#define BACK_8	   0xfe000ce3U /* beqz zero, .-8 */
#define LR_A1	   0x100535afU /* lr.d a1, (a0) */
#define AMOADD_A1  0x00b535afU /* amoadd.d a1, a1, (a0) */
#define HERE	   0x0000006fU /* j . */
#define NOP	   0x00000013U
#define CPY	   0x00c5058bU /* up to a1 bytes, from a2 to a0 */

static struct soc_line_uses uses;

static struct soc *make_machine(const uint32_t *code, size_t bytes)
{
	const struct soc_config config = {
	    .ram_size = RAM, .harts = 1, .features.copy = true, .records_uses = true};
	struct soc *soc = soc_new(&config);

	if (!soc)
		abort();
	soc_write_physical(soc, CODE, code, bytes);
	soc_set_x(soc, 0, 10, DATA);
	return soc;
}

static void run_to(struct soc *soc, uint64_t instret)
{
	CHECK_EQ(soc_run(soc, instret, UINT64_MAX), SOC_STOP_LIMIT);
	CHECK_EQ(soc_instret(soc, 0), instret);
	CHECK(soc_last_uses(soc, &uses));
}

/* The order is that of blocks, and in one that of addresses. */
static void order(void)
{
	static const uint32_t code[] = {LD_A1, ADDI_A0_64, SD_A1, HERE};
	struct soc *soc = make_machine(code, sizeof(code));

	CHECK(soc_last_uses(soc, &uses));
	CHECK_EQ(uses.n, 0);
	run_to(soc, 3);
	CHECK_EQ(uses.n, 3);
	CHECK_EQ(uses.uses[0], CODE | SOC_USE_FETCH);
	CHECK_EQ(uses.uses[1], DATA | SOC_USE_LOAD);
	CHECK_EQ(uses.uses[2], (DATA + LINE) | SOC_USE_STORE);
	run_to(soc, 1000); /* only fetches */
	CHECK_EQ(uses.n, 3);
	CHECK_EQ(uses.uses[0], DATA | SOC_USE_LOAD);
	CHECK_EQ(uses.uses[1], (DATA + LINE) | SOC_USE_STORE);
	CHECK_EQ(uses.uses[2], CODE | SOC_USE_FETCH);
	soc_free(soc);
}

/* Instructions of a block of two lines that ends before its second one, or in it. */
static void parts_of_blocks(void)
{
	uint32_t code[24];

	for (unsigned i = 0; i < 24; i++)
		code[i] = i == 23 ? HERE : i == 20 ? LD_A1 : NOP;
	for (unsigned n = 1; n < 23; n++) {
		struct soc *soc = make_machine(code, sizeof(code));

		run_to(soc, n);
		CHECK_EQ(uses.n, 1U + (n > 16) + (n > 20));
		CHECK_EQ(uses.uses[0], CODE | SOC_USE_FETCH);
		if (n > 16)
			CHECK_EQ(uses.uses[1], (CODE + LINE) | SOC_USE_FETCH);
		if (n > 20)
			CHECK_EQ(uses.uses[2], DATA | SOC_USE_LOAD);
		soc_free(soc);
	}
}

/* Stores to more lines than are kept. */
static void most(void)
{
	static const uint32_t code[] = {SD_A1, ADDI_A0_64, BACK_8};
	const unsigned lines = SOC_LAST_USES + 100;
	struct soc *soc = make_machine(code, sizeof(code));

	run_to(soc, 3 * lines);
	CHECK_EQ(uses.n, SOC_LAST_USES);
	CHECK_EQ(uses.uses[SOC_LAST_USES - 1],
		 (DATA + (lines - 1) * LINE) | SOC_USE_STORE);
	CHECK_EQ(uses.uses[0], (DATA + 101 * LINE) | SOC_USE_STORE);
	soc_free(soc);
}

/* Of one machine, for another: those of an unknown kind become loads. */
static void set(void)
{
	static const uint32_t code[] = {LD_A1, HERE};
	static struct soc_line_uses before = {
	    .n = 4,
	    .uses = {DATA | SOC_USE_LOAD, (DATA + LINE) | SOC_USE_STORE,
		     (CODE + LINE) | SOC_USE_FETCH, (DATA + 2 * LINE) | SOC_USE_OTHER}};
	struct soc *soc = make_machine(code, sizeof(code));

	soc_set_last_uses(soc, &before);
	CHECK(soc_last_uses(soc, &uses));
	CHECK_EQ(uses.n, 4);
	CHECK_EQ(memcmp(uses.uses, before.uses, 3 * sizeof(*uses.uses)), 0);
	CHECK_EQ(uses.uses[3], (DATA + 2 * LINE) | SOC_USE_LOAD);
	run_to(soc, 1);
	CHECK_EQ(uses.n, 5);
	CHECK_EQ(uses.uses[0], before.uses[1]);
	CHECK_EQ(uses.uses[2], (DATA + 2 * LINE) | SOC_USE_LOAD);
	CHECK_EQ(uses.uses[3], CODE | SOC_USE_FETCH);
	CHECK_EQ(uses.uses[4], DATA | SOC_USE_LOAD);
	soc_free(soc);
}

/* Goes on as if so many instructions had been executed, with a load at `address`. */
static void load_at(struct soc *soc, uint64_t instret, uint64_t address)
{
	struct soc_state state;

	soc_get_state(soc, 0, &state);
	state.instret = instret;
	state.pc = CODE;
	state.x[10] = address;
	soc_set_state(soc, 0, &state);
	run_to(soc, instret + 1);
}

/* Times have 32 bits: what was used more than about 2^31 instructions ago is forgotten
 * when they are used up, and the rest keeps its order. */
static void long_run(void)
{
	static const uint32_t code[] = {LD_A1, HERE};
	const uint64_t most = UINT32_MAX - (UINT64_C(1) << 24);
	struct soc *soc = make_machine(code, sizeof(code));

	load_at(soc, 5, DATA);
	load_at(soc, most / 2 - 1, DATA + LINE);
	load_at(soc, most / 2 + 1, DATA + 2 * LINE);
	load_at(soc, most - 1, DATA + 3 * LINE);
	CHECK_EQ(uses.n, 5);
	CHECK_EQ(uses.uses[0], DATA);
	load_at(soc, most, DATA + 4 * LINE);
	CHECK_EQ(uses.n, 4);
	CHECK_EQ(uses.uses[0], DATA + 2 * LINE);
	CHECK_EQ(uses.uses[1], DATA + 3 * LINE);
	CHECK_EQ(uses.uses[2], CODE | SOC_USE_FETCH);
	CHECK_EQ(uses.uses[3], DATA + 4 * LINE);
	load_at(soc, UINT64_C(1) << 40, DATA);
	CHECK_EQ(uses.n, 2);
	soc_free(soc);
}

static void atomics(void)
{
	static const uint32_t code[] = {LR_A1, ADDI_A0_64, AMOADD_A1, HERE};
	struct soc *soc = make_machine(code, sizeof(code));

	run_to(soc, 3);
	CHECK_EQ(uses.n, 3);
	CHECK_EQ(uses.uses[0], CODE | SOC_USE_FETCH);
	CHECK_EQ(uses.uses[1], DATA | SOC_USE_LOAD);
	CHECK_EQ(uses.uses[2], (DATA + LINE) | SOC_USE_STORE);
	soc_free(soc);
}

/* Walks of a page table load its entries. */
static void walks(void)
{
	static const uint32_t code[] = {LD_A1, HERE};
	const uint64_t table = DATA + 0x1000, leaf = 0x200000cf; /* 1 GiB, RWX */
	struct soc *soc = make_machine(code, sizeof(code));
	struct soc_state state;

	soc_write_physical(soc, table + 16, &leaf, sizeof(leaf));
	soc_get_state(soc, 0, &state);
	state.priv = 1;
	state.satp = UINT64_C(8) << 60 | table >> 12;
	state.pmpaddr[0] = UINT64_MAX >> 10;
	state.pmpcfg = 0x1f;
	soc_set_state(soc, 0, &state);
	run_to(soc, 1);
	CHECK_EQ(uses.n, 3);
	CHECK_EQ(uses.uses[0], CODE | SOC_USE_FETCH);
	CHECK_EQ(uses.uses[1], DATA | SOC_USE_LOAD);
	CHECK_EQ(uses.uses[2], table | SOC_USE_LOAD);
	soc_free(soc);
}

/* The copy unit reads and writes beside the caches. */
static void copies(void)
{
	const uint32_t code[] = {CPY, HERE};
	struct soc *soc = make_machine(code, sizeof(code));

	soc_set_x(soc, 0, 12, DATA + 2 * LINE);
	soc_set_x(soc, 0, 10, DATA);
	soc_set_x(soc, 0, 11, 8);
	run_to(soc, 1);
	CHECK_EQ(uses.n, 1);
	CHECK_EQ(uses.uses[0], CODE | SOC_USE_FETCH);
	soc_free(soc);
}

static void refused(void)
{
	struct soc_config config = {.ram_size = RAM, .harts = 2, .records_uses = true};

	CHECK(!soc_new(&config));
	config = (struct soc_config){.ram_size = RAM, .harts = 1};
	struct soc *soc = soc_new(&config);
	CHECK(soc_last_uses(soc, &uses) && uses.n == 0);
	soc_free(soc);
}

int main(void)
{
	order();
	parts_of_blocks();
	most();
	set();
	long_run();
	atomics();
	walks();
	copies();
	refused();
	return check_done();
}
