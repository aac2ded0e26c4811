/* SPDX-License-Identifier: Apache-2.0 */
/* What depends on XLEN, which is 32 or 64. Addresses and registers of XLEN 32 are
 * zero-extended (tr-stream(5)), so that sums of them have to wrap. */
#ifndef TR_XLEN_H
#define TR_XLEN_H

#include <stdbool.h>
#include <stdint.h>

/* Returns the value with the bits above XLEN cleared. */
static inline uint64_t tr_xlen_wrap(unsigned xlen, uint64_t value)
{
	return xlen == 32 ? (uint32_t)value : value;
}

/* With XLEN 32 Linux keeps the addresses from here on for itself: modules and vmalloc(),
 * and from 0xc0000000 its own code and memory. Programs and their libraries are below. */
#define TR_XLEN_UPPER32 UINT64_C(0xa0000000)

/* Returns true for a virtual address in the part that kernels reserve for themselves:
 * with XLEN 64 the upper half. */
static inline bool tr_xlen_is_upper(unsigned xlen, uint64_t address)
{
	return xlen == 32 ? (uint32_t)address >= TR_XLEN_UPPER32 : address >> 63;
}

#endif
