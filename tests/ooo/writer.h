// SPDX-License-Identifier: Apache-2.0
// A program that is being written, its random choices, and formats of instructions.
#ifndef OOO_WRITER_H
#define OOO_WRITER_H

#include <cstdint>
#include <vector>

#include "modules/rng.h"

enum { FREE_FIRST = 10, FREE_LAST = 31, POINTER0 = 8, POINTER1 = 9, SP = 2 };

struct writer {
	rng random;
	std::vector<uint16_t> code;
	unsigned depth = 0;
	// An instruction in so many is of F or D, or is executed by the head unit; 0:
	// none
	unsigned float_rate = 0, head_rate = 0;

	explicit writer(uint64_t seed) : random{seed}
	{
	}

	uint32_t at() const
	{
		return static_cast<uint32_t>(2 * code.size());
	}
	void half(unsigned bits)
	{
		code.push_back(static_cast<uint16_t>(bits));
	}
	void word(uint32_t bits)
	{
		half(bits & 0xffff);
		half(bits >> 16);
	}
	void put(uint32_t place, uint32_t bits)
	{
		code[place / 2] = static_cast<uint16_t>(bits);
		code[place / 2 + 1] = static_cast<uint16_t>(bits >> 16);
	}
	// Few registers are used often, for dependences.
	unsigned reg()
	{
		if (random.once_in(2))
			return FREE_FIRST + random.below(6);
		return FREE_FIRST + random.below(FREE_LAST - FREE_FIRST + 1);
	}
	unsigned float_reg()
	{
		return random.below(random.once_in(2) ? 6 : 32);
	}
	unsigned rounding() // that of frm, or one of its own
	{
		return random.once_in(2) ? 7 : random.below(5);
	}
	unsigned source()
	{
		return random.once_in(12) ? random.below(32) : reg();
	}
	unsigned dest()
	{
		return random.once_in(16) ? 0 : reg();
	}
};

inline uint32_t r_type(unsigned op, unsigned f3, unsigned f7, unsigned rd, unsigned rs1,
		       unsigned rs2)
{
	return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

inline uint32_t i_type(unsigned op, unsigned f3, unsigned rd, unsigned rs1, int imm)
{
	return static_cast<uint32_t>(imm) << 20 | rs1 << 15 | f3 << 12 | rd << 7 | op;
}

inline uint32_t s_type(unsigned f3, unsigned rs1, unsigned rs2, int imm)
{
	uint32_t bits = static_cast<uint32_t>(imm);

	return (bits >> 5 & 0x7f) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 |
	       (bits & 31) << 7 | 0x23;
}

// Writes an instruction of F or D; one or more that only the head unit executes.
void float_simple(struct writer *w);
void head_simple(struct writer *w);

#endif
