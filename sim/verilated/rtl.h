/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilated SoC behind a C interface: a loop over its cycles, and its ports. */
#ifndef VERILATED_RTL_H
#define VERILATED_RTL_H

#include <stdbool.h>
#include <stdint.h>

#include "cover.h"
#include "l2_dram.h"
#include "lockstep/commit.h"
#include "tlb.h"
#include "wire.h"

/* tr_run has a member named `class`. */
#ifdef __cplusplus
#define class classname
#endif
#include "stream/stream.h"
#undef class

#ifdef __cplusplus
extern "C" {
#endif

/* Reasons for the return of rtl_run(), about the cycle that has just ended. */
enum {
	RTL_TOKEN = 1,	/* a token to check; the loop has not counted it */
	RTL_TRAP = 2,	/* a trap was entered */
	RTL_PORTS = 4,	/* requests of memory or DMA, UART, link: rtl_read_ports() */
	RTL_ASLEEP = 8, /* a WFI has begun to wait; nothing else is active */
	RTL_FULL = 16,	/* the batch is full: rtl_empty() */
	RTL_OFF = 32,	/* without rtl_observe(): a token has powered the machine off */
	RTL_NEXT = 64,	/* a watched token is next, unless it traps */
};

enum { RTL_BATCH = 512, RTL_TOKEN_RUNS = 64 };
enum { RTL_WATCHES = 4 };

/* Matches tokens whose pc and bits agree where the masks have ones. */
struct rtl_watch {
	uint64_t pc, pc_mask;
	uint32_t insn, insn_mask;
};

struct soc_state;
struct view; /* view.h */

struct rtl {
	void *model;	   /* the Verilated class */
	struct view *view; /* of a build with VIEW=1, or NULL */

	/* Control of the loop. */
	uint64_t until;	  /* end of this cycle */
	uint64_t instret; /* or when this many tokens have been counted */
	struct rtl_watch watches[RTL_WATCHES];
	unsigned nwatches;
	uint64_t expects; /* tokens up to the one of the last RTL_NEXT */
	bool watches_any; /* the caller waits for a token, watched or not */
	bool has_float;	  /* rtl_init() */
	bool has_dma;	  /* rtl_init(): a network interface or a copy unit */
	bool classes;	  /* rtl_count_classes(): classes are needed */
	bool seen;	  /* rtl_observe(): tokens are needed */
	bool all;	  /* return at every token */
	bool records;	  /* add other tokens to the batch */
	bool skips;	  /* one edge per idle stretch */
	bool dozing;	  /* RTL_ASLEEP has been handled; the loop clears it */
	struct cover_chosen cover;
	struct tlb tlb;

	/* Inputs; updated in the model if `changed`. */
	struct l2_dram_pins pins;
	struct wire_pins link;
	bool rx_valid, changed;
	uint8_t rx_data;

	/* Results. */
	uint64_t cycle;	 /* cycles since reset */
	uint64_t tokens; /* since reset */
	uint64_t since;	 /* the cycle that ended with the last token or trap */
	bool probe_ack;	 /* the probe in the pins was answered in this cycle */
	/* Recorded tokens and their stalls; runs of classes of lost cycles for these
	 * tokens and, from first_run, for the next token or trap. */
	struct tr_commit batch[RTL_BATCH];
	struct tr_stall stalls[RTL_BATCH];
	struct tr_run runs[(RTL_BATCH + 1) * RTL_TOKEN_RUNS];
	unsigned nbatch, nstalls, first_run, nruns;
};

/* What the SoC has: F and D, the copy unit, a network interface. */
struct rtl_config {
	uint64_t ram_size;
	bool has_float, has_copy;
	uint64_t mac; /* the first byte in the lowest bits; 0: no interface */
};
/* Creates the SoC at reset. Returns false if memory runs out. */
bool rtl_init(struct rtl *r, const struct rtl_config *config);
/* Enables classes of lost cycles for counters. Call before the first cycle. */
void rtl_count_classes(struct rtl *r);
/* Enables tokens and classes, with `all` token by token. Otherwise tokens are only
 * counted, which is faster. Call before the first cycle. */
void rtl_observe(struct rtl *r, bool all);
void rtl_release(struct rtl *r);

/* In a build with VIEW=1: writes a waveform (FST) and a log of the stages (Kanata) of the
 * cycles in which tokens are recorded; a path may be NULL. Call before the first cycle.
 * Returns NULL, or the path that cannot be written, with errno set. */
const char *rtl_view(struct rtl *r, const char *wave, const char *kanata);
/* Closes both. Returns NULL, or the path that could not be written, with errno set. */
const char *rtl_view_end(struct rtl *r);

/* Runs for at least one cycle, or until RTL_ASLEEP, up to the limits in `r`. Returns a
 * mask of reasons, 0 at the limits. */
unsigned rtl_run(struct rtl *r);

/* Counts a token, and records it if tokens are recorded. */
void rtl_count(struct rtl *r, uint64_t pc, uint32_t insn);
/* Marks the end of a token or trap at this cycle. */
void rtl_since(struct rtl *r);
/* Clears the batch; with `all`, also the runs of the next token. */
void rtl_empty(struct rtl *r, bool all);

/* After RTL_TOKEN or RTL_TRAP: gets the trace port's signals. Without `all`, most tokens
 * have only pc and insn, and the rest is 0. */
void rtl_read_commit(const struct rtl *r, struct rtl_commit *commit);
/* After RTL_TRAP without rtl_observe(): gets cycle, cause, tval, epc and the current
 * privilege. */
void rtl_read_trap(const struct rtl *r, struct rtl_commit *commit);

/* Outputs in the cycle after the one that has ended. */
struct rtl_ports {
	bool imem_req, dmem_req, dmem_upgrade, wb_valid, tx_valid;
	uint8_t tx_data;
	uint64_t imem_addr, dmem_addr, wb_addr, wb_data;
	/* DMA: a request, a beat of a write; of the network interface: a word sent. */
	bool dma_req, dma_write, dma_beat_valid, link_valid;
	unsigned dma_id;
	uint64_t dma_addr;
	struct l2_dram_beat dma_beat;
	struct wire_word link;
};
void rtl_read_ports(const struct rtl *r, struct rtl_ports *ports);
bool rtl_rx_ready(const struct rtl *r);
bool rtl_power(const struct rtl *r, uint32_t *value); /* false: still on */

/* Call before the first cycle: both. */
void rtl_set_x(struct rtl *r, unsigned reg, uint64_t value);
/* Sets the state, and counts cycles and tokens on from its own. */
void rtl_resume(struct rtl *r, const struct soc_state *s);
/* Returns a register as the last token or trap has left it. */
uint64_t rtl_x(const struct rtl *r, unsigned reg);
/* Gets the bits of a floating-point register. Returns false if its value is still being
 * computed. */
bool rtl_f(const struct rtl *r, unsigned reg, uint64_t *value);
/* Gets a CSR. Returns false if it holds no state, or if flags for it are still being
 * computed. */
bool rtl_csr(const struct rtl *r, unsigned csr, uint64_t *value);
void rtl_timer(const struct rtl *r, uint64_t *mtime, uint64_t *mtimecmp);
/* Gets the 8 bytes at this physical address, a multiple of 8, from the L1D. Returns false
 * if memory has them. */
bool rtl_l1d(const struct rtl *r, uint64_t address, uint64_t *bytes);
/* Returns whether an entry of the data TLB is used with this ASID. */
bool rtl_translates(const struct rtl *r, unsigned entry, unsigned asid);
bool rtl_asleep(const struct rtl *r);	   /* idle in WFI */
uint64_t rtl_next_pc(const struct rtl *r); /* of the instruction in the M stage */

#ifdef __cplusplus
}
#endif

#endif
