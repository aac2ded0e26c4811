/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of satp, each of which flushes the pipeline. Runs bare-metal: M-mode is not
 * translated, so the address spaces need not exist. */
#include "benchmark.h"

#include "../csr.h"

enum { WRITES = 40000 };
#define SPACE(asid) (8UL << 60 | (uint64_t)(asid) << 44 | 0x80000)

KEEP static uint64_t write_satp(uint32_t writes)
{
	uint64_t good = 0;

	for (uint32_t i = 0; i < writes; i += 4) {
		csr_write(satp, SPACE(1));
		csr_write(satp, SPACE(2));
		csr_write(satp, SPACE(3));
		csr_write(satp, SPACE(i & 0xff));
		good += csr_read(satp) == SPACE(i & 0xff);
	}
	csr_write(satp, 0);
	return good;
}

void prepare(void)
{
	write_satp(4);
}

uint64_t benchmark(void)
{
	return write_satp(WRITES);
}

bool right(uint64_t good)
{
	return good == WRITES / 4;
}
