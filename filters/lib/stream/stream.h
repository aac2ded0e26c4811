/* SPDX-License-Identifier: Apache-2.0 */
/* The records of a trace stream, as reader.h hands them out and writer.h takes
 * them. tr-stream(5) has the bytes.
 *
 * A token is one committed instruction. A block is a run of tokens at
 * consecutive addresses; a row is one execution of a block; events stand
 * between the tokens. All cycles are of the target clock, on one axis for all
 * harts. A token owns the cycles after its hart's previous token (or trap or
 * gap event) through its own commit.
 */
#ifndef TR_STREAM_H
#define TR_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TR_BLOCK_MAX_TOKENS = 256,
	TR_INSN_MAX_BYTES = 8,
	TR_MAX_HARTS = 64,
	TR_MAX_CLASSES = 32,
	TR_MAX_COMMIT_WIDTH = 1 << 15, /* what a header says beyond counts as this */
	TR_FRAME_TOKENS = 1 << 20,     /* a writer starts a new frame at this many */
	TR_TOKEN_MAX_RUNS = 64,
	TR_EVENT_MAX_BYTES = 1 << 20, /* of a raw payload */
};

/* Cycles of one token or event: sums of a stream then fit 64 bits. */
#define TR_MAX_CYCLES (UINT64_C(1) << 48)

/* Privilege, as the specification numbers it (privileged 1.2). TR_PRIV_V is
 * set beside U or S when the hart is virtualised. */
enum tr_priv {
	TR_PRIV_U = 0,
	TR_PRIV_S = 1,
	TR_PRIV_M = 3,
	TR_PRIV_V = 4,
	TR_PRIV_D = 8
};

/* Integer registers that tell who runs (calling convention). */
enum { TR_REG_SP = 2, TR_REG_TP = 4 };

/* Who runs. `space` is 0 until tr-match has told address spaces apart; then it
 * numbers one life of one address space (a satp that is used again gets
 * another), 1 or above. `tp` is the last value of x4 that the source reported,
 * in any privilege. */
struct tr_context {
	uint64_t satp;
	uint64_t tp;
	uint32_t space;
	uint8_t priv;
};

/* `code` is the instructions back to back, little-endian; lengths follow from
 * their low bits. When `no_bits` is set the source has no instruction bits and
 * `code` holds one byte an instruction: its length. */
struct tr_block {
	uint64_t pc;
	const uint8_t *code;
	uint16_t tokens; /* 1 .. TR_BLOCK_MAX_TOKENS */
	uint16_t bytes;	 /* of code in the target, not of the array */
	bool no_bits;
};

/* Bytes that are sure to be code from its pc on. Without bits the length of the last
 * instruction may be a guess: a jump tells a source of addresses nothing of it. */
static inline unsigned tr_block_reach(const struct tr_block *block)
{
	return block->no_bits ? block->bytes - block->code[block->tokens - 1] + 2U
			      : block->bytes;
}

/* `slots` commit slots lost for the reason `class` (0: not known). */
struct tr_run {
	uint32_t slots;
	uint8_t class;
};

/* Can the runs be of a token or trap that took `cycles`? They lose no more slots
 * than those cycles have, and what its first left of the cycle before. */
bool tr_runs_good(const struct tr_run *runs, unsigned count, uint64_t cycles,
		  uint32_t commit_width);

/* A token as sources hand it out. */
struct tr_commit {
	uint64_t pc;
	uint64_t bits; /* of the instruction; beyond its length they do not matter */
};

/* A token that does not take exactly one cycle, or has classes. `cycles` is 0
 * when it commits in the cycle of the token before it. */
struct tr_stall {
	uint64_t cycles;
	uint32_t first_run; /* index into tr_timing.runs */
	uint16_t nruns;
	uint16_t token; /* ascending in a timing */
};

/* Tokens of a hart, one after the other, and their stalls. */
struct tr_batch {
	const struct tr_commit *tokens;
	const struct tr_stall *stalls;
	const struct tr_run *runs;
	uint32_t count, nstalls;
	uint16_t first; /* the number that tr_stall.token has for tokens[0] */
};

/* Leaves out the first ones, which have so many stalls. */
static inline void tr_batch_skip(struct tr_batch *batch, unsigned tokens, unsigned stalls)
{
	batch->tokens += tokens;
	batch->count -= tokens;
	batch->first = (uint16_t)(batch->first + tokens);
	batch->stalls += stalls;
	batch->nstalls -= stalls;
}

/* When the tokens of a row commit. Tokens that are not listed take one cycle.
 * A row of n tokens takes n + extra cycles. */
struct tr_timing {
	int64_t extra; /* sum of (cycles - 1) over the stalls */
	const struct tr_stall *stalls;
	const struct tr_run *runs;
	uint32_t nstalls;
	uint32_t nruns;
};

struct tr_row {
	uint64_t cycles; /* of all its tokens */
	uint32_t block;	 /* tr_reader_block() */
	uint32_t timing; /* tr_reader_timing(); 0 is: each token one cycle */
	uint32_t tokens;
};

enum tr_event_kind {
	TR_EV_TRAP = 1,	      /* trap entry; owns the cycles up to it */
	TR_EV_XRET = 2,	      /* mret, sret, dret has committed */
	TR_EV_SATP = 3,	      /* a new translation root; space by tr-match */
	TR_EV_PRIV = 4,	      /* privilege, from sources without trap events */
	TR_EV_REG = 5,	      /* write to a watched integer register */
	TR_EV_TRIGGER = 6,    /* tracing started or stopped here */
	TR_EV_GAP = 7,	      /* cycles, and perhaps tokens, not in this stream */
	TR_EV_SPACE = 8,      /* tr-match: the space changes, satp as before */
	TR_EV_COUNTERS = 9,   /* a sample; counts all cycles up to its own */
	TR_EV_MMIO_LOAD = 10, /* 10 to 14 are for replay */
	TR_EV_CSR_READ = 11,
	TR_EV_ATOMIC = 12,
	TR_EV_DEVICE_WRITE = 13,
	TR_EV_MARK = 14, /* free text for a person */
};

enum tr_gap_reason {
	TR_GAP_UNTRACED = 0, /* between triggers */
	TR_GAP_RESET = 1,    /* before the first token */
	TR_GAP_END = 2,	     /* after the last token */
	TR_GAP_LOST = 3,     /* the source could not keep up */
	TR_GAP_SPLIT = 4,    /* belongs to another stream of a split */
	TR_GAP_LIMIT = 5,    /* cut by a limit */
};

/* Interrupts have TR_CAUSE_INTERRUPT set, whatever XLEN is. */
#define TR_CAUSE_INTERRUPT (UINT64_C(1) << 63)

/* What the counters of a set have come to on a hart, with all cycles up to this one. */
struct tr_sample {
	const uint64_t *values; /* as they stand, all of the set */
	uint64_t cycle;
	uint32_t set, count;
};

/* An event stands before token `token` of row `row` of its hart and frame;
 * `row` may be the number of rows: after the last. TRAP, XRET, SATP, PRIV, REG
 * of x2 or x4, GAP and SPACE only stand between rows (token 0). `cycles` counts from
 * the hart's time at that place; only TRAP and GAP move the time. */
struct tr_event {
	uint64_t cycles;
	uint32_t row;
	uint16_t token;
	uint16_t kind;
	bool must_understand; /* of an unknown kind, which readers refuse */
	union {
		struct {
			uint64_t cause, tval, epc;
			/* Slots lost among the cycles, as of a token. */
			const struct tr_run *runs;
			uint8_t priv; /* entered */
			uint8_t nruns;
		} trap;
		struct {
			uint8_t priv; /* returned to */
		} xret;
		struct {
			uint64_t satp;
			uint32_t space;
		} satp;
		struct {
			uint8_t priv;
		} priv;
		struct {
			uint64_t value;
			uint8_t reg;
		} reg;
		struct {
			uint8_t start; /* 1 start, 0 stop */
		} trigger;
		struct {
			uint64_t tokens; /* left out, 0 if not known */
			uint8_t reason;	 /* enum tr_gap_reason */
		} gap;
		struct {
			uint32_t space;
		} space;
		struct tr_sample counters; /* readers tell its cycle */
		struct {
			const uint8_t *data; /* other kinds: payload as it stands */
			uint32_t size;
		} raw;
	} u;
};

/* tr-match's finding for one block in one space: `address` is that of the
 * block's first instruction as the ELF file has it. */
struct tr_note {
	uint64_t address;
	uint32_t space; /* TR_SPACE_*, or a space of tr_context */
	uint32_t block;
	uint32_t binary; /* index of header key "bin.N", or TR_NOTE_* */
};

#define TR_SPACE_MACHINE    UINT32_C(0xfffffff0) /* all M-mode code */
#define TR_SPACE_SUPERVISOR UINT32_C(0xfffffff1) /* all S-mode code */
#define TR_NOTE_UNKNOWN	    UINT32_C(0xffffffff)
#define TR_NOTE_AMBIGUOUS   UINT32_C(0xfffffffe)

/* The space whose notes hold for code that runs in context `c`. */
static inline uint32_t tr_note_space(const struct tr_context *c)
{
	switch (c->priv & 3) {
	case TR_PRIV_M:
		return TR_SPACE_MACHINE;
	case TR_PRIV_S:
		return TR_SPACE_SUPERVISOR;
	default:
		return c->space;
	}
}

/* One hart's part of a frame. */
struct tr_hart_frame {
	struct tr_context start; /* before the first row and event */
	uint64_t start_cycle;
	uint64_t end_cycle; /* time after the last row and event */
	uint64_t tokens;
	const struct tr_row *rows;
	const struct tr_event *events; /* in order of (row, token) */
	uint32_t nrows;
	uint32_t nevents;
	uint32_t hart;
};

struct tr_frame {
	uint64_t number;     /* 0 for the first */
	uint64_t generation; /* block and timing ids hold within one */
	const struct tr_hart_frame *harts;
	const struct tr_note *notes; /* those new in this frame */
	uint32_t nharts;
	uint32_t nnotes;
};

/* Stacks: what tr-unwind writes and tr-fold reads, in place of rows. */

enum tr_frame_kind {
	TR_FRAME_FUNCTION = 0, /* a named function */
	TR_FRAME_PROGRAM = 1,  /* root of a program: the binary's name */
	TR_FRAME_TRAP = 2,     /* "[ecall]", "[timer interrupt]", … */
	TR_FRAME_UNKNOWN = 3,  /* "[unknown]", "[ambiguous]", or no symbol */
	TR_FRAME_GAP = 4,      /* "[gap]", "[reset]", "[end]", "[lost]", … */
	TR_FRAME_IDLE = 5,
	TR_FRAME_INLINED = 6, /* "f (inlined)": a call that the compiler put in */
	TR_FRAME_LINE = 7,    /* "f.c:12": the line that ran, only on top */
};

/* A function (or what stands for one) on a stack. */
struct tr_func {
	const char *name;   /* UTF-8, no ';', no control characters */
	const char *binary; /* short name, "" when there is none */
	uint64_t address;   /* entry as the ELF file has it, 0 if none */
	uint8_t kind;	    /* enum tr_frame_kind */
};

/* A stack is a path from its node to a root; node 0 is the root of all and has
 * no function. */
struct tr_node {
	uint32_t parent; /* lower than the node's own number */
	uint32_t func;
};

/* A thread: user code belongs to the kernel thread that returned to it. */
struct tr_thread {
	uint64_t tp;	  /* of the kernel thread, 0 if the source has none */
	uint64_t satp;	  /* where it was first seen */
	const char *name; /* program, or kernel thread; "" unknown */
};

/* A stretch of time in which hart and thread stayed on one stack. */
struct tr_srow {
	uint64_t cycles;
	uint64_t instructions;
	uint32_t node;
	uint32_t thread;
	uint32_t first_class; /* index into tr_shart.classes */
	uint8_t nclasses;
	bool fresh; /* the top frame was entered anew at the start of this row */
};

/* Cycles of an srow that were lost for a class; the rest have class 0. */
struct tr_class_cycles {
	uint64_t cycles;
	uint8_t class;
};

/* Who runs from `first_row` on, up to the next context. */
struct tr_scontext {
	uint32_t first_row;
	uint32_t process; /* a life of an address space, a number that is not used
			   * again; 0: none, or not known */
	uint8_t priv;	  /* of what is charged: TR_PRIV_* */
	uint8_t triggers; /* TR_TRIGGER_*: fired before the first row */
};
enum { TR_TRIGGER_START = 1, TR_TRIGGER_STOP = 2 };

struct tr_shart {
	uint64_t start_cycle;
	const struct tr_srow *rows;
	const struct tr_class_cycles *classes;
	const struct tr_scontext *contexts; /* the first of row 0 */
	const struct tr_sample *samples;    /* by cycle; may be beyond the rows */
	uint32_t nsamples;
	uint32_t ncontexts; /* 0: the stream does not tell */
	uint32_t nrows;
	uint32_t hart;
};

struct tr_sframe {
	uint64_t number;
	const struct tr_shart *harts;
	uint32_t nharts;
};

/* A skippable zstd frame in place of a stream: the program that should have written one
 * failed, and has told why. Reading it gives TR_E_NO_SOURCE. */
#define TR_EXCUSE "\x5f\x2a\x4d\x18\x09\0\0\0no stream"

/* What a name in a stream of stacks may be: no control characters, no semicolon. */
bool tr_name_good(const char *name);

#endif
