/* SPDX-License-Identifier: Apache-2.0 */
/* The memory at the ports of a SoC: a timing model of the L2 cache and of DRAM, around
 * the array that holds the data. l2_dram.h has the ports of rtl/soc.sv, smp_memory.h that
 * of rtl/soc_smp.sv.
 *
 * Cycles are numbered from 1, the first after reset. Outputs of the SoC in cycle n must
 * be passed in before inputs for cycle n + 1 are requested. */
#ifndef VERILATED_MEMORY_H
#define VERILATED_MEMORY_H

#include "rtl.h"

/* A master of DMA: the network interface or the disk, or the copy unit of a hart. */
struct memory_master {
	bool copies;
	unsigned hart; /* of the copy unit */
};

/* Memory is written: the bytes of `data`, at `address` and behind, with a bit in `mask`.
 * Without data, only reservations on them have ended. */
struct memory_written {
	uint64_t address, mask;
	const uint8_t *data;
	unsigned size; /* 8 or 64 */
	struct memory_master master;
};

struct memory_hooks {
	void *user;
	/* An L1 has written back something of the line with this address. */
	void (*written_back)(void *user, uint64_t address);
	void (*dma_written)(void *user, const struct memory_written *w);
	/* With rtl.all, of several harts: 8 bytes that DMA has read. */
	void (*dma_read)(void *user, struct memory_master master, uint64_t address,
			 uint64_t data);
	/* Of one hart: a line that the disk has read, or has written. */
	void (*disk_done)(void *user, unsigned slot, const uint8_t *line);
};

struct memory;

/* Gets the sets and ways of the L2. */
void memory_l2_size(unsigned *sets, unsigned *ways);

/* RAM remains the caller's. Returns NULL if memory runs out. */
struct memory *memory_new(struct rtl *r, uint8_t *ram, uint64_t size,
			  const struct l2_dram_timing *timing,
			  const struct memory_hooks *hooks);
void memory_free(struct memory *m);

/* Takes requests made in cycle `cycle`. */
void memory_answer(struct memory *m, uint64_t cycle, const struct rtl_ports *ports);
/* Of one hart: the disk begins to read a line in cycle `cycle`, or to write the bytes of
 * it with a bit in `mask`. `slot`, below L2_DRAM_DISK_LINES, is free again with
 * hooks.disk_done, in memory_drive(). */
void memory_disk_read(struct memory *m, uint64_t cycle, unsigned slot, uint64_t address);
void memory_disk_write(struct memory *m, uint64_t cycle, unsigned slot, uint64_t address,
		       const uint8_t data[L2_DRAM_LINE], uint64_t mask);
/* Sets the pins in cycle `cycle`; they are constant until memory_next(). */
void memory_drive(struct memory *m, uint64_t cycle);
/* Returns the next cycle for which memory_drive() must be called, or UINT64_MAX if
 * nothing happens before the next request. */
uint64_t memory_next(const struct memory *m);
/* Returns a description of the hardware's protocol violation, or NULL. */
const char *memory_fault(const struct memory *m);

#endif
