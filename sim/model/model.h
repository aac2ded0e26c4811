/* SPDX-License-Identifier: Apache-2.0 */
/* The functional model of the machine in sim/soc.h, as a library.
 *
 * Time: `cycle` counts the commits of a hart plus the cycles spent in WFI; a trap takes
 * none. `instret` counts commits. mtime is cycle / 3200. A run does not depend on the
 * limits of the calls into which it is divided, nor on hooks; of several harts, as far as
 * limits of cycles are multiples of 128.
 *
 * Translations are those of the page tables in memory, also before sfence.vma.
 *
 * Several harts take turns: in each interval of 128 cycles they run in the order of their
 * numbers, each to the end of the interval, and see all stores of the turns before. A
 * hart in WFI takes no turn until an interrupt is pending, and continues in the cycle in
 * which another hart raised it; if all are in WFI, time advances to the first timer. 128
 * cycles cost little speed, and are less than an operating system needs to hand a lock or
 * a task from hart to hart, so that the order of the cycles is also that of cause and
 * effect.
 *
 * Functions that can fail return false and leave one line in soc_message(). */
#ifndef SOC_MODEL_H
#define SOC_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "feature_set.h"
#include "soc.h"

struct soc;
struct soc_image;

struct soc_config {
	uint64_t ram_size; /* bytes, a multiple of 4096; 0: SOC_RAM_DEFAULT_SIZE */
	unsigned harts;	   /* 1 to SOC_HARTS_MAX */
	struct soc_features features;
	bool has_nic;	   /* while following: loads and stores in its range are device
			      accesses */
	bool records_uses; /* soc_last_uses(); of one hart only */
};

/* Returns a machine after reset: M-mode, pc SOC_RESET_PC, a0 the hart, all else 0.
 * Returns NULL if memory runs out or the configuration is invalid. */
struct soc *soc_new(const struct soc_config *config);
void soc_free(struct soc *soc);
const char *soc_message(const struct soc *soc);

/* Loading, before the run. An RV64 ELF file is loaded to its physical addresses. Segments
 * outside RAM, or overlapping something already loaded, are refused. */
bool soc_load_elf(struct soc *soc, const char *path);
bool soc_load_raw(struct soc *soc, const char *path, uint64_t address);
/* Returns XXH64 over (address, size, bytes) of everything loaded, in order. */
uint64_t soc_image_hash(const struct soc *soc);
/* Returns the RAM and its loaded ranges: load.h. */
struct soc_image *soc_image(struct soc *soc);

/* The last uses of lines of RAM, from the oldest: what caches of any size hold. A use is
 * the physical address of a line of 64 bytes, plus its kind; each line has up to one of
 * each kind. SOC_USE_OTHER is of a cache behind those of the first level, which does not
 * know what it was. Uses by DMA and by the copy unit are not among those of the model. */
enum soc_use { SOC_USE_LOAD, SOC_USE_STORE, SOC_USE_FETCH, SOC_USE_OTHER };
enum { SOC_LAST_USES = 1 << 17 };
struct soc_line_uses {
	size_t n;
	uint64_t uses[SOC_LAST_USES];
};
/* Gets those of a machine that records them, else none. Returns false if memory runs out.
 */
bool soc_last_uses(const struct soc *soc, struct soc_line_uses *last);
/* The lines that a cache of `sets` sets, a multiple of 64, and `ways` ways holds that
 * replaces the line whose last use is the oldest: at most SOC_LAST_USES / 3. */
struct soc_held;
/* Returns NULL if memory runs out, or the cache is too large. */
struct soc_held *soc_held_new(unsigned sets, unsigned ways);
void soc_held_free(struct soc_held *held);
/* Takes what was used since the last call, of a machine that records uses; by one cache
 * at a time. It takes far less time than soc_last_uses() the more often it is called. */
void soc_held_update(struct soc_held *held, struct soc *soc);
/* Gets the uses of the lines that were held at the last update, and nothing since. */
void soc_held_uses(struct soc_held *held, const struct soc *soc,
		   struct soc_line_uses *last);
/* From here on child processes do not have what only a run of the model and `held` need,
 * such as the record of uses: it takes much of the time of a fork. They may read RAM. */
void soc_hide_from_children(struct soc *soc, struct soc_held *held);
/* Called before the run, after soc_set_state(): these are the uses before it. */
void soc_set_last_uses(struct soc *soc, const struct soc_line_uses *last);

/* Running. */
enum soc_stop {
	SOC_STOP_LIMIT,	  /* one of the limits is reached */
	SOC_STOP_REQUEST, /* soc_request_stop() */
	SOC_STOP_POWER,	  /* the target wrote the power-off register */
	SOC_STOP_BREAK,	  /* the next instruction meets a breakpoint */
	SOC_STOP_IDLE,	  /* WFI that nothing inside the machine will end */
	SOC_STOP_LOOP,	  /* endless traps without a commit */
};
/* Runs until instret of all harts together, or cycle of each, reach these values
 * (UINT64_MAX: no limit) or something else stops it; returns the reason. A breakpoint at
 * the very first instruction is ignored. */
enum soc_stop soc_run(struct soc *soc, uint64_t instret, uint64_t cycle);
/* Runs up to one commit of any hart, including the traps before it. Returns as
 * soc_run(). */
enum soc_stop soc_step(struct soc *soc);
/* Lets this many cycles pass in which nothing commits: for mtime, and mcycle if it is not
 * inhibited, but not for `cycle`, nor for what a device is doing. Of one hart. */
void soc_pass_time(struct soc *soc, uint64_t cycles);
/* Makes soc_run return soon. Callable from a signal handler or another thread. */
void soc_request_stop(struct soc *soc);

enum soc_power { SOC_POWER_ON, SOC_POWERED_OFF, SOC_POWERED_RESET };
enum soc_power soc_power_state(const struct soc *soc);
/* Returns what a value of the power register means, and its exit status. */
enum soc_power soc_decode_power(uint32_t value, unsigned *status);
unsigned soc_power_status(const struct soc *soc); /* 0 to 255; 0 is success */

/* Breakpoints, at most SOC_MAX_BREAKS in total; both return false beyond that. */
enum { SOC_MAX_BREAKS = 8 };
bool soc_break_at_pc(struct soc *soc, uint64_t pc);
bool soc_break_at_insn(struct soc *soc, uint32_t value, uint32_t mask);
void soc_break_clear(struct soc *soc);
/* Breaks after a return to U-mode, before its first instruction, if `breaks` then returns
 * true. */
void soc_break_at_return(struct soc *soc, bool (*breaks)(void *user), void *user);

/* State. CSR numbers are those of the specification; pc, x and privilege are separate.
 * CSR reads have no side effect and ignore privilege; writes mask like csrw. Both return
 * false for a CSR that does not exist. */
uint64_t soc_x(const struct soc *soc, unsigned hart, unsigned reg);
void soc_set_x(struct soc *soc, unsigned hart, unsigned reg, uint64_t value);
/* Returns the bits of a floating-point register: a binary32 has ones above it. */
uint64_t soc_f(const struct soc *soc, unsigned hart, unsigned reg);
uint64_t soc_pc(const struct soc *soc, unsigned hart);
void soc_set_pc(struct soc *soc, unsigned hart, uint64_t pc);
unsigned soc_priv(const struct soc *soc, unsigned hart);
void soc_set_priv(struct soc *soc, unsigned hart, unsigned priv);
bool soc_csr(const struct soc *soc, unsigned hart, unsigned csr, uint64_t *value);
bool soc_set_csr(struct soc *soc, unsigned hart, unsigned csr, uint64_t value);
uint64_t soc_cycle(const struct soc *soc, unsigned hart);
uint64_t soc_instret(const struct soc *soc, unsigned hart);
unsigned soc_harts(const struct soc *soc);
const struct soc_features *soc_get_features(const struct soc *soc);
/* Returns the hart that ran last: at SOC_STOP_BREAK it met the breakpoint, and runs
 * next; at SOC_STOP_LOOP it is the one with the endless traps. */
unsigned soc_current(const struct soc *soc);

/* Access to RAM by physical address. Both return false outside RAM. A write acts like
 * DMA: decoded code there is discarded, and LR reservations on it end. */
bool soc_read_physical(const struct soc *soc, uint64_t address, void *data, size_t size);
bool soc_write_physical(struct soc *soc, uint64_t address, const void *data, size_t size);
/* Returns whether the page of RAM with this address was written during the run, by a hart
 * or soc_write_physical(), since the last soc_forget_written(). */
bool soc_page_written(const struct soc *soc, uint64_t address);
void soc_forget_written(struct soc *soc);
/* Translation and reads as the hart's own code at its current privilege would address
 * memory (ignoring MPRV), without permission checks and side effects. */
bool soc_translate(const struct soc *soc, unsigned hart, uint64_t address,
		   uint64_t *physical);
bool soc_read_virtual(const struct soc *soc, unsigned hart, uint64_t address, void *data,
		      size_t size);

/* Offers bytes to the UART; returns how many its FIFO took (16 when empty). */
size_t soc_uart_receive(struct soc *soc, const uint8_t *data, size_t size);

/* The disk of a machine with features.disk, at reset or before soc_set_state(); it stays
 * the caller's (disk.h). While following there is none: its values are those of the side
 * followed. A request takes `access` cycles, and `sector` more for each of its sectors.
 */
struct soc_disk;
struct soc_disk_timing {
	uint64_t access, sector;
};
/* 10 us, and 2.4 GB/s, at the clock of SOC_CLOCK_HZ: the latency and the sequential reads
 * in the data sheet of Intel's Optane SSD DC P4800X. */
#define SOC_DISK_TIMING                                                                  \
	{                                                                                \
		.access = 32000, .sector = 683                                           \
	}
void soc_set_disk(struct soc *soc, struct soc_disk *disk,
		  const struct soc_disk_timing *timing);

/* For the row hook: space for an id in each piece of code. `stamp` is 0 until the hook
 * changes it. */
struct soc_row_cache {
	uint64_t stamp, pc;
	uint32_t id;
};

/* Instructions that committed at consecutive addresses. A jump, a write of a reported
 * register (soc_hooks.reg) or of a CSR that changes the context can only be the last
 * one. */
struct soc_row {
	uint64_t pc;
	const uint8_t *code; /* instructions back to back */
	uint16_t count;	     /* instructions, 1 to 256 */
	uint16_t bytes;
	uint64_t slept;		     /* cycles of WFI before the last commit */
	struct soc_row_cache *cache; /* NULL for a truncated row */
};

struct soc_commit {
	uint64_t pc, cycle; /* cycle: after the commit */
	uint64_t value;	    /* written to rd */
	uint32_t insn;
	uint8_t bytes; /* of the instruction: 2 or 4 */
	uint8_t rd;    /* 1 to 31: of x; 32 to 63: f0 to f31; 0: none */
	uint8_t priv;  /* of its execution */
};

struct soc_trap {
	uint64_t cause; /* bit 63 set for interrupts */
	uint64_t tval, epc, cycle;
	uint8_t priv; /* after entry */
};

/* Gets the first and last trap since the last commit, if there were any. */
void soc_trap_chain(const struct soc *soc, unsigned hart, struct soc_trap *first,
		    struct soc_trap *last);

struct soc_access {
	uint64_t address; /* physical */
	uint64_t value;	  /* loaded or stored; 0 of a copy */
	uint16_t size;	  /* 1, 2, 4, 8; of a copy up to 4096 */
	bool write;
	bool device; /* not RAM */
	bool copy;   /* by a copy unit */
};

struct soc_data {
	uint64_t address, physical;
	bool device; /* not RAM */
};

/* Nondeterministic input of an instruction, which a replay takes from the trace: the
 * value of a device load, or of a CSR that depends on time, events or interrupt lines; an
 * SC that fails; an address by a translation that memory may no longer have, which the
 * model itself never uses. */
enum soc_input_kind {
	SOC_INPUT_LOAD,
	SOC_INPUT_CSR,
	SOC_INPUT_ATOMIC,
	SOC_INPUT_TRANSLATION
};
struct soc_input {
	enum soc_input_kind kind;
	uint8_t size;	  /* of a load or SC, in bytes */
	bool store;	  /* the translation is for a store */
	uint16_t csr;	  /* the number */
	uint64_t address; /* of a load, SC or translation; physical */
	uint64_t value;	  /* its low `size` bytes; of an SC: what rd gets */
	uint64_t ahead;	  /* instructions since the last row that was reported */
};
/* Returns what a hart of the model reads where another machine read `value`: of mip and
 * sip, only the interrupt lines are input. */
uint64_t soc_csr_from_input(const struct soc *soc, unsigned hart, unsigned csr,
			    uint64_t value);

/* Each hook may be NULL. All are called in the order of the hart's own time, with `user`
 * as first argument. Rows, xret, satp and reg serve fast tracing; a commit or access hook
 * makes the model execute single instructions. */
struct soc_hooks {
	void *user;
	void (*row)(void *user, unsigned hart, const struct soc_row *row);
	void (*trap)(void *user, unsigned hart, const struct soc_trap *trap);
	void (*xret)(void *user, unsigned hart, unsigned priv);
	void (*satp)(void *user, unsigned hart, uint64_t satp);
	/* Reports a write of x4 (tp) that changed it, or of x2 (sp) that is not
	 * determined by the instruction's bits: see stream/sp.h. */
	void (*reg)(void *user, unsigned hart, unsigned reg, uint64_t value);
	void (*commit)(void *user, unsigned hart, const struct soc_commit *commit);
	void (*access)(void *user, unsigned hart, const struct soc_access *access);
	/* Reports the address of each load, store and atomic that commits, once, an SC
	 * that fails included, but not of copies. Takes less time than `access`. */
	void (*data)(void *user, unsigned hart, const struct soc_data *data);
	/* Called before the row of the instruction. */
	void (*input)(void *user, unsigned hart, const struct soc_input *input);
	/* The disk has written to memory, before the rows that commit in this cycle:
	 * `size` bytes from a physical address. */
	void (*device_write)(void *user, uint64_t cycle, uint64_t address,
			     const uint8_t *data, uint32_t size);
	/* Receives a byte sent by the target. */
	void (*uart)(void *user, uint8_t byte);
};
void soc_set_hooks(struct soc *soc, const struct soc_hooks *hooks);
const struct soc_hooks *soc_get_hooks(const struct soc *soc);

/* Translation of an address by a hart. */
enum soc_kind { SOC_FETCH, SOC_LOAD, SOC_STORE }; /* SC and AMO: stores */
struct soc_translation {
	uint64_t address; /* virtual */
	unsigned size;	  /* bytes */
	enum soc_kind kind;
	unsigned priv;
	uint64_t physical;
	unsigned cause; /* the exception raised, or 0 */
};

/* An instruction, or the exception of its fetch. */
struct soc_fetched {
	uint64_t pc, tval;
	uint32_t insn;
	unsigned cause; /* 0: no exception */
};

/* Following another machine. While set, neither devices nor mtime raise interrupts;
 * soc_interrupt() takes one; and the power-off register does not stop a run, since other
 * harts may still execute some instructions. Each hook may supply the value that the
 * other machine saw; if it returns false, the model's own value is used. */
struct soc_follow {
	void *user;
	bool (*mmio_load)(void *user, unsigned hart, uint64_t address, unsigned size,
			  uint64_t *value);
	/* Returns true to keep the store from the model's device. */
	bool (*mmio_store)(void *user, unsigned hart, uint64_t address, unsigned size,
			   uint64_t value);
	bool (*csr_read)(void *user, unsigned hart, unsigned csr, uint64_t *value);
	/* Supplies the value of rd for LR, SC and AMO. For SC, 0 means that it succeeds
	 * and stores. */
	bool (*atomic)(void *user, unsigned hart, uint64_t address, unsigned size,
		       uint64_t *value);
	/* Called before the access, for each in soc_step_event(), else when the model
	 * looks up the page and for each store to a page that soc_may_be_old(); returns
	 * true if it has replaced the result. */
	bool (*translate)(void *user, unsigned hart, struct soc_translation *result);
	/* Called for each copy of at least one byte, with physical addresses; returns
	 * true if memory already has the bytes, and no reservation of another hart is to
	 * end. */
	bool (*copy)(void *user, unsigned hart, uint64_t destination, uint64_t source,
		     uint64_t bytes);
	/* The same as translate() for the instruction at pc; called by soc_step_event()
	 * for each, and with fence() in other runs where memory, or a page-table entry,
	 * was written since the last fence. */
	bool (*fetch)(void *user, unsigned hart, struct soc_fetched *result);
	/* Called after a fence.i or sfence.vma of these bits. */
	void (*fence)(void *user, unsigned hart, uint32_t insn);
};
void soc_set_follow(struct soc *soc, const struct soc_follow *follow); /* NULL: off */
/* While following: runs one hart until its instret reaches this value, or as soc_run().
 * A WFI commits at once. */
enum soc_stop soc_run_hart(struct soc *soc, unsigned hart, uint64_t instret);
/* In a hook: the instructions that the hart committed before the current one, and the
 * bits of that. */
uint64_t soc_instret_current(const struct soc *soc, unsigned hart);
uint32_t soc_current_insn(const struct soc *soc, unsigned hart);
/* With soc_follow.fence: returns whether some hart may have fetched code from the page of
 * this physical address and not executed fence.i since, or read page-table entries in it
 * and not executed sfence.vma. */
bool soc_may_be_old(const struct soc *soc, uint64_t address);
/* Returns whether a page-table entry was written since the hart's last sfence.vma. */
bool soc_tables_changed(const struct soc *soc, unsigned hart);
/* While following: takes every page for one that has page tables, since a walk that the
 * followed machine has not ended may have read an entry there. */
void soc_assume_tables(struct soc *soc, bool on);
/* The hart's next access to each page calls soc_follow.translate(). */
void soc_translate_anew(struct soc *soc, unsigned hart);
/* The lines of 64 bytes, a bit each, of a page: from which some hart may have fetched
 * code, and which of these may have been written since. Set them after soc_set_state(),
 * in a machine that follows another, or will. */
struct soc_code_lines {
	uint64_t fetched, written;
};
struct soc_code_lines soc_code_lines(const struct soc *soc, uint64_t address);
void soc_set_code_lines(struct soc *soc, uint64_t address, struct soc_code_lines lines);
/* Whether walks have read page-table entries in a page, and which of these were written
 * since the last sfence.vma of some hart, a bit each. Setting requires soc_set_state()
 * before. */
struct soc_table_entries {
	bool known;
	uint64_t written[8];
};
struct soc_table_entries soc_table_entries(const struct soc *soc, uint64_t address);
void soc_set_table_entries(struct soc *soc, uint64_t address,
			   const struct soc_table_entries *entries);
/* Takes the interrupt (0 to 15) immediately, before the next instruction. */
void soc_interrupt(struct soc *soc, unsigned hart, unsigned number);
/* Advances time without a commit (stalls of the followed machine). */
void soc_advance(struct soc *soc, unsigned hart, uint64_t cycles);

/* One committed instruction, or one trap. */
struct soc_event {
	uint64_t pc;	  /* epc of a trap */
	uint64_t value;	  /* written to rd; tval of a trap */
	uint64_t cause;	  /* of a trap: bit 63 set for interrupts */
	uint64_t address; /* physical, when it loads or stores */
	uint64_t data;	  /* what it stores; its low `size` bytes count */
	uint64_t satp;	  /* after the event */
	uint32_t insn;	  /* 0 if its fetch trapped, and for interrupts */
	uint8_t priv;	  /* of its execution; of a trap: before it */
	uint8_t next_priv;
	uint8_t rd;   /* as in soc_commit */
	uint8_t size; /* bytes; 1 of a copy */
	bool trap, xret, wrote_satp;
	bool load, store; /* LR: load; SC that succeeds: store; AMO: both */
	bool device;	  /* not RAM */
};
/* Executes the next event of one hart; the harts may be stepped in any order, and see
 * each other's stores at once. WFI commits at once; breakpoints, limits and the power-off
 * register do not stop it. Of the hooks only trap, access and uart are called. */
void soc_step_event(struct soc *soc, unsigned hart, struct soc_event *event);
/* Translates by page tables whose entries `read` supplies, under this satp and without
 * caching: sets physical and cause. Returns false if `read` does. */
struct soc_tables {
	uint64_t satp;
	void *user;
	bool (*read)(void *user, unsigned level, uint64_t address, uint64_t *pte);
};
bool soc_translate_by(const struct soc *soc, unsigned hart,
		      const struct soc_tables *tables, struct soc_translation *t);

#endif
