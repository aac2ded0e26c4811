/* SPDX-License-Identifier: Apache-2.0 */
/* The harness's state of a hart, and what it reports to the caller: tokens, changes of
 * the context, traps. */
#ifndef VERILATED_HART_H
#define VERILATED_HART_H

#include "l2_dram.h"
#include "lockstep/lockstep.h"
#include "rtl.h"
#include "run/exec.h"
#include "run/machine.h"

struct harness;

struct hart {
	struct harness *harness;
	unsigned number;
	struct soc_features features;
	struct rtl_hart *rtl;
	struct lockstep *lockstep; /* may be NULL */
	struct tr_context context; /* after the last token or trap */
	struct rtl_commit commit;  /* the current token or trap */
	struct {
		unsigned count; /* since the last token */
		uint64_t tokens;
		struct soc_trap first, last;
	} traps;
	uint64_t awake;		  /* the last cycle known to have been spent in WFI */
	uint64_t hashed;	  /* tokens before the last hash of the registers */
	struct soc_state *before; /* hart_note_next(); NULL: none */
	struct exec_watch execs;  /* programs for which this hart looks */
	bool begins; /* the next token is the first of a program; the last watch is its */
};

/* Passes the recorded tokens to the caller. */
void hart_tell_tokens(struct hart *hart, const struct machine_hooks *hooks);
/* Reports the nondeterministic input of the current token, which has not been counted. */
void hart_report_input(struct hart *hart, const struct machine_hooks *hooks);
/* Called after hart_report_input(): the store of the current token may have made entries
 * of data TLBs old. What DMA writes is passed to tlb_written(). */
void hart_note_store(const struct hart *hart);
/* Reports the changes of the context by the current token. */
void hart_tell_changes(struct hart *hart, const struct machine_hooks *hooks);
/* Returns whether a trigger waits for the current token. */
bool hart_is_watched(const struct hart *hart);

/* Reports the hash of the registers after the last token if the hart has committed many
 * instructions since the last report, unless floating-point registers are still being
 * computed. Called in cycles at which the loop ends in every mode, so that the trace is
 * the same. */
void hart_tell_registers(struct hart *hart, const struct machine_hooks *hooks);
/* Gets the hash. Returns false if floating-point registers are still being computed. */
bool hart_hash_registers(const struct hart *hart, uint64_t *hash);

/* Bytes of lines of 64 that devices have written in a cycle, those with a bit in `mask`.
 * They are reported when the tokens of the cycle have been counted, in every mode. */
enum { HART_DMA_WRITES = 16 };
struct hart_dma {
	unsigned n;
	struct hart_dma_write {
		uint64_t line, mask;
		uint8_t data[64];
	} writes[HART_DMA_WRITES];
};
void hart_note_dma(struct hart_dma *dma, uint64_t line, const uint8_t *data,
		   uint64_t mask);
/* Reports the writes as made before the tokens of this cycle, and empties `dma`. */
void hart_tell_dma(struct hart_dma *dma, const struct machine_hooks *hooks,
		   uint64_t cycle);

/* Reports the tokens before the current trap, and records the trap. */
struct soc_trap hart_enter_trap(struct hart *hart, const struct machine_hooks *hooks);
/* Reports the trap, with the lost cycles before it. */
void hart_tell_trap(const struct hart *hart, const struct soc_trap *trap,
		    struct machine *machine, const struct machine_hooks *hooks);
/* Returns whether there is no end of traps without a token. */
bool hart_loops(const struct hart *hart);

/* Returns whether the hart has neither committed, nor trapped, nor slept for too long. */
bool hart_is_stuck(struct hart *hart, uint64_t cycle,
		   const struct l2_dram_timing *timing);
/* Returns whether its WFI can end without input. */
bool hart_can_wake(const struct hart *hart, const struct rtl *r);

/* After RTL_NEXT: keeps the state before the next token, which follows the tokens of this
 * cycle that have not been counted. */
void hart_note_next(struct hart *hart);
/* Implements machine_ops.snapshot. */
bool hart_snapshot(const struct hart *hart, uint64_t cycle, struct soc_state *state,
		   bool *back);
/* Implements machine_ops.save of one hart, but for devices. `held`: its current token has
 * executed, and is to be executed again. */
bool hart_save(const struct hart *hart, bool held, uint64_t cycle,
	       struct soc_state *state);
void hart_release(struct hart *hart);

/* Sets sp. If the current token is `held` it has been executed: its
 * addition to sp is undone, but after any other write of sp the old value is unknown. */
void hart_tell_sp(const struct hart *hart, bool held, struct machine_state *state);

#endif
