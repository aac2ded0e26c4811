/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the model share; model.h is the door for others. */
#ifndef SOC_INTERNAL_H
#define SOC_INTERNAL_H

#include <signal.h>

#include "load.h"
#include "model.h"
#include "ops.h"
#include "stream/stream.h"

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

enum {
	SOC_IRQ_SS = 1,
	SOC_IRQ_MS = 3,
	SOC_IRQ_ST = 5,
	SOC_IRQ_MT = 7,
	SOC_IRQ_SE = 9,
	SOC_IRQ_ME = 11,
};

#define SOC_MSTATUS_SIE	 (UINT64_C(1) << 1)
#define SOC_MSTATUS_MIE	 (UINT64_C(1) << 3)
#define SOC_MSTATUS_SPIE (UINT64_C(1) << 5)
#define SOC_MSTATUS_MPIE (UINT64_C(1) << 7)
#define SOC_MSTATUS_SPP	 (UINT64_C(1) << 8)
#define SOC_MSTATUS_MPP	 (UINT64_C(3) << 11)
#define SOC_MSTATUS_MPRV (UINT64_C(1) << 17)
#define SOC_MSTATUS_SUM	 (UINT64_C(1) << 18)
#define SOC_MSTATUS_MXR	 (UINT64_C(1) << 19)
#define SOC_MSTATUS_TVM	 (UINT64_C(1) << 20)
#define SOC_MSTATUS_TW	 (UINT64_C(1) << 21)
#define SOC_MSTATUS_TSR	 (UINT64_C(1) << 22)
#define SOC_MPP_SHIFT	 11

#define SOC_CYCLES_PER_TICK (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ)
#define SOC_NEVER	    UINT64_MAX

/* What a helper tells the interpreter. */
enum soc_result {
	SOC_DONE,  /* go on */
	SOC_TRAP,  /* cause and tval are set; nothing has committed */
	SOC_LEAVE, /* committed; leave the block, since the world has changed */
};

/* Why the interpreter came back. pc is the next instruction, left is exact. */
enum soc_exit {
	SOC_EXIT_BUDGET,
	SOC_EXIT_TRAP,
	SOC_EXIT_NEXT, /* something has changed: look again */
	SOC_EXIT_BREAK,
	SOC_EXIT_WFI, /* pc is at a WFI that has not committed */
};

/* A decoded operation. `go` is its label in the interpreter. Register 32 takes
 * what is written to x0. Branch and auipc offsets are relative to the block. */
struct soc_op {
	const void *go;
	int32_t imm;
	uint8_t rd, rs1, rs2;
	uint8_t half; /* halfwords from the start of the block */
};
enum { SOC_SINK = 32 };

struct soc_insn {
	enum soc_op_code code;
	int32_t imm;
	uint8_t rd, rs1, rs2;
	bool ends;  /* the block, after it */
	bool told;  /* it writes a register that traces watch: soc_hooks.reg */
	bool alone; /* begins a block, and ends it */
};

/* Found anew each time and in no chain: a breakpoint, an instruction over the end
 * of a page, a page that is not the same to PMP all over. / Its last instruction is
 * `told`. */
enum { SOC_BLOCK_LOOSE = 1, SOC_BLOCK_TOLD = 2 };

/* Code from one page, decoded: n operations and an end. */
struct soc_block {
	uint64_t phys;
	struct soc_block *hash_next, *page_next;
	const uint8_t *code;
	struct soc_row_cache cache;
	struct soc_block *next[2]; /* in the page: falling through, taken */
	uint16_t n, bytes;
	uint8_t flags;
	struct soc_op ops[];
};
enum { SOC_BLOCK_OPS = 128, SOC_BLOCK_BYTES = 508 };

/* Which blocks ran, for the row hook; an entry with bit 0 of pc set was cut, and
 * the next one has the number of instructions in pc. */
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

/* tag is the page's address; low bits never match an aligned access. Where someone
 * watches, SOC_TLB_WATCHED is added: only the slow way knows the page then. */
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

/* Where the last step was, when going one at a time: operation `index` of the block
 * at `base`, with `next` behind it. */
struct soc_place {
	struct soc_block *block;
	uint64_t base, next, context;
	unsigned index;
};

struct soc_hart {
	/* The interpreter's own, first. */
	uint64_t x[33];
	uint64_t pc;
	int64_t left;	    /* instructions until it must come back */
	uint64_t end_cycle; /* cycle when left is 0 */
	uint64_t context;   /* names (privilege, satp, epoch) of fetches */
	uint64_t reserved;  /* physical line of LR, or SOC_NEVER */
	struct soc_tlb *load, *store;
	struct soc_log *log;	  /* NULL: nobody wants to know */
	struct soc_block *single; /* run this one operation; NULL: from pc */
	uint64_t single_base;	  /* the address of the block it is from */

	struct soc *soc;
	unsigned id;
	uint8_t priv;
	bool resume;		   /* pass over a breakpoint once */
	bool wrote_satp, returned; /* by the last instruction: for the hooks */
	struct soc_event *event;   /* to tell the step in hand; NULL: no such step */
	bool stepping;		   /* the TLBs are for the slow way only */
	struct soc_place place;
	uint64_t slept;		 /* cycles of the WFI in hand */
	uint64_t now;		 /* cycle of the instruction in hand */
	uint64_t cycle, instret; /* at the last entry to the interpreter */
	uint64_t last_tp;	 /* as the hooks know it */
	uint64_t cause, tval;
	unsigned traps; /* since the last commit, and the first and last of them */
	struct soc_trap first_trap, last_trap;

	uint64_t mstatus, mie, mip, medeleg, mideleg, mtvec, stvec;
	uint64_t mscratch, sscratch, mepc, sepc, mcause, scause, mtval, stval;
	uint64_t mcounteren, scounteren, mcountinhibit, menvcfg, senvcfg, satp;
	uint64_t mcycle, minstret; /* offset, or the value while inhibited */
	uint64_t mhpmevent[SOC_HPM_COUNTERS], mhpmcounter[SOC_HPM_COUNTERS];
	uint64_t pmpaddr[SOC_PMP_ENTRIES];
	uint8_t pmpcfg[SOC_PMP_ENTRIES];
	uint64_t lines; /* of mip, from the devices */
	uint64_t mtimecmp;

	uint64_t epoch; /* the last context that was given out */
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

struct soc_code_page {
	struct soc_block *blocks;
	uint64_t lines; /* 64-byte lines that blocks were made from */
};

struct soc_blocks {
	uint8_t *arena;
	size_t used;
	struct soc_block **hash;
	struct soc_code_page *pages;
	struct soc_block *cut, *one;
	uint64_t flushes;
};

struct soc_plic {
	uint32_t priority[SOC_PLIC_SOURCES + 1];
	uint32_t pending, level, claimed;
	uint32_t enable[2], threshold[2];
};

struct soc_uart {
	uint8_t ier, lcr, mcr, scr, fcr, dll, dlm;
	bool thr_empty, overrun;
	uint8_t fifo[16];
	unsigned first, count;
};

struct soc_break {
	uint64_t pc;
	uint32_t value, mask; /* mask 0: by pc */
};

struct soc {
	uint8_t *ram;
	uint64_t ram_size;
	struct soc_hart *hart; /* the only one */
	struct soc_blocks blocks;
	struct soc_plic plic;
	struct soc_uart uart;
	uint32_t msip;
	uint64_t mtime_offset;
	bool attention; /* interrupts, time or power have changed */
	enum soc_power power;
	unsigned status;
	volatile sig_atomic_t stop;
	struct soc_hooks hooks;
	struct soc_follow follow;
	bool following;
	struct soc_break breaks[SOC_MAX_BREAKS];
	unsigned nbreaks;
	struct soc_image image;
};

/* interp.c: runs from pc until left is used up or something happens. With
 * `labels` it only tells the addresses for soc_op.go. */
enum soc_exit soc_interp(struct soc_hart *h, const void *const **labels);

/* decode.c, decode16.c: `insn` gets the meaning of 32 bits; an unknown one is
 * SOC_OP_illegal. soc_expand: 16 to 32 bits, 0 (illegal) if there is none. */
void soc_decode(uint32_t bits, struct soc_insn *insn);
uint32_t soc_expand(uint32_t bits);

/* block.c */
bool soc_blocks_init(struct soc *soc);
void soc_blocks_free(struct soc *soc);
void soc_blocks_flush(struct soc *soc);
/* The block at pc; NULL when there is none to run: *why is SOC_EXIT_TRAP or
 * SOC_EXIT_BREAK. All block pointers end when blocks.flushes changes. */
struct soc_block *soc_block_find(struct soc_hart *h, uint64_t pc, enum soc_exit *why);
/* The first n operations of a block, good until the next call. */
struct soc_block *soc_block_cut(struct soc_hart *h, struct soc_block *block, unsigned n);
/* Operation `index` of a block, or this instruction, alone; until the next call. */
struct soc_block *soc_block_one(struct soc_hart *h, const struct soc_block *block,
				unsigned index);
struct soc_block *soc_block_of(struct soc_hart *h, uint32_t insn);
/* After a write to RAM: true when code was there, which is now forgotten. */
bool soc_code_written(struct soc *soc, uint64_t phys, uint64_t size);

/* log.c: what ran, to the row hook. */
void soc_log_flush(struct soc_hart *h);
void soc_log_block(struct soc_hart *h, struct soc_block *block, uint64_t pc);
void soc_log_cut(struct soc_hart *h, unsigned n);
/* The register that the last instruction in the log wrote, if that is one to be told;
 * else 0. */
unsigned soc_log_told(const struct soc_hart *h);

/* mmu.c, access.c */
/* 0, or the exception. */
unsigned soc_mmu(const struct soc_hart *h, uint64_t va, enum soc_kind kind, unsigned priv,
		 uint64_t *pa);
void soc_mmu_flush(struct soc_hart *h);	     /* satp, sfence.vma, PMP, MXR */
void soc_mmu_forget(struct soc_hart *h);     /* all that fetches have cached */
void soc_mmu_flush_data(struct soc_hart *h); /* loads and stores only */
void soc_mmu_switch(struct soc_hart *h);     /* after a change of privilege or mstatus */
/* Physical address of code; *loose when the whole page is not the same to PMP.
 * False: cause and tval are set. */
bool soc_fetch(struct soc_hart *h, uint64_t pc, uint64_t *phys, bool *loose);
enum soc_result soc_load_slow(struct soc_hart *h, uint64_t va, unsigned size,
			      uint64_t *value);
enum soc_result soc_store_slow(struct soc_hart *h, uint64_t va, unsigned size,
			       uint64_t value);
enum soc_result soc_atomic(struct soc_hart *h, uint32_t bits);
enum soc_result soc_raise(struct soc_hart *h, unsigned cause, uint64_t tval);

/* pmp.c */
bool soc_pmp_allows(const struct soc_hart *h, uint64_t pa, unsigned size,
		    enum soc_kind kind, unsigned priv);
bool soc_pmp_splits(const struct soc_hart *h, uint64_t pa); /* the page of pa */
bool soc_pmp_set_cfg(struct soc_hart *h, uint64_t value);
bool soc_pmp_set_addr(struct soc_hart *h, unsigned i, uint64_t value);
uint64_t soc_pmp_cfg(const struct soc_hart *h);

/* csr.c, csr_write.c, system.c */
enum soc_result soc_csr_insn(struct soc_hart *h, uint32_t bits);
enum soc_result soc_system_insn(struct soc_hart *h, uint32_t bits);
bool soc_csr_ends_block(uint32_t bits);
bool soc_csr_get(const struct soc_hart *h, unsigned csr, uint64_t *value);
bool soc_csr_set(struct soc_hart *h, unsigned csr, uint64_t value);
uint64_t soc_instret_now(const struct soc_hart *h);

/* run.c: brings the counts up to what the interpreter has done. */
void soc_account(struct soc_hart *h);

/* trap.c */
uint64_t soc_mip(const struct soc_hart *h);
int soc_interrupt_due(const struct soc_hart *h); /* -1: none */
void soc_take_trap(struct soc_hart *h, uint64_t cause, uint64_t tval);

/* bus.c and devices: false is an access fault. */
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
bool soc_uart_load(struct soc *soc, uint64_t offset, unsigned size, uint64_t *value);
bool soc_uart_store(struct soc *soc, uint64_t offset, unsigned size, uint64_t value);
void soc_set_line(struct soc *soc, unsigned irq, bool level);

#endif
