/* SPDX-License-Identifier: Apache-2.0 */
/* State of the memory system, shared by l2_dram.c and l2_dma.c. */
#ifndef VERILATED_L2_DRAM_STATE_H
#define VERILATED_L2_DRAM_STATE_H

#include "memory_state.h"

enum { TO_SHARED = 0, TO_INVALID = 1, WRITTEN = 2 };
enum { PROBES = 64 };
enum { MISSES = 8 }; /* identifiers of the L1D */
enum { DISK_LINE = 2 * L2_DRAM_DMA_LINES, DMA_LINES = DISK_LINE + L2_DRAM_DISK_LINES };

enum phase { QUIET, WAITS, PROBES_FIRST, ANSWERS };

struct port {
	enum phase phase;
	bool upgrade;
	bool asked; /* the L1D, which had to answer first */
	uint64_t line;
	uint64_t first;	 /* cycle of the first beat, while it is pending */
	uint64_t missed; /* cycle in which the L2 detects the miss; NEVER: a hit */
	uint64_t turn;	 /* order of the requests of the L1D */
	unsigned beat;
};

struct line_probe {
	uint64_t line;
	uint8_t op;
};

/* A line that DMA reads or writes. */
enum dma_phase {
	DMA_FREE,
	DMA_GATHERS, /* beats to write arrive */
	DMA_WAITS,   /* until `first` */
	DMA_PROBES,  /* for the L1D's answer */
	DMA_ANSWERS, /* from `first` on: the line was read or has been written */
};

struct dma_line {
	enum dma_phase phase;
	bool write;
	bool unknown; /* written without a line in the L2: a reservation may exist */
	uint64_t line, first;
	uint64_t turn; /* order of the answers */
	uint64_t mask; /* bytes to write */
	unsigned beat;
	uint8_t data[LINE];
};

struct l2_dram {
	struct memory base;
	struct port fetch, data[MISSES];
	unsigned ndata;	      /* not quiet */
	struct port *sending; /* of the L1D: the beats of one line at a time; or NULL */

	struct line_probe probes[PROBES]; /* the first is active if `probing` */
	unsigned nprobes;
	bool probing;

	/* DMA: reads, then writes; then lines of the disk, from DISK_LINE on. */
	struct dma_line dma[DMA_LINES];
	unsigned ndma;	/* not free */
	bool notified;	/* the hook knows about the active probe */
	uint64_t pause; /* no probe begins before this cycle */
	uint64_t turns;
};

/* memory_use_line(), with a probe for the line that is evicted. `*missed`: the L2 did not
 * have the line. */
struct line *l2_dram_use(struct l2_dram *m, uint64_t address, uint64_t cycle,
			 bool *missed);
void l2_dram_add_probe(struct l2_dram *m, uint64_t line, uint8_t op, uint64_t cycle);

/* l2_dma.c. Takes requests of DMA. */
void l2_dma_answer(struct l2_dram *m, uint64_t cycle, const struct l2_dram_requests *q);
/* Drives the pins of DMA, and begins what is due. */
void l2_dma_drive(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins);
/* A probe of this line has been answered. */
void l2_dma_probed(struct l2_dram *m, uint64_t line, uint8_t op, uint64_t cycle);
/* Returns the cycle in which a line that DMA reads from DRAM arrives, or 0. */
uint64_t l2_dma_arrival(const struct l2_dram *m, uint64_t line);

#endif
