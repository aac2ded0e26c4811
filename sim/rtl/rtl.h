/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilated SoC behind a C interface: a loop over its cycles, and its ports. */
#ifndef RTL_RTL_H
#define RTL_RTL_H

#include <stdbool.h>
#include <stdint.h>

#include "commit.h"
#include "cover.h"
#include "memory.h"

/* tr_run has a member `class`. */
#ifdef __cplusplus
#define class classname
#endif
#include "stream/stream.h"
#undef class

#ifdef __cplusplus
extern "C" {
#endif

/* Why rtl_run() came back; the cycle it names has just ended. */
enum {
	RTL_TOKEN = 1,	/* a token to be looked at; the loop has not counted it */
	RTL_TRAP = 2,	/* a trap was entered */
	RTL_PORTS = 4,	/* memory, probes or the UART want something: rtl_read_ports() */
	RTL_ASLEEP = 8, /* a WFI has begun to wait; nothing else moves */
	RTL_FULL = 16,	/* no room in the batch: rtl_empty() */
	RTL_OFF = 32,	/* without rtl_observe(): a token has switched the power off */
};

enum { RTL_BATCH = 512, RTL_TOKEN_RUNS = 64 };
enum { RTL_WATCHES = 2 };

/* A token meets it when its pc and its bits agree where the masks have ones. */
struct rtl_watch {
	uint64_t pc, pc_mask;
	uint32_t insn, insn_mask;
};

struct rtl {
	void *model; /* the Verilated class */

	/* What the loop is to do. */
	uint64_t until;	  /* it ends with this cycle */
	uint64_t instret; /* or at this count of tokens */
	struct rtl_watch watches[RTL_WATCHES];
	unsigned nwatches;
	bool watches_any; /* the caller looks out for a token, of these or another */
	bool classes;	  /* they are wanted: rtl_count_classes() */
	bool seen;	  /* somebody watches: rtl_observe() */
	bool all;	  /* every token is to be looked at */
	bool records;	  /* those that are not go into the batch */
	bool skips;	  /* idle stretches in one edge */
	bool dozing;	  /* RTL_ASLEEP has been looked at; the loop ends that */
	struct cover_chosen cover;

	/* Inputs, taken when `changed`. */
	struct memory_pins pins;
	bool rx_valid, changed;
	uint8_t rx_data;

	/* What it has done. */
	uint64_t cycle;	 /* cycles since reset */
	uint64_t tokens; /* since reset */
	uint64_t since;	 /* the cycle that ended with the last token or trap */
	bool probe_ack;	 /* the probe in the pins was answered in this cycle */
	/* Tokens that were recorded, and their stalls; and runs of the classes of lost
	 * cycles, for them and, from first_run, for the token or trap that comes next. */
	struct tr_commit batch[RTL_BATCH];
	struct tr_stall stalls[RTL_BATCH];
	struct tr_run runs[(RTL_BATCH + 1) * RTL_TOKEN_RUNS];
	unsigned nbatch, nstalls, first_run, nruns;
};

/* At reset. False: out of memory. */
bool rtl_init(struct rtl *r, uint64_t ram_size);
/* Before the first cycle: counters want the class of lost cycles. */
void rtl_count_classes(struct rtl *r);
/* Before the first cycle: tokens and classes will be asked for; `all` of them one by one.
 * Else tokens are only counted, which is faster. */
void rtl_observe(struct rtl *r, bool all);
void rtl_release(struct rtl *r);

/* At least one cycle, or RTL_ASLEEP, up to what `r` says; a mask of reasons, 0 at the
 * limits. */
unsigned rtl_run(struct rtl *r);

/* Counts a token, and records it if tokens are. */
void rtl_count(struct rtl *r, uint64_t pc, uint32_t insn);
/* A token or trap has ended here. */
void rtl_since(struct rtl *r);
/* Forgets the batch; and the runs of what comes next with `all`. */
void rtl_empty(struct rtl *r, bool all);

/* After RTL_TOKEN or RTL_TRAP: what the trace port says; of most tokens without `all`
 * this is pc and insn, and the rest is 0. */
void rtl_read_commit(const struct rtl *r, struct rtl_commit *commit);
/* After RTL_TRAP without rtl_observe(): cycle, cause, tval, epc and the privilege now. */
void rtl_read_trap(const struct rtl *r, struct rtl_commit *commit);

/* Outputs, in the cycle after the one that has ended. */
struct rtl_ports {
	bool imem_req, dmem_req, dmem_upgrade, wb_valid, tx_valid;
	uint8_t tx_data;
	uint64_t imem_addr, dmem_addr, wb_addr, wb_data;
};
void rtl_read_ports(const struct rtl *r, struct rtl_ports *ports);
bool rtl_rx_ready(const struct rtl *r);
bool rtl_power(const struct rtl *r, uint32_t *value); /* false: still on */

/* Before the first cycle. */
void rtl_set_x(struct rtl *r, unsigned reg, uint64_t value);
/* Looks inside: registers as the last token or trap has left them. */
uint64_t rtl_x(const struct rtl *r, unsigned reg);
/* The CSR; false if it is none that holds state. */
bool rtl_csr(const struct rtl *r, unsigned csr, uint64_t *value);
void rtl_timer(const struct rtl *r, uint64_t *mtime, uint64_t *mtimecmp);
bool rtl_asleep(const struct rtl *r);	   /* with nothing to do: it waits in WFI */
uint64_t rtl_next_pc(const struct rtl *r); /* of the instruction in the M stage */

#ifdef __cplusplus
}
#endif

#endif
