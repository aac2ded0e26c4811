/* SPDX-License-Identifier: Apache-2.0 */
/* DMA at the memory of several harts is told with its master: the network interface, or
 * the copy unit of a hart. A master that the machine does not have is a fault. */
#include "verilated/memory.h"

#include <stdlib.h>

#include "check.h"
#include "soc.h"

enum { HARTS = 2, SIZE = 1 << 16, MASTERS = 8 }; /* as many as the port has numbers for */

static uint8_t ram[SIZE];

struct told {
	unsigned reads, writes;
	struct memory_master reader, writer;
};

static void note_written_back(void *user, uint64_t address)
{
	(void)user;
	CHECK_EQ(address, 0);
}

static void note_dma_written(void *user, const struct memory_written *w)
{
	struct told *told = user;

	told->writes++;
	told->writer = w->master;
}

static void note_dma_read(void *user, struct memory_master master, uint64_t address,
			  uint64_t data)
{
	struct told *told = user;

	CHECK_EQ(address, SOC_RAM_BASE + 64);
	CHECK_EQ(data, 5);
	told->reads++;
	told->reader = master;
}

/* A write, or an answer to a read, of the master of this number. */
static void check_master(unsigned number, bool write)
{
	static struct rtl rtl;
	const struct l2_dram_timing timing = {.l2 = 14, .dram = 110, .probe = 4};
	const bool exists = number <= HARTS;
	struct told told = {0};
	const struct memory_hooks hooks = {.user = &told,
					   .written_back = note_written_back,
					   .dma_written = note_dma_written,
					   .dma_read = note_dma_read};
	struct rtl_ports ports = {.beats = {.write = write,
					    .dma = write,
					    .answer = !write,
					    .strobe = 0xff,
					    .write_master = (uint8_t)number,
					    .answer_master = (uint8_t)number,
					    .write_address = SOC_RAM_BASE + 64,
					    .answer_address = SOC_RAM_BASE + 64,
					    .answer_data = 5}};

	rtl.nharts = HARTS;
	rtl.misses = 1;

	struct memory *m = memory_new(&rtl, ram, SIZE, &timing, &hooks);
	memory_answer(m, 1, &ports);
	CHECK_EQ(told.reads, exists && !write);
	CHECK_EQ(told.writes, exists && write);
	CHECK((memory_fault(m) == NULL) == exists);
	const struct memory_master *master = write ? &told.writer : &told.reader;
	CHECK_EQ(master->copies, exists && number > 0);
	CHECK_EQ(master->hart, exists && number > 0 ? number - 1 : 0);
	memory_free(m);
}

int main(void)
{
	for (unsigned number = 0; number < MASTERS; number++) {
		check_master(number, false);
		check_master(number, true);
	}
	return check_done();
}
