/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilated SoC, of one hart (rtl/soc.sv) or several (rtl/soc_smp.sv), behind a C
 * interface: a loop over its cycles, and its ports. What a hart commits in a cycle has
 * slots; the first is 0. */
#ifndef VERILATED_RTL_H
#define VERILATED_RTL_H

#include <stdbool.h>
#include <stdint.h>

#include "cover.h"
#include "disk_queue.h"
#include "l2_dram.h"
#include "lockstep/commit.h"
#include "model/feature_set.h"
#include "probe.h"
#include "smp_memory.h"
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

/* Reasons for the return of run() of struct rtl_top, about the cycle that has just ended.
 */
enum {
	RTL_TOKEN = 1,	/* a hart has tokens to check; the loop has not counted them */
	RTL_TRAP = 2,	/* a hart has entered a trap */
	RTL_PORTS = 4,	/* requests of memory, DMA or disk, UART, link: read_ports() */
	RTL_ASLEEP = 8, /* a WFI has begun to wait in all harts; nothing else is active */
	RTL_FULL = 16,	/* the batch of a hart is full: rtl_empty() */
	RTL_OFF = 32,	/* without rtl_observe(): a token has powered the machine off */
	RTL_NEXT = 64,	/* a watched token is next in a hart, unless it traps */
};

enum { RTL_HARTS_MAX = 2 };
enum { RTL_SLOTS_MAX = 8 }; /* of a cycle of a hart */
enum { RTL_BATCH = 512, RTL_TOKEN_RUNS = 64 };
enum { RTL_WATCHES = 4 };

/* Matches tokens whose pc and bits agree where the masks have ones. */
struct rtl_watch {
	uint64_t pc, pc_mask;
	uint32_t insn, insn_mask;
};

static inline bool rtl_watch_matches(const struct rtl_watch *w, uint64_t pc,
				     uint32_t insn)
{
	return ((pc ^ w->pc) & w->pc_mask) == 0 && ((insn ^ w->insn) & w->insn_mask) == 0;
}

struct rtl;
struct view; /* view.h */

struct rtl_hart {
	const void *core; /* the Verilated class with its trace port */
	unsigned number;
	struct probe probe;

	/* Control of the loop. */
	struct rtl_watch watches[RTL_WATCHES];
	unsigned nwatches;
	uint64_t expects;   /* tokens up to the one of the last RTL_NEXT */
	bool watches_any;   /* the caller waits for a token, watched or not */
	bool all;	    /* return at every token */
	bool records;	    /* add other tokens to the batch */
	bool records_alone; /* set by the loop: nothing else is done with each of them */
	struct cover_chosen cover;
	struct tlb tlb;

	/* Results. Of the last cycle: slots with tokens to check, a bit each, and whether
	 * there is a trap, which comes first; the caller clears them. */
	unsigned commits;
	bool trapped;
	/* Classes of the slots behind the last of them; the loop has kept these. */
	uint8_t kept[RTL_SLOTS_MAX];
	unsigned nkept;
	bool next; /* RTL_NEXT is of this hart */
	/* With `all`: a probe may have taken the line that it has reserved since its last
	 * LR. */
	bool probed;
	uint64_t tokens; /* since reset */
	uint64_t since;	 /* the cycle that ended with the last token or trap */
	/* Recorded tokens and their stalls; runs of classes of lost cycles for these
	 * tokens and, from first_run, for the next token or trap. */
	struct tr_commit batch[RTL_BATCH];
	struct tr_stall stalls[RTL_BATCH];
	struct tr_run runs[(RTL_BATCH + 1) * RTL_TOKEN_RUNS];
	unsigned nbatch, nstalls, first_run, nruns;
	/* The classes of the last cycle, if nothing committed in it, as the port has
	 * them, and their number of runs, which are from here on, counted from first_run.
	 */
	uint32_t lost_classes;
	unsigned lost_run, nlost;
};

/* Outputs in the cycle after the one that has ended; those to memory are of its kind. */
struct rtl_ports {
	bool tx_valid, link_valid;
	uint8_t tx_data;
	struct wire_word link;
	struct disk_event disk;
	struct l2_dram_requests lines;
	struct smp_requests beats;
};

/* What depends on the top. */
struct rtl_top {
	/* Runs for at least one cycle, or until RTL_ASLEEP, up to the limits in `r`.
	 * Returns a mask of reasons, 0 at the limits. */
	unsigned (*run)(struct rtl *r);
	/* After RTL_TOKEN or RTL_TRAP with rtl_observe(): gets the signals of a slot of
	 * the trace port. Without `all`, most tokens have only pc and insn, and the rest
	 * is 0.
	 */
	void (*read_commit)(const struct rtl *r, unsigned hart, unsigned slot,
			    struct rtl_commit *commit);
	void (*read_ports)(struct rtl *r, struct rtl_ports *ports);
	/* Evaluates an edge of all clocks without reset, once; then, when registers have
	 * been set, the logic between them. */
	void (*leave_reset)(struct rtl *r);
	void (*settle)(struct rtl *r);
	/* In a build with VIEW=1: adds all signals to a waveform. Returns the flag to set
	 * when they may have changed. */
	bool *(*trace)(const struct rtl *r, void *fst);
	void (*release)(struct rtl *r);
};

struct rtl {
	const struct rtl_top *top;
	void *model;	   /* the Verilated class */
	struct view *view; /* of a build with VIEW=1, or NULL */
	unsigned nharts;
	const char *devices; /* the instance */
	const uint64_t *mtime;
	const void *mtimecmp; /* 64 bits of each hart */
	unsigned misses;      /* of an L1D at a time */
	bool has_port;	      /* tokens and classes can be known */
	const uint8_t *rx_ready;
	const uint64_t *power; /* {valid, value of 32 bits} */
	bool has_left_reset;   /* rtl_top.leave_reset() was called */
	uint8_t *trace_mode;

	/* Control of the loop. */
	uint64_t until;	  /* end of this cycle */
	uint64_t instret; /* or when this many tokens of all harts have been counted */
	struct soc_features features; /* rtl_init() */
	bool has_nic, has_disk;
	bool classes; /* rtl_count_classes(): classes are needed */
	bool seen;    /* rtl_observe(): tokens are needed */
	bool all;     /* return at every token */
	bool skips;   /* one edge per idle stretch */
	bool dozing;  /* RTL_ASLEEP has been handled; the loop clears it */

	/* Inputs; updated in the model if `changed`. Those of memory are of its kind. */
	struct l2_dram_pins lines;
	struct smp_pins beats;
	struct wire_pins link;
	struct disk_pins disk;
	bool rx_valid, changed;
	uint8_t rx_data;

	unsigned fresh; /* of the loop: harts whose logic is evaluated, a bit each */

	/* Results. */
	uint64_t cycle; /* cycles since reset */
	bool probe_ack; /* the probe in `lines` was answered in this cycle */

	struct rtl_hart harts[RTL_HARTS_MAX];
};

/* What the SoC has; `features.copy` gives each hart a copy unit. */
struct rtl_config {
	unsigned harts;
	uint64_t ram_size;
	struct soc_features features;
	uint64_t mac;	       /* the first byte in the lowest bits; 0: no interface */
	uint64_t disk_sectors; /* 0: no disk; of one hart */
	/* In a build with VIEW=1, of the cycles in which tokens are recorded: the path of
	 * a waveform (FST), and what gets a log of the stages (Kanata). May be NULL. */
	const char *wave;
	FILE *kanata;
};
/* Returns the tokens of this many harts since reset. */
static inline uint64_t rtl_tokens(const struct rtl *r, unsigned nharts)
{
	uint64_t tokens = 0;

	for (unsigned h = 0; h < nharts; h++)
		tokens += r->harts[h].tokens;
	return tokens;
}

/* Creates the SoC at reset. Returns false if memory runs out. */
bool rtl_init(struct rtl *r, const struct rtl_config *config);
/* Returns whether this program has a SoC of this many harts. */
bool rtl_can_have(unsigned harts);
/* For rtl_init(), of one hart and of several: create the model, and set what depends on
 * the top. */
bool soc_top_init(struct rtl *r, const struct rtl_config *config);
bool smp_top_init(struct rtl *r, const struct rtl_config *config);
/* Enables classes of lost cycles for counters. Call before the first cycle. */
void rtl_count_classes(struct rtl *r);
/* Enables tokens and classes, with `all` token by token. Otherwise tokens are only
 * counted, which is faster. Call before the first cycle. */
void rtl_observe(struct rtl *r, bool all);
void rtl_release(struct rtl *r);

/* Counts a token, and records it if tokens are recorded. */
void rtl_count(struct rtl_hart *hart, const struct rtl_commit *commit);
/* Marks the end of a token or trap at this cycle. */
static inline void rtl_since(struct rtl_hart *hart, uint64_t cycle)
{
	hart->since = cycle;
	if (hart->cover.marks)
		cover_mark(&hart->cover);
}
/* Clears the batch; with `all`, also the runs of the next token. */
void rtl_empty(struct rtl_hart *hart, bool all);

static inline bool rtl_rx_ready(const struct rtl *r)
{
	return *r->rx_ready;
}
/* Gets the value of the power register. Returns false: still on. */
static inline bool rtl_power(const struct rtl *r, uint32_t *value)
{
	*value = (uint32_t)*r->power;
	return *r->power >> 32 & 1;
}

#ifdef __cplusplus
}
#endif

#endif
