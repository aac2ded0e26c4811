/* SPDX-License-Identifier: Apache-2.0 */
/* Records of a trace stream, as reader.h returns them and writer.h accepts them.
 * tr-stream(5) specifies the encoding.
 *
 * A token is one committed instruction. A block is a run of tokens at consecutive
 * addresses; a row is one execution of a block; events stand between the tokens. All
 * times are in cycles of the target clock, on one axis for all harts. A token owns the
 * cycles after its hart's previous token (or trap or gap event) through its own
 * commit. */
#ifndef TR_STREAM_H
#define TR_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/mode.h"

enum {
	TR_BLOCK_MAX_TOKENS = 256,
	TR_INSN_MAX_BYTES = 8,
	TR_MAX_HARTS = 64,
	TR_MAX_CLASSES = 32,
	TR_MAX_COMMIT_WIDTH = 1 << 15, /* larger values in a header are clamped to this */
	TR_FRAME_TOKENS = 1 << 20,     /* a writer starts a new frame after this many
					* tokens */
	TR_TOKEN_MAX_RUNS = 64,
	TR_EVENT_MAX_BYTES = 1 << 20, /* of a raw payload, or written by a device */
	TR_CSRS = 1 << 12,	      /* numbers of CSRs */
};

/* Upper bound on the cycles of one token or event, so that sums over a stream fit 64
 * bits. */
#define TR_MAX_CYCLES (UINT64_C(1) << 48)

/* Integer registers that identify stack and thread (calling convention). */
enum { TR_REG_SP = 2, TR_REG_TP = 4 };

/* The context that a hart executes in. `space` is 0 before tr-match; tr-match numbers
 * address spaces from 1, and a reused satp gets a new number. `tp` is the value of x4
 * that the source reported last, in any privilege mode. tr_space_of()
 * says which address space it is. */
struct tr_context {
	uint64_t satp; /* root in force: in VU and VS the value of vsatp */
	uint64_t
	    hgatp; /* root of the guest's physical memory; 0: none, or not reported */
	uint64_t tp;
	uint32_t space;
	uint8_t priv;
};

/* The identity of an address space: what translates its addresses. satp has the ASID and
 * hgatp the VMID, so guests whose values of vsatp are equal differ in hgatp. */
struct tr_space_id {
	uint64_t satp;	/* satp, or vsatp in VU and VS */
	uint64_t hgatp; /* 0 in other modes, and without a second stage of translation */
};

static inline struct tr_space_id tr_space_of(const struct tr_context *c)
{
	struct tr_space_id id;
	id.satp = c->satp;
	id.hgatp = tr_mode_of(c->priv).is_virtual ? c->hgatp : 0;
	return id;
}

static inline bool tr_space_equals(struct tr_space_id a, struct tr_space_id b)
{
	return a.satp == b.satp && a.hgatp == b.hgatp;
}

/* Returns a hash, which is satp itself outside of guests. */
static inline uint64_t tr_space_hash(struct tr_space_id id)
{
	uint64_t mixed = (id.hgatp ^ id.hgatp >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return id.satp ^ mixed ^ mixed >> 29;
}

enum { TR_VMIDS = 1 << 14 };

/* Returns the VMID in hgatp. The modes of RV64 that translate set bits above the lower
 * 32, those of RV32 cannot. */
static inline uint32_t tr_hgatp_vmid(uint64_t hgatp)
{
	return (uint32_t)(hgatp >> 32 ? hgatp >> 44 & (TR_VMIDS - 1)
				      : hgatp >> 22 & 0x7f);
}

/* `code` holds the instructions back to back, little-endian; their low bits give their
 * lengths. With `no_bits` the source has no instruction bits, and `code` holds the length
 * of each instruction, one byte each. */
struct tr_block {
	uint64_t pc;
	const uint8_t *code;
	uint16_t tokens; /* 1 .. TR_BLOCK_MAX_TOKENS */
	uint16_t bytes;	 /* size of the code in the target, not of the array */
	bool no_bits;
};

/* Returns the number of bytes at `pc` known to be code. Without instruction bits the
 * length of the last instruction may be a guess: the address after a jump does not reveal
 * it. */
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

/* Returns true if `runs` are valid for a token or trap of `cycles` cycles: they may lose
 * at most the slots of those cycles plus those left over in the cycle before. */
bool tr_runs_good(const struct tr_run *runs, unsigned count, uint64_t cycles,
		  uint32_t commit_width);

/* Returns the slots that `runs` lose together. */
uint64_t tr_runs_slots(const struct tr_run *runs, unsigned count);

/* A token as a source reports it. */
struct tr_commit {
	uint64_t pc;
	uint64_t bits; /* instruction bits; those beyond its length are ignored */
};

/* A token that takes other than one cycle or has stall classes. `cycles` is 0 when it
 * commits in the same cycle as the previous token. */
struct tr_stall {
	uint64_t cycles;
	uint32_t first_run; /* index into tr_timing.runs */
	uint16_t nruns;
	uint16_t token; /* ascending within a timing */
};

/* Consecutive tokens of a hart and their stalls. */
struct tr_batch {
	const struct tr_commit *tokens;
	const struct tr_stall *stalls;
	const struct tr_run *runs;
	uint32_t count, nstalls;
	uint16_t first; /* the number of tokens[0] in terms of tr_stall.token */
};

/* Drops the first `tokens` tokens, which have `stalls` stalls. */
static inline void tr_batch_skip(struct tr_batch *batch, unsigned tokens, unsigned stalls)
{
	batch->tokens += tokens;
	batch->count -= tokens;
	batch->first = (uint16_t)(batch->first + tokens);
	batch->stalls += stalls;
	batch->nstalls -= stalls;
}

/* Commit times of the tokens of a row. Tokens without a stall take one cycle. A row of n
 * tokens takes n + extra cycles. */
struct tr_timing {
	int64_t extra; /* sum of (cycles - 1) over the stalls */
	const struct tr_stall *stalls;
	const struct tr_run *runs;
	uint32_t nstalls;
	uint32_t nruns;
};

struct tr_row {
	uint64_t cycles; /* of all its tokens */
	uint32_t block;	 /* id for tr_reader_block() */
	uint32_t timing; /* id for tr_reader_timing(); 0: one cycle per token */
	uint32_t tokens;
};

enum tr_event_kind {
	TR_EV_TRAP = 1,	      /* trap entry; owns the cycles up to it */
	TR_EV_XRET = 2,	      /* mret, sret, mnret or dret committed */
	TR_EV_SATP = 3,	      /* satp was written; tr-match sets the space */
	TR_EV_PRIV = 4,	      /* privilege change, from sources without trap events */
	TR_EV_REG = 5,	      /* write to a watched integer register */
	TR_EV_TRIGGER = 6,    /* tracing starts or stops here */
	TR_EV_GAP = 7,	      /* cycles, and perhaps tokens, missing from this stream */
	TR_EV_SPACE = 8,      /* written by tr-match: the space changes, satp does not */
	TR_EV_COUNTERS = 9,   /* a sample of counters, through its own cycle */
	TR_EV_MMIO_LOAD = 10, /* 10 to 13, 15 and 17 to 19 are for replay */
	TR_EV_CSR_READ = 11,
	TR_EV_ATOMIC = 12,
	TR_EV_DEVICE_WRITE = 13,
	TR_EV_MARK = 14, /* free text for people */
	TR_EV_REGISTERS = 15,
	TR_EV_PROBE = 16,  /* a probe was hit, before the next token */
	TR_EV_MEMORY = 17, /* for replay, in a window: contents of memory here */
	TR_EV_STATE = 18,  /* for replay, in a window: the state of the hart */
	TR_EV_TRANSLATION = 19,
	TR_EV_BREAK = 20, /* the next token cannot follow the one before: continuity.h */
	TR_EV_HGATP = 21, /* hgatp was written: another guest may run next */
	TR_EV_LAST = TR_EV_HGATP,
};

enum tr_gap_reason {
	TR_GAP_UNTRACED = 0, /* between triggers */
	TR_GAP_RESET = 1,    /* before the first token */
	TR_GAP_END = 2,	     /* after the last token */
	TR_GAP_LOST = 3,     /* the source lost data */
	TR_GAP_SPLIT = 4,    /* in another stream of a split */
	TR_GAP_LIMIT = 5,    /* cut off by a limit */
};

/* Set in the cause of interrupts, for any XLEN. */
#define TR_CAUSE_INTERRUPT (UINT64_C(1) << 63)
/* A cause that the source does not know, of an exception, or with TR_CAUSE_INTERRUPT of
 * an interrupt. */
#define TR_CAUSE_UNKNOWN (UINT64_MAX >> 1)

/* An epc that the source does not know. */
#define TR_EPC_UNKNOWN UINT64_C(1)

/* Values of a counter set on one hart, through `cycle`. */
struct tr_sample {
	const uint64_t *values; /* absolute values of the whole set */
	uint64_t cycle;
	uint32_t set, count;
};

/* A hit of a probe on one hart: the next token, which commits in `cycle`, is where the
 * probe is. */
struct tr_hit {
	uint64_t cycle;
	uint32_t probe;	       /* N of header key "probe.N" */
	uint32_t count;	       /* of its fields */
	const uint8_t *values; /* encoded; see stream/probes.h */
	uint32_t size;	       /* bytes of the values */
};

/* An event stands before token `token` of row `row` of its hart and frame; `row` may
 * equal the number of rows, which is after the last. TRAP, XRET, SATP, PRIV, REG of x2 or
 * x4, GAP, SPACE, BREAK and HGATP stand only between rows (token 0). `cycles` counts from
 * the hart's time at that place; only TRAP and GAP advance the time. */
struct tr_event {
	uint64_t cycles;
	uint32_t row;
	uint16_t token;
	uint16_t kind;
	bool must_understand; /* for unknown kinds: readers refuse the event */
	union {
		struct {
			uint64_t cause, tval, epc;
			/* Lost slots, as for a token. */
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
			uint64_t tokens; /* skipped tokens, 0 if unknown */
			uint8_t reason;	 /* enum tr_gap_reason */
		} gap;
		struct {
			uint32_t space;
		} space;
		struct {
			uint64_t hgatp;
		} hgatp;
		struct tr_sample counters; /* readers set its cycle */
		struct tr_hit probe;	   /* readers set its cycle */
		/* MMIO_LOAD, ATOMIC: what the next token got from outside the hart. */
		struct {
			uint64_t address; /* physical */
			uint64_t value;
			uint8_t size; /* bytes */
		} access;
		struct {
			uint64_t value;
			uint16_t number;
		} csr; /* CSR_READ: the value that the next token read */
		struct {
			uint64_t address; /* physical */
			const uint8_t *data;
			uint32_t size;
		} write; /* DEVICE_WRITE, MEMORY */
		struct {
			const uint8_t *text; /* keys of soc-checkpoint(5) */
			uint32_t size;
			uint8_t back; /* tokens before this place */
		} state;	      /* STATE */
		struct {
			uint64_t hash;
		} registers; /* REGISTERS: before the next token */
		struct {
			uint64_t address; /* physical */
			uint8_t store;	  /* 1 store, 0 load */
		} translation; /* TRANSLATION: of an access of the next token */
		struct tr_break {
			uint64_t from; /* address of the token before */
			uint64_t to;   /* of the next one, or the trap's epc */
			/* Of breaks; above 1 only at the end of a hart, of earlier ones
			 * that lead to `to`, the first of them from `from`. */
			uint64_t count;
		} broken; /* BREAK */
		struct {
			const uint8_t *data; /* other kinds: the raw payload */
			uint32_t size;
		} raw;
	} u;
};

/* Returns whether events of this kind are nondeterministic input of the next token. */
static inline bool tr_event_is_input(unsigned kind)
{
	return kind == TR_EV_MMIO_LOAD || kind == TR_EV_CSR_READ ||
	       kind == TR_EV_ATOMIC || kind == TR_EV_TRANSLATION;
}

/* Returns whether events of this kind are about the next token, and do not end a block.
 */
static inline bool tr_event_is_of_token(unsigned kind)
{
	return (tr_event_is_input(kind) && kind != TR_EV_TRANSLATION) ||
	       kind == TR_EV_PROBE;
}

/* tr-match's result for a block in a space: `address` is the address in the ELF file of
 * the block's first instruction. */
struct tr_note {
	uint64_t address;
	uint32_t space; /* tr_note_space() */
	uint32_t block;
	uint32_t binary; /* N of header key "bin.N", or TR_NOTE_* */
};

#define TR_SPACE_MACHINE    UINT32_C(0xfffffff0) /* all M-mode code */
#define TR_SPACE_SUPERVISOR UINT32_C(0xfffffff1) /* all S-mode code but guests' */
/* Plus the VMID: all VS-mode code of a guest. Spaces of user code are lower. */
#define TR_SPACE_GUEST	  UINT32_C(0xffff0000)
#define TR_NOTE_UNKNOWN	  UINT32_C(0xffffffff)
#define TR_NOTE_AMBIGUOUS UINT32_C(0xfffffffe)

/* Returns the space whose notes apply to code that runs in context `c`. */
static inline uint32_t tr_note_space(const struct tr_context *c)
{
	switch (tr_mode_of(c->priv).nominal) {
	case TR_PRIV_M:
		return TR_SPACE_MACHINE;
	case TR_PRIV_S:
		return tr_space_of(c).hgatp ? TR_SPACE_GUEST + tr_hgatp_vmid(c->hgatp)
					    : TR_SPACE_SUPERVISOR;
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
	const struct tr_event *events; /* sorted by (row, token) */
	uint32_t nrows;
	uint32_t nevents;
	uint32_t hart;
};

/* The blocks and timings of a generation, by id, as far as they were defined at one
 * moment. Later frames only add to them. */
struct tr_view {
	const struct tr_block *blocks;
	const struct tr_timing *timings;
	uint32_t nblocks, ntimings;
};

/* The encoded payload of a frame, for tr_writer_pass(). */
struct tr_payload {
	const uint8_t *data;
	size_t size;
};

/* Part of a stream of rows. stream/frame.h tells how long it lives. */
struct tr_frame {
	uint64_t number;     /* 0 for the first */
	uint64_t generation; /* block and timing ids are valid within one generation */
	const struct tr_hart_frame *harts;
	const struct tr_note *notes; /* new in this frame */
	uint32_t nharts;
	uint32_t nnotes;
	uint32_t record; /* its number, and its byte in the plain stream, for messages */
	uint64_t byte;
	struct tr_view view; /* at the end of this frame */
	struct tr_payload payload;
};

/* Stacks: tr-unwind writes them, tr-fold and others read them, instead of rows. */

enum tr_frame_kind {
	TR_FRAME_FUNCTION = 0, /* a named function */
	TR_FRAME_PROGRAM = 1,  /* root of a program: the binary's name */
	TR_FRAME_TRAP = 2,     /* "[ecall]", "[timer interrupt]", … */
	TR_FRAME_UNKNOWN = 3,  /* "[unknown]", "[ambiguous]", or code without a symbol */
	TR_FRAME_GAP = 4,      /* "[gap]", "[reset]", "[end]", "[lost]", … */
	TR_FRAME_IDLE = 5,
	TR_FRAME_INLINED = 6, /* "f (inlined)": an inlined call */
	TR_FRAME_LINE = 7,    /* "f.c:12": the current line, only on top */
};

/* A function, or a pseudo-function, on a stack. */
struct tr_func {
	const char *name;   /* UTF-8, no ';', no control characters */
	const char *binary; /* short name, "" if none */
	uint64_t address;   /* entry address in the ELF file, 0 if none */
	uint8_t kind;	    /* enum tr_frame_kind */
};

/* A call stack is the path from a node to the root. Node 0 is the root and has no
 * function. */
struct tr_node {
	uint32_t parent; /* less than the node's own number */
	uint32_t func;
};

/* A thread. User code belongs to the kernel thread that returned to it. */
struct tr_thread {
	uint64_t tp;	  /* of the kernel thread, 0 if the source does not report tp */
	uint64_t satp;	  /* at its first appearance */
	const char *name; /* program or kernel thread; "" if unknown */
};

/* An interval in which a hart and its thread stay on one stack. */
struct tr_srow {
	uint64_t cycles;
	uint64_t instructions;
	uint32_t node;
	uint32_t thread;
	uint32_t first_class; /* index into tr_shart.classes */
	uint8_t nclasses;
	bool fresh; /* the top frame was newly entered at the start of this row */
};

/* Commit slots of an srow lost to a class; one is a cycle at a commit width of 1. The
 * remaining slots, in which nothing was committed, have class 0. */
struct tr_class_cycles {
	uint64_t cycles;
	uint8_t class;
};
/* Returns the most slots that the classes of a row may have together: at a commit width
 * of 1 its cycles; otherwise what tr_runs_good() allows its instructions and a trap,
 * which may each have slots of the cycle before. */
uint64_t tr_srow_lost_limit(const struct tr_srow *row, uint32_t commit_width);

/* The context of a hart from `first_row` up to the next context. */
struct tr_scontext {
	uint32_t first_row;
	uint32_t process; /* identifies one life of an address space and is never reused;
			   * 0: none or unknown */
	uint8_t priv;	  /* TR_PRIV_* of the charged code */
	uint8_t triggers; /* TR_TRIGGER_*: fired before the first row */
};
enum { TR_TRIGGER_START = 1, TR_TRIGGER_STOP = 2 };

/* Instead of a pid and a tgid: the kernel does not number its tasks. */
#define TR_TASK_NO_PID UINT32_MAX

/* A task of the target's kernel, as probes report it. */
struct tr_stask {
	uint32_t number; /* from 0, by first appearance; once more if its name changes */
	uint32_t pid, tgid; /* equal for a process; its other threads have its tgid; or
			     * both are TR_TASK_NO_PID */
	const char *name;   /* "" if unknown */
};

/* The task to which a thread belongs, or which a process is. */
struct tr_stask_use {
	uint32_t id; /* of the thread or process */
	uint32_t task;
	bool is_process;
};

/* Another name of a thread, from the rows of its frame on. */
struct tr_sname {
	uint32_t thread;
	const char *name;
};

/* The tp of a thread, in place of that of its definition, which a reader changes: the
 * thread had it all the time, but it was not known. */
struct tr_stp {
	uint32_t thread;
	uint64_t tp;
};

struct tr_shart {
	uint64_t start_cycle;
	const struct tr_srow *rows;
	const struct tr_class_cycles *classes;
	const struct tr_scontext *contexts; /* the first one starts at row 0 */
	const struct tr_sample *samples;    /* sorted by cycle; may lie beyond the rows */
	const struct tr_hit *hits;	    /* sorted by cycle; may lie beyond the rows */
	uint32_t nsamples;
	uint32_t nhits;
	uint32_t ncontexts; /* 0: the stream has none */
	uint32_t nrows;
	uint32_t hart;
};

struct tr_sframe {
	uint64_t number;
	const struct tr_shart *harts;
	const struct tr_stask *tasks; /* that are new or have another name */
	const struct tr_stask_use *uses;
	const struct tr_sname *names;
	const struct tr_stp *tps;
	uint32_t nharts, ntasks, nuses, nnames, ntps;
	bool is_index; /* its rows only tell the context in which nodes first run */
};

/* A skippable zstd frame in place of a stream: the program that should have written one
 * failed and reported why. Reading it returns TR_E_NO_SOURCE. */
#define TR_EXCUSE "\x5f\x2a\x4d\x18\x09\0\0\0no stream"

/* Returns true if `name` is valid in a stream of stacks: no control character, no
 * semicolon. */
bool tr_name_good(const char *name);

#endif
