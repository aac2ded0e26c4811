/* SPDX-License-Identifier: Apache-2.0 */
/* Bits that the programs write to CSRs. */
#ifndef RANDOM_CSR_BITS_H
#define RANDOM_CSR_BITS_H

#include "csr.h"

enum { PRIV_U = 0, PRIV_S = 1, PRIV_M = 3 };

enum {
	STATUS_SIE = 1 << 1,
	STATUS_MIE = 1 << 3,
	STATUS_SPIE = 1 << 5,
	STATUS_MPIE = 1 << 7,
	STATUS_SPP = 1 << 8,
	STATUS_MPP = 3 << 11,
	STATUS_FS = 3 << 13,
	STATUS_MPRV = 1 << 17,
	STATUS_SUM = 1 << 18,
	STATUS_MXR = 1 << 19,
	STATUS_TVM = 1 << 20,
	STATUS_TW = 1 << 21,
	STATUS_TSR = 1 << 22,
};

/* Exception and interrupt numbers. */
enum {
	CAUSE_FETCH_ACCESS = 1,
	CAUSE_ILLEGAL = 2,
	CAUSE_BREAK = 3,
	CAUSE_ECALL_U = 8,
	CAUSE_ECALL_S = 9,
	CAUSE_FETCH_PAGE = 12,
	IRQ_SS = 1,
	IRQ_MS = 3,
	IRQ_MT = 7,
	IRQ_SE = 9,
};

#endif
