/* SPDX-License-Identifier: Apache-2.0 */
/* What stands behind the ports of rtl/soc.sv: a timing model of the L2 cache and of
 * DRAM, around the array that holds the data.
 *
 * L2: 1 MiB, 16-way, lines of 64 bytes, LRU; inclusive of the L1D, which it probes.
 * Write-backs go to RAM at once, so that the L2 needs no data. One request of each
 * port is under way at a time; conflicts of banks and of DRAM rows are not modelled.
 *
 * Cycles are numbered from 1, the first after reset. Outputs of the core in cycle n
 * are handed in before inputs for cycle n + 1 are asked for.
 */
#ifndef RTL_MEMORY_H
#define RTL_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/* From a request to the first of its beats, one a cycle; 3.2 GHz. */
struct memory_timing {
	unsigned l2;	/* the L2 has the line; it knows by then */
	unsigned dram;	/* further, when it has not */
	unsigned probe; /* from the L1D's answer to the first beat, when it was asked */
};
#define MEMORY_TIMING                                                                    \
	(struct memory_timing)                                                           \
	{                                                                                \
		.l2 = 14, .dram = 110, .probe = 4                                        \
	}
enum { MEMORY_LATENCY_MAX = 1000000 };

/* The inputs of soc.sv that memory drives. */
struct memory_pins {
	bool imem_valid, imem_dram;
	bool dmem_valid, dmem_excl, dmem_dram;
	bool probe_valid;
	uint8_t probe_op;
	uint64_t imem_data, dmem_data, probe_addr;
};

struct memory;

/* RAM stays the caller's. NULL: out of memory. */
struct memory *memory_new(uint8_t *ram, uint64_t size,
			  const struct memory_timing *timing);
void memory_free(struct memory *m);

/* Requests and answers of the core, in cycle `cycle`. */
void memory_fetch(struct memory *m, uint64_t cycle, uint64_t address);
/* upgrade: the L1D has the line, and wants to write it. */
void memory_data(struct memory *m, uint64_t cycle, uint64_t address, bool upgrade);
void memory_write_back(struct memory *m, uint64_t address, uint64_t data);
void memory_probe_ack(struct memory *m, uint64_t cycle);

/* The pins in cycle `cycle`; they stay so until memory_next(). */
void memory_drive(struct memory *m, uint64_t cycle, struct memory_pins *pins);
/* The next cycle for which memory_drive() must be called; UINT64_MAX: a request must
 * come first. */
uint64_t memory_next(const struct memory *m);

/* What the core did that it must not do; NULL if it behaves. */
const char *memory_fault(const struct memory *m);

#endif
