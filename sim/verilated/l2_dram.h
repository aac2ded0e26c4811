/* SPDX-License-Identifier: Apache-2.0 */
/* The memory system behind the ports of rtl/soc.sv: a timing model of the L2 cache and of
 * DRAM, around the array that holds the data.
 *
 * L2: 1 MiB, 16-way, 64-byte lines, LRU; inclusive of the L1D, which it probes.
 * Write-backs go to RAM at once, so that the L2 holds no data. Each port of the core has
 * one outstanding request, that of DMA several; bank and DRAM row conflicts are not
 * modelled.
 *
 * DMA: lines are looked up and allocated as for the core, and overlap. The L1D is probed
 * first: before a line that it may hold modified is read, and before a line that it may
 * hold, or have a reservation on, is written. A line is read, or written, at once: in one
 * cycle. A line of which all bytes are written does not come from DRAM. Outside RAM reads
 * return 0 and writes have no effect.
 *
 * Cycles are numbered from 1, the first after reset. Outputs of the core in cycle n must
 * be passed in before inputs for cycle n + 1 are requested. */
#ifndef VERILATED_L2_DRAM_H
#define VERILATED_L2_DRAM_H

#include <stdbool.h>
#include <stdint.h>

/* Cycles from a request to its first beat, at 3.2 GHz; then one beat per cycle. */
struct l2_dram_timing {
	unsigned l2;	/* L2 hit; a miss is known by then */
	unsigned dram;	/* additional cycles of an L2 miss */
	unsigned probe; /* from the L1D's answer, if it was probed */
};
#define L2_DRAM_TIMING                                                                   \
	(struct l2_dram_timing)                                                          \
	{                                                                                \
		.l2 = 14, .dram = 110, .probe = 4                                        \
	}
enum { L2_DRAM_LATENCY_MAX = 1000000 };
/* Lines in flight, each way: 8 of each of two masters. The second is the copy unit. */
enum { L2_DRAM_LINE = 64, L2_DRAM_DMA_LINES = 16, L2_DRAM_DMA_COPIES = 8 };

/* Inputs of soc.sv driven by the memory system. */
struct l2_dram_pins {
	bool imem_valid, imem_dram;
	bool dmem_valid, dmem_excl, dmem_dram;
	bool probe_valid;
	uint8_t probe_op;
	uint64_t imem_data, dmem_data, probe_addr;
	bool dma_valid, dma_done; /* a beat that was read; a line has been written */
	uint8_t dma_id, dma_done_id;
	uint64_t dma_data;
};

struct l2_dram_beat {
	unsigned id, beat;
	uint8_t strobe;
	bool last;
	uint64_t data;
};

/* Outputs of soc.sv to the memory system: requests of the L1s, a line that the L1D writes
 * back, its answer to the probe in the pins, DMA. */
struct l2_dram_requests {
	bool imem_req, dmem_req, dmem_upgrade, wb_valid, probe_ack;
	bool dma_req, dma_write, dma_beat_valid;
	unsigned dma_id;
	uint64_t imem_addr, dmem_addr, wb_addr, wb_data, dma_addr;
	struct l2_dram_beat dma_beat;
};

struct l2_dram;

/* RAM remains the caller's. Returns NULL if memory runs out. */
struct l2_dram *l2_dram_new(uint8_t *ram, uint64_t size,
			    const struct l2_dram_timing *timing);
void l2_dram_free(struct l2_dram *m);

/* Requests and answers of the core in cycle `cycle`. */
void l2_dram_fetch(struct l2_dram *m, uint64_t cycle, uint64_t address);
/* `upgrade`: the L1D has the line and requests to write it. */
void l2_dram_data(struct l2_dram *m, uint64_t cycle, uint64_t address, bool upgrade);
void l2_dram_write_back(struct l2_dram *m, uint64_t address, uint64_t data);
void l2_dram_probe_ack(struct l2_dram *m, uint64_t cycle);

/* DMA: `id`, below L2_DRAM_DMA_LINES, is free again after the last of the 8 beats, or
 * after dma_done. The beats of a write follow its request, in order; the bytes without a
 * bit in `strobe` or without a beat are not written. */
void l2_dram_dma_read(struct l2_dram *m, uint64_t cycle, unsigned id, uint64_t address);
void l2_dram_dma_write(struct l2_dram *m, uint64_t cycle, unsigned id, uint64_t address);
void l2_dram_dma_beat(struct l2_dram *m, uint64_t cycle, const struct l2_dram_beat *b);

/* Called when DMA writes a line to RAM: the bytes of `data` with a bit in `mask`; by the
 * copy unit if `copy`. With `mask` 0 only a reservation on the line has ended. */
struct l2_dram_hook {
	void *user;
	void (*written)(void *user, uint64_t line, const uint8_t *data, uint64_t mask,
			bool copy);
};
void l2_dram_set_hook(struct l2_dram *m, const struct l2_dram_hook *hook);

/* Gets the pins in cycle `cycle`; they are constant until l2_dram_next(). */
void l2_dram_drive(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins);
/* Returns the next cycle for which l2_dram_drive() must be called, or UINT64_MAX if
 * nothing happens before the next request. */
uint64_t l2_dram_next(const struct l2_dram *m);

/* Returns a description of the core's protocol violation, or NULL if there is none. */
const char *l2_dram_fault(const struct l2_dram *m);

#endif
