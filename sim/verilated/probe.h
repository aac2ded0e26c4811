/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of the Verilated hardware that the simulator reads and sets. Those of a
 * hart are what the probe modules of it and of its core show (rtl/pkg/probe_pkg.sv), by
 * its names; those of devices are found by the names of their instances. */
#ifndef VERILATED_PROBE_H
#define VERILATED_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A signal: elements of `size` bytes. NULL: this build of the hardware lacks it, as those
 * of F and D. */
struct probe_signal {
	void *at;
	unsigned size;
};

/* Finds a signal, as in "soc.u_devices", ".u_clint", "mtime_q". */
struct probe_signal probe_find(const char *path, const char *module, const char *name);

static inline uint64_t probe_get(const struct probe_signal *s, unsigned i)
{
	uint64_t value = 0;

	memcpy(&value, (const uint8_t *)s->at + i * s->size, s->size);
	return value;
}

static inline void probe_set(const struct probe_signal *s, unsigned i, uint64_t value)
{
	memcpy((uint8_t *)s->at + i * s->size, &value, s->size);
}

/* Registers of a hart that hold `count` values of struct soc_state. */
struct probe_register {
	const char *name; /* of the signal */
	size_t at, count;
	bool is_only_set;
};
enum { PROBE_REGISTERS = 35, PROBE_PATH = 64 };
extern const struct probe_register probe_registers[PROBE_REGISTERS];

/* The signals of a hart, by the names of the probe module. */
struct probe {
	const void *module, *core_module;
	struct probe_signal registers[PROBE_REGISTERS];
	uint64_t *x, *f;
	const uint8_t *frm, *fflags;
	const uint8_t *float_pending[2];
	const uint8_t *priv;
	const uint64_t *satp;
	const uint8_t *reserved;
	const uint64_t *reserved_line, *copy_source, *tlb_valid;
	const uint8_t *walks, *next_valid, *next_unit;
	const uint32_t *next_insn;
	const uint32_t *next_pc, *next_address, *next_b; /* two words, the lower first */
	/* Of a core with a window; NULL: the core has none. */
	const uint8_t *oldest, *window_count;
	const uint64_t *slot_pc;
	const uint32_t *slot_insn;
	uint64_t *values;
	char hart[PROBE_PATH]; /* its path, with a dot at the end */
};

/* Finds the signals of the hart at a path like "soc.u_hart", shorter than PROBE_PATH - 5.
 */
void probe_find_hart(struct probe *p, const char *hart);
/* Gets signal number `n` of those of the hart that have this name, from 0. `at` is NULL
 * if there is none. */
struct probe_signal probe_named(const struct probe *p, const char *name, unsigned n);
/* Sets element number `i` of all signals of this name. */
void probe_set_named(const struct probe *p, const char *name, unsigned i, uint64_t value);

static inline bool probe_has_window(const struct probe *p)
{
	return p->values != NULL;
}

/* Gets the instruction that commits next. Returns false if there is none, or if it is not
 * known yet. */
static inline bool probe_next(const struct probe *p, uint64_t *pc, uint32_t *insn)
{
	if (probe_has_window(p)) {
		*pc = p->slot_pc[*p->oldest];
		*insn = p->slot_insn[*p->oldest];
		return *p->window_count != 0;
	}
	*pc = p->next_pc[0] | (uint64_t)p->next_pc[1] << 32;
	*insn = *p->next_insn;
	return *p->next_valid;
}

/* Functions of the probe module of a hart, of the one that probe_ask() has chosen. */
void probe_ask(const struct probe *p);
/* Gets a CSR, but for those of floating point. Returns 0 if it holds no state. */
uint8_t probe_csr(unsigned number, uint64_t *value);
/* Gets the 8 bytes at this physical address from the L1D. Returns 0 if memory has them.
 */
uint8_t probe_l1d_word(uint64_t address, uint64_t *data);
/* Gets the physical address of a line that the L1D has modified. Returns 0 if there is
 * none with this number. */
uint8_t probe_l1d_modified(unsigned number, uint64_t *address);
/* Gets the sizes of the L1s. */
void probe_l1_sizes(uint32_t *l1i_sets, uint32_t *l1i_ways, uint32_t *l1d_sets,
		    uint32_t *l1d_ways);
/* Returns whether an entry of the data TLB is used with this ASID; its physical page. */
uint8_t probe_tlb_serves(unsigned entry, unsigned asid);
uint64_t probe_tlb_page(unsigned entry);
/* Returns whether an entry of the data TLB is of this virtual page. */
uint8_t probe_tlb_has(uint64_t va);
/* Gets the virtual address of the walk for the data TLB, and whether it reads an entry of
 * a page table, and where. Returns 0 if there is no such walk. */
uint8_t probe_walk(uint64_t *va, uint8_t *reads, uint64_t *address);
/* Chooses the core of a hart for the functions below. */
void probe_ask_core(const struct probe *p);
/* With a window: returns a register, 32 and up of floating point, as the instructions
 * that have committed leave it, but for the last `undo` of them, of the last cycle; the
 * pc of the next instruction. */
uint64_t probe_value(unsigned number, unsigned undo);
uint64_t probe_pc(void);
/* In a build with VIEW=1, of the core in order: gets a stage of the pipeline, in the
 * order in which instructions pass them: its instruction, if valid, and whether the next
 * edge moves this to the next stage, or drops it; the last stage commits it. Returns the
 * name of the stage, or 0 if there are no more. */
char probe_stage(unsigned number, uint8_t *valid, uint8_t *leaves, uint8_t *drops,
		 uint64_t *pc, uint32_t *insn);
/* In such a build, with a window: see core/ooo/probe_ooo.sv. */
uint32_t probe_front(uint8_t *asks, uint8_t *pushes, uint8_t *redirects);
void probe_block(uint32_t number, uint64_t *pc, uint64_t *low, uint64_t *high,
		 uint32_t *last, uint8_t *jumps, uint8_t *bad);
uint8_t probe_lane(uint32_t lane, uint8_t held, uint64_t *pc, uint32_t *insn);
uint32_t probe_window(uint32_t *oldest, uint32_t *used, uint32_t *next, uint32_t *enter,
		      uint32_t *commit, uint64_t *done, uint64_t *pending,
		      uint64_t *squashed);
uint32_t probe_tags(uint32_t lane, uint32_t *rs1, uint32_t *rs2, uint32_t *rs3);
int probe_issue(uint32_t port);
int probe_result(uint32_t source);
int probe_access(int *delay, int *deferred, uint8_t *by_head);

#ifdef __cplusplus
}
#endif

#endif
