/* SPDX-License-Identifier: Apache-2.0 */
/* Executes call frame instructions up to a row. */
#include "cfi.h"
#include "cfi_bytes.h"

/* DWARF 5, 6.4.2: opcode in the upper two bits, or else in the whole byte. */
enum {
	CFA_ADVANCE = 0x40,
	CFA_OFFSET = 0x80,
	CFA_RESTORE = 0xc0,
	CFA_NOP = 0x00,
	CFA_ADVANCE1 = 0x02,
	CFA_ADVANCE2 = 0x03,
	CFA_ADVANCE4 = 0x04,
	CFA_OFFSET_EXTENDED = 0x05,
	CFA_UNDEFINED = 0x07,
	CFA_SAME = 0x08,
	CFA_REGISTER = 0x09,
	CFA_REMEMBER = 0x0a,
	CFA_RECALL = 0x0b,
	CFA_DEF = 0x0c,
	CFA_DEF_REGISTER = 0x0d,
	CFA_DEF_OFFSET = 0x0e,
	CFA_OFFSET_EXTENDED_SF = 0x11,
	CFA_DEF_SF = 0x12,
	CFA_DEF_OFFSET_SF = 0x13,
	CFA_VAL_OFFSET = 0x14,
};

/* A frame to which the frame pointer points is complete. */
enum { FRAME_POINTER = 8, SP_COLUMN = 2 };

struct run {
	struct cfi_bytes in;
	const struct cfi_cie *cie;
	struct cfi_row *row, first;
	struct cfi_row saved[CFI_REMEMBERED];
	uint64_t location;
	unsigned nsaved;
	bool bad;
};

static void set(struct run *run, uint64_t column, enum cfi_kind kind, int64_t value)
{
	if (column >= CFI_COLUMNS)
		run->bad = true;
	else
		run->row->rules[column] = (struct cfi_rule){value, (uint8_t)kind};
}

static void restore(struct run *run, uint64_t column)
{
	if (column >= CFI_COLUMNS)
		run->bad = true;
	else
		run->row->rules[column] = run->first.rules[column];
}

static void remember(struct run *run)
{
	if (run->nsaved == CFI_REMEMBERED)
		run->bad = true;
	else
		run->saved[run->nsaved++] = *run->row;
}

static void recall(struct run *run)
{
	if (run->nsaved == 0)
		run->bad = true;
	else
		*run->row = run->saved[--run->nsaved];
}

static void advance(struct run *run, uint64_t delta)
{
	run->location += delta * run->cie->code_align;
}

static void def_register(struct run *run)
{
	uint64_t column = cfi_unsigned(&run->in);

	run->bad |= column >= 32;
	run->row->cfa_register = column & 31;
}

static void rule(struct run *run, uint8_t op)
{
	struct cfi_bytes *in = &run->in;
	uint64_t column = cfi_unsigned(in);

	if (op == CFA_OFFSET_EXTENDED)
		set(run, column, CFI_OFFSET,
		    (int64_t)cfi_unsigned(in) * run->cie->data_align);
	else if (op == CFA_OFFSET_EXTENDED_SF)
		set(run, column, CFI_OFFSET, cfi_signed(in) * run->cie->data_align);
	else if (op == CFA_REGISTER)
		set(run, column, CFI_REGISTER, (int64_t)cfi_unsigned(in));
	else
		set(run, column, op == CFA_SAME ? CFI_SAME : CFI_UNDEFINED, 0);
}

static void extended(struct run *run, uint8_t op)
{
	struct cfi_bytes *in = &run->in;

	switch (op) {
	case CFA_NOP:
		break;
	case CFA_ADVANCE1:
	case CFA_ADVANCE2:
	case CFA_ADVANCE4:
		advance(run, cfi_fixed(in, 1U << (op - CFA_ADVANCE1)));
		break;
	case CFA_OFFSET_EXTENDED:
	case CFA_OFFSET_EXTENDED_SF:
	case CFA_UNDEFINED:
	case CFA_SAME:
	case CFA_REGISTER:
		rule(run, op);
		break;
	case CFA_VAL_OFFSET: /* of sp, which is the CFA in any case */
		run->bad |= cfi_unsigned(in) != SP_COLUMN || cfi_unsigned(in) != 0;
		break;
	case CFA_REMEMBER:
		remember(run);
		break;
	case CFA_RECALL:
		recall(run);
		break;
	case CFA_DEF:
		def_register(run);
		run->row->cfa_offset = (int64_t)cfi_unsigned(in);
		break;
	case CFA_DEF_SF:
		def_register(run);
		run->row->cfa_offset = cfi_signed(in) * run->cie->data_align;
		break;
	case CFA_DEF_REGISTER:
		def_register(run);
		break;
	case CFA_DEF_OFFSET:
		run->row->cfa_offset = (int64_t)cfi_unsigned(in);
		break;
	case CFA_DEF_OFFSET_SF:
		run->row->cfa_offset = cfi_signed(in) * run->cie->data_align;
		break;
	default:
		run->bad = true;
	}
}

static void step(struct run *run)
{
	uint8_t op = (uint8_t)cfi_fixed(&run->in, 1), low = op & 0x3f;

	switch (op & 0xc0) {
	case CFA_ADVANCE:
		advance(run, low);
		break;
	case CFA_OFFSET:
		set(run, low, CFI_OFFSET,
		    (int64_t)cfi_unsigned(&run->in) * run->cie->data_align);
		break;
	case CFA_RESTORE:
		restore(run, low);
		break;
	default:
		extended(run, op);
	}
}

static bool begin(struct run *run, const struct cfi *cfi, const struct cfi_fde *fde,
		  struct cfi_row *row)
{
	*row = (struct cfi_row){.cfa_offset = 0};
	run->cie = cfi_cie_of(cfi, fde);
	run->row = row;
	run->location = fde->low;
	run->nsaved = 0;
	run->bad = false;
	run->in = (struct cfi_bytes){.at = run->cie->code, .end = run->cie->end};
	while (run->in.at < run->in.end && !run->bad)
		step(run);
	run->first = *row;
	run->in = (struct cfi_bytes){.at = fde->code, .end = fde->end};
	return !run->bad;
}

/* Advances to the next row. Returns false at the end. `row` is valid up to
 * run->location. */
static bool next(struct run *run, struct cfi_row *row)
{
	uint64_t from = run->location;

	while (run->in.at < run->in.end && !run->bad) {
		*row = *run->row;
		step(run);
		if (run->location != from)
			return true;
	}
	*row = *run->row;
	return false;
}

bool cfi_row_at(const struct cfi *cfi, const struct cfi_fde *fde, uint64_t pc,
		struct cfi_row *row)
{
	struct cfi_row work;
	struct run run;

	if (!begin(&run, cfi, fde, &work))
		return false;
	while (next(&run, row))
		if (run.location > pc)
			break;
	return !run.bad && !run.in.bad;
}

static bool stands(const struct cfi_row *row, const struct cfi_row *widest,
		   unsigned column)
{
	return row->rules[column].kind == CFI_OFFSET &&
	       (row->cfa_register == FRAME_POINTER ||
		row->cfa_offset == widest->cfa_offset);
}

enum cfi_place cfi_place_of(const struct cfi *cfi, const struct cfi_fde *fde, uint64_t pc)
{
	unsigned column = cfi_cie_of(cfi, fde)->return_column;
	struct cfi_row work, row, widest = {.cfa_offset = 0}, here = widest;
	bool saves = false, more = true;
	uint64_t low = fde->low;
	struct run run;

	if (!begin(&run, cfi, fde, &work))
		return CFI_BODY;
	while (more) {
		more = next(&run, &row);
		if (pc >= low && (pc < run.location || !more))
			here = row;
		if (row.rules[column].kind == CFI_OFFSET)
			saves = true;
		if (row.cfa_offset > widest.cfa_offset)
			widest = row;
		low = run.location;
	}
	if (!saves)
		return CFI_LEAF;
	return stands(&here, &widest, column) ? CFI_BODY : CFI_PARTIAL;
}
