/* SPDX-License-Identifier: Apache-2.0 */
/* What the memory of one hart (l2_dram.c) and that of several (smp_memory.c) have in
 * common. L2: 1 MiB, 16-way, LRU, without data. */
#ifndef VERILATED_MEMORY_STATE_H
#define VERILATED_MEMORY_STATE_H

#include "memory.h"
#include "soc.h"

enum {
	LINE = L2_DRAM_LINE,
	BEATS = LINE / 8,
	WAYS = 16,
	SETS = (1 << 20) / (LINE * WAYS)
};
#define NEVER UINT64_MAX

/* A line of the L2. Address 0, where there is no RAM, marks an empty one. */
struct line {
	uint64_t address, used;
	/* Of one hart: */
	bool inside;  /* the L1D may hold it */
	bool owned;   /* it may hold it modified */
	bool touched; /* it held it, and may have a reservation on it */
};

/* The first member of the state of each kind. */
struct memory {
	void (*answer)(struct memory *m, uint64_t cycle, const struct rtl_ports *ports);
	void (*drive)(struct memory *m, uint64_t cycle);
	struct rtl *rtl;
	uint8_t *ram;
	uint64_t size;
	struct l2_dram_timing timing;
	struct memory_hooks hooks;
	struct line *lines;
	uint64_t uses, next;
	const char *fault;
};

/* Return the state of a kind with `answer` and `drive`, or NULL if memory runs out. */
struct memory *l2_dram_new(void);
struct memory *smp_memory_new(void);

/* Returns the bytes of RAM from this address on, or NULL outside. */
static inline uint8_t *memory_bytes(const struct memory *m, uint64_t address)
{
	return address - SOC_RAM_BASE < m->size ? m->ram + (address - SOC_RAM_BASE)
						: NULL;
}

/* Has `drive` called for this cycle, or before. */
static inline void memory_call_at(struct memory *m, uint64_t cycle)
{
	if (cycle < m->next)
		m->next = cycle;
}

/* Looks for a line of the L2. Returns NULL if it is not there. */
struct line *memory_find_line(const struct memory *m, uint64_t address);
/* Makes the line of this address the last used of its set. Returns it; `*old` is what was
 * in its place: the same line if the L2 had it, else that which is evicted. */
struct line *memory_use_line(struct memory *m, uint64_t address, struct line *old);

#endif
