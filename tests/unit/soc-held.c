/* SPDX-License-Identifier: Apache-2.0 */
/* The lines that a cache holds, followed from time to time, against the record of all
 * uses: of random loads and stores, with any distance between the updates. */
#include <stdlib.h>
#include <string.h>

#include "../../sim/model/model.h"
#include "check.h"

enum { RAM = 16 << 20, LINE = 64, SETS = 64, WAYS = 4, LINES = RAM / LINE };

#define CODE SOC_RAM_BASE
#define DATA (SOC_RAM_BASE + 0x100000)

/* x8 is a random number, x10 the address of data, x12 the bits of an offset. */
#define NEXT                                                                             \
	0x02940433U,		/* mul x8, x8, x9 */                                     \
	    0x3d540413U,	/* addi x8, x8, 0x3d5 */                                 \
	    0x02145593U,	/* srli x11, x8, 33 */                                   \
	    0x00c5f5b3U,	/* and x11, x11, x12 */                                  \
	    0x00a585b3U		/* add x11, x11, x10 */
#define LOAD	    0x0005b683U /* ld x13, 0(x11) */
#define STORE	    0x00d5b023U /* sd x13, 0(x11) */
#define END_BLOCK   0x0040006fU /* j .+4 */
#define AGAIN(insn) (0x0000006fU | jump_back(4 * (insn)))

static uint32_t jump_back(unsigned bytes)
{
	const uint32_t to = 0U - bytes;

	return (to >> 20 & 1) << 31 | (to >> 1 & 0x3ff) << 21 | (to >> 11 & 1) << 20 |
	       (to >> 12 & 0xff) << 12;
}

static struct soc_line_uses all, held_uses;

static struct soc *make_machine(uint64_t bytes)
{
	const struct soc_config config = {
	    .ram_size = RAM, .harts = 1, .records_uses = true};
	const uint32_t code[] = {NEXT,	    LOAD, END_BLOCK, NEXT,     NEXT,
				 END_BLOCK, NEXT, STORE,     AGAIN(24)};
	struct soc *soc = soc_new(&config);

	if (!soc)
		abort();
	soc_write_physical(soc, CODE, code, sizeof(code));
	soc_set_x(soc, 0, 8, 12345);
	soc_set_x(soc, 0, 9, UINT64_C(6364136223846793005));
	soc_set_x(soc, 0, 10, DATA);
	soc_set_x(soc, 0, 12, (bytes - 1) & ~UINT64_C(7));
	return soc;
}

/* Keeps of all uses those of the lines that were used last in their sets. */
static void filter_all(void)
{
	static bool is_held[LINES];
	unsigned count[SETS] = {0};
	size_t n = 0;

	memset(is_held, 0, sizeof(is_held));
	for (size_t i = all.n; i > 0; i--) {
		const uint64_t line = (all.uses[i - 1] - SOC_RAM_BASE) / LINE;

		if (!is_held[line] && count[line % SETS] < WAYS) {
			is_held[line] = true;
			count[line % SETS]++;
		}
	}
	for (size_t i = 0; i < all.n; i++)
		if (is_held[(all.uses[i] - SOC_RAM_BASE) / LINE])
			all.uses[n++] = all.uses[i];
	all.n = n;
}

/* A fetch has the time of the access in its block, and any order with it. */
static void drop_fetches(struct soc_line_uses *uses)
{
	size_t n = 0;

	for (size_t i = 0; i < uses->n; i++)
		if (uses->uses[i] % LINE != SOC_USE_FETCH)
			uses->uses[n++] = uses->uses[i];
	uses->n = n;
}

static void follow_machine(struct soc *soc, uint64_t distance)
{
	struct soc_held *held = soc_held_new(SETS, WAYS);

	for (unsigned i = 1; i <= 40; i++) {
		const uint64_t end = i * distance + i % 7;

		CHECK_EQ(soc_run(soc, end, UINT64_MAX), SOC_STOP_LIMIT);
		soc_held_update(held, soc);
		soc_held_uses(held, soc, &held_uses);
		CHECK(soc_last_uses(soc, &all));
		filter_all();
		CHECK_EQ(held_uses.n, all.n);
		drop_fetches(&held_uses);
		drop_fetches(&all);
		CHECK_EQ(held_uses.n, all.n);
		CHECK_EQ(memcmp(held_uses.uses, all.uses, all.n * sizeof(*all.uses)), 0);
	}
	soc_held_free(held);
	soc_free(soc);
}

static void follow(uint64_t bytes, uint64_t distance)
{
	follow_machine(make_machine(bytes), distance);
}

/* Code in a page of its own, which runs so seldom that the cache loses it meanwhile. */
static void follow_seldom(void)
{
	static const uint32_t seldom[] = {
	    0x7d000713U, /* li x14, 2000 */
	    0x7fd0006fU, /* j .+0xffc: the next page */
	};
	const uint32_t often[] = {NEXT, LOAD, 0xfff70713U /* addi x14, x14, -1 */,
				  0xfe0712e3U /* bnez x14, .-28 */, AGAIN(8 + 1024)};
	struct soc *soc = make_machine(8 << 20);

	soc_write_physical(soc, CODE, seldom, sizeof(seldom));
	soc_write_physical(soc, CODE + 0x1000, often, sizeof(often));
	follow_machine(soc, 3000);
}

static void refused(void)
{
	CHECK(!soc_held_new(32, 4));
	CHECK(!soc_held_new(4096, 16));
}

/* Time without commits: mtime has it, the cycle of the hart has not. */
static void passed_time(void)
{
	static const uint64_t tick = SOC_CLOCK_HZ / SOC_TIMEBASE_HZ;
	struct soc *soc = make_machine(4096);
	uint64_t before, after;

	soc_run(soc, 1000, UINT64_MAX);
	soc_csr(soc, 0, 0xc01, &before);
	for (unsigned i = 0; i < 10; i++)
		soc_pass_time(soc, tick / 4);
	soc_csr(soc, 0, 0xc01, &after);
	CHECK_EQ(after, before + 2);
	CHECK_EQ(soc_cycle(soc, 0), 1000);
	soc_csr(soc, 0, 0xb00, &after);
	CHECK_EQ(after, 1000 + 10 * (tick / 4));
	soc_free(soc);
}

int main(void)
{
	follow(4096, 100);
	follow(64 << 10, 1000);
	follow(1 << 20, 3000);
	follow(8 << 20, 20);
	follow(8 << 20, 10000);
	follow(1 << 20, 300000);
	follow_seldom();
	refused();
	passed_time();
	return check_done();
}
