/* SPDX-License-Identifier: Apache-2.0 */
/* The model's library: breakpoints, memory as seen by a debugger, and following another
 * machine's loads, counters, atomics, interrupts and device writes. */
#include <string.h>

#include "../../sim/model/model.h"
#include "check.h"

enum { T0 = 5, A0 = 10, A1 = 11, A2 = 12, MTVEC = 0x305, MEPC = 0x341, MCAUSE = 0x342 };

static const uint32_t PROGRAM[] = {
    0x100002b7, /* 00 lui t0, 0x10000: the UART */
    0x0052c503, /* 04 lbu a0, 5(t0) */
    0xc01025f3, /* 08 csrr a1, time */
    0x00010297, /* 0c auipc t0, 0x10 */
    0x00a2a62f, /* 10 amoadd.w a2, a0, (t0) */
    0x1002a6af, /* 14 lr.w a3, (t0) */
    0x18a2a72f, /* 18 sc.w a4, a0, (t0) */
    0x00a28023, /* 1c sb a0, 0(t0) */
    0x00150513, /* 20 addi a0, a0, 1 */
    0xffdff06f, /* 24 j 20 */
};

static struct soc *make(void)
{
	struct soc *soc = soc_new(&(struct soc_config){.harts = 1});

	CHECK(soc_write_physical(soc, SOC_RESET_PC, PROGRAM, sizeof(PROGRAM)));
	return soc;
}

static bool mmio_load(void *user, unsigned hart, uint64_t address, unsigned size,
		      uint64_t *value)
{
	CHECK_EQ(address, SOC_UART_BASE + 5);
	CHECK_EQ(size, 1);
	CHECK_EQ(hart, 0);
	CHECK(user != NULL);
	*value = 65;
	return true;
}

static bool csr_read(void *user, unsigned hart, unsigned csr, uint64_t *value)
{
	CHECK_EQ(csr, 0xc01);
	CHECK_EQ(hart, 0);
	CHECK(user != NULL);
	*value = 777;
	return true;
}

/* The other machine read 100 in its AMO, and its SC failed. */
static bool atomic(void *user, unsigned hart, uint64_t address, unsigned size,
		   uint64_t *value)
{
	unsigned *calls = user;

	CHECK_EQ(address, 0x8001000c);
	CHECK_EQ(size, 4);
	CHECK_EQ(hart, 0);
	*value = *calls == 0 ? 100 : *calls;
	return ++*calls != 2;
}

static void follows(void)
{
	struct soc *soc = make();
	unsigned calls = 0;
	struct soc_follow follow = {.user = &calls,
				    .mmio_load = mmio_load,
				    .csr_read = csr_read,
				    .atomic = atomic};
	uint32_t word, jump_here = 0x0000006f;
	uint64_t value;

	soc_set_follow(soc, &follow);
	CHECK_EQ(soc_run(soc, 7, UINT64_MAX), SOC_STOP_LIMIT);
	CHECK_EQ(soc_x(soc, 0, A0), 65);
	CHECK_EQ(soc_x(soc, 0, A1), 777);
	CHECK_EQ(soc_x(soc, 0, A2), 100);
	CHECK_EQ(soc_x(soc, 0, 13), 165); /* LR: the model's own */
	CHECK_EQ(soc_x(soc, 0, 14), 2);	  /* SC: failed */
	CHECK(soc_read_physical(soc, 0x8001000c, &word, 4));
	CHECK_EQ(word, 165);
	CHECK_EQ(calls, 3);

	soc_set_csr(soc, 0, MTVEC, SOC_RESET_PC + 0x20);
	soc_interrupt(soc, 0, 7);
	CHECK_EQ(soc_pc(soc, 0), SOC_RESET_PC + 0x20);
	CHECK(soc_csr(soc, 0, MEPC, &value) && value == SOC_RESET_PC + 0x1c);
	CHECK(soc_csr(soc, 0, MCAUSE, &value) && value == (UINT64_C(1) << 63 | 7));

	soc_run(soc, 1000, UINT64_MAX);
	CHECK(soc_write_physical(soc, SOC_RESET_PC + 0x20, &jump_here, 4));
	value = soc_x(soc, 0, A0);
	soc_run(soc, 2000, UINT64_MAX);
	CHECK(soc_x(soc, 0, A0) - value <= 1);
	CHECK_EQ(soc_pc(soc, 0), SOC_RESET_PC + 0x20);
	soc_free(soc);
}

static void breaks(void)
{
	struct soc *soc = make();

	CHECK(soc_break_at_pc(soc, SOC_RESET_PC + 0x20));
	CHECK(soc_break_at_insn(soc, 0x0000006f, 0x00000fff));
	CHECK(!soc_break_at_insn(soc, 0, 0));
	CHECK_EQ(soc_run(soc, 100, UINT64_MAX), SOC_STOP_BREAK);
	CHECK_EQ(soc_pc(soc, 0), SOC_RESET_PC + 0x20);
	CHECK_EQ(soc_instret(soc, 0), 8);
	CHECK_EQ(soc_run(soc, 100, UINT64_MAX), SOC_STOP_BREAK);
	CHECK_EQ(soc_pc(soc, 0), SOC_RESET_PC + 0x24);
	CHECK_EQ(soc_step(soc), SOC_STOP_LIMIT);
	CHECK_EQ(soc_pc(soc, 0), SOC_RESET_PC + 0x20);
	CHECK_EQ(soc_step(soc), SOC_STOP_BREAK);
	soc_break_clear(soc);
	CHECK_EQ(soc_run(soc, 100, UINT64_MAX), SOC_STOP_LIMIT);
	CHECK_EQ(soc_instret(soc, 0), 100);
	CHECK_EQ(soc_run(soc, UINT64_MAX, 150), SOC_STOP_LIMIT);
	CHECK_EQ(soc_cycle(soc, 0), 150);
	soc_request_stop(soc);
	CHECK_EQ(soc_run(soc, UINT64_MAX, UINT64_MAX), SOC_STOP_REQUEST);
	soc_free(soc);
}

/* Virtual page 0 maps to physical 0x80005000, page 1 to 0x80003000; others are
 * unmapped. */
static void translates(void)
{
	struct soc *soc = make();
	uint64_t root = 0x80006000 >> 2 | 1, middle = 0x80007000 >> 2 | 1;
	uint64_t leaves[2] = {0x80005000 >> 2 | 0xcf, 0x80003000 >> 2 | 0xcf}, physical;
	uint8_t bytes[4];

	soc_write_physical(soc, 0x80004000, &root, 8);
	soc_write_physical(soc, 0x80006000, &middle, 8);
	soc_write_physical(soc, 0x80007000, leaves, 16);
	soc_write_physical(soc, 0x80005ffe, "ab", 2);
	soc_write_physical(soc, 0x80003000, "cd", 2);
	soc_set_csr(soc, 0, 0x180, UINT64_C(8) << 60 | 0x80004);
	CHECK(soc_translate(soc, 0, 0x1000, &physical) && physical == 0x1000);
	soc_set_priv(soc, 0, 1);
	CHECK(soc_translate(soc, 0, 0x1234, &physical) && physical == 0x80003234);
	CHECK(!soc_translate(soc, 0, 0x2000, &physical));
	CHECK(!soc_translate(soc, 0, UINT64_C(1) << 40, &physical));
	CHECK(soc_read_virtual(soc, 0, 0xffe, bytes, 4));
	CHECK(memcmp(bytes, "abcd", 4) == 0);
	CHECK(!soc_read_virtual(soc, 0, 0x1ffe, bytes, 4));
	CHECK(!soc_read_physical(soc, 0x7fffffff, bytes, 4));
	CHECK(!soc_write_physical(soc, UINT64_MAX, bytes, 4));
	soc_free(soc);
}

static void refuses(void)
{
	struct soc *soc = make();

	CHECK(soc_new(&(struct soc_config){.harts = 0}) == NULL);
	CHECK(soc_new(&(struct soc_config){.ram_size = 100, .harts = 1}) == NULL);
	CHECK(!soc_load_elf(soc, "no such file"));
	CHECK_STR(soc_message(soc), "no such file: No such file or directory");
	soc_free(soc);
}

int main(void)
{
	follows();
	breaks();
	translates();
	refuses();
	return check_done();
}
