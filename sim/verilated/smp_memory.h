/* SPDX-License-Identifier: Apache-2.0 */
/* The memory behind the port of rtl/mem/crossbar.sv. Lines that the L1s have need not be
 * in the L2. It sends 8 bytes a cycle, line after line. The latencies are those of
 * l2_dram.h from the request of an L1; the crossbar takes SMP_CROSSBAR of these cycles.
 * Writes take no time; the lines that DMA writes are allocated. DMA outside RAM reads 0
 * and writes nothing. */
#ifndef VERILATED_SMP_MEMORY_H
#define VERILATED_SMP_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { SMP_CROSSBAR = 4, SMP_IDS = 32 };

/* Inputs of soc_smp.sv driven by the memory. */
struct smp_pins {
	bool valid;
	uint8_t id, dram; /* dram: bits 2h and 2h + 1 for L1I and L1D of hart h */
	uint64_t data;
};

/* Outputs of soc_smp.sv to memory: a request for a line, and a write of the bytes in
 * `strobe`, by DMA or of data written back. With lockstep, or with a write of DMA: the
 * masters of the write and of 8 bytes that DMA has read, as in mem_pkg.sv. */
struct smp_requests {
	bool read, write, dma, answer;
	uint8_t read_id, strobe, answer_master, write_master;
	uint64_t read_address, write_address, data;
	uint64_t answer_address, answer_data;
};

#endif
