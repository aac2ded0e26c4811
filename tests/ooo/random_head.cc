// SPDX-License-Identifier: Apache-2.0
// Random instructions that only the oldest of the window executes: atomics, accesses of
// devices, CSRs of floating point, and fence.i.
#include "writer.h"

namespace
{

enum { SWAP = 1, LR = 2, SC = 3 }; // bits 31:27

// The address of 8 bytes that other accesses use, too.
unsigned pointer(struct writer *w)
{
	unsigned reg = w->reg();

	w->word(i_type(0x13, 0, reg, w->random.once_in(2) ? POINTER0 : POINTER1,
		       static_cast<int>(8 * w->random.below(3))));
	return reg;
}

uint32_t atomic(struct writer *w, unsigned op, unsigned wide, unsigned rd, unsigned rs1,
		unsigned rs2)
{
	return r_type(0x2f, 2 | wide, op << 2 | w->random.below(4), rd, rs1, rs2);
}

void amo(struct writer *w)
{
	static const unsigned ops[] = {0, SWAP, 4, 8, 12, 16, 20, 24, 28};
	unsigned at = pointer(w);

	w->word(atomic(w, ops[w->random.below(9)], w->random.below(2), w->dest(), at,
		       w->source()));
}

// An LR, an SC, or both with some instructions between them.
void reserve(struct writer *w)
{
	unsigned at = pointer(w), wide = w->random.below(2), part = w->random.below(4);

	if (part != 0)
		w->word(atomic(w, LR, wide, 7, at, 0));
	for (unsigned left = w->random.below(3); left; left--)
		w->word(i_type(0x13, 0, 7, 7, static_cast<int>(w->random.below(2048))));
	if (part != 1)
		w->word(atomic(w, SC, wide, w->dest(), at, w->source()));
}

// fflags with any value, frm with a mode that exists, fcsr to be read.
void csr(struct writer *w)
{
	static const unsigned ops[] = {1, 2, 3, 5, 6, 7};

	switch (w->random.below(4)) {
	case 0:
		w->word(i_type(0x73, 5, w->dest(), w->random.below(5), 2));
		break;
	case 1:
		w->word(i_type(0x73, 2, w->dest(), 0, 3));
		break;
	default: {
		unsigned op = ops[w->random.below(6)];

		w->word(i_type(0x73, op, w->dest(),
			       op < 4 ? w->reg() : w->random.below(32), 1));
	}
	}
}

// A store and a load of a device, which gives 0 whatever is stored.
void device(struct writer *w)
{
	unsigned at = w->reg();

	w->word(0x10000000 | at << 7 | 0x37);
	if (w->random.once_in(2))
		w->word(s_type(0, at, w->source(), 7));
	w->word(i_type(3, 4, w->dest(), at, 7));
}

} // namespace

void head_simple(struct writer *w)
{
	switch (w->random.below(8)) {
	case 0:
	case 1:
	case 2:
		amo(w);
		break;
	case 3:
	case 4:
		reserve(w);
		break;
	case 5:
		csr(w);
		break;
	case 6:
		device(w);
		break;
	default:
		w->word(0x0000100f); // fence.i
	}
}
