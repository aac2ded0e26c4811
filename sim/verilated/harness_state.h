/* SPDX-License-Identifier: Apache-2.0 */
/* State of the harness, shared by harness*.c. */
#ifndef VERILATED_HARNESS_STATE_H
#define VERILATED_HARNESS_STATE_H

#include <signal.h>

#include "counters.h"
#include "hart.h"
#include "harness.h"
#include "memory.h"
#include "model/load.h"
#include "model/model.h"
#include "peek.h"
#include "written.h"

enum { HARNESS_A0 = 10, HARNESS_A1 = 11 }; /* registers */

struct harness {
	struct machine machine; /* must be first */
	struct rtl rtl;
	struct soc_image own, *image; /* image: own, or that of the options */
	struct memory *memory;
	struct wire *wire;	 /* NULL: no network interface */
	struct disk_queue *disk; /* NULL: no disk */
	struct harness_options options;
	struct machine_hooks hooks;
	struct hart harts[RTL_HARTS_MAX];
	struct counters *counters;
	struct hart *last; /* that of the last token or trap */
	bool held;	   /* its token was shown to the caller, and is to be counted */
	bool watches_exit;
	bool off; /* a token has switched the power off */
	volatile sig_atomic_t stop;
	struct hart_dma dma; /* in the last cycle */
	/* With a model: DMA in the last cycle, which the model has not seen. */
	struct followed_write {
		struct memory_written written;
		uint8_t data[64];
	} follows[16];
	unsigned nfollows;
	struct written written;
	uint8_t rx[16]; /* bytes for the UART, which takes one at a time */
	unsigned rx_first, rx_count;
	uint64_t a1;		   /* at reset */
	struct soc_state *resumed; /* of all harts; NULL: the run starts at reset */
	struct soc *model;
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
/* Notes the first failure, which ends the run: `end` is for the end record. */
void harness_fail(struct harness *h, const char *end, const char *why);
/* Returns whether this token powers the machine off. */
bool harness_is_power_off(const struct harness *h, const struct rtl_commit *c);

/* harness_lockstep.c. Gives the model the same state. Returns false if memory runs out.
 */
bool harness_begin_lockstep(struct harness *h);
/* Compares the current token or trap of a hart. */
void harness_compare(struct harness *h, struct hart *hart);
/* What DMA has read and written is the model's, too. */
void harness_follow_read(void *harness, struct memory_master master, uint64_t address,
			 uint64_t data);
void harness_follow_write(struct harness *h, const struct memory_written *w);
/* Lets the model see these writes, when the tokens of the cycle have been compared: a
 * load may commit with the line as it was, in the cycle before that in which it is
 * written. */
void harness_see_writes(struct harness *h);

/* Gets the 8 bytes at this physical address, a multiple of 8, as the harts see them.
 * Returns false outside of RAM. */
bool harness_read(const struct harness *h, uint64_t address, uint64_t *word);

/* harness_exec.c. After a return to U-mode, the current token of a hart: finds programs
 * that begin, and watches for the first token of one. */
void harness_find_programs(struct hart *hart);
/* The first token has committed, or a trap was taken instead. */
void harness_forget_program(struct hart *hart);

#endif
