/* SPDX-License-Identifier: Apache-2.0 */
/* Pins that are structs of soc_pkg.sv. The last field there is at the lowest bit. */
#ifndef SIM_RTL_PINS_H
#define SIM_RTL_PINS_H

#include <cstdint>
#include <cstring>

/* Physical addresses have 56 bits. */
static const uint64_t ADDRESS_MASK = (UINT64_C(1) << 56) - 1;

struct trace_detail {
	uint32_t device : 1, size : 2, rd : 5;
	uint32_t store : 1, load : 1, satp_we : 1, xret : 1, cause : 5, priv : 2;
};

struct line_req {
	uint64_t addr : 56, upgrade : 1, excl : 1;
};

struct line_rsp {
	uint64_t data;
	uint32_t excl;
};

struct writeback {
	uint64_t data, addr;
};

struct probe {
	uint64_t addr : 56, op : 2;
};

/* The struct in the words that Verilator keeps of a pin. */
template <class T, class WORDS> static inline T unpack(const WORDS &words)
{
	static_assert(sizeof(T) >= sizeof words, "the pin has more bits");
	T pin = T();
	memcpy(&pin, &words, sizeof words);
	return pin;
}

template <class T, class WORDS> static inline void pack(WORDS &words, const T &pin)
{
	static_assert(sizeof(T) >= sizeof words, "the pin has more bits");
	memcpy(&words, &pin, sizeof words);
}

#endif
