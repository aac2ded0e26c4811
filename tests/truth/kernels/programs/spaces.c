/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces: memory and devices are at their physical addresses in all, for U-mode
 * or for the kernel; above are the kernel's stacks, or the process's registers. */
#include <stddef.h>

#include "xv6.h"

enum { ENTRIES = 512, LEAF = 0xcf, USER_LEAF = 0xdf, NEXT = 1, SV39_SHIFT = 60 };
enum { TOP_ROOT = 255, RAM_ROOT = 2, STACK_ROOT = 1, STACK_ENTRY = 15 };

/* Tables of one address space. */
struct space {
	uint64_t root[ENTRIES], top[ENTRIES], pages[ENTRIES];
	uint64_t low[ENTRIES], low_pages[ENTRIES];
};

static struct space kernel_space __attribute__((aligned(PAGE_SIZE)));
static struct space spaces[TASK_COUNT] __attribute__((aligned(PAGE_SIZE)));
extern char trampoline[];

static uint64_t entry(const void *page, uint64_t bits)
{
	return ((uint64_t)page >> 12) << 10 | bits;
}

static uint64_t *page_entry(struct space *space, uint64_t address)
{
	return &space->pages[address >> 12 & (ENTRIES - 1)];
}

static void begin(struct space *space, uint64_t leaf)
{
	space->root[0] = entry(NULL, leaf);
	space->root[RAM_ROOT] = entry((void *)SOC_RAM_BASE, leaf);
	space->root[TOP_ROOT] = entry(space->top, NEXT);
	space->top[ENTRIES - 1] = entry(space->pages, NEXT);
	*page_entry(space, TRAMPOLINE) = entry(trampoline, LEAF);
}

uint64_t *space_stack_top(unsigned task)
{
	return (uint64_t *)(TRAMPOLINE - (2 * task + 1) * PAGE_SIZE);
}

void spaces_begin(const void *frames)
{
	begin(&kernel_space, LEAF);
	for (unsigned i = 0; i < TASK_COUNT; i++) {
		struct space *space = &spaces[i];
		begin(space, USER_LEAF);
		*page_entry(space, TRAPFRAME) =
		    entry((const char *)frames + i * PAGE_SIZE, LEAF);
		space->root[STACK_ROOT] = entry(space->low, NEXT);
		space->low[0] = entry(space->low_pages, NEXT);
		space->low_pages[STACK_ENTRY] = entry(user_stacks[i], USER_LEAF);
		*page_entry(&kernel_space, (uint64_t)space_stack_top(i) - PAGE_SIZE) =
		    entry(task_stack_top(&tasks[i]) - TASK_WORDS, LEAF);
	}
}

static uint64_t satp_of(const struct space *space)
{
	return UINT64_C(8) << SV39_SHIFT | (uint64_t)space->root >> 12;
}

uint64_t space_kernel(void)
{
	return satp_of(&kernel_space);
}

uint64_t space_of(unsigned task)
{
	return satp_of(&spaces[task]);
}
