/* SPDX-License-Identifier: Apache-2.0 */
/* The register satp, and Sv39, as in the privileged specification.
 *
 * Page tables are walked by the model (mmu.c), for which lockstep/history.c chooses among
 * old entries; by run/unset.c, which explains a fault; and by verilated/harness_exec.c,
 * which reads what the target has in its virtual memory. verilated/tlb.h follows the
 * walks of the hardware. */
#ifndef SOC_SATP_H
#define SOC_SATP_H

#include <stdint.h>

#include "soc.h"

/* Modes of satp; levels of tables, and bits of a virtual address. */
enum { SATP_BARE = 0, SATP_SV39 = 8 };
enum { SV39_LEVELS = 3, SV39_VA_BITS = 39 };

static inline unsigned satp_mode_of(uint64_t satp)
{
	return (unsigned)(satp >> 60);
}

static inline uint32_t satp_asid_of(uint64_t satp)
{
	return (uint32_t)(satp >> 44) & ((UINT32_C(1) << SOC_ASID_BITS) - 1);
}

/* Returns the physical address of the root table. */
static inline uint64_t satp_root_of(uint64_t satp)
{
	return (satp & ((UINT64_C(1) << 44) - 1)) << 12;
}

#endif
