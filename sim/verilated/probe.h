/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of the Verilated hardware that the simulator reads and sets, found by the
 * names of their instances when the SoC exists: probe.cc, and the tables of peek.c and
 * poke.c, know these, and where pipeline registers have their fields. */
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

/* Finds a signal, as in "soc.u_core", ".u_decode", "regs_q". */
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

/* A register of a hart that holds `count` values of struct soc_state. */
struct probe_register {
	const char *module, *name; /* the instance in the core */
	unsigned csr;		   /* that is read as this register; 0: none */
	size_t at, count;
	bool is_only_set;
};
#define PROBE_HPM ".u_retire.u_csr.u_counter.gen_hpm.u_hpm"
#define PROBE_PMP ".u_pmp"
enum { PROBE_REGISTERS = 32 };
extern const struct probe_register probe_registers[PROBE_REGISTERS];

/* What a hart has: its architectural state, the instruction that commits next, and what
 * its data TLB and L1D hold. */
struct probe {
	char core[64]; /* the instance */
	struct probe_signal registers[PROBE_REGISTERS];
	uint64_t *x, *f;
	/* Results of floating point that are still being computed: 32 + register, or 0.
	 */
	const uint8_t *rd3, *rd4;
	uint8_t *fflags, *frm;
	uint8_t *priv, *data_priv; /* data_priv: of loads and stores */
	uint64_t *satp;
	const uint16_t *mip;
	uint8_t *events_on, *pmp_written; /* of each entry, a bit */
	uint32_t *events;		  /* {events, set} */
	const uint64_t *pmpaddr;

	/* The instruction that commits next: whether there is one, its unit, its words.
	 */
	const uint8_t *next_valid, *next_unit;
	const uint32_t *next;

	/* The reservation, and the physical address that a copy reads. */
	uint8_t *reserved;
	uint64_t *reserved_line;
	const uint64_t *source;

	/* The data TLB, and walks for it and for fetches. */
	const uint64_t *tlb_valid, *tlb_global, *tlb_keys, *tlb_pages;
	const uint8_t *walks, *walks_fetch, *walk_state;
	const uint64_t *walk_entry;
	const uint32_t *walk_for;

	/* The L1D: a line is {state, tag}. */
	const uint64_t *lines, *line_data;
	unsigned ways, sets;
	const uint8_t *line_fsm, *line_set, *line_way;
};

/* Offsets of fields of soc_pkg::executed_t in probe.next, in words of 32 bits. */
enum { PROBE_PC = 0, PROBE_RESULT = 4, PROBE_B = 6, PROBE_INSN = 8 };

/* Finds the signals of a core; the top sets those without a name: priv, data_priv, satp
 * and the lines. Ends the program if a signal has another width than here. */
void probe_find_core(struct probe *p, const char *core);

static inline uint32_t probe_next_insn(const struct probe *p)
{
	return p->next[PROBE_INSN];
}

static inline uint64_t probe_next_pc(const struct probe *p)
{
	return p->next[PROBE_PC] | (uint64_t)p->next[PROBE_PC + 1] << 32;
}

#ifdef __cplusplus
}
#endif

#endif
