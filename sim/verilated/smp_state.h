/* SPDX-License-Identifier: Apache-2.0 */
/* State of the harness of several harts, shared by smp_harness.c and smp_run.c. */
#ifndef VERILATED_SMP_STATE_H
#define VERILATED_SMP_STATE_H

#include <signal.h>

#include "board.h"
#include "counters.h"
#include "hart.h"
#include "smp.h"
#include "smp_harness.h"
#include "written.h"

enum { SMP_A1 = 11 }; /* the register */

struct smp_harness {
	struct machine machine; /* must be first */
	struct smp smp;
	struct soc_image image;
	struct smp_memory *memory;
	struct wire *wire; /* NULL: no network interface */
	struct harness_options options;
	struct machine_hooks hooks;
	struct hart harts[SMP_HARTS];
	struct counters *counters[SMP_HARTS]; /* all, with the marks of each hart */
	unsigned last;			      /* the hart of the last token or trap */
	bool held; /* its token was shown to the caller, and is to be counted */
	bool watches_exit;
	bool off;
	volatile sig_atomic_t stop;
	struct hart_dma dma; /* in the last cycle */
	struct written written;
	struct board_input rx;
	uint64_t a1;
	struct soc *model;
	const char *failure, *end;
};

static inline struct smp_harness *smp_harness_of(struct machine *m)
{
	return (struct smp_harness *)m;
}

static inline const struct smp_harness *smp_harness_of_const(const struct machine *m)
{
	return (const struct smp_harness *)m;
}

/* Implements machine_ops.run. */
enum machine_stop smp_harness_run(struct machine *m, uint64_t instret, uint64_t cycle);
/* Implements machine_ops.registers. */
bool smp_harness_registers(const struct machine *m, unsigned hart, uint64_t *hash);
/* Notes the first failure, which ends the run: `end` is for the end record. */
void smp_harness_fail(struct smp_harness *h, const char *end, const char *why);
/* Returns whether this token powers the machine off. */
bool smp_harness_is_power_off(const struct smp_harness *h, const struct rtl_commit *c);

#endif
