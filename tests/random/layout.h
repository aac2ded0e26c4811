/* SPDX-License-Identifier: Apache-2.0 */
/* Memory layout of the programs: physical addresses, and variables of the runtime. */
#ifndef RANDOM_LAYOUT_H
#define RANDOM_LAYOUT_H

#include "soc.h"

#define RAM(offset) ((uint64_t)SOC_RAM_BASE + (offset))

#define M_CODE	      RAM(0x0) /* boot, handler and dispatcher of M-mode */
#define S_CODE	      RAM(0x2000)
#define DATA_FIRST    RAM(0x3000)
#define S_DATA	      RAM(0x3000)
#define M_DATA	      RAM(0x4000)
#define CHUNK_TABLE   RAM(0x5000)  /* per chunk: address of its set-up, repeats */
#define TABLES	      RAM(0x10000) /* page tables */
#define HOT	      RAM(0x40000) /* data that fits L2 but not L1 */
#define HOT_SIZE      0x10000
#define ARENA	      RAM(0x50000)  /* covered by PMP entries: two pages of data, */
#define ARENA_TABLE   RAM(0x52000)  /* a page table */
#define ARENA_RETURNS RAM(0x53000)  /* and code; more such code follows */
#define RETURNS	      RAM(0x54000)  /* code that returns at once from any entry */
#define CONSTS	      RAM(0x60000)  /* constants for set-ups: CONST_SIZE per chunk */
#define SETUP_BASE    RAM(0x80000)  /* SETUP_SIZE per chunk */
#define BODIES	      RAM(0x100000) /* BODY_SIZE per chunk */
#define BIG	      RAM(0x400000) /* data that does not fit L2 */
#define BIG_SIZE      0x400000
#define RAM_END	      RAM(SOC_RAM_DEFAULT_SIZE)

enum {
	MAX_CHUNKS = 128,
	CONST_SIZE = 0x200,
	SETUP_SIZE = 0x800,
	BODY_SIZE = 0x4000,
	RETURN_PAGES = 5,
	RETURNS_IN_ARENA = 1,
	HOT_PAGES = HOT_SIZE / 0x1000,
};

/* Variables of the runtime, as offsets from M_DATA. Negative ones are at the end of
 * S_DATA, where both handlers can access them. */
enum {
	CELL_EXIT = -8,	    /* pc of the instruction that ends the chunk */
	CELL_FIX_AT = -16,  /* PTE to fix at the next fetch page fault; 0: none */
	CELL_FIX_PTE = -24, /* its new value */
	CELL_S_LEAVE = -32, /* how the S handler leaves: LEAVE_* */
	CELL_S_COUNT = -40, /* remaining traps to S */
	CELL_HASH = 0,	    /* of all exceptions taken to M; amoadd needs offset 0 */
	CELL_SAVE = 8,	    /* three registers of the handler */
	CELL_COUNT = 32,    /* remaining traps to M */
	CELL_TICKS = 40,    /* remaining timer interrupts */
	CELL_IRQS = 48,	    /* interrupts until all but the timer's are disabled */
	CELL_ENTRY = 56,    /* entry of the current chunk in the table */
	CELL_REPEAT = 64,   /* remaining runs of it */
	CELL_ITERATION = 72,
	CELL_RANDOM = 80,
	CELL_PMP = 88, /* nonzero: the chunk changes the PMP */
	CELL_POOL = 256,
};

/* Base register value of the S handler, within reach of the shared variables. */
#define S_BASE	    (M_DATA - 0x400)
#define S_CELL(m)   ((m) + 0x400)
#define S_CELL_SAVE (-0x400)

enum { LEAVE_ECALL, LEAVE_EBREAK, LEAVE_ILLEGAL };

/* Constants of a chunk, in doublewords: registers, then CSRs. */
enum { CONST_CSRS = 32 };

/* Exit statuses for exceeded limits. */
enum { STATUS_M_TRAPS = 91, STATUS_S_TRAPS = 92, STATUS_TICKS = 93 };

#endif
