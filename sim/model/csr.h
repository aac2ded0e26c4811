/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers and fields of the CSRs of the model. */
#ifndef SOC_CSR_H
#define SOC_CSR_H

#include <stdbool.h>

#include "soc.h"

enum {
	CSR_FFLAGS = 0x001,
	CSR_FRM = 0x002,
	CSR_FCSR = 0x003,
	CSR_SSTATUS = 0x100,
	CSR_SIE = 0x104,
	CSR_STVEC = 0x105,
	CSR_SCOUNTEREN = 0x106,
	CSR_SENVCFG = 0x10a,
	CSR_SSCRATCH = 0x140,
	CSR_SEPC = 0x141,
	CSR_SCAUSE = 0x142,
	CSR_STVAL = 0x143,
	CSR_SIP = 0x144,
	CSR_SATP = 0x180,
	CSR_MSTATUS = 0x300,
	CSR_MISA = 0x301,
	CSR_MEDELEG = 0x302,
	CSR_MIDELEG = 0x303,
	CSR_MIE = 0x304,
	CSR_MTVEC = 0x305,
	CSR_MCOUNTEREN = 0x306,
	CSR_MENVCFG = 0x30a,
	CSR_MCOUNTINHIBIT = 0x320,
	CSR_MHPMEVENT3 = 0x323,
	CSR_MHPMEVENT31 = 0x33f,
	CSR_MSCRATCH = 0x340,
	CSR_MEPC = 0x341,
	CSR_MCAUSE = 0x342,
	CSR_MTVAL = 0x343,
	CSR_MIP = 0x344,
	CSR_PMPCFG0 = 0x3a0,
	CSR_PMPCFG2 = 0x3a2,
	CSR_PMPADDR0 = 0x3b0,
	CSR_PMPADDR15 = 0x3bf,
	CSR_MCYCLE = 0xb00,
	CSR_MINSTRET = 0xb02,
	CSR_MHPMCOUNTER3 = 0xb03,
	CSR_MHPMCOUNTER31 = 0xb1f,
	CSR_CYCLE = 0xc00,
	CSR_TIME = 0xc01,
	CSR_INSTRET = 0xc02,
	CSR_HPMCOUNTER3 = 0xc03,
	CSR_HPMCOUNTER31 = 0xc1f,
	CSR_MVENDORID = 0xf11,
	CSR_MARCHID = 0xf12,
	CSR_MIMPID = 0xf13,
	CSR_MHARTID = 0xf14,
	CSR_MCONFIGPTR = 0xf15,
};

/* Interrupts, as bits of mip, and fields of mstatus. */
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
#define SOC_MSTATUS_FS	 (UINT64_C(3) << 13) /* both bits set: dirty */
#define SOC_MSTATUS_MPRV (UINT64_C(1) << 17)
#define SOC_MSTATUS_SUM	 (UINT64_C(1) << 18)
#define SOC_MSTATUS_MXR	 (UINT64_C(1) << 19)
#define SOC_MSTATUS_TVM	 (UINT64_C(1) << 20)
#define SOC_MSTATUS_TW	 (UINT64_C(1) << 21)
#define SOC_MSTATUS_TSR	 (UINT64_C(1) << 22)
#define SOC_MPP_SHIFT	 11

/* Fields of fcsr; frm is above fflags. */
enum { FFLAGS = 31, FRM_SHIFT = 5 };

enum { INHIBIT_CYCLE = 1, INHIBIT_INSTRET = 4 };

/* Event counters, from number 3 on: bits of mcountinhibit, mhpmevent, mhpmcounter. */
#define INHIBIT_HPM    (((UINT64_C(1) << SOC_HPM_COUNTERS) - 1) << 3)
#define MHPMEVENTS     UINT64_C(0x3ffff00)
#define MHPMEVENT_MASK (MHPMEVENTS | 3)
#define HPM_MASK       ((UINT64_C(1) << SOC_HPM_WIDTH) - 1)

/* Supervisor interrupts, and the other bits of mie. */
#define SOC_MIP_S                                                                        \
	(UINT64_C(1) << SOC_IRQ_SS | UINT64_C(1) << SOC_IRQ_ST |                         \
	 UINT64_C(1) << SOC_IRQ_SE)
#define SOC_MIP_M                                                                        \
	(UINT64_C(1) << SOC_IRQ_MS | UINT64_C(1) << SOC_IRQ_MT |                         \
	 UINT64_C(1) << SOC_IRQ_ME)

/* Exceptions that can be delegated: all except ecall from M and the reserved ones. */
#define SOC_MEDELEG_MASK UINT64_C(0xb3ff)

#define SOC_PMP_ADDR_MASK ((UINT64_C(1) << 54) - 1)

/* Fields of mstatus visible in sstatus, besides UXL, and writable fields of mstatus. */
#define SOC_SSTATUS_MASK                                                                 \
	(SOC_MSTATUS_SIE | SOC_MSTATUS_SPIE | SOC_MSTATUS_SPP | SOC_MSTATUS_SUM |        \
	 SOC_MSTATUS_FS | SOC_MSTATUS_MXR)
#define SOC_MSTATUS_MASK                                                                 \
	(SOC_SSTATUS_MASK | SOC_MSTATUS_MIE | SOC_MSTATUS_MPIE | SOC_MSTATUS_MPRV |      \
	 SOC_MSTATUS_TVM | SOC_MSTATUS_TW | SOC_MSTATUS_TSR)
/* mstatus.SD: some extension state is dirty. */
#define SOC_MSTATUS_SD (UINT64_C(1) << 63)
#define SOC_UXL_64     (UINT64_C(2) << 32)
#define SOC_SXL_64     (UINT64_C(2) << 34)

/* Returns whether the value of this CSR is nondeterministic input: it depends on
 * time, on events, or on interrupt lines. */
static inline bool soc_csr_is_input(unsigned csr)
{
	return csr == CSR_CYCLE || csr == CSR_TIME || csr == CSR_MCYCLE ||
	       csr == CSR_SIP || csr == CSR_MIP ||
	       csr - CSR_HPMCOUNTER3 < SOC_HPM_COUNTERS ||
	       csr - CSR_MHPMCOUNTER3 < SOC_HPM_COUNTERS;
}

#endif
