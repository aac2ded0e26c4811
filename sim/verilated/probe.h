/* SPDX-License-Identifier: Apache-2.0 */
/* The registers of the Verilated hardware that the simulator reads and sets, found by the
 * names of their instances when the SoC exists: probe.cc is the only file that knows
 * these, and where pipeline registers have their fields. A signal that a build of the
 * hardware lacks, such as those of F and D, is NULL. */
#ifndef VERILATED_PROBE_H
#define VERILATED_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "soc.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PROBE_STAGES = 3 };

/* A hart: its architectural state, the instruction that commits next, and what its data
 * TLB and L1D hold. */
struct probe {
	/* Registers. rd3 and rd4: results of floating point that are still being
	 * computed, 32 + register, or 0. */
	uint64_t *x, *f;
	uint8_t *rd3, *rd4, *fflags, *frm;
	uint8_t *priv;
	uint64_t *satp;

	/* CSRs */
	uint32_t *status;
	uint8_t *data_priv; /* of loads and stores */
	uint64_t *mtvec, *stvec, *mepc, *sepc, *mcause, *scause, *mtval, *stval;
	uint64_t *mscratch, *sscratch, *mcycle, *minstret;
	uint32_t *mcounteren, *scounteren, *mcountinhibit;
	uint16_t *medeleg, *mideleg, *mie, *mip, *soft; /* soft: what software wrote */
	uint8_t *menvcfg, *senvcfg;
	uint8_t *events_on;
	uint32_t *events; /* {events, set} */
	uint64_t *event_counts[SOC_HPM_COUNTERS];
	uint64_t *pmpcfg, *pmpaddr;
	uint8_t *pmp_written;

	/* Where the next instruction is fetched from, if the pipeline is empty. */
	uint64_t *fetch_pc, *fetch_next;

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

	/* In a build with VIEW=1: the stages D, X and M, and how they move. */
	struct probe_stage {
		const uint8_t *valid;
		const uint64_t *pc;
		const uint32_t *insn;
	} stages[PROBE_STAGES];
	const uint8_t *d_hazard, *x_ready, *x_ack, *x_redirect;
	const uint8_t *m_commit, *m_trap, *m_redirect;
};

/* Offsets of fields of soc_pkg::executed_t in probe.next, in words of 32 bits. */
enum { PROBE_PC = 0, PROBE_RESULT = 4, PROBE_B = 6, PROBE_INSN = 8 };

/* The devices of all harts: those of hart h are in the h-th part of a register. */
struct device_probe {
	uint64_t *mtime;
	void *mtimecmp; /* 64 bits of each hart */
	uint16_t *tick;
	uint8_t *mtip, *msip; /* a bit of each hart */
	uint32_t *priority[3], *pending, *claimed;
	void *enable;		/* 32 bits of each context */
	void *threshold, *best; /* 3 and 6 bits of each context */
	uint8_t *ier, *lcr, *mcr, *scr, *dll, *dlm, *fifo_on, *trigger;
	uint8_t *thr_empty, *overrun, *count, *fifo;
};

/* Finds the signals of the instance `core`, as in "soc.u_core", and of the top's
 * devices. Ends the program if a signal has another width than here. */
void probe_find_core(struct probe *p, const char *core);
void probe_find_devices(struct device_probe *p, const char *devices);

/* Returns a 64-bit value of words, which need not be aligned. */
static inline uint64_t probe_word(const void *words, unsigned number)
{
	uint64_t value;

	memcpy(&value, (const uint8_t *)words + number * sizeof(value), sizeof(value));
	return value;
}

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
