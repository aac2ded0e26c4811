/* SPDX-License-Identifier: Apache-2.0 */
/* Pins that are structs of mem_pkg.sv, device_pkg.sv and soc_pkg.sv. Their last field is
 * in the lowest bits. */
#ifndef VERILATED_PINS_H
#define VERILATED_PINS_H

#include <cstdint>
#include <cstring>
#include <type_traits>

/* Physical addresses have 56 bits. */
static const uint64_t ADDRESS_MASK = (UINT64_C(1) << 56) - 1;

struct trace_token {
	uint64_t pc;
	uint32_t insn;
};

struct trace_detail {
	uint64_t value, wdata;
	uint64_t addr : 56, device : 1, size : 2, code : 5;
	uint32_t interrupt : 1, store : 1, load : 1, satp_we : 1, xret : 1, rd : 6,
	    priv : 2;
};

/* Bits of trace_event_t, trace_mode_t and mem_dram_t. */
enum { TRACE_VALID = 1, TRACE_TRAP = 2 };
/* Bits of a lane of the trace port. */
enum {
	TRACE_EVENT_BITS = 2,
	TRACE_CLASS_BITS = 5,
	TRACE_TOKEN_BITS = 96,
	TRACE_DETAIL_BITS = 205
};
enum { TRACE_ON = 1, TRACE_FULL = 2, TRACE_CLASSES = 4 };
enum { DRAM_IMEM = 1, DRAM_DMEM = 2 };

struct serial {
	uint16_t data : 8, valid : 1;
};

struct power {
	uint64_t value : 32, valid : 1;
};

struct line_req {
	uint64_t addr : 56, upgrade : 1, excl : 1, id : 3;
};

struct line_rsp {
	uint64_t data;
	uint32_t excl : 1, id : 3;
};

struct writeback {
	uint64_t data, addr;
};

struct probe_pin {
	uint64_t addr : 56, op : 2;
};

/* The memory port and the DMA port of crossbar.sv. */
struct read_request {
	uint64_t addr : 56, id : 5;
};

/* A beat that memory or DMA has read; `id` has as many bits as its port. */
struct read_beat {
	uint64_t data;
	uint32_t id;
};

struct memory_write {
	uint64_t data;
	uint64_t strb : 8, word : 53, dma : 1;
};

struct dma_line {
	uint64_t addr : 56, id : 3, write : 1;
};

struct dma_word {
	uint64_t data;
	uint32_t strb;
};

struct dma_req {
	uint64_t addr : 56, id : 6, write : 1;
};

struct dma_beat {
	uint64_t data;
	uint32_t strobe : 8, beat : 3, id : 6, last : 1;
};

/* Bits of nic_pkg::input_t. */
enum { NIC_READY = 1, NIC_UP = 2, NIC_RX = 4, NIC_DONE = 8, NIC_RSP = 16 };

/* Bits of device_pkg::disk_answer_t, and of disk_event_t, which has the size behind them.
 */
enum { DISK_USED = 1, DISK_FAULT = 2 };
enum { DISK_START = 1, DISK_STOP = 2, DISK_SIZE_SHIFT = 2 };

/* device_pkg::disk_queue_t. */
struct disk_addresses {
	uint64_t device, driver, descriptors;
};

/* A word of the link; `bytes` less one. */
struct link_word {
	uint64_t data;
	uint32_t bytes : 3, last : 1;
};

/* Returns the struct stored in the words that Verilator uses for a pin. The last four
 * bytes are copied by themselves, so that the compiler can keep 12 in registers. */
template <class T, class WORDS> static inline T unpack_pin(const WORDS &words)
{
	static_assert(sizeof(T) >= sizeof(words), "the pin has more bits");
	const size_t eights = sizeof(words) & ~size_t{7};
	T pin = T();
	memcpy(&pin, &words, eights);
	memcpy(reinterpret_cast<uint8_t *>(&pin) + eights,
	       reinterpret_cast<const uint8_t *>(&words) + eights,
	       sizeof(words) - eights);
	return pin;
}

/* Returns the 64 bits from bit `at` of `size` bytes on, with 0 behind these. */
static inline uint64_t bits_from(const uint8_t *from, size_t size, size_t at)
{
	const size_t first = at / 8;
	const unsigned shift = at % 8;
	uint64_t low = 0;

	if (first + 9 > size) {
		memcpy(&low, from + first, size - first < 8 ? size - first : 8);
		return low >> shift;
	}
	memcpy(&low, from + first, 8);
	return shift ? low >> shift | uint64_t{from[first + 8]} << (64 - shift) : low;
}

/* Returns one of LANES structs of BITS bits each, which are stored one after the other.
 */
template <class T, unsigned BITS, unsigned LANES, class WORDS>
static inline T unpack_lane(const WORDS &words, unsigned lane)
{
	static_assert(sizeof(T) * 8 >= BITS, "the lane has more bits");
	if constexpr (LANES == 1)
		return unpack_pin<T>(words);
	const uint8_t *from = reinterpret_cast<const uint8_t *>(&words);
	T pin = T();
	if constexpr (std::is_integral_v<WORDS>)
		return static_cast<T>(words >> lane * BITS & ((WORDS{1} << BITS) - 1));
	if constexpr (BITS % 8 == 0) {
		memcpy(&pin, from + lane * (BITS / 8), BITS / 8);
		return pin;
	}
	uint64_t to[(BITS + 63) / 64];
	for (unsigned i = 0; i < (BITS + 63) / 64; i++)
		to[i] = bits_from(from, sizeof(words), lane * BITS + size_t{64} * i);
	if constexpr (BITS % 64 != 0)
		to[BITS / 64] &= (UINT64_C(1) << BITS % 64) - 1;
	memcpy(&pin, to, sizeof(pin) < sizeof(to) ? sizeof(pin) : sizeof(to));
	return pin;
}

template <class T, class WORDS> static inline void pack_pin(WORDS &words, const T &pin)
{
	static_assert(sizeof(T) >= sizeof(words), "the pin has more bits");
	memcpy(&words, &pin, sizeof(words));
}

#endif
