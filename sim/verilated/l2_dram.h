/* SPDX-License-Identifier: Apache-2.0 */
/* The memory behind the ports of rtl/soc.sv. The L2 is inclusive of the L1D, which it
 * probes. Write-backs go to RAM at once, so that the L2 holds no data. The port of the
 * L1I has one outstanding request; that of the L1D one for each identifier, answered as
 * they become ready, one beat in a cycle; that of DMA several. Bank and DRAM row
 * conflicts are not modelled.
 *
 * DMA: lines are looked up and allocated as for the core, and overlap. The L1D is probed
 * first: before a line that it may hold modified is read, and before a line that it may
 * hold, or have a reservation on, is written. A line is read, or written, at once: in one
 * cycle. A line of which all bytes are written does not come from DRAM. Outside RAM reads
 * return 0 and writes have no effect. */
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
enum { L2_DRAM_LATENCY_MAX = 1000000 };
/* Lines in flight, each way: 8 of each of two masters. The second is the copy unit. */
enum { L2_DRAM_LINE = 64, L2_DRAM_DMA_LINES = 16, L2_DRAM_DMA_COPIES = 8 };
/* Lines in flight of the disk, whose controller is outside of soc.sv. */
enum { L2_DRAM_DISK_LINES = 8 };

/* Inputs of soc.sv driven by the memory system. */
struct l2_dram_pins {
	bool imem_valid, imem_dram;
	bool dmem_valid, dmem_excl, dmem_dram;
	bool probe_valid;
	uint8_t dmem_id, probe_op;
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
 * back, its answer to the probe in the pins, DMA. With `dmem_upgrade` the L1D has the
 * line and requests to write it.
 *
 * `dma_id`, below L2_DRAM_DMA_LINES, is free again after the last of the 8 beats, or
 * after dma_done. The beats of a write follow its request, in order; the bytes without a
 * bit in `strobe` or without a beat are not written. */
struct l2_dram_requests {
	bool imem_req, dmem_req, dmem_upgrade, wb_valid, probe_ack;
	bool dma_req, dma_write, dma_beat_valid;
	unsigned dmem_id, dma_id;
	uint64_t imem_addr, dmem_addr, wb_addr, wb_data, dma_addr;
	struct l2_dram_beat dma_beat;
};

#endif
