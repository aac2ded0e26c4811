/* SPDX-License-Identifier: Apache-2.0 */
/* State of a trace, for the files of this folder. */
#ifndef TRACE_INTERNAL_H
#define TRACE_INTERNAL_H

#include "base/buffer.h"
#include "stream/classes.h"
#include "stream/continuity.h"
#include "stream/insn.h"
#include "stream/lengths.h"
#include "stream/reader.h"
#include "stream/runs.h"
#include "stream/writer.h"
#include "tr_trace.h"

/* Not exported by the shared library. */
#define TRACE_HIDDEN __attribute__((visibility("hidden")))

enum { TRACE_BATCH = 512, TRACE_LOST_RUNS = 1024, TRACE_NESTED = 16 };

/* Commit slots of a hart. The next one to be told is slot `used` of `cycle`; `lost` are
 * those lost since its last token or trap. All zero before the first one. */
struct trace_slots {
	uint64_t cycle;
	uint32_t used;
	struct tr_runs lost;
};

/* The newest sample of a hart's counters. */
struct trace_sample {
	uint64_t *values;	 /* NULL before the first one */
	uint64_t cycle, written; /* of the newest, and of the last in the stream */
	bool waits;		 /* the newest is not in the stream */
	bool has_written;
};

/* A hart. */
struct trace_lane {
	bool begun;    /* in the stream */
	bool trapped;  /* `trap` waits for the mode that it enters */
	bool returned; /* the last token returned from a trap, and waits for the mode */
	bool wrote_satp;
	bool has_sp, has_tp;		  /* sp and tp were written */
	uint8_t priv;			  /* current mode */
	uint8_t before[TR_NOMINAL_PRIVS]; /* mode before the last trap to each */
	uint64_t cycle;			  /* of the last token or trap */
	uint64_t next_pc;		  /* after the last token; of a trap: its epc */
	uint64_t other_pc; /* that of a branch which may have been taken, or next_pc */
	struct tr_continuity unreported; /* interrupts that `intr` does not show */
	uint64_t bits;			 /* of the last instruction */
	struct tr_break wrong_next;	 /* next_pc, where control went where it should */
	struct tr_break false_intr;	 /* `intr` where control only went on */
	uint64_t satp, sp, tp;
	struct tr_event trap;
	struct tr_run trap_runs[TR_TOKEN_MAX_RUNS];
	struct trace_slots slots;
	struct trace_sample sample;
	uint64_t epcs[TRACE_NESTED]; /* of the traps that have not returned */
	unsigned nepcs;
	/* Without instruction bits: tokens, and the last one while its length is not
	 * known, which the address of the next one tells. */
	struct tr_lengths plain;
	bool held;
	uint64_t held_pc, held_cycles;
	unsigned held_nruns;
	struct tr_run held_runs[TR_TOKEN_MAX_RUNS];
	/* Tokens for tr_writer_tokens() */
	uint32_t count, nstalls, nruns;
	struct tr_commit tokens[TRACE_BATCH];
	struct tr_stall stalls[TRACE_BATCH];
	struct tr_run runs[TRACE_LOST_RUNS];
};

enum trace_state { TRACE_WAITS, TRACE_RUNS, TRACE_ENDED, TRACE_FAILED };

struct tr_trace {
	struct tr_writer *writer;
	struct trace_lane *lanes[TR_MAX_HARTS]; /* allocated by their first commits */
	unsigned nlanes;			/* others are NULL */
	struct tr_trace_options options;
	struct tr_classes classes; /* without names: slots are not counted */
	uint32_t width;		   /* commit slots of a cycle */
	uint32_t ncounters, nflags;
	struct tr_buffer hit; /* values of the hit being written */
	uint64_t mask;	      /* of XLEN bits */
	int fd;
	bool owns_fd, is_file; /* opened here; a regular file */
	enum trace_state state;
	char message[256];
};

/* The instruction without the bits beyond its length. */
static inline uint64_t insn_bits_of(const struct tr_trace_commit *c)
{
	const unsigned length = tr_insn_length((unsigned)c->insn & 0xffff);
	return length < 8 ? c->insn & ((UINT64_C(1) << 8 * length) - 1) : c->insn;
}

/* Returns true for an instruction that traps, and does not retire. */
static inline bool commit_traps(const struct tr_trace_commit *c)
{
	const uint64_t bits = insn_bits_of(c);
	return c->trap || bits == TR_INSN_ECALL || bits == TR_INSN_EBREAK ||
	       bits == TR_INSN_C_EBREAK;
}

/* Keeps the reason of a failure. Returns TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_fail(struct tr_trace *t, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Returns the hart's lane, made by the first call, or NULL after a failure. */
TRACE_HIDDEN struct trace_lane *tr_trace_find_lane(struct tr_trace *t, unsigned hart);

/* tr_trace_slots.c: takes the slot of a commit, of a trace with classes. Returns
 * TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_take_slot(struct tr_trace *t, unsigned hart, uint64_t cycle,
				    const struct tr_trace_commit *c);

/* tr_trace_counters.c. tr_trace_put_sample() writes a sample that waits, if it is due or
 * `now`. tr_trace_name_more() adds the names of counters and flags to the header, and
 * checks them. They return TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_put_sample(struct tr_trace *t, unsigned hart, bool now);
TRACE_HIDDEN int tr_trace_name_more(struct tr_trace *t, struct tr_header *header);

/* tr_trace_hits.c: writes what is true of a commit that retires, before its token.
 * Returns TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_put_hits(struct tr_trace *t, unsigned hart,
				   const struct tr_trace_commit *c);
/* Without instruction bits: passes the token that waits for the address of the next one,
 * `pc`. Returns TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_pass_plain(struct tr_trace *t, unsigned hart, uint64_t pc);

/* Without instruction bits: adds a token of the hart; `next_pc` is 0 if it is not known.
 * Returns TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_plain(struct tr_trace *t, unsigned hart, uint64_t pc,
				uint64_t cycles, uint64_t next_pc);

/* tr_trace_regs.c. tr_trace_check_sp() adds a BREAK before a commit whose register does
 * not fit its instruction, so that the readers' sp would be wrong; tr_trace_take_reg()
 * takes what it writes to sp or tp. They return TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_check_sp(struct tr_trace *t, unsigned hart,
				   const struct tr_trace_commit *c);
TRACE_HIDDEN int tr_trace_take_reg(struct tr_trace *t, unsigned hart,
				   const struct tr_trace_commit *c);
TRACE_HIDDEN int tr_trace_put_reg(struct tr_trace *t, unsigned hart, uint8_t reg,
				  uint64_t value);

/* Passes the lanes' tokens to the writer. Returns TR_TRACE_OK or TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_flush(struct tr_trace *t);
/* Adds an event of the hart after its last token. Returns TR_TRACE_OK or
 * TR_TRACE_FAILED. */
TRACE_HIDDEN int tr_trace_put(struct tr_trace *t, unsigned hart,
			      const struct tr_event *event);

#endif
