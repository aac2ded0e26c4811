/* SPDX-License-Identifier: Apache-2.0 */
/* The memory behind the port of rtl/mem/crossbar.sv: a timing model of the L2 and of
 * DRAM, around the array that holds the data.
 *
 * L2: 1 MiB, 16-way, LRU, without data; lines that the L1s have need not be in it. It
 * sends 8 bytes a cycle, line after line. The latencies are those of l2_dram.h from the
 * request of an L1; the crossbar takes SMP_CROSSBAR of these cycles. Writes take no time;
 * the lines that DMA writes are allocated. DMA outside RAM reads 0 and writes nothing. */
#ifndef VERILATED_SMP_MEMORY_H
#define VERILATED_SMP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "l2_dram.h"

enum { SMP_CROSSBAR = 4, SMP_IDS = 32 };

/* Inputs of soc_smp.sv driven by the memory. */
struct smp_pins {
	bool valid;
	uint8_t id, dram; /* dram: bits 2h and 2h + 1 for L1I and L1D of hart h */
	uint64_t data;
};

/* Outputs of soc_smp.sv to memory. With lockstep, or with a write of DMA: the masters of
 * the write and of 8 bytes that DMA has read, as in mem_pkg.sv. */
struct smp_requests {
	bool read, write, dma, answer;
	uint8_t read_id, strobe, answer_master, write_master;
	uint64_t read_address, write_address, data;
	uint64_t answer_address, answer_data;
};

struct smp_memory;

/* RAM remains the caller's. Returns NULL if memory runs out. */
struct smp_memory *smp_memory_new(uint8_t *ram, uint64_t size, unsigned harts,
				  const struct l2_dram_timing *timing);
void smp_memory_free(struct smp_memory *m);

/* A request for a line in cycle `cycle`, and a write of the bytes in `strobe`, by DMA or
 * of data written back. */
void smp_memory_read(struct smp_memory *m, uint64_t cycle, unsigned id, uint64_t address);
void smp_memory_write(struct smp_memory *m, uint64_t address, unsigned strobe,
		      uint64_t data, bool dma);

/* As l2_dram_drive(), l2_dram_next() and l2_dram_fault(). */
void smp_memory_drive(struct smp_memory *m, uint64_t cycle, struct smp_pins *pins);
uint64_t smp_memory_next(const struct smp_memory *m);
const char *smp_memory_fault(const struct smp_memory *m);

#endif
