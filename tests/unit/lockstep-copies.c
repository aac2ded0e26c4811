/* SPDX-License-Identifier: Apache-2.0 */
/* What the copy unit writes is compared with the model's copy: each byte once, and no
 * other. */
#include <string.h>

#include "lockstep-bench.h"

#define TO   (CODE + 0x1038)
#define FROM (CODE + 0x2005)

enum { CPY = 0x00b5060b, NOP = 0x00000013, BYTES = 150, LINE = 64, LINES = 4 };

struct copies {
	struct bench b;
	uint8_t data[LINES * LINE]; /* of the lines of the destination */
	uint64_t mask[LINES];
};

static void init(struct copies *c)
{
	uint8_t source[BYTES];

	memset(c, 0, sizeof *c);
	bench_init(&c->b, 3);
	for (unsigned i = 0; i < BYTES; i++) {
		unsigned at = TO % LINE + i;

		source[i] = (uint8_t)(3 * i + 1);
		c->data[at] = source[i];
		c->mask[at / LINE] |= UINT64_C(1) << at % LINE;
	}
	CHECK(soc_write_physical(c->b.m, FROM, source, BYTES));
	soc_set_x(c->b.m, 0, A0, TO);
	soc_set_x(c->b.m, 0, A1, FROM);
	soc_set_x(c->b.m, 0, A2, BYTES);
	bench_begin(&c->b);
}

static void land(struct copies *c, unsigned line)
{
	lockstep_copied(c->b.l, TO / LINE * LINE + LINE * line, c->data + LINE * line,
			c->mask[line]);
}

/* The copy commits, after these lines have landed. */
static bool commits(struct copies *c, const char *lines)
{
	const struct rtl_commit commit = {.insn = CPY,
					  .rd = A2,
					  .value = BYTES,
					  .address = TO,
					  .source = FROM,
					  .store = true};
	bool good;

	for (; *lines; lines++)
		land(c, (unsigned)(*lines - '0'));
	good = bench_runs(&c->b, CPY, commit);
	bench_release(&c->b);
	return good;
}

static void test_good(void)
{
	struct copies c;

	init(&c);
	CHECK(commits(&c, "0123"));
	init(&c);
	CHECK(commits(&c, "2301"));
}

static void test_lines(void)
{
	struct copies c;

	init(&c);
	CHECK(!commits(&c, "013"));
	init(&c);
	CHECK(!commits(&c, ""));
	init(&c);
	CHECK(!commits(&c, "01123"));
}

static void test_bytes(void)
{
	struct copies c;

	init(&c);
	c.data[100]++;
	CHECK(!commits(&c, "0123"));
	init(&c);
	c.mask[3] |= c.mask[3] << 1;
	CHECK(!commits(&c, "0123"));
	init(&c);
	c.mask[0] |= c.mask[0] >> 1;
	CHECK(!commits(&c, "0123"));
	init(&c);
	c.mask[1] &= c.mask[1] - 1;
	CHECK(!commits(&c, "0123"));
}

/* Bytes that are written by no copy. */
static void test_other(void)
{
	struct copies c;

	init(&c);
	land(&c, 0);
	CHECK(!bench_plain(&c.b, NOP));
	bench_release(&c.b);
	init(&c);
	CHECK(bench_plain(&c.b, NOP));
	bench_release(&c.b);
}

int main(void)
{
	test_good();
	test_lines();
	test_bytes();
	test_other();
	return check_done();
}
