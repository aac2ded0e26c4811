/* SPDX-License-Identifier: Apache-2.0 */
/* What the copy unit writes is compared with the model's copy: each byte once, and no
 * other. With two harts what it writes is compared with what it has read. */
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

	memset(c, 0, sizeof(*c));
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

	for (; *lines; lines++)
		land(c, (unsigned)(*lines - '0'));
	bool good = bench_runs(&c->b, CPY, commit);
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

/* ------------------------------------------------------------ two harts */

struct pair {
	struct bench b; /* hart 0 */
	struct lockstep *other;
	uint8_t source[BYTES];
};

static void init_pair(struct pair *p)
{
	const struct soc_config config = {.harts = 2, .features.copy = true};
	const struct lockstep_side side = {.user = &p->b, .csr = bench_csr};

	memset(p, 0, sizeof(*p));
	p->b.m = soc_new(&config);
	soc_set_csr(p->b.m, 0, PMPADDR0, UINT64_MAX);
	soc_set_csr(p->b.m, 0, PMPCFG0, 0x1f);
	for (unsigned i = 0; i < BYTES; i++)
		p->source[i] = (uint8_t)(5 * i + 3);
	CHECK(soc_write_physical(p->b.m, FROM, p->source, BYTES));
	soc_set_x(p->b.m, 0, A0, TO);
	soc_set_x(p->b.m, 0, A1, FROM);
	soc_set_x(p->b.m, 0, A2, BYTES);
	p->b.l = lockstep_new(p->b.m, &side);
	p->other = lockstep_join(p->b.l, 1, &side);
	CHECK(p->b.l && p->other);
}

static void release_pair(struct pair *p)
{
	lockstep_free(p->other);
	bench_release(&p->b);
}

/* Reads the lines of the source. */
static void read_all(struct pair *p)
{
	uint64_t word;

	for (uint64_t at = FROM / LINE * LINE; at < FROM + BYTES; at += 8) {
		CHECK(soc_read_physical(p->b.m, at, &word, sizeof(word)));
		lockstep_copy_read(p->b.l, at, word);
	}
}

/* Writes the destination, but with `change` in its last byte, and `more` bytes. */
static void write_all(struct pair *p, uint8_t change, unsigned more)
{
	for (uint64_t at = TO / 8 * 8; at < TO + BYTES + more; at += 8) {
		uint64_t word = 0;
		unsigned strobe = 0;

		for (unsigned i = 0; i < 8; i++) {
			uint64_t n = at + i - TO;

			if (n >= BYTES + more)
				continue;
			strobe |= 1U << i;
			word |= (uint64_t)(n < BYTES ? p->source[n] : 0) << 8 * i;
			if (n == BYTES - 1)
				word ^= (uint64_t)change << 8 * i;
		}
		lockstep_copy_written(p->b.l, at, word, strobe);
	}
}

static bool pair_commits(struct pair *p)
{
	const struct rtl_commit commit = {.insn = CPY,
					  .rd = A2,
					  .value = BYTES,
					  .address = TO,
					  .source = FROM,
					  .store = true};

	return bench_runs(&p->b, CPY, commit);
}

static bool byte_is(const struct pair *p, uint64_t address, uint8_t value)
{
	uint8_t byte;

	return soc_read_physical(p->b.m, address, &byte, 1) && byte == value;
}

/* What lands is the model's at once; a later store of the other hart stays. */
static void test_pair(void)
{
	const uint8_t store = 0x77;
	struct pair p;

	init_pair(&p);
	read_all(&p);
	write_all(&p, 0, 0);
	CHECK(byte_is(&p, TO + 7, p.source[7]));
	CHECK(soc_write_physical(p.b.m, TO + 8, &store, 1));
	CHECK(soc_write_physical(p.b.m, FROM + 9, &store, 1));
	CHECK(pair_commits(&p));
	CHECK(byte_is(&p, TO + 8, store) && byte_is(&p, TO + 9, p.source[9]));
	CHECK(bench_plain(&p.b, NOP));
	release_pair(&p);
}

static void test_pair_bytes(void)
{
	static const struct {
		uint8_t change;
		unsigned more;
	} cases[] = {{1, 0}, {0, 1}, {0, 8}};
	struct pair p;

	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		init_pair(&p);
		read_all(&p);
		write_all(&p, cases[i].change, cases[i].more);
		CHECK(!pair_commits(&p));
		release_pair(&p);
	}
}

static void test_pair_missing(void)
{
	struct pair p;

	init_pair(&p);
	read_all(&p);
	CHECK(!pair_commits(&p));
	release_pair(&p);
	init_pair(&p);
	write_all(&p, 0, 0);
	CHECK(!pair_commits(&p));
	release_pair(&p);
	init_pair(&p);
	read_all(&p);
	write_all(&p, 0, 0);
	write_all(&p, 0, 0);
	CHECK(!pair_commits(&p));
	CHECK(bench_says(&p.b, "twice"));
	release_pair(&p);
}

/* Reads of what memory does not have, of another page, and without a copy. */
static void test_pair_reads(void)
{
	struct pair p;

	init_pair(&p);
	read_all(&p);
	lockstep_copy_read(p.b.l, FROM / LINE * LINE - LINE, 1);
	write_all(&p, 0, 0);
	CHECK(!pair_commits(&p));
	CHECK(bench_says(&p.b, "memory has not"));
	release_pair(&p);
	init_pair(&p);
	read_all(&p);
	lockstep_copy_read(p.b.l, FROM / LINE * LINE + 4096, 0);
	write_all(&p, 0, 0);
	CHECK(!pair_commits(&p));
	release_pair(&p);
	init_pair(&p);
	read_all(&p);
	CHECK(!bench_plain(&p.b, NOP));
	release_pair(&p);
}

int main(void)
{
	test_good();
	test_lines();
	test_bytes();
	test_other();
	test_pair();
	test_pair_bytes();
	test_pair_missing();
	test_pair_reads();
	return check_done();
}
