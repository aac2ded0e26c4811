/* SPDX-License-Identifier: Apache-2.0 */
/* Stale state that the core may use: old translations until sfence.vma, old instruction
 * bytes until fence.i, and no longer. */
#include "lockstep-bench.h"

#define ROOT   UINT64_C(0x80100000) /* entry 1: MIDDLE; entry 2: the code */
#define MIDDLE UINT64_C(0x80101000) /* entry 0: LEAF; entry 1: 2 MiB at BIG */
#define LEAF   UINT64_C(0x80102000)
#define ROOT2  UINT64_C(0x80103000) /* another space: entry 1 is MIDDLE2 */
#define BIG    UINT64_C(0x80400000)
#define BIG2   UINT64_C(0x80600000)
#define PAGE1  UINT64_C(0x80200000)
#define PAGE2  UINT64_C(0x80201000)
#define VA     UINT64_C(0x40000000)

enum { V = 1, R = 2, W = 4, X = 8, G = 32, A = 64, D = 128, RWX = V | R | W | X | A | D };
enum {
	LOAD = 0x0002b503,	 /* ld a0, (t0) */
	STORE = 0x00d2b023,	 /* sd a3, (t0) */
	SC = 0x18d2b52f,	 /* sc.d a0, a3, (t0) */
	PUT = 0x00733023,	 /* sd t2, (t1) */
	SWITCH = 0x18061073,	 /* csrw satp, a2 */
	FENCE = 0x12000073,	 /* sfence.vma */
	FENCE_VA = 0x12028073,	 /* sfence.vma t0 */
	FENCE_ASID = 0x12b00073, /* sfence.vma zero, a1 */
	FENCE_BOTH = 0x12b28073, /* sfence.vma t0, a1 */
	FENCE_I = 0x0000100f,	 /* fence.i */
	JUMP = 0x00028067,	 /* jr t0 */
	LI_1 = 0x00100513,	 /* li a0, 1 */
	LI_2 = 0x00200513,	 /* li a0, 2 */
	ASID = 5,
};

static uint64_t satp(uint64_t root, uint64_t asid)
{
	return UINT64_C(8) << 60 | asid << 44 | root >> 12;
}

static uint64_t pte(uint64_t physical, unsigned flags)
{
	return physical >> 2 | flags;
}

static void poke(struct bench *b, uint64_t address, uint64_t value)
{
	CHECK(soc_write_physical(b->m, address, &value, 8));
}

/* VA maps to PAGE1, whose first word is LI_1; that of PAGE2 is LI_2. t0 is VA. */
static void begin(struct bench *b, unsigned flags)
{
	bench_init(b, 1);
	poke(b, ROOT + 8, pte(MIDDLE, V));
	poke(b, ROOT + 16, pte(CODE, RWX));
	poke(b, ROOT2 + 8, pte(MIDDLE, V));
	poke(b, ROOT2 + 16, pte(CODE, RWX));
	poke(b, MIDDLE, pte(LEAF, V));
	poke(b, MIDDLE + 8, pte(BIG, RWX));
	poke(b, LEAF, pte(PAGE1, RWX | flags));
	poke(b, PAGE1, LI_1);
	poke(b, PAGE2, LI_2);
	poke(b, BIG + 0x1000, 11);
	poke(b, BIG2 + 0x1000, 22);
	soc_set_csr(b->m, 0, SATP, satp(ROOT, ASID));
	soc_set_x(b->m, 0, T0, VA);
	soc_set_x(b->m, 0, A1, ASID);
	bench_begin(b);
}

/* The core loads this value from VA at this physical address. */
static bool loads(struct bench *b, uint64_t physical, uint64_t value)
{
	return bench_runs(
	    b, LOAD,
	    (struct rtl_commit){
		.load = true, .address = physical, .size = 3, .rd = A0, .value = value});
}

static bool loads_page1(struct bench *b)
{
	return loads(b, PAGE1, LI_1);
}

static bool loads_page2(struct bench *b)
{
	return loads(b, PAGE2, LI_2);
}

static bool load_faults(struct bench *b)
{
	return bench_runs(
	    b, LOAD,
	    (struct rtl_commit){.trap = true, .cause = 13, .value = VA, .next_priv = 3});
}

/* The core stores an entry. */
static void puts_entry(struct bench *b, uint64_t address, uint64_t entry)
{
	soc_set_x(b->m, 0, T1, address);
	soc_set_x(b->m, 0, T2, entry);
	CHECK(
	    bench_runs(b, PUT,
		       (struct rtl_commit){
			   .store = true, .address = address, .data = entry, .size = 3}));
}

static void switches(struct bench *b, uint64_t to)
{
	soc_set_x(b->m, 0, A2, to);
	CHECK(bench_runs(b, SWITCH, (struct rtl_commit){.wrote_satp = true, .satp = to}));
}

static void fences(struct bench *b, uint32_t insn)
{
	CHECK(bench_plain(b, insn));
}

/* Returns whether PAGE1 is still allowed after VA was remapped and this fence. */
static bool survives(uint32_t fence, unsigned flags, uint64_t t0, uint64_t a1)
{
	struct bench b;

	begin(&b, flags);
	CHECK(loads_page1(&b));
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	CHECK(loads_page1(&b));
	CHECK(loads_page2(&b));
	CHECK(loads_page1(&b));
	soc_set_x(b.m, 0, T0, t0);
	soc_set_x(b.m, 0, A1, a1);
	fences(&b, fence);
	soc_set_x(b.m, 0, T0, VA);
	CHECK(loads_page2(&b));
	bool good = loads_page1(&b);
	if (!good)
		CHECK(bench_says(&b, "\n* physical         0000000080200000"));
	bench_release(&b);
	return good;
}

static void fence_kinds(void)
{
	CHECK(!survives(FENCE, 0, VA, ASID));
	CHECK(!survives(FENCE, G, VA, ASID));
	CHECK(!survives(FENCE_VA, 0, VA, ASID));
	CHECK(!survives(FENCE_VA, G, VA + 0xff8, ASID));
	CHECK(survives(FENCE_VA, 0, VA + 0x1000, ASID));
	CHECK(!survives(FENCE_ASID, 0, VA, ASID));
	CHECK(survives(FENCE_ASID, G, VA, ASID));
	CHECK(survives(FENCE_ASID, 0, VA, ASID + 1));
	CHECK(!survives(FENCE_BOTH, 0, VA, ASID));
	CHECK(survives(FENCE_BOTH, G, VA, ASID));
	CHECK(survives(FENCE_BOTH, 0, VA + 0x1000, ASID));
	CHECK(survives(FENCE_BOTH, 0, VA, ASID + 1));
	CHECK(survives(FENCE_I, 0, VA, ASID));
}

/* A fence of one address of a superpage covers all of it. */
static void superpages(void)
{
	struct bench b;
	uint64_t va = VA + 0x201000;

	begin(&b, 0);
	soc_set_x(b.m, 0, T0, va);
	CHECK(loads(&b, BIG + 0x1000, 11));
	puts_entry(&b, MIDDLE + 8, pte(BIG2, RWX));
	CHECK(loads(&b, BIG + 0x1000, 11));
	CHECK(loads(&b, BIG2 + 0x1000, 22));
	soc_set_x(b.m, 0, T0, VA + 0x2ff000);
	fences(&b, FENCE_VA);
	soc_set_x(b.m, 0, T0, va);
	CHECK(loads(&b, BIG2 + 0x1000, 22));
	CHECK(!loads(&b, BIG + 0x1000, 11));
	bench_release(&b);
}

/* Each of three values is legal until a fence; a fourth never was. */
static void many_values(void)
{
	struct bench b;

	begin(&b, 0);
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	puts_entry(&b, LEAF, pte(BIG, RWX));
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	CHECK(loads(&b, BIG, 0));
	CHECK(loads_page1(&b));
	CHECK(loads_page2(&b));
	fences(&b, FENCE_VA);
	puts_entry(&b, LEAF, pte(BIG, RWX));
	CHECK(loads_page2(&b));
	CHECK(loads(&b, BIG, 0));
	CHECK(!loads_page1(&b));
	bench_release(&b);

	begin(&b, 0);
	CHECK(!loads(&b, BIG, 0));
	bench_release(&b);
}

/* Changes of upper levels. */
static void upper_levels(void)
{
	struct bench b;

	begin(&b, 0);
	poke(&b, LEAF + 0x1000, 0);
	poke(&b, 0x80104000, pte(PAGE2, RWX));
	puts_entry(&b, MIDDLE, pte(0x80104000, V));
	CHECK(loads_page1(&b));
	CHECK(loads_page2(&b));
	fences(&b, FENCE);
	CHECK(loads_page2(&b));
	CHECK(!loads_page1(&b));
	bench_release(&b);
}

/* A removed entry may still be used, and a new one missed. */
static void faults(void)
{
	struct bench b;

	begin(&b, 0);
	CHECK(loads_page1(&b));
	puts_entry(&b, LEAF, 0);
	CHECK(loads_page1(&b));
	CHECK(load_faults(&b));
	bench_release(&b);

	begin(&b, 0);
	CHECK(loads_page1(&b));
	puts_entry(&b, LEAF, 0);
	fences(&b, FENCE);
	CHECK(!loads_page1(&b));
	CHECK(bench_says(&b, "\n* what "));
	bench_release(&b);

	begin(&b, 0);
	puts_entry(&b, LEAF, 0);
	fences(&b, FENCE);
	puts_entry(&b, LEAF, pte(PAGE1, RWX));
	CHECK(loads_page1(&b));
	CHECK(load_faults(&b));
	bench_release(&b);

	begin(&b, 0);
	CHECK(!load_faults(&b));
	bench_release(&b);
}

static bool stores(struct bench *b, uint64_t physical)
{
	soc_set_x(b->m, 0, A3, 7);
	return bench_runs(b, STORE,
			  (struct rtl_commit){
			      .store = true, .address = physical, .data = 7, .size = 3});
}

/* A store goes to the core's translation, in the model as well. */
static void stale_stores(void)
{
	struct bench b;
	uint64_t word;

	begin(&b, 0);
	CHECK(loads_page1(&b));
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	CHECK(stores(&b, PAGE1));
	CHECK(soc_read_physical(b.m, PAGE1, &word, 8) && word == 7);
	CHECK(soc_read_physical(b.m, PAGE2, &word, 8) && word == LI_2);
	CHECK(loads_page2(&b));
	CHECK(loads(&b, PAGE1, 7));
	fences(&b, FENCE);
	CHECK(!stores(&b, PAGE1));
	bench_release(&b);
}

/* The old root is legal under the same ASID, or for global pages, until a fence. */
static bool root_survives(unsigned flags, uint64_t asid, uint32_t fence)
{
	struct bench b;

	begin(&b, flags);
	poke(&b, 0x80105000, pte(0x80106000, V));
	poke(&b, 0x80106000, pte(PAGE2, RWX));
	poke(&b, ROOT2 + 8, pte(0x80105000, V));
	CHECK(loads_page1(&b));
	switches(&b, satp(ROOT2, asid));
	CHECK(loads_page2(&b));
	if (fence)
		fences(&b, fence);
	bool good = loads_page1(&b);
	bench_release(&b);
	return good;
}

static void roots(void)
{
	CHECK(root_survives(0, ASID, 0));
	CHECK(!root_survives(0, ASID + 1, 0));
	CHECK(root_survives(G, ASID + 1, 0));
	CHECK(!root_survives(0, ASID, FENCE));
	CHECK(!root_survives(G, ASID + 1, FENCE));
	CHECK(!root_survives(0, ASID, FENCE_VA));
	CHECK(!root_survives(0, ASID, FENCE_ASID));
	CHECK(root_survives(G, ASID, FENCE_ASID));
}

/* A jump to VA, and the instruction fetched there. */
static bool jumps(struct bench *b, uint32_t insn)
{
	CHECK(bench_plain(b, JUMP));
	return bench_commits(
	    b,
	    (struct rtl_commit){.insn = insn, .rd = A0, .value = insn == LI_1 ? 1 : 2});
}

static bool jump_faults(struct bench *b)
{
	CHECK(bench_plain(b, JUMP));
	return bench_commits(
	    b,
	    (struct rtl_commit){.trap = true, .cause = 12, .value = VA, .next_priv = 3});
}

static void comes_back(struct bench *b)
{
	soc_set_pc(b->m, 0, CODE + 0x800);
}

static void fetches(void)
{
	struct bench b;

	begin(&b, 0);
	CHECK(jumps(&b, LI_1));
	comes_back(&b);
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	for (unsigned i = 0; i < 2; i++) {
		CHECK(jumps(&b, LI_1));
		comes_back(&b);
		CHECK(jumps(&b, LI_2));
		comes_back(&b);
	}
	puts_entry(&b, LEAF, 0);
	CHECK(jumps(&b, LI_1));
	comes_back(&b);
	CHECK(jump_faults(&b));
	bench_release(&b);

	begin(&b, 0);
	CHECK(jumps(&b, LI_1));
	comes_back(&b);
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	fences(&b, FENCE_VA);
	CHECK(!jumps(&b, LI_1));
	CHECK(bench_says(&b, "\n* instruction      00100513"));
	bench_release(&b);

	begin(&b, 0);
	CHECK(jumps(&b, LI_1));
	comes_back(&b);
	CHECK(!jump_faults(&b));
	bench_release(&b);
}

/* The core executes these bytes after the next instruction, before or after fence.i,
 * although a store has changed them. */
static bool runs_old_code(bool fence, uint32_t insn)
{
	struct bench b;
	uint64_t ahead = CODE + 0x100;

	begin(&b, 0);
	poke(&b, ahead, LI_1);
	puts_entry(&b, ahead, LI_2);
	if (fence)
		fences(&b, FENCE_I);
	soc_set_x(b.m, 0, T0, ahead);
	CHECK(bench_plain(&b, JUMP));
	bool good = bench_commits(
	    &b,
	    (struct rtl_commit){.insn = insn, .rd = A0, .value = insn == LI_1 ? 1 : 2});
	if (good)
		good = soc_x(b.m, 0, A0) == (insn == LI_1 ? 1 : 2);
	bench_release(&b);
	return good;
}

static void old_code(void)
{
	CHECK(runs_old_code(false, LI_1));
	CHECK(runs_old_code(false, LI_2));
	CHECK(!runs_old_code(true, LI_1));
	CHECK(runs_old_code(true, LI_2));
	CHECK(!runs_old_code(false, 0x00000013));
}

/* More stores than the record holds: earlier contents are unknown. */
static void forgets(void)
{
	struct bench b;

	begin(&b, 0);
	puts_entry(&b, LEAF, pte(PAGE2, RWX));
	for (unsigned i = 0; i < LOCKSTEP_STORES - 1; i++) {
		soc_set_pc(b.m, 0, CODE);
		puts_entry(&b, LEAF + 8, i);
	}
	CHECK(loads_page1(&b));
	puts_entry(&b, LEAF + 8, 0);
	CHECK(loads_page2(&b));
	CHECK(!loads_page1(&b));
	bench_release(&b);
}

/* An SC that fails accesses nothing, but is translated. */
static bool sc_fails(struct bench *b)
{
	return bench_runs(
	    b, SC,
	    (struct rtl_commit){.address = PAGE1, .size = 3, .rd = A0, .value = 1});
}

static void failing_sc(void)
{
	struct bench b;

	begin(&b, 0);
	CHECK(loads_page1(&b));
	puts_entry(&b, LEAF, 0);
	CHECK(sc_fails(&b));
	fences(&b, FENCE);
	CHECK(!sc_fails(&b));
	bench_release(&b);
}

int main(void)
{
	fence_kinds();
	superpages();
	many_values();
	upper_levels();
	faults();
	stale_stores();
	failing_sc();
	roots();
	fetches();
	old_code();
	forgets();
	return check_done();
}
