/* SPDX-License-Identifier: Apache-2.0 */
/* The functional model of the machine in sim/soc.h, as a library.
 *
 * Time: `cycle` counts the commits of a hart plus the cycles that it slept in
 * WFI; a trap takes none. `instret` counts commits. mtime is cycle / 3200. The
 * same calls give the same run, whatever limits it was cut into.
 *
 * Calls that can fail return false and leave one line in soc_message().
 */
#ifndef SOC_MODEL_H
#define SOC_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "soc.h"

struct soc;
struct soc_image;

struct soc_config {
	uint64_t ram_size; /* bytes, a multiple of 4096; 0: SOC_RAM_DEFAULT_SIZE */
	unsigned harts;	   /* 1 */
};

/* After reset: M-mode, pc SOC_RESET_PC, a0 the hart, all else 0. NULL: no memory,
 * or a configuration that cannot be. */
struct soc *soc_new(const struct soc_config *config);
void soc_free(struct soc *soc);
const char *soc_message(const struct soc *soc);

/* Loading, before the run. An RV64 ELF goes to its physical addresses. Segments
 * outside RAM, or over something loaded before, are refused. */
bool soc_load_elf(struct soc *soc, const char *path);
bool soc_load_raw(struct soc *soc, const char *path, uint64_t address);
/* XXH64 over (address, size, bytes) of all that was loaded, in order. */
uint64_t soc_image_hash(const struct soc *soc);
/* RAM as it is loaded: load.h. */
struct soc_image *soc_image(struct soc *soc);

/* Running. */
enum soc_stop {
	SOC_STOP_LIMIT,	  /* one of the limits is reached */
	SOC_STOP_REQUEST, /* soc_request_stop() */
	SOC_STOP_POWER,	  /* the target wrote the power-off register */
	SOC_STOP_BREAK,	  /* the next instruction meets a breakpoint */
	SOC_STOP_IDLE,	  /* WFI, and nothing inside the machine will end it */
	SOC_STOP_LOOP,	  /* traps for ever without a commit */
};
/* Runs until instret or cycle reach these values (UINT64_MAX: no limit), or
 * another reason. A breakpoint at the very first instruction is passed over. */
enum soc_stop soc_run(struct soc *soc, uint64_t instret, uint64_t cycle);
/* One commit, with the traps before it. */
enum soc_stop soc_step(struct soc *soc);
/* From a signal handler or another thread: soc_run returns soon. */
void soc_request_stop(struct soc *soc);

enum soc_power { SOC_POWER_ON, SOC_POWERED_OFF, SOC_POWERED_RESET };
enum soc_power soc_power_state(const struct soc *soc);
unsigned soc_power_status(const struct soc *soc); /* 0 to 255; 0 is success */

/* Breakpoints, at most SOC_MAX_BREAKS together; false when there are more. */
enum { SOC_MAX_BREAKS = 8 };
bool soc_break_at_pc(struct soc *soc, uint64_t pc);
bool soc_break_at_insn(struct soc *soc, uint32_t value, uint32_t mask);
void soc_break_clear(struct soc *soc);

/* State. CSR numbers as in the specification; pc, x and privilege apart. CSR
 * reads have no side effect and need no privilege; writes mask as csrw does. */
uint64_t soc_x(const struct soc *soc, unsigned hart, unsigned reg);
void soc_set_x(struct soc *soc, unsigned hart, unsigned reg, uint64_t value);
uint64_t soc_pc(const struct soc *soc, unsigned hart);
void soc_set_pc(struct soc *soc, unsigned hart, uint64_t pc);
unsigned soc_priv(const struct soc *soc, unsigned hart);
void soc_set_priv(struct soc *soc, unsigned hart, unsigned priv);
bool soc_csr(const struct soc *soc, unsigned hart, unsigned csr, uint64_t *value);
bool soc_set_csr(struct soc *soc, unsigned hart, unsigned csr, uint64_t value);
uint64_t soc_cycle(const struct soc *soc, unsigned hart);
uint64_t soc_instret(const struct soc *soc, unsigned hart);

/* RAM by physical address; false beyond it. A write is what a device (DMA) does:
 * code there is seen anew, LR reservations on it end. */
bool soc_read_physical(const struct soc *soc, uint64_t address, void *data, size_t size);
bool soc_write_physical(struct soc *soc, uint64_t address, const void *data, size_t size);
/* Memory as the hart's own code at its present privilege would address it (MPRV
 * aside), permissions ignored, no side effects. */
bool soc_translate(const struct soc *soc, unsigned hart, uint64_t address,
		   uint64_t *physical);
bool soc_read_virtual(const struct soc *soc, unsigned hart, uint64_t address, void *data,
		      size_t size);

/* Bytes for the UART; returns how many its FIFO took (16 when empty). */
size_t soc_uart_receive(struct soc *soc, const uint8_t *data, size_t size);

/* For the row hook: a place in each piece of code to keep an id. `stamp` is 0
 * until the hook changes it. */
struct soc_row_cache {
	uint64_t stamp, pc;
	uint32_t id;
};

/* Instructions that committed at consecutive addresses. Jumps, and writes of
 * registers that are told (soc_hooks.reg) or of CSRs that change the context, only
 * come last. */
struct soc_row {
	uint64_t pc;
	const uint8_t *code; /* instructions back to back */
	uint16_t count;	     /* instructions, 1 to 256 */
	uint16_t bytes;
	uint64_t slept;		     /* cycles of WFI before the commit of the last one */
	struct soc_row_cache *cache; /* NULL for a row cut short */
};

struct soc_commit {
	uint64_t pc, cycle; /* cycle: after the commit */
	uint64_t value;	    /* written to x[rd] */
	uint32_t insn;
	uint8_t bytes; /* of the instruction: 2 or 4 */
	uint8_t rd;    /* 0: none written */
	uint8_t priv;  /* it ran in */
};

struct soc_trap {
	uint64_t cause; /* bit 63 set for interrupts */
	uint64_t tval, epc, cycle;
	uint8_t priv; /* entered */
};

/* Of the traps since the last commit, when there were any. */
void soc_trap_chain(const struct soc *soc, unsigned hart, struct soc_trap *first,
		    struct soc_trap *last);

struct soc_access {
	uint64_t address; /* physical */
	uint64_t value;	  /* loaded or stored */
	uint8_t size;	  /* 1, 2, 4, 8 */
	bool write;
	bool device; /* not RAM */
};

/* Each may be NULL. All are called in the order of the hart's own time. `user`
 * is handed through. Rows, xret, satp and reg are for tracing at speed; a commit
 * or access hook makes the model go instruction by instruction. */
struct soc_hooks {
	void *user;
	void (*row)(void *user, unsigned hart, const struct soc_row *row);
	void (*trap)(void *user, unsigned hart, const struct soc_trap *trap);
	void (*xret)(void *user, unsigned hart, unsigned priv);
	void (*satp)(void *user, unsigned hart, uint64_t satp);
	/* A write of x4 (tp) that changed it, or one of x2 (sp) that the bits of the
	 * instruction do not determine: see stream/sp.h. */
	void (*reg)(void *user, unsigned hart, unsigned reg, uint64_t value);
	void (*commit)(void *user, unsigned hart, const struct soc_commit *commit);
	void (*access)(void *user, unsigned hart, const struct soc_access *access);
	/* A byte that the target sent. */
	void (*uart)(void *user, uint8_t byte);
};
void soc_set_hooks(struct soc *soc, const struct soc_hooks *hooks);

/* What an address means to the hart that uses it. */
enum soc_kind { SOC_FETCH, SOC_LOAD, SOC_STORE }; /* SC and AMO: stores */
struct soc_translation {
	uint64_t address; /* virtual */
	unsigned size;	  /* bytes */
	enum soc_kind kind;
	unsigned priv;
	uint64_t physical;
	unsigned cause; /* the exception that it raises, or 0 */
};

/* An instruction, or what its fetch raises. */
struct soc_fetched {
	uint64_t pc, tval;
	uint32_t insn;
	unsigned cause; /* 0: there is one */
};

/* Following another machine. While set, devices raise no interrupts and mtime
 * none either: soc_interrupt() takes one. Each hook may supply what the other
 * machine saw; it returns false to leave the model's own value. */
struct soc_follow {
	void *user;
	bool (*mmio_load)(void *user, unsigned hart, uint64_t address, unsigned size,
			  uint64_t *value);
	/* Returns true when the store is not to reach the model's device. */
	bool (*mmio_store)(void *user, unsigned hart, uint64_t address, unsigned size,
			   uint64_t value);
	bool (*csr_read)(void *user, unsigned hart, unsigned csr, uint64_t *value);
	/* What rd of LR, SC and AMO receives. For SC, 0 makes it store. */
	bool (*atomic)(void *user, unsigned hart, uint64_t address, unsigned size,
		       uint64_t *value);
	/* Before the access: true when the hook has put another result in its place. */
	bool (*translate)(void *user, unsigned hart, struct soc_translation *result);
	/* The same of the instruction at pc; asked by soc_step_event() only. */
	bool (*fetch)(void *user, unsigned hart, struct soc_fetched *result);
};
void soc_set_follow(struct soc *soc, const struct soc_follow *follow); /* NULL: off */
/* Takes the interrupt (0 to 15) before the next instruction, now. */
void soc_interrupt(struct soc *soc, unsigned hart, unsigned number);
/* Time passes without a commit (stalls of the machine that is followed). */
void soc_advance(struct soc *soc, unsigned hart, uint64_t cycles);

/* One instruction that committed, or one trap. */
struct soc_event {
	uint64_t pc;	  /* epc of a trap */
	uint64_t value;	  /* written to x[rd]; tval of a trap */
	uint64_t cause;	  /* of a trap: bit 63 set for interrupts */
	uint64_t address; /* physical, when it loads or stores */
	uint64_t data;	  /* what it stores; its low `size` bytes count */
	uint64_t satp;	  /* now */
	uint32_t insn;	  /* 0 when its fetch trapped, and for interrupts */
	uint8_t priv;	  /* it ran in; before, for a trap */
	uint8_t next_priv;
	uint8_t rd;   /* 0: none written */
	uint8_t size; /* bytes */
	bool trap, xret, wrote_satp;
	bool load, store; /* LR: load; SC that succeeds: store; AMO: both */
	bool device;	  /* not RAM */
};
/* The next event. WFI commits at once; breakpoints, limits and the power-off register
 * do not stop it. Of the hooks only trap, access and uart are called. */
void soc_step_event(struct soc *soc, struct soc_event *event);
/* A translation by tables whose entries `read` supplies, under this satp, with nothing
 * cached: sets physical and cause. When `read` returns false, so does this. */
struct soc_tables {
	uint64_t satp;
	void *user;
	bool (*read)(void *user, unsigned level, uint64_t address, uint64_t *pte);
};
bool soc_translate_by(const struct soc *soc, unsigned hart,
		      const struct soc_tables *tables, struct soc_translation *t);

#endif
