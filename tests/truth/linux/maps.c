/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the kernel's maple tree of memory areas. */
#include "maps.h"

#include <string.h>

/* enum maple_type; a pointer to a node has the type in bits 3 to 6. */
enum { MAPLE_LEAF = 1, MAPLE_RANGE = 2, MAPLE_ARANGE = 3, MAPLE_TYPE_SHIFT = 3 };
enum { MAPLE_NODE_BYTES = 256, MAPLE_LEVELS = 16, MAPLE_RESERVED = 4096 };
enum { RANGE_SLOTS = 16, ARANGE_SLOTS = 10, WORD = 8, PAGE_SHIFT = 12 };

static bool read_word(const struct machine *m, uint64_t address, uint64_t *value)
{
	return task_read_kernel(m, address, value, sizeof(*value));
}

/* Returns the slot of the node for an address, 0 if it cannot be read. A node consists of
 * a parent, pivots (the last address of each slot but the last), and slots. */
static uint64_t slot_of(const struct machine *m, uint64_t node, unsigned type,
			uint64_t address)
{
	unsigned slots = type == MAPLE_ARANGE ? ARANGE_SLOTS : RANGE_SLOTS, i;
	uint64_t pivot, slot;

	for (i = 0; i < slots - 1; i++) {
		if (!read_word(m, node + WORD * (1 + i), &pivot))
			return 0;
		if (address <= pivot || (pivot == 0 && i > 0))
			break;
	}
	return read_word(m, node + WORD * (slots + i), &slot) ? slot : 0;
}

/* Returns the address of the area's vm_area_struct, or 0. */
static uint64_t find_area(const struct machine *m, const struct layout *layout,
			  const struct task *task, uint64_t address)
{
	uint64_t entry;

	if (!task->mm || !read_word(m, task->mm + layout->areas, &entry))
		return 0;
	for (unsigned level = 0; level < MAPLE_LEVELS; level++) {
		unsigned type = entry >> MAPLE_TYPE_SHIFT & 15;
		if (entry <= MAPLE_RESERVED || type > MAPLE_ARANGE)
			return 0;
		entry =
		    slot_of(m, entry & ~(uint64_t)(MAPLE_NODE_BYTES - 1), type, address);
		if (type <= MAPLE_LEAF)
			return entry;
	}
	return 0;
}

const struct binary *maps_find(const struct machine *m, const struct layout *layout,
			       const struct task *task, uint64_t address,
			       uint64_t *linked)
{
	uint64_t area = find_area(m, layout, task, address), start, end, page, file;

	if (!area || !read_word(m, area + layout->area_start, &start) ||
	    !read_word(m, area + layout->area_end, &end) || address < start ||
	    address >= end || !read_word(m, area + layout->area_page, &page) ||
	    !read_word(m, area + layout->area_file, &file) || !file)
		return NULL;
	const struct binary *binary = task_file(m, layout, file);
	return binary && binary_linked(binary, (page << PAGE_SHIFT) + (address - start),
				       linked)
		   ? binary
		   : NULL;
}
