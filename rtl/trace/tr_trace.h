/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the harts of a core commit as a trace stream, tr-stream(5).
 *
 * This is the interface for simulators and testbenches that call C; trace_sink.sv does so
 * for those in SystemVerilog. A commit has the shape of RVFI, the RISC-V formal
 *interface: an instruction that retired, or one that trapped and did not. The caller
 *passes the commits of each hart in their order, with the number of the clock cycle.
 *
 *	struct tr_trace_options options = {.path = "run.tr", .xlen = 32, .harts = 1};
 *	struct tr_trace *trace;
 *	if (tr_trace_open(&trace, &options))
 *		... tr_trace_message(trace) ...
 *	in each cycle: tr_trace_commit(trace, 0, cycle, &commit);
 *	if reasons are known, too: tr_trace_lose_slots(trace, 0, cycle, why, 1);
 *	tr_trace_end(trace, cycle, "power-off");
 *	tr_trace_close(trace);
 *
 * Nothing here prints, exits, or keeps a pointer of the caller's. A trace is used by one
 * thread at a time. SIGPIPE is blocked while the library writes, so a closed pipe is an
 * error like others. Link with libtr_trace.a, zstd and xxhash. */
#ifndef TR_TRACE_H
#define TR_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tr_trace;

enum tr_trace_status {
	TR_TRACE_OK = 0,
	TR_TRACE_STOPPED = 1, /* the stop trigger was met; the stream is complete */
	TR_TRACE_FAILED = -1, /* see tr_trace_message() */
};

/* Signals that a core lacks. The filters infer them as far as possible (tr-unwind(1)),
 * and report that. A value that a core does not have, such as the satp of a core without
 * address translation, is not missing: it is 0. */
enum tr_trace_lack {
	TR_TRACE_NO_PRIV = 1,  /* the privilege */
	TR_TRACE_NO_SATP = 2,  /* satp */
	TR_TRACE_NO_TRAPS = 4, /* `trap` and `intr` */
	TR_TRACE_NO_REGS = 8,  /* writes of registers: sp (x2) and tp (x4) */
	TR_TRACE_NO_TIME = 16, /* `cycle` counts instructions */
	TR_TRACE_NO_INSN = 32, /* `insn`: the lengths follow from the addresses */
};

/* A place where tracing starts or stops; all zero: none. */
struct tr_trace_trigger {
	enum { TR_TRACE_NEVER = 0, TR_TRACE_AT_CYCLE, TR_TRACE_AT_PC } kind;
	uint64_t value; /* the first cycle, or the address of the instruction */
};

/* All zero, but for xlen and harts, is a good default. Strings need not outlive
 * tr_trace_open(). */
struct tr_trace_options {
	const char *path;      /* file to create or empty; NULL: write to fd */
	int fd;		       /* an open descriptor; it remains the caller's */
	unsigned xlen;	       /* 32 or 64 */
	unsigned harts;	       /* of the machine, 1 to 64 */
	unsigned commit_width; /* most commits of a hart in a cycle; 0: 1 */
	unsigned lacks;	       /* TR_TRACE_NO_* */
	const char *source;    /* name and version of the simulator; NULL: none */
	/* Reasons for which a hart loses commit slots: names separated by commas, class 1
	 * first, at most 31. The part of a name before its first dot is its group:
	 * "frontend.icache,frontend.branch,memory.load,idle". NULL: none are told. */
	const char *classes;
	/* Counters that each hart has: names separated by commas, at most 4,096; NULL:
	 * none. The stream has a sample of them where a hart begins and ends, if there is
	 * one, and between these at most one in `counter_period` cycles. */
	const char *counters;
	uint64_t counter_period;
	/* What can be true of a commit: names separated by commas, that of bit 0 of
	 * `flags` first, at most 31: "mispredicted,icache_miss,dcache_miss". NULL: none.
	 */
	const char *flags;
	bool tells_loads; /* commits have `load` */
	/* The first instruction that is traced, and the first that no longer is, of any
	 * hart. Without `start` tracing starts at once. */
	struct tr_trace_trigger start, stop;
};

/* A commit. Addresses, registers and satp have XLEN bits; bits above are ignored. */
struct tr_trace_commit {
	uint64_t pc;
	uint64_t
	    next_pc;	   /* address of the next instruction in program order
			    * (rvfi_pc_wdata),  to which an interrupt returns; 0: unknown */
	uint64_t insn;	   /* as fetched, not expanded: its low bits give its length */
	uint64_t rd_value; /* written to x`rd`; only x2 and x4 are looked at */
	uint64_t satp;	   /* in force for this instruction */
	uint64_t cause;	   /* as in mcause, if has_cause: of `trap`, or of an interrupt's
			      `intr` */
	uint8_t rd;	   /* integer register written; 0: none */
	uint8_t priv;	   /* mode of this instruction: 0 U, 1 S, 3 M */
	uint8_t lost_to;   /* if it did not retire: class of its slot; 0: not known */
	bool trap;	   /* did not retire, but trapped; ECALL and EBREAK always do */
	bool intr;	   /* first instruction of a trap handler */
	bool has_cause;
	/* Of an instruction that retires: what is true of it, and the load it made: its
	 * address, and the cycles until the core had the data. A commit that has any
	 * takes some bytes more, so `load` may be set for those that are worth it. */
	bool load;
	uint32_t flags;
	uint64_t load_address, load_cycles;
};

/* Opens a trace and writes its header. A regular file is compressed; a pipe gets a plain
 * stream. Returns TR_TRACE_OK or TR_TRACE_FAILED; *trace is set even then, so that
 * tr_trace_message() can be called, unless memory ran out (NULL). */
int tr_trace_open(struct tr_trace **trace, const struct tr_trace_options *options);

/* Adds a commit of a hart, 0 to 63, in cycle `cycle`, which is not less than in the
 * hart's last call, and of the same clock for all harts. Several commits of a cycle are
 * passed oldest first. Returns TR_TRACE_OK; TR_TRACE_STOPPED, also for all later calls;
 * or TR_TRACE_FAILED, also for all later calls: an output error, or a commit that cannot
 * be right. */
int tr_trace_commit(struct tr_trace *trace, unsigned hart, uint64_t cycle,
		    const struct tr_trace_commit *commit);

/* Tells that a hart lost `slots` of its commit slots, from cycle `cycle` on, to class
 * `why` of the options: 1 is the first, 0 a reason that is not known.
 *
 * A cycle has commit_width slots. Each holds a commit that retires, or is lost; an
 * instruction that traps loses its slot, to `lost_to`. They are told oldest first,
 * commits and lost ones alike, and those beyond the last slot of a cycle are the first of
 * the next. Slots that are not told are lost to class 0. So retired instructions and lost
 * slots add up to commit_width in each cycle, from that of the hart's first commit
 * through that of its last one. A lost slot counts for the next commit of the hart; those
 * of earlier cycles than its first commit are dropped, and what comes behind the last one
 * is a gap, which has no classes.
 *
 * Returns as tr_trace_commit() does. More slots than a cycle has, by either call, a cycle
 * before the last one, and a class without a name are failures. */
int tr_trace_lose_slots(struct tr_trace *trace, unsigned hart, uint64_t cycle,
			unsigned why, uint64_t slots);

/* Tells the values of all counters of a hart, as named in the options, through cycle
 * `cycle`: what they counted in it is part of them. It is not less than the cycle of the
 * hart's last commit and sample, and not more than that of its next commit. Before the
 * hart's first commit only a sample of the cycle before it counts. Values are of 64 bits,
 * and do not wrap. Returns as tr_trace_commit() does. */
int tr_trace_sample_counters(struct tr_trace *trace, unsigned hart, uint64_t cycle,
			     const uint64_t *values);

/* Completes the stream, once, unless it is complete: up to `cycle` of each hart (0: its
 * last commit). `how` is how the run ended: "power-off", "interrupted", or other text.
 * Returns TR_TRACE_OK or TR_TRACE_FAILED. */
int tr_trace_end(struct tr_trace *trace, uint64_t cycle, const char *how);

/* Frees the trace; NULL is accepted. Without tr_trace_end() the stream is truncated,
 * which all readers report. Closes the file that tr_trace_open() opened. */
void tr_trace_close(struct tr_trace *trace);

/* Returns the reason of TR_TRACE_FAILED in one line without a line feed. It is the
 * trace's, and valid until the next call; `trace` may be NULL: out of memory. */
const char *tr_trace_message(const struct tr_trace *trace);

#ifdef __cplusplus
}
#endif

#endif
