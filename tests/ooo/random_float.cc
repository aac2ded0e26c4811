// SPDX-License-Identifier: Apache-2.0
// Random instructions of F and D.
#include "writer.h"

namespace
{

// A number with an exponent at the ends of its format, or near that of 1, and a small
// significand.
void float_constant(struct writer *w)
{
	static const unsigned doubles[] = {0, 1, 0x36, 0x3cb, 0x3fe, 0x3ff, 0x7fe, 0x7ff};
	static const unsigned singles[] = {0, 1, 0x18, 0x67, 0x7e, 0x7f, 0xfe, 0xff};
	bool wide = w->random.once_in(2);
	unsigned exponent = (wide ? doubles : singles)[w->random.below(8)] +
			    w->random.below(2) * (wide ? 0x800 : 0x100);
	unsigned reg = w->reg();

	w->word(i_type(0x13, 0, reg, 0, static_cast<int>(exponent)));
	w->word(i_type(0x13, 1, reg, reg, wide ? 52 : 23));
	if (w->random.once_in(2))
		w->word(
		    i_type(0x13, 0, reg, reg, static_cast<int>(w->random.below(4096))));
	w->word(r_type(0x53, 0, wide ? 0x79 : 0x78, w->float_reg(), reg, 0));
}

// Conversions, comparisons, moves and the like; `format` is 1 for D.
void float_quick(struct writer *w, unsigned format)
{
	unsigned f = w->float_reg(), g = w->float_reg(), h = w->float_reg();

	switch (w->random.below(8)) {
	case 0: // fsgnj to fsgnjx
		w->word(r_type(0x53, w->random.below(3), 0x10 | format, f, g, h));
		break;
	case 1: // fmin, fmax
		w->word(r_type(0x53, w->random.below(2), 0x14 | format, f, g, h));
		break;
	case 2: // fcvt.s.d, fcvt.d.s
		w->word(r_type(0x53, w->rounding(), 0x20 | format, f, g, !format));
		break;
	case 3: // fle, flt, feq
		w->word(r_type(0x53, w->random.below(3), 0x50 | format, w->dest(), g, h));
		break;
	case 4: // fcvt.w and its variants
		w->word(r_type(0x53, w->rounding(), 0x60 | format, w->dest(), g,
			       w->random.below(4)));
		break;
	case 5: // from w and its variants
		w->word(r_type(0x53, w->rounding(), 0x68 | format, f, w->source(),
			       w->random.below(4)));
		break;
	case 6: // fmv.x, fclass
		w->word(r_type(0x53, w->random.below(2), 0x70 | format, w->dest(), g, 0));
		break;
	default: // fmv to f
		w->word(r_type(0x53, 0, 0x78 | format, f, w->source(), 0));
	}
}

void float_compute(struct writer *w)
{
	unsigned format = w->random.below(2);
	unsigned f = w->float_reg(), g = w->float_reg(), h = w->float_reg();

	switch (w->random.below(6)) {
	case 0:
	case 1: // fadd, fsub, fmul
		w->word(r_type(0x53, w->rounding(), w->random.below(3) << 2 | format, f,
			       g, h));
		break;
	case 2: // fmadd to fnmadd
		w->word(r_type(0x43 | w->random.below(4) << 2, w->rounding(),
			       w->float_reg() << 2 | format, f, g, h));
		break;
	case 3:
		if (w->random.once_in(2)) // fdiv
			w->word(r_type(0x53, w->rounding(), 0x0c | format, f, g, h));
		else // fsqrt
			w->word(r_type(0x53, w->rounding(), 0x2c | format, f, g, 0));
		break;
	default:
		float_quick(w, format);
	}
}

// A load or store at a place of access(), or one of 16 bits at one of access_short().
void float_access(struct writer *w)
{
	unsigned wide = w->random.below(2),
		 pointer = w->random.once_in(2) ? POINTER0 : POINTER1;
	int offset = static_cast<int>(w->random.below(24) & (wide ? ~7U : ~3U));
	bool is_store = w->random.once_in(2);

	if (w->random.once_in(4))
		w->half((is_store ? 0xa000U : 0x2000U) | (pointer & 1) << 7 |
			w->random.below(8) << 2 | w->random.below(4) << 10);
	else if (is_store)
		w->word(s_type(2 | wide, pointer, w->float_reg(), offset) | 4);
	else
		w->word(i_type(7, 2 | wide, w->float_reg(), pointer, offset));
}

// An addition and a division that wait for the same result, and a load between them.
void float_pair(struct writer *w)
{
	unsigned format = w->random.below(2), common = w->float_reg();

	w->word(r_type(0x53, 7, 0x08 | format, common, w->float_reg(), w->float_reg()));
	w->word(r_type(0x53, 7, format, w->float_reg(), common, w->float_reg()));
	w->word(
	    i_type(3, 3, w->dest(), POINTER0, static_cast<int>(8 * w->random.below(3))));
	w->word(r_type(0x53, 7, 0x0c | format, w->float_reg(), common, w->float_reg()));
}

} // namespace

void float_simple(struct writer *w)
{
	switch (w->random.below(8)) {
	case 0:
		float_constant(w);
		break;
	case 1:
	case 2:
		float_access(w);
		break;
	case 3:
		float_pair(w);
		break;
	default:
		float_compute(w);
	}
}
