/* SPDX-License-Identifier: Apache-2.0 */
/* Multiplication and division as RISC-V defines them, for every input. */
#ifndef SOC_ARITH_H
#define SOC_ARITH_H

#include <stdint.h>

__extension__ typedef __int128 soc_i128;
__extension__ typedef unsigned __int128 soc_u128;

static inline uint64_t soc_mulh(uint64_t a, uint64_t b)
{
	return (uint64_t)((soc_u128)((soc_i128)(int64_t)a * (int64_t)b) >> 64);
}

static inline uint64_t soc_mulhsu(uint64_t a, uint64_t b)
{
	return (uint64_t)((soc_u128)((soc_i128)(int64_t)a * (soc_i128)b) >> 64);
}

static inline uint64_t soc_mulhu(uint64_t a, uint64_t b)
{
	return (uint64_t)((soc_u128)a * b >> 64);
}

static inline uint64_t soc_div(uint64_t a, uint64_t b)
{
	if (b == 0)
		return UINT64_MAX;
	if (b == UINT64_MAX) /* -1: includes the only quotient that overflows */
		return 0 - a;
	return (uint64_t)((int64_t)a / (int64_t)b);
}

static inline uint64_t soc_divu(uint64_t a, uint64_t b)
{
	return b ? a / b : UINT64_MAX;
}

static inline uint64_t soc_rem(uint64_t a, uint64_t b)
{
	if (b == 0)
		return a;
	if (b == UINT64_MAX)
		return 0;
	return (uint64_t)((int64_t)a % (int64_t)b);
}

static inline uint64_t soc_remu(uint64_t a, uint64_t b)
{
	return b ? a % b : a;
}

#endif
