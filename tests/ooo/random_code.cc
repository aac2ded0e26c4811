// SPDX-License-Identifier: Apache-2.0
// A program is a list of pieces that run one after the other, and again in an outer loop.
// Registers: x8, x9 point to the data; x2 to the stack of return addresses; x1, x5 are
// links; x3, x4 count loops; all others have random values.
#include "random_code.h"
#include "writer.h"

namespace
{

uint32_t b_type(unsigned f3, unsigned rs1, unsigned rs2, int offset)
{
	uint32_t bits = static_cast<uint32_t>(offset);

	return (bits >> 12 & 1) << 31 | (bits >> 5 & 0x3f) << 25 | rs2 << 20 | rs1 << 15 |
	       f3 << 12 | (bits >> 1 & 15) << 8 | (bits >> 11 & 1) << 7 | 0x63;
}

uint32_t j_type(unsigned rd, int offset)
{
	uint32_t bits = static_cast<uint32_t>(offset);

	return (bits >> 20 & 1) << 31 | (bits >> 1 & 0x3ff) << 21 |
	       (bits >> 11 & 1) << 20 | (bits >> 12 & 0xff) << 12 | rd << 7 | 0x6f;
}

void li(struct writer *w, unsigned rd, uint32_t value)
{
	uint32_t low = value & 0xfff;

	w->word(((value + 0x800) & 0xfffff000) | rd << 7 | 0x37);
	w->word(i_type(0x1b, 0, rd, rd, static_cast<int>(low)));
}

void compute(struct writer *w)
{
	static const unsigned f3_word[] = {0, 1, 5};

	switch (w->random.below(9)) {
	case 0:
		w->word(r_type(0x33, w->random.below(8), 1, w->dest(), w->source(),
			       w->source()));
		break;
	case 1: {
		static const unsigned f3s[] = {0, 4, 5, 6, 7};
		w->word(r_type(0x3b, f3s[w->random.below(5)], 1, w->dest(), w->source(),
			       w->source()));
		break;
	}
	case 2: {
		unsigned f3 = f3_word[w->random.below(3)];
		w->word(r_type(0x3b, f3, f3 != 1 && w->random.once_in(2) ? 32 : 0,
			       w->dest(), w->source(), w->source()));
		break;
	}
	case 3:
	case 4: {
		unsigned f3 = w->random.below(8);
		w->word(r_type(0x33, f3,
			       (f3 == 0 || f3 == 5) && w->random.once_in(2) ? 32 : 0,
			       w->dest(), w->source(), w->source()));
		break;
	}
	case 5: {
		static const unsigned f3s[] = {0, 2, 3, 4, 6, 7};
		w->word(i_type(0x13, f3s[w->random.below(6)], w->dest(), w->source(),
			       static_cast<int>(w->random.below(4096))));
		break;
	}
	case 6: {
		bool right = w->random.once_in(2);
		int arithmetic = right && w->random.once_in(2) ? 0x400 : 0;
		w->word(i_type(0x13, right ? 5 : 1, w->dest(), w->source(),
			       static_cast<int>(w->random.below(64)) | arithmetic));
		break;
	}
	case 7:
		w->word(static_cast<uint32_t>(w->random.next() & 0xfffff000) |
			w->dest() << 7 | (w->random.once_in(2) ? 0x17U : 0x37U));
		break;
	default:
		w->word(i_type(0x1b, 0, w->dest(), w->source(),
			       static_cast<int>(w->random.below(4096))));
	}
}

// 16 bits: c.addi, c.li, c.mv, c.add, c.nop, c.slli, c.sub to c.addw, c.andi
void compute_short(struct writer *w)
{
	unsigned rd = w->reg(), small = 2 + w->random.below(6), imm = w->random.below(32);

	switch (w->random.below(7)) {
	case 0:
		w->half(0x0001 | rd << 7 | imm << 2 | w->random.below(2) << 12);
		break;
	case 1:
		w->half(0x4001 | rd << 7 | imm << 2 | w->random.below(2) << 12);
		break;
	case 2:
		w->half(0x8002 | rd << 7 | w->reg() << 2);
		break;
	case 3:
		w->half(0x9002 | rd << 7 | w->reg() << 2);
		break;
	case 4:
		w->half(0x0002 | rd << 7 | (imm | 1) << 2);
		break;
	case 5: {
		static const unsigned ops[] = {0x8c01, 0x8c21, 0x8c41,
					       0x8c61, 0x9c01, 0x9c21};
		w->half(ops[w->random.below(6)] | small << 7 |
			(2 + w->random.below(6)) << 2);
		break;
	}
	default:
		w->half(0x8801 | small << 7 | imm << 2 | w->random.below(2) << 12);
	}
}

// Few places, so that loads meet stores of all sizes; sometimes the address comes from
// data.
void access(struct writer *w)
{
	unsigned size = w->random.below(4),
		 pointer = w->random.once_in(2) ? POINTER0 : POINTER1;
	unsigned range = w->random.once_in(3) ? 512 : 24;
	int offset = static_cast<int>((w->random.below(range) >> size) << size);

	if (w->random.once_in(6)) {
		unsigned rd = w->reg();

		w->word(i_type(0x13, 7, rd, w->reg(), 0x38));
		w->word(r_type(0x33, 0, 0, rd, rd, pointer));
		pointer = rd;
		offset &= 7;
	}
	if (w->random.once_in(2))
		w->word(s_type(size, pointer, w->source(), offset));
	else
		w->word(i_type(3, size | (size < 3 ? w->random.below(2) << 2 : 0),
			       w->dest(), pointer, offset));
}

void access_short(struct writer *w)
{
	unsigned pointer = w->random.below(2), value = 2 + w->random.below(6),
		 place = w->random.below(4);
	bool is_store = w->random.once_in(2), wide = w->random.once_in(2);

	w->half((wide ? 0x6000U : 0x4000U) | (is_store ? 0x8000U : 0) | pointer << 7 |
		value << 2 | place << 10);
}

void simple(struct writer *w)
{
	if (w->float_rate && w->random.once_in(w->float_rate)) {
		float_simple(w);
		return;
	}
	if (w->head_rate && w->random.once_in(w->head_rate)) {
		head_simple(w);
		return;
	}
	switch (w->random.below(8)) {
	case 0:
	case 1:
	case 2:
		compute(w);
		break;
	case 3:
	case 4:
		compute_short(w);
		break;
	case 5:
	case 6:
		access(w);
		break;
	default:
		access_short(w);
	}
}

void pieces(struct writer *w, unsigned count);

// A branch over some code, taken or not as data are.
void skip(struct writer *w)
{
	static const unsigned f3s[] = {0, 1, 4, 5, 6, 7};
	uint32_t branch = w->at();

	w->word(0);
	for (unsigned left = w->random.below(6); left; left--)
		simple(w);
	unsigned a = w->reg();
	w->put(branch,
	       b_type(f3s[w->random.below(6)], a, w->random.once_in(4) ? a : w->source(),
		      static_cast<int>(w->at() - branch)));
}

void skip_short(struct writer *w)
{
	uint32_t branch = w->at(), offset;

	w->half(0);
	for (unsigned left = w->random.below(4); left; left--)
		simple(w);
	offset = w->at() - branch;
	w->code[branch / 2] = static_cast<uint16_t>(
	    (w->random.once_in(2) ? 0xc001U : 0xe001U) | (2 + w->random.below(6)) << 7 |
	    (offset >> 8 & 1) << 12 | (offset >> 3 & 3) << 10 | (offset >> 6 & 3) << 5 |
	    (offset >> 1 & 3) << 3 | (offset >> 5 & 1) << 2);
}

void loop(struct writer *w)
{
	unsigned counter = 3 + w->depth - 1;
	uint32_t begin;

	w->word(i_type(0x13, 0, counter, 0, static_cast<int>(1 + w->random.below(20))));
	begin = w->at();
	pieces(w, 1 + w->random.below(4));
	w->word(i_type(0x13, 0, counter, counter, -1));
	w->word(b_type(1, counter, 0, static_cast<int>(begin - w->at())));
}

// A function behind a jump, which is called, by jal, c.jr or jalr with x1 or x5.
void call(struct writer *w)
{
	unsigned link = w->random.once_in(3) ? 5 : 1;
	uint32_t jump = w->at(), function, end;

	w->word(0);
	function = w->at();
	w->word(i_type(0x13, 0, SP, SP, -8));
	w->word(s_type(3, SP, link, 0));
	pieces(w, 1 + w->random.below(3));
	w->word(i_type(3, 3, link, SP, 0));
	w->word(i_type(0x13, 0, SP, SP, 8));
	if (w->random.once_in(2))
		w->half(0x8002 | link << 7);
	else
		w->word(i_type(0x67, 0, 0, link, 0));
	end = w->at();
	w->put(jump, j_type(0, static_cast<int>(end - jump)));
	for (unsigned calls = 1 + w->random.below(3); calls; calls--) {
		if (w->random.once_in(2)) {
			w->word(j_type(link, static_cast<int>(function - w->at())));
		} else {
			unsigned target = w->reg();
			uint32_t here = w->at();

			w->word(target << 7 | 0x17);
			w->word(i_type(0x67, 0, link, target,
				       static_cast<int>(function - here)));
		}
		if (w->random.once_in(2))
			simple(w);
	}
}

// A jump to one of four places, by data.
void table(struct writer *w)
{
	unsigned target = w->reg(), index;
	uint32_t here;

	do
		index = w->reg();
	while (index == target);
	w->word(i_type(0x13, 7, index, index, 3));
	w->word(i_type(0x13, 1, index, index, 3));
	here = w->at();
	w->word(target << 7 | 0x17);
	w->word(r_type(0x33, 0, 0, target, target, index));
	w->word(i_type(0x67, 0, 0, target, w->random.once_in(2) ? 12 : 13));
	for (unsigned place = 0; place < 4; place++) {
		w->word(i_type(0x13, 0, w->reg(), w->source(),
			       static_cast<int>(w->random.below(2048))));
		w->word(j_type(0, static_cast<int>(here + 12 + 32 - w->at())));
	}
}

void piece(struct writer *w)
{
	if (w->depth < 2 && w->at() < 0x600) {
		w->depth++;
		switch (w->random.below(10)) {
		case 0:
		case 1:
			loop(w);
			break;
		case 2:
			if (w->depth == 1)
				call(w);
			break;
		default:
			break;
		}
		w->depth--;
	}
	switch (w->random.below(8)) {
	case 0:
		skip(w);
		break;
	case 1:
		skip_short(w);
		break;
	case 2:
		if (w->random.once_in(4))
			table(w);
		break;
	default:
		simple(w);
	}
}

void pieces(struct writer *w, unsigned count)
{
	while (count--)
		piece(w);
}

void power_off(struct writer *w)
{
	li(w, 10, 0x5555);
	li(w, 11, 0x100000);
	w->word(s_type(2, 11, 10, 0));
	w->word(j_type(0, 0));
}

} // namespace

std::vector<uint16_t> random_code(uint64_t seed)
{
	static const unsigned rates[] = {0, 1, 2, 8}, head_rates[] = {0, 4, 12, 40, 100};
	struct writer w(seed);
	uint32_t begin;

	w.float_rate = rates[seed % 4];
	w.head_rate = head_rates[seed % 5];

	// 0x80100000 is not a value that lui gives: its upper bits are ones.
	for (unsigned reg : {POINTER0, POINTER1, SP}) {
		li(&w, reg, static_cast<uint32_t>(RANDOM_DATA >> 4));
		w.word(i_type(0x13, 1, reg, reg, 4));
		if (reg == POINTER1)
			w.word(i_type(0x13, 0, reg, reg, 16));
		if (reg == SP)
			w.word(i_type(0x13, 0, reg, reg, 0x7f0));
	}
	for (unsigned reg = FREE_FIRST; reg <= FREE_LAST; reg++)
		li(&w, reg, static_cast<uint32_t>(w.random.next()));
	li(&w, 7, w.random.below(32) | static_cast<uint32_t>(seed % 5) << 5);
	w.word(i_type(0x73, 1, 0, 7, 3)); // fscsr
	li(&w, 7, 0);
	w.word(i_type(0x13, 0, 6, 0, static_cast<int>(4 + w.random.below(12))));
	begin = w.at();
	pieces(&w, 20 + w.random.below(60));
	w.word(i_type(0x13, 0, 6, 6, -1));
	w.word(b_type(0, 6, 0, 8));
	w.word(j_type(0, static_cast<int>(begin - w.at())));
	power_off(&w);
	return w.code;
}

std::vector<uint16_t> steady_code()
{
	struct writer w(0);
	uint32_t function[3], leaves, loop, begin, jump;

	li(&w, SP, static_cast<uint32_t>(RANDOM_DATA >> 4));
	w.word(i_type(0x13, 1, SP, SP, 4));
	w.word(i_type(0x13, 0, SP, SP, 0x7f0));
	li(&w, 10, 1);
	li(&w, 11, 1103515245);
	w.word(i_type(0x13, 0, 6, 0, STEADY_TURNS));
	jump = w.at();
	w.word(0);
	// The first has a branch that goes either way, the others call the one before
	// them twice.
	for (unsigned f = 0; f < 3; f++) {
		function[f] = w.at();
		w.word(i_type(0x13, 0, SP, SP, -8));
		w.word(s_type(3, SP, 1, 0));
		if (f == 0) {
			w.word(r_type(0x33, 0, 1, 10, 10, 11));
			w.word(i_type(0x13, 0, 10, 10, 1234));
			w.word(i_type(0x13, 5, 12, 10, 24));
			w.word(i_type(0x13, 7, 12, 12, 1));
			w.word(b_type(0, 12, 0, 8));
			w.word(i_type(0x13, 0, 13, 13, 1));
		}
		for (unsigned calls = f ? 2 : 0; calls; calls--) {
			int back = static_cast<int>(function[f - 1] - w.at());

			w.word(j_type(1, back));
			w.half(0x0505); // c.addi x10, 1
		}
		w.word(i_type(3, 3, 1, SP, 0));
		w.word(i_type(0x13, 0, SP, SP, 8));
		w.half(0x8082); // c.jr x1
	}
	leaves = w.at();
	for (unsigned leaf = 0; leaf < 2; leaf++) {
		w.word(i_type(0x13, 0, 13, 13, static_cast<int>(leaf)));
		w.half(0x8082);
		w.half(1); // c.nop
	}
	w.put(jump, j_type(0, static_cast<int>(w.at() - jump)));
	begin = w.at();
	w.word(j_type(1, static_cast<int>(function[2] - w.at())));
	w.word(i_type(0x13, 5, 12, 10, 28));
	w.word(i_type(0x13, 7, 12, 12, 8));
	jump = w.at();
	w.word(14 << 7 | 0x17); // auipc
	w.word(r_type(0x33, 0, 0, 14, 14, 12));
	w.word(i_type(0x67, 0, 1, 14, static_cast<int>(leaves - jump) | 1));
	// A store whose address is late, and a load of what it stores.
	w.word(r_type(0x33, 0, 1, 15, 10, 0));
	w.word(r_type(0x33, 0, 1, 15, 15, 15));
	w.word(r_type(0x33, 0, 0, 15, 15, SP));
	w.word(s_type(3, 15, 10, -64));
	w.word(i_type(3, 3, 14, SP, -64));
	w.word(i_type(0x13, 0, 3, 0, 5));
	loop = w.at();
	w.half(0x11fd); // c.addi x3, -1
	w.word(b_type(1, 3, 0, static_cast<int>(loop - w.at())));
	w.word(i_type(0x13, 0, 6, 6, -1));
	w.word(b_type(1, 6, 0, static_cast<int>(begin - w.at())));
	power_off(&w);
	return w.code;
}

std::vector<uint16_t> stop_code(unsigned kind, uint64_t *pc)
{
	static const uint32_t insns[STOPS] = {
	    0x00000073,			  // ecall
	    0x340022f3,			  // csrr x5, mscratch
	    0x00000000,			  // illegal, of 16 bits
	    0xffffffff,			  // illegal, of 32 bits
	    0x30200073,			  // mret
	    r_type(0x2f, 3, 0, 5, 11, 8), // amoadd.d x5, x8, (x11), misaligned
	    0x00005053,			  // fadd.s f0, f0, f0, of no rounding mode
	    i_type(3, 2, 5, POINTER0, 1), // lw x5, 1(x8)
	    s_type(3, POINTER0, 5, 4),	  // sd x5, 4(x8)
	    i_type(0x67, 0, 0, 11, 0)};	  // jr x11, to where no instructions are
	struct writer w(kind);

	li(&w, POINTER0, static_cast<uint32_t>(RANDOM_DATA >> 4));
	w.word(i_type(0x13, 1, POINTER0, POINTER0, 4));
	li(&w, 11, 0x100004);
	w.word(s_type(3, POINTER0, 11, 0));
	*pc = kind == STOPS - 1 ? 0x100004 : 0x80000000 + w.at();
	w.word(insns[kind]);
	for (unsigned left = 20; left; left--)
		w.word(s_type(3, POINTER0, 11, 8));
	power_off(&w);
	return w.code;
}
