/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the machine besides RAM, as numbers: what a checkpoint keeps of the hart
 * and the devices. What follows from other state is not here: interrupt lines, the
 * prescaler of mtime (cycle modulo the cycles of a tick), caches of any kind. Neither is
 * the power register, because the machine is on. */
#ifndef SOC_STATE_H
#define SOC_STATE_H

#include <stdint.h>

#include "soc.h"

struct soc;

#define SOC_NOT_RESERVED UINT64_MAX

#define SOC_DISK_IDLE UINT64_MAX

enum { SOC_UART_FIFO = 16, SOC_VIRTIO_QUEUE = 128 };

struct soc_state {
	uint64_t cycle, instret; /* of the run, as soc_cycle() and soc_instret() */
	uint64_t pc, priv;
	uint64_t x[32], f[32];
	uint64_t reservation; /* physical address of the line, or SOC_NOT_RESERVED */

	/* CSRs as an instruction would read them now; mip: the bits that software
	 * wrote; mstatus: without UXL, SXL and SD. */
	uint64_t fcsr, mstatus, mie, mip, medeleg, mideleg, mtvec, stvec;
	uint64_t mscratch, sscratch, mepc, sepc, mcause, scause, mtval, stval;
	uint64_t mcounteren, scounteren, mcountinhibit, menvcfg, senvcfg, satp;
	uint64_t mcycle, minstret;
	uint64_t mhpmevent[SOC_HPM_COUNTERS], mhpmcounter[SOC_HPM_COUNTERS];
	uint64_t pmpcfg, pmpaddr[SOC_PMP_ENTRIES];

	struct {
		uint64_t mtime, mtimecmp, msip;
	} clint;
	struct {
		uint64_t priority[SOC_PLIC_SOURCES + 1]; /* 0: none */
		uint64_t pending, claimed;
		uint64_t enable[2], threshold[2]; /* of the hart: M, S */
	} plic;
	struct {
		uint64_t ier, lcr, mcr, scr, fcr, dll, dlm, thr_empty, overrun;
		uint64_t count, fifo[SOC_UART_FIFO]; /* the oldest byte first, then 0 */
	} uart;
	struct { /* all 0 without a disk */
		uint64_t offered_half, accepted_half, accepted[2], status, interrupt;
		uint64_t selected, size, ready, descriptors, driver, device, last, used;
		uint64_t due; /* cycle in which its request ends, or SOC_DISK_IDLE */
	} disk;
};

/* How often a source of a trace hashes the registers, in instructions of a hart. */
enum { SOC_HASH_EVERY = 100000 };
/* Returns XXH64 over x1 to x31 and, unless `f` is NULL, f0 to f31 and fcsr, each as 8
 * bytes. */
uint64_t soc_hash_registers(const uint64_t x[32], const uint64_t f[32], uint64_t fcsr);
/* Returns it for a hart of the model; f0 to f31 and fcsr are in it if there are F and D.
 */
uint64_t soc_hash_hart(const struct soc *soc, unsigned hart);

/* Gets the state of a hart, and of the devices, between two runs. The interrupt
 * controllers' registers of other harts are not in it. */
void soc_get_state(const struct soc *soc, unsigned hart, struct soc_state *state);
/* Gets those of all harts, to continue with them: one that waits in WFI is before this
 * instruction, and its time is that of the others. */
void soc_get_states(const struct soc *soc, struct soc_state *states);
/* Sets the state; every field must have a value that soc_get_state() can give. RAM may
 * have changed as well. */
void soc_set_state(struct soc *soc, unsigned hart, const struct soc_state *state);

#endif
