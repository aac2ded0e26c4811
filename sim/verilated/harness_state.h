/* SPDX-License-Identifier: Apache-2.0 */
/* State of the harness, shared by harness*.c. */
#ifndef VERILATED_HARNESS_STATE_H
#define VERILATED_HARNESS_STATE_H

#include <signal.h>

#include "board.h"
#include "counters.h"
#include "hart.h"
#include "harness.h"
#include "written.h"

enum { HARNESS_A1 = 11 }; /* the register */

struct harness {
	struct machine machine; /* must be first */
	struct rtl rtl;
	struct soc_image image;
	struct l2_dram *memory;
	struct wire *wire; /* NULL: no network interface */
	struct harness_options options;
	struct machine_hooks hooks;
	struct hart hart;
	bool held; /* its token was shown to the caller, and is to be counted */
	bool watches_exit;
	struct exec_watch execs;
	bool begins; /* the next token is the first of a program; the last watch is its */
	bool off;    /* a token has switched the power off */
	volatile sig_atomic_t stop;
	struct hart_dma dma; /* in the last cycle */
	struct written written;
	struct board_input rx;
	uint64_t a1;		   /* at reset */
	struct soc_state *resumed; /* NULL: the run starts at reset */
	struct soc *model;
	struct counters *counters;
	const char *failure, *end;
};

static inline struct harness *harness_of(struct machine *m)
{
	return (struct harness *)m;
}

static inline const struct harness *harness_of_const(const struct machine *m)
{
	return (const struct harness *)m;
}

/* Implements machine_ops.run. */
enum machine_stop harness_run(struct machine *m, uint64_t instret, uint64_t cycle);
/* Implements machine_ops.registers. */
bool harness_registers(const struct machine *m, unsigned hart, uint64_t *hash);

/* Gets the 8 bytes at this physical address, a multiple of 8. Returns false outside of
 * RAM. */
bool harness_read(const struct harness *h, uint64_t address, uint64_t *word);

/* After a return to U-mode, the current token: finds programs that begin, and watches for
 * the first token of one. */
void harness_find_programs(struct harness *h);
/* The first token has committed, or a trap was taken instead. */
void harness_forget_program(struct harness *h);

/* For l2_dram_set_hook(): DMA has written a line. */
void harness_dma_written(void *harness, uint64_t line, const uint8_t *data, uint64_t mask,
			 bool copy);

/* Returns whether the current token powers the machine off. */
bool harness_is_power_off(const struct harness *h);

#endif
