/* SPDX-License-Identifier: Apache-2.0 */
/* Harts that count together, stepped in random orders and run by the model: none of their
 * increments is lost, and each hart executes the same path. */
#include "../../sim/model/model.h"
#include "check.h"

enum { HARTS = SOC_HARTS_MAX, ROUNDS = 100, ORDERS = 50, T0 = 5, T2 = 7, A0 = 10 };
enum { MTVEC = 0x305, MEPC = 0x341 };

#define COUNT (SOC_RESET_PC + 0x1000)
#define END   (SOC_RESET_PC + 0x24)

static const uint32_t PROGRAM[] = {
    0x00001297, /* 00 auipc t0, 1 */
    0x06400393, /* 04 li t2, 100 */
    0x1002be2f, /* 08 lr.d t3, (t0) */
    0x001e0e13, /* 0c addi t3, t3, 1 */
    0x19c2beaf, /* 10 sc.d t4, t3, (t0) */
    0xfe0e9ae3, /* 14 bnez t4, 8 */
    0xfff38393, /* 18 addi t2, t2, -1 */
    0xfe0396e3, /* 1c bnez t2, 8 */
    0x10500073, /* 20 wfi */
    0x0000006f, /* 24 j 24 */
};

static uint64_t seed = 1;

static uint32_t rnd(uint32_t below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(seed >> 33) % below;
}

static struct soc *make(void)
{
	struct soc *soc = soc_new(&(struct soc_config){.harts = HARTS});

	CHECK(soc_write_physical(soc, SOC_RESET_PC, PROGRAM, sizeof(PROGRAM)));
	for (unsigned i = 0; i < HARTS; i++)
		CHECK_EQ(soc_x(soc, i, A0), i);
	return soc;
}

static uint64_t counted(const struct soc *soc)
{
	uint64_t count;

	CHECK(soc_read_physical(soc, COUNT, &count, sizeof(count)));
	return count;
}

/* Steps a hart. Returns whether an SC failed. */
static bool step(struct soc *soc, unsigned hart)
{
	struct soc_event e;

	soc_step_event(soc, hart, &e);
	CHECK(!e.trap);
	CHECK(e.pc >= SOC_RESET_PC && e.pc <= END);
	CHECK_EQ(e.insn, PROGRAM[(e.pc - SOC_RESET_PC) / 4]);
	if (e.load || e.store)
		CHECK_EQ(e.address, COUNT);
	return e.insn == PROGRAM[4] && !e.store;
}

/* The harts follow another machine, whose interrupts they take one by one. */
static void interrupts(struct soc *soc)
{
	const struct soc_follow follow = {.user = NULL};
	uint64_t value;

	soc_set_follow(soc, &follow);
	CHECK(soc_set_csr(soc, 2, MTVEC, SOC_RESET_PC));
	soc_interrupt(soc, 2, 3);
	for (unsigned i = 0; i < HARTS; i++)
		CHECK_EQ(soc_pc(soc, i), i == 2 ? SOC_RESET_PC : END);
	CHECK(soc_csr(soc, 2, MEPC, &value));
	CHECK_EQ(value, END);
}

static void steps(void)
{
	unsigned failed = 0;

	for (unsigned order = 0; order < ORDERS; order++) {
		struct soc *soc = make();
		unsigned burst = 1 + order % 7, done = 0;

		while (done < HARTS) {
			unsigned hart = rnd(HARTS);

			for (unsigned i = rnd(burst) + 1; i && soc_pc(soc, hart) != END;
			     i--) {
				failed += step(soc, hart);
				done += soc_pc(soc, hart) == END;
			}
		}
		CHECK_EQ(counted(soc), HARTS * ROUNDS);
		interrupts(soc);
		soc_free(soc);
	}
	CHECK(failed > ORDERS);
}

/* A WFI at the end lets all harts sleep, so that the run ends. */
static void runs(void)
{
	struct soc *soc = make();

	CHECK_EQ(soc_run(soc, UINT64_MAX, UINT64_MAX), SOC_STOP_IDLE);
	CHECK_EQ(counted(soc), HARTS * ROUNDS);
	for (unsigned i = 0; i < HARTS; i++)
		CHECK_EQ(soc_pc(soc, i), END - 4);
	soc_free(soc);
}

static void on_commit(void *user, unsigned hart, const struct soc_commit *commit)
{
	uint64_t *commits = user;

	(void)commit;
	commits[hart]++;
}

enum way { AT_ONCE, BY_COMMITS, BY_CYCLES, WITH_HOOK, WAYS };

static void run_by(struct soc *soc, enum way way, uint64_t *commits)
{
	const struct soc_hooks hooks = {.user = commits, .commit = on_commit};
	uint64_t limit = 0;

	if (way == WITH_HOOK)
		soc_set_hooks(soc, &hooks);
	do {
		limit += way == BY_COMMITS ? 1 + rnd(40) : 128 * (uint64_t)(1 + rnd(3));
	} while (soc_run(soc, way == BY_COMMITS ? limit : UINT64_MAX,
			 way == BY_CYCLES ? limit : UINT64_MAX) != SOC_STOP_IDLE);
}

/* A run does not depend on how it is divided or watched: the number of SCs that fail
 * shows the order of the harts. */
static void divides(void)
{
	uint64_t commits[WAYS][HARTS] = {{0}};

	for (int way = 0; way < WAYS; way++) {
		struct soc *soc = make();

		run_by(soc, (enum way)way, commits[way]);
		for (unsigned i = 0; i < HARTS; i++) {
			if (way == WITH_HOOK)
				CHECK_EQ(commits[way][i], soc_instret(soc, i));
			commits[way][i] = soc_instret(soc, i);
			CHECK_EQ(commits[way][i], commits[0][i]);
		}
		soc_free(soc);
	}
	CHECK(commits[0][0] > 2 + 6 * ROUNDS);
}

/* A breakpoint stops the hart that meets it, which runs next. */
static void breaks(void)
{
	struct soc *soc = make();
	unsigned met[HARTS] = {0}, hart;

	CHECK(soc_break_at_pc(soc, END - 4));
	for (unsigned i = 0; i < HARTS; i++) {
		CHECK_EQ(soc_run(soc, UINT64_MAX, UINT64_MAX), SOC_STOP_BREAK);
		hart = soc_current(soc);
		CHECK_EQ(soc_pc(soc, hart), END - 4);
		CHECK_EQ(met[hart]++, 0);
		uint64_t before = soc_instret(soc, hart);
		soc_set_pc(soc, hart, END);
		CHECK_EQ(soc_step(soc), SOC_STOP_LIMIT);
		CHECK_EQ(soc_instret(soc, hart), before + 1);
	}
	soc_free(soc);
}

static void sizes(void)
{
	CHECK(soc_new(&(struct soc_config){.harts = 0}) == NULL);
	CHECK(soc_new(&(struct soc_config){.harts = HARTS + 1}) == NULL);
}

int main(void)
{
	steps();
	runs();
	divides();
	breaks();
	sizes();
	return check_done();
}
