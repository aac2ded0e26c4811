/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces between the parts of the model; model.h is the public interface. */
#ifndef SOC_INTERNAL_H
#define SOC_INTERNAL_H

#include <signal.h>

#include "csr.h"
#include "load.h"
#include "model.h"
#include "ops.h"
#include "state.h"
#include "stream/stream.h"
#include "uses.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "target memory is kept in host order: little-endian hosts only"
#endif

enum { SOC_PAGE_BITS = 12, SOC_PAGE = 1 << SOC_PAGE_BITS };
#define SOC_PAGE_MASK (~(uint64_t)(SOC_PAGE - 1))

enum { SOC_U = 0, SOC_S = 1, SOC_M = 3 };

/* Exceptions, as mcause numbers them. */
enum {
	SOC_CAUSE_FETCH_ACCESS = 1,
	SOC_CAUSE_ILLEGAL = 2,
	SOC_CAUSE_BREAK = 3,
	SOC_CAUSE_LOAD_ALIGN = 4,
	SOC_CAUSE_LOAD_ACCESS = 5,
	SOC_CAUSE_STORE_ALIGN = 6,
	SOC_CAUSE_STORE_ACCESS = 7,
	SOC_CAUSE_ECALL_U = 8,
	SOC_CAUSE_FETCH_PAGE = 12,
	SOC_CAUSE_LOAD_PAGE = 13,
	SOC_CAUSE_STORE_PAGE = 15,
};
#define SOC_CAUSE_INTERRUPT (UINT64_C(1) << 63)

#define SOC_CYCLES_PER_TICK (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ)
#define SOC_NEVER	    UINT64_MAX

/* Result of a helper for the interpreter. */
enum soc_result {
	SOC_DONE,  /* continue */
	SOC_TRAP,  /* cause and tval are set; no commit */
	SOC_LEAVE, /* committed; leave the block, because state has changed */
};

/* Why the interpreter returned. pc is the next instruction, `left` is exact. */
enum soc_exit {
	SOC_EXIT_BUDGET,
	SOC_EXIT_TRAP,
	SOC_EXIT_NEXT, /* state has changed: check again */
	SOC_EXIT_BREAK,
	SOC_EXIT_WFI, /* at a WFI that has not committed */
};

/* A decoded operation. `go` is its label in the interpreter. Register 32 receives writes
 * to x0; registers from SOC_F0 on are f0 to f31. Branch and auipc offsets are relative to
 * the block. */
struct soc_op {
	const void *go;
	int32_t imm;
	uint8_t rd, rs1, rs2;
	uint8_t half; /* halfwords from the start of the block */
};
enum { SOC_SINK = 32, SOC_F0 = 33, SOC_REGISTERS = SOC_F0 + 32 };

/* Returns a register of soc_op in the numbering of model.h. */
static inline uint8_t soc_reported_register(unsigned reg)
{
	return (uint8_t)(reg >= SOC_F0 ? reg - SOC_F0 + 32 : reg);
}

struct soc_insn {
	enum soc_op_code code;
	int32_t imm;
	uint8_t rd, rs1, rs2;
	bool ends;     /* the block ends after it */
	bool reported; /* it writes a register that is reported: soc_hooks.reg */
	bool alone;    /* a block of its own */
};

/* LOOSE: looked up each time and never chained: a breakpoint, an instruction that crosses
 * a page, a page with several PMP regions. REPORTED: the last instruction is `reported`.
 */
enum { SOC_BLOCK_LOOSE = 1, SOC_BLOCK_REPORTED = 2 };

/* Decoded code of one page: n operations and an end. */
struct soc_block {
	uint64_t phys;
	struct soc_block *hash_next, *page_next;
	const uint8_t *code;
	struct soc_row_cache cache;
	struct soc_block *next[2]; /* within the page: falling through, taken */
	uint16_t n, bytes;
	uint8_t flags;
	struct soc_op ops[];
};
enum { SOC_BLOCK_OPS = 128, SOC_BLOCK_BYTES = 508 };

/* Blocks that ran, for the row hook. An entry with bit 0 of pc set was truncated; the pc
 * of the next entry is its number of instructions. */
struct soc_log {
	struct soc_block *block;
	uint64_t pc;
};
enum { SOC_LOG_BLOCKS = 1 << 13 };

struct soc_jump {
	uint64_t pc;
	uint64_t context;
	struct soc_block *block;
};
enum { SOC_JUMPS = 1 << 14, SOC_CONTEXTS = 16, SOC_TLB = 256, SOC_FETCH_TLB = 256 };

/* `tag` is the page's address; its low bits never match an aligned access.
 * SOC_TLB_WATCHED is added for observed pages, so that only the slow path finds them. */
struct soc_tlb {
	uint64_t tag;
	uintptr_t delta; /* host address = target address + delta */
};
enum { SOC_TLB_WATCHED = 8 };
struct soc_tlb_pair {
	struct soc_tlb load[SOC_TLB], store[SOC_TLB];
};
enum soc_regime {
	SOC_REGIME_M,
	SOC_REGIME_S,
	SOC_REGIME_S_SUM,
	SOC_REGIME_U,
	SOC_REGIMES
};

struct soc_fetch {
	uint64_t page, context, phys;
};

/* Position of the last step, when executing single instructions: operation `index` of the
 * block at `base`, with `next` after it. */
struct soc_place {
	struct soc_block *block;
	uint64_t base, next, context;
	unsigned index;
};

struct soc_hart {
	/* State of the interpreter comes first. */
	uint64_t x[SOC_REGISTERS];
	uint64_t pc;
	int64_t left;	    /* instructions until it must return */
	uint64_t end_cycle; /* cycle when left is 0 */
	uint64_t context;   /* identifies (privilege, satp, epoch) of fetches */
	uint64_t reserved;  /* physical line of LR, or SOC_NEVER */
	struct soc_tlb *load, *store;
	struct soc_log *log;	  /* NULL: nobody needs it */
	uint32_t use_time;	  /* of the block that runs: uses.h */
	struct soc_block *single; /* run this one operation; NULL: from pc */
	uint64_t single_base;	  /* address of the block that it comes from */

	struct soc *soc;
	unsigned id;
	uint8_t priv;
	bool resume;		   /* ignore a breakpoint once */
	bool wrote_satp, returned; /* by the last instruction: for the hooks */
	struct soc_event *event;   /* filled by the current step; NULL: no such step */
	bool stepping;		   /* the TLBs serve the slow path only */
	struct soc_place place;
	/* The last instruction that was executed instead of that in memory. */
	struct {
		uint64_t pc, context;
		uint32_t insn;
	} old;
	uint64_t slept;		 /* cycles of the current WFI */
	bool asleep;		 /* at a WFI, with other harts: see harts.c */
	uint64_t woken;		 /* cycle at which the WFI ends, or SOC_NEVER */
	uint64_t now;		 /* cycle of the current instruction */
	uint64_t cycle, instret; /* at the last entry to the interpreter */
	uint64_t last_tp;	 /* last reported to the hooks */
	uint64_t cause, tval;
	unsigned traps; /* since the last commit; the first and last of them: */
	struct soc_trap first_trap, last_trap;

	uint64_t fcsr; /* frm and fflags */
	uint64_t mstatus, mie, mip, medeleg, mideleg, mtvec, stvec;
	uint64_t mscratch, sscratch, mepc, sepc, mcause, scause, mtval, stval;
	uint64_t mcounteren, scounteren, mcountinhibit, menvcfg, senvcfg, satp;
	uint64_t mcycle, minstret; /* offset, or the value while inhibited */
	uint64_t mhpmevent[SOC_HPM_COUNTERS], mhpmcounter[SOC_HPM_COUNTERS];
	uint64_t pmpaddr[SOC_PMP_ENTRIES];
	uint8_t pmpcfg[SOC_PMP_ENTRIES];
	uint64_t lines; /* of mip, driven by devices */
	uint64_t mtimecmp;
	uint32_t msip;

	uint64_t epoch; /* the last context number assigned */
	struct soc_context {
		uint64_t satp, context;
		uint8_t priv;
	} contexts[SOC_CONTEXTS];
	unsigned next_context;

	struct soc_jump jumps[SOC_JUMPS];
	struct soc_fetch fetch[SOC_FETCH_TLB];
	struct soc_tlb_pair tlb[SOC_REGIMES];
	struct soc_log log_first[SOC_LOG_BLOCKS + 8];
};

/* `lines` are those of 64 bytes that are part of blocks. Of a followed machine that may
 * execute code that memory no longer has: `gone` were part of blocks that are discarded,
 * and `changed` were written, until all harts execute fence.i; `fences` were executed
 * before the last of these. */
struct soc_code_page {
	struct soc_block *blocks;
	uint64_t lines, gone, changed;
	uint64_t fences;
};

struct soc_blocks {
	const void *const *labels; /* for soc_op.go */
	uint8_t *arena;
	size_t used;
	struct soc_block **hash;
	struct soc_code_page *pages;
	struct soc_block *cut, *one;
	uint64_t flushes;
	uint32_t *old; /* pages with `gone` or `changed` lines */
	size_t nold;
	uint64_t fences; /* fence.i that were executed; and the last of each hart: */
	uint64_t fenced[SOC_HARTS_MAX];
};

/* A page of RAM. `known`: walks have read entries of it, and it is not forgotten since.
 * `used` has a bit for each entry from which something may be cached, if `epoch` is the
 * current one; `written` for each that was written since the last sfence.vma of some
 * hart. `read` and `changed` have the times of that, in counts of soc_table_pages.fences.
 */
struct soc_table_page {
	uint64_t used[8], written[8];
	uint64_t epoch, read, changed;
	bool known;
};

struct soc_table_pages {
	struct soc_table_page *pages;
	uint32_t *known; /* their numbers */
	size_t n;
	uint64_t epoch;	 /* begins when nothing is cached */
	uint64_t fences; /* sfence.vma that were executed; and the last of each hart: */
	uint64_t fenced[SOC_HARTS_MAX], fenced_all[SOC_HARTS_MAX];
	uint64_t changed; /* the last change of all pages */
	bool assumed;	  /* soc_assume_tables() */
};

struct soc_plic {
	uint32_t priority[SOC_PLIC_SOURCES + 1];
	uint32_t pending, level, claimed;
	uint32_t enable[2 * SOC_HARTS_MAX], threshold[2 * SOC_HARTS_MAX]; /* by context */
};

struct soc_uart {
	uint8_t ier, lcr, mcr, scr, fcr, dll, dlm;
	bool thr_empty, overrun;
	uint8_t fifo[16];
	unsigned first, count;
};

struct soc_virtio {
	struct soc_disk *disk; /* NULL: none, as while following */
	struct soc_disk_timing timing;
	uint32_t offered_half, accepted_half, accepted[2]; /* features */
	uint32_t status, interrupt, selected, size;
	bool ready;
	uint64_t descriptors, driver, device; /* of the queue */
	uint16_t last, used; /* requests begun before the next, and ended */
	uint64_t due; /* cycle in which the request ends; SOC_NEVER: there is none */
};

struct soc_break {
	uint64_t pc;
	uint32_t value, mask; /* mask 0: by pc */
};

struct soc {
	uint8_t *ram;
	uint64_t ram_size;
	uint8_t *written; /* a byte for each page: soc_page_written() */
	struct soc_uses uses;
	struct soc_hart *harts;
	unsigned nharts;
	struct soc_hart *current; /* the one that ran last */
	struct soc_features features;
	bool has_nic; /* while following */
	struct soc_blocks blocks;
	struct soc_table_pages tables;
	struct soc_plic plic;
	struct soc_uart uart;
	struct soc_virtio virtio;
	uint64_t mtime_offset;
	uint64_t passed; /* cycles of soc_pass_time() that are not in mtime yet */
	bool attention;	 /* interrupts, time or power have changed */
	enum soc_power power;
	unsigned status;
	volatile sig_atomic_t stop;
	struct soc_hooks hooks;
	struct soc_follow follow;
	bool following;
	struct soc_break breaks[SOC_MAX_BREAKS];
	unsigned nbreaks;
	bool (*break_at_return)(void *user); /* NULL: no such breakpoint */
	void *break_user;
	struct soc_image image;
};

/* interp.c: runs from pc until `left` is used up or something happens. With `labels`,
 * only returns the addresses for soc_op.go in it. The second also records uses of RAM. */
enum soc_exit soc_interp(struct soc_hart *h, const void *const **labels);
enum soc_exit soc_interp_recorded(struct soc_hart *h, const void *const **labels);
/* Runs the one that the machine needs, which it has needed since its reset. */
static inline enum soc_exit soc_run_blocks(struct soc_hart *h)
{
	return h->soc->uses.loads ? soc_interp_recorded(h, NULL) : soc_interp(h, NULL);
}

/* decode.c, decode16.c: sets `insn` to the meaning of 32 bits, SOC_OP_illegal if unknown.
 * soc_expand() returns the 32-bit equivalent of 16 bits, 0 (illegal) if there is none. */
void soc_decode(uint32_t bits, struct soc_insn *insn);
uint32_t soc_expand(uint32_t bits);

/* decode_float.c: the major opcodes of F and D. Values of the field funct5 of OP-FP: */
enum {
	SOC_FLOAT_ADD = 0,
	SOC_FLOAT_SUB = 1,
	SOC_FLOAT_MUL = 2,
	SOC_FLOAT_DIV = 3,
	SOC_FLOAT_INJECT = 4, /* fsgnj and its variants */
	SOC_FLOAT_MIN_MAX = 5,
	SOC_FLOAT_RESIZE = 8, /* between the formats */
	SOC_FLOAT_SQRT = 11,
	SOC_FLOAT_COMPARE = 20,
	SOC_FLOAT_TO_INT = 24,
	SOC_FLOAT_FROM_INT = 26,
	SOC_FLOAT_MOVE_OUT = 28, /* to an integer register; also fclass */
	SOC_FLOAT_MOVE_IN = 30,
};
void soc_decode_float(uint32_t bits, struct soc_insn *insn);

/* float_insn.c: rd counts from SOC_F0; size is 4 or 8. */
enum soc_result soc_floating(struct soc_hart *h, uint32_t bits);
enum soc_result soc_float_load(struct soc_hart *h, unsigned rd, uint64_t va,
			       unsigned size);
enum soc_result soc_float_store(struct soc_hart *h, uint64_t va, unsigned size,
				uint64_t value);

/* block.c */
bool soc_blocks_init(struct soc *soc);
void soc_blocks_free(struct soc *soc);
void soc_blocks_flush(struct soc *soc);
/* As soc_uses_hide(). */
void soc_blocks_hide(struct soc *soc, void (*hide)(void *begin, size_t size));
/* Returns the block at pc, or NULL if there is none to run, with *why SOC_EXIT_TRAP or
 * SOC_EXIT_BREAK. A change of blocks.flushes invalidates all block pointers. */
struct soc_block *soc_block_find(struct soc_hart *h, uint64_t pc, enum soc_exit *why);
/* Returns the first n operations of a block; valid until the next call. */
struct soc_block *soc_block_cut(struct soc_hart *h, struct soc_block *block, unsigned n);
/* Returns operation `index` of a block, or this instruction, as a block; valid until the
 * next call. */
struct soc_block *soc_block_one(struct soc_hart *h, const struct soc_block *block,
				unsigned index);
struct soc_block *soc_block_of(struct soc_hart *h, uint32_t insn);
/* Called after a write to RAM. Returns whether code was there, which is then
 * discarded. */
bool soc_code_written(struct soc *soc, uint64_t phys, uint64_t size);

/* Returns the block of this instruction, which need not be that in memory. */
struct soc_block *soc_block_at(struct soc *soc, uint64_t phys, uint32_t insn);
/* Discards the decoded code of a page. */
void soc_blocks_drop(struct soc *soc, struct soc_code_page *page);

/* old_code.c: code that a followed machine may still execute after memory changed. */
/* Called when code of a page is discarded, or lines of it are written. */
void soc_old_gone(struct soc *soc, struct soc_code_page *page);
void soc_old_changed(struct soc *soc, struct soc_code_page *page, uint64_t lines);
/* Forgets all of that, between two runs and without decoded code. */
void soc_old_reset(struct soc *soc);
void soc_old_fence(struct soc_hart *h, uint32_t insn);
/* Returns whether the instruction at this address, as far as it is in the page, may be
 * another one than in memory. */
bool soc_old_at(const struct soc *soc, uint64_t phys);
/* Returns its block, as soc_block_find(). phys is SOC_NEVER if the fetch has raised an
 * exception. */
struct soc_block *soc_old_find(struct soc_hart *h, uint64_t pc, uint64_t phys);

/* Returns whether the followed machine's old code and translations are followed. */
static inline bool soc_follows_old(const struct soc *soc)
{
	return soc->follow.fence && soc->follow.fetch;
}

/* tables.c */
bool soc_tables_init(struct soc *soc);
void soc_tables_free(struct soc *soc);
/* A walk reads the entry. */
void soc_table_read(struct soc *soc, uint64_t phys);
/* Its result, which may be cached, comes from the entry. */
void soc_table_used(struct soc *soc, uint64_t phys);
/* Returns whether stores to this page must call soc_table_written(). */
bool soc_is_table(const struct soc *soc, uint64_t phys);
/* Called after a write to RAM. Returns whether translations have been discarded. */
bool soc_table_written(struct soc *soc, uint64_t phys, uint64_t size);
/* Called after sfence.vma, for which nothing cached need end: only one for everything
 * ends it, so that pages can be forgotten. */
void soc_table_fence(struct soc_hart *h, uint32_t insn);
/* Forgets all pages, when nothing is cached. */
void soc_tables_reset(struct soc *soc);
/* Returns whether a followed machine may fetch pc by entries that memory no longer
 * has. */
bool soc_fetches_old(const struct soc_hart *h, uint64_t pc);

/* log.c: passes the blocks that ran to the row hook. */
void soc_log_flush(struct soc_hart *h);
void soc_log_block(struct soc_hart *h, struct soc_block *block, uint64_t pc);
void soc_log_cut(struct soc_hart *h, unsigned n);
/* Returns the register written by the last instruction in the log if it is to be
 * reported, else 0. */
unsigned soc_log_reported(const struct soc_hart *h);

/* mmu.c, access.c */
/* Returns 0, or the exception. */
unsigned soc_mmu(const struct soc_hart *h, uint64_t va, enum soc_kind kind, unsigned priv,
		 uint64_t *pa);
void soc_mmu_flush(struct soc_hart *h);	     /* satp, PMP, MXR */
void soc_mmu_forget(struct soc_hart *h);     /* everything that fetches have cached */
void soc_mmu_flush_data(struct soc_hart *h); /* loads and stores only */
void soc_mmu_switch(struct soc_hart *h);     /* after a change of privilege or mstatus */
/* Gets the physical address of code; *loose is set if the page has several PMP regions.
 * Returns false with cause and tval set. */
bool soc_fetch(struct soc_hart *h, uint64_t pc, uint64_t *phys, bool *loose);
/* Returns the current instruction as in memory, possibly compressed. */
uint32_t soc_bits_at_pc(struct soc_hart *h);
enum soc_result soc_load_slow(struct soc_hart *h, uint64_t va, unsigned size,
			      uint64_t *value);
enum soc_result soc_store_slow(struct soc_hart *h, uint64_t va, unsigned size,
			       uint64_t value);
enum soc_result soc_atomic(struct soc_hart *h, uint32_t bits);
/* Gets the physical address of an access, also from the TLB. Returns false after raising
 * a trap. */
bool soc_locate(struct soc_hart *h, uint64_t va, unsigned size, enum soc_kind kind,
		uint64_t *pa);
/* Reports an access that has been done to the step hook and the access hook. */
void soc_report(struct soc_hart *h, uint64_t pa, uint64_t value, unsigned size,
		bool write);
void soc_report_copy(struct soc_hart *h, uint64_t pa, uint64_t bytes);
enum soc_result soc_raise(struct soc_hart *h, unsigned cause, uint64_t tval);

/* copy.c */
enum soc_result soc_copy(struct soc_hart *h, uint32_t bits);

/* pmp.c */
bool soc_pmp_allows(const struct soc_hart *h, uint64_t pa, unsigned size,
		    enum soc_kind kind, unsigned priv);
bool soc_pmp_splits(const struct soc_hart *h, uint64_t pa); /* the page of pa */
bool soc_pmp_set_cfg(struct soc_hart *h, uint64_t value);
bool soc_pmp_set_addr(struct soc_hart *h, unsigned i, uint64_t value);
uint64_t soc_pmp_cfg(const struct soc_hart *h);

/* csr.c, csr_write.c, trap.c */
enum soc_result soc_csr_insn(struct soc_hart *h, uint32_t bits);
enum soc_result soc_system_insn(struct soc_hart *h, uint32_t bits);
bool soc_csr_ends_block(uint32_t bits);
bool soc_csr_get(const struct soc_hart *h, unsigned csr, uint64_t *value);
bool soc_csr_set(struct soc_hart *h, unsigned csr, uint64_t value);
uint64_t soc_instret_now(const struct soc_hart *h);
/* Reports the input to the hook, and sets `ahead`. */
void soc_report_input(struct soc_hart *h, const struct soc_input *input);

/* hart_run.c */
/* Updates the counts to the progress of the interpreter. */
void soc_account(struct soc_hart *h);
struct soc_limits {
	uint64_t instret, cycle; /* of the hart */
	uint64_t turn;		 /* cycle at which its turn ends */
};
/* Wakes the hart; or takes a due interrupt, and runs the interpreter once. Returns false,
 * with the reason in *stop, when the run is over. */
bool soc_run_once(struct soc_hart *h, const struct soc_limits *limits,
		  enum soc_stop *stop);
/* Commits the WFI at pc in cycle `wake`. */
void soc_commit_wfi(struct soc_hart *h, uint64_t wake);

/* harts.c: soc_run() for several harts. */
enum soc_stop soc_run_harts(struct soc *soc, uint64_t instret, uint64_t cycle);
/* Returns a cycle that the WFI of a hart that is asleep exceeds. */
uint64_t soc_cycle_asleep(const struct soc_hart *h);
/* Ends the WFI of a hart that is asleep, in the cycle when it is due. */
void soc_wake(struct soc_hart *h);
/* Notes a write to [pa, pa + size), in RAM and not empty. */
static inline void soc_note_written(struct soc *soc, uint64_t pa, uint64_t size)
{
	uint64_t first = pa - SOC_RAM_BASE;

	for (uint64_t page = first >> SOC_PAGE_BITS;
	     page <= (first + size - 1) >> SOC_PAGE_BITS; page++)
		soc->written[page] = 1;
}
/* A store to [pa, pa + size) ends all reservations there. */
void soc_end_reservations(struct soc *soc, uint64_t pa, uint64_t size);
/* Returns whether another hart has a reservation in the page of pa. */
bool soc_is_reserved(const struct soc_hart *h, uint64_t pa);

/* trap.c */
uint64_t soc_mip(const struct soc_hart *h);
int soc_interrupt_due(const struct soc_hart *h); /* -1: none */
void soc_take_trap(struct soc_hart *h, uint64_t cause, uint64_t tval);

/* bus.c and devices: return false for an access fault. */
bool soc_bus_load(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t *value);
bool soc_bus_store(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t value);
static inline bool soc_in_ram(const struct soc *soc, uint64_t pa, uint64_t size)
{
	return pa >= SOC_RAM_BASE && pa - SOC_RAM_BASE < soc->ram_size &&
	       size <= soc->ram_size - (pa - SOC_RAM_BASE);
}
uint64_t soc_mtime(const struct soc *soc, uint64_t cycle);
uint64_t soc_timer_cycle(const struct soc_hart *h); /* when mtime meets mtimecmp */
bool soc_clint_load(struct soc_hart *h, uint64_t offset, unsigned size, uint64_t *value);
bool soc_clint_store(struct soc_hart *h, uint64_t offset, unsigned size, uint64_t value);
bool soc_plic_load(struct soc *soc, uint64_t offset, unsigned size, uint64_t *value);
bool soc_plic_store(struct soc *soc, uint64_t offset, unsigned size, uint64_t value);
void soc_plic_line(struct soc *soc, unsigned source, bool level);
void soc_plic_update(struct soc *soc);		 /* drives the interrupt lines */
bool soc_uart_interrupts(const struct soc *soc); /* the level of its source */
bool soc_uart_load(struct soc *soc, uint64_t offset, unsigned size, uint64_t *value);
bool soc_uart_store(struct soc *soc, uint64_t offset, unsigned size, uint64_t value);
bool soc_virtio_interrupts(const struct soc *soc); /* the level of its source */
bool soc_virtio_load(const struct soc *soc, uint64_t offset, unsigned size,
		     uint64_t *value);
bool soc_virtio_store(struct soc_hart *h, uint64_t offset, unsigned size, uint64_t value);
void soc_virtio_reset(struct soc *soc);
/* Ends the request of the disk, in cycle virtio.due, and begins the next. Called between
 * two runs of the interpreter. */
void soc_virtio_serve(struct soc *soc);
void soc_set_line(struct soc_hart *h, unsigned irq, bool level);

#endif
