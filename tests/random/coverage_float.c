/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point: operations, by format, rounding mode, operands and results, and flags;
 * states of FS; traps. */
#include "coverage_float.h"

#include <inttypes.h>
#include <string.h>

#include "coverage_internal.h"
#include "csr_bits.h"
#include "insn.h"
#include "model/float.h"

enum { NX = 1, UF = 2, OF = 4, DZ = 8, NV = 16, FLAGS = 5, MODES = 5, DYNAMIC = 7 };
enum { SINGLE = 1, DOUBLE = 2, BOTH = 3 }; /* the formats of an operation */
enum { CLASSES = 10, SUBNORMALS = 1 << 2 | 1 << 5 };

/* An operation of OP-FP or a multiply-add; bit 25, the format, is not fixed. */
static const struct op {
	const char *name;
	uint32_t bits, fixed;
	unsigned formats, rounds;
	unsigned flags[2];  /* that singles and doubles can raise */
	unsigned operands;  /* registers f that it reads */
	bool makes_tiny[2]; /* the result can be subnormal */
} ops[] = {
    {"fadd", 0x00000053, 0xfc00007f, BOTH, 1, {NV | OF | NX, NV | OF | NX}, 2, {1, 1}},
    {"fsub", 0x08000053, 0xfc00007f, BOTH, 1, {NV | OF | NX, NV | OF | NX}, 2, {1, 1}},
    {"fmul", 0x10000053, 0xfc00007f, BOTH, 1, {0x17, 0x17}, 2, {1, 1}},
    {"fdiv", 0x18000053, 0xfc00007f, BOTH, 1, {0x1f, 0x1f}, 2, {1, 1}},
    {"fsqrt", 0x58000053, 0xfdf0007f, BOTH, 1, {NV | NX, NV | NX}, 1, {0, 0}},
    {"fmadd", 0x00000043, 0x0400007f, BOTH, 1, {0x17, 0x17}, 3, {1, 1}},
    {"fmsub", 0x00000047, 0x0400007f, BOTH, 1, {0x17, 0x17}, 3, {1, 1}},
    {"fnmsub", 0x0000004b, 0x0400007f, BOTH, 1, {0x17, 0x17}, 3, {1, 1}},
    {"fnmadd", 0x0000004f, 0x0400007f, BOTH, 1, {0x17, 0x17}, 3, {1, 1}},
    {"fsgnj", 0x20000053, 0xfc00707f, BOTH, 0, {0, 0}, 2, {1, 1}},
    {"fsgnjn", 0x20001053, 0xfc00707f, BOTH, 0, {0, 0}, 2, {1, 1}},
    {"fsgnjx", 0x20002053, 0xfc00707f, BOTH, 0, {0, 0}, 2, {1, 1}},
    {"fmin", 0x28000053, 0xfc00707f, BOTH, 0, {NV, NV}, 2, {1, 1}},
    {"fmax", 0x28001053, 0xfc00707f, BOTH, 0, {NV, NV}, 2, {1, 1}},
    {"fle", 0xa0000053, 0xfc00707f, BOTH, 0, {NV, NV}, 2, {0, 0}},
    {"flt", 0xa0001053, 0xfc00707f, BOTH, 0, {NV, NV}, 2, {0, 0}},
    {"feq", 0xa0002053, 0xfc00707f, BOTH, 0, {NV, NV}, 2, {0, 0}},
    {"fclass", 0xe0001053, 0xfdf0707f, BOTH, 0, {0, 0}, 1, {0, 0}},
    {"fmv.x", 0xe0000053, 0xfdf0707f, BOTH, 0, {0, 0}, 1, {0, 0}},
    {"fmv.f", 0xf0000053, 0xfdf0707f, BOTH, 0, {0, 0}, 0, {1, 1}},
    {"fcvt.w", 0xc0000053, 0xfdf0007f, BOTH, 1, {NV | NX, NV | NX}, 1, {0, 0}},
    {"fcvt.wu", 0xc0100053, 0xfdf0007f, BOTH, 1, {NV | NX, NV | NX}, 1, {0, 0}},
    {"fcvt.l", 0xc0200053, 0xfdf0007f, BOTH, 1, {NV | NX, NV | NX}, 1, {0, 0}},
    {"fcvt.lu", 0xc0300053, 0xfdf0007f, BOTH, 1, {NV | NX, NV | NX}, 1, {0, 0}},
    {"fcvt of w", 0xd0000053, 0xfdf0007f, BOTH, 1, {NX, 0}, 0, {0, 0}},
    {"fcvt of wu", 0xd0100053, 0xfdf0007f, BOTH, 1, {NX, 0}, 0, {0, 0}},
    {"fcvt of l", 0xd0200053, 0xfdf0007f, BOTH, 1, {NX, NX}, 0, {0, 0}},
    {"fcvt of lu", 0xd0300053, 0xfdf0007f, BOTH, 1, {NX, NX}, 0, {0, 0}},
    {"fcvt of s", 0x42000053, 0xfff0007f, DOUBLE, 1, {0, NV}, 1, {0, 0}},
    {"fcvt of d", 0x40100053, 0xfff0007f, SINGLE, 1, {0x17, 0}, 1, {1, 0}},
};
enum { OPS = sizeof(ops) / sizeof(*ops) };

static const struct {
	const char *name;
	uint32_t bits, fixed;
} accesses[] = {
    {"flw", 0x2007, 0x707f},	 {"fld", 0x3007, 0x707f},     {"fsw", 0x2027, 0x707f},
    {"fsd", 0x3027, 0x707f},	 {"c.fld", 0x2000, 0xe003},   {"c.fsd", 0xa000, 0xe003},
    {"c.fldsp", 0x2002, 0xe003}, {"c.fsdsp", 0xa002, 0xe003},
};
enum { ACCESSES = sizeof(accesses) / sizeof(*accesses), CAUSES = 16 };

static struct {
	uint64_t op[OPS][2];
	uint64_t mode[OPS][2][MODES], dynamic[MODES];
	uint64_t raised[OPS][2][FLAGS];
	uint64_t class[OPS][2][CLASSES]; /* of any operand */
	uint64_t unboxed[OPS], tiny[OPS][2];
	uint64_t access[ACCESSES], faults[ACCESSES][CAUSES];
	uint64_t state[4][2]; /* FS before an instruction that writes, or does not */
	uint64_t off, off_csr, bad_mode, csr[4];
} n;

/* State of the current program. */
static struct {
	uint64_t f[32], fflags, frm, fs;
} now;

void coverage_float_begin(void)
{
	memset(&now, 0, sizeof(now));
}

static int find_op(uint32_t insn)
{
	for (int i = 0; i < OPS; i++)
		if ((insn & ops[i].fixed) == ops[i].bits)
			return i;
	return -1;
}

static int find_access(uint32_t insn)
{
	for (int i = 0; i < ACCESSES; i++)
		if ((insn & accesses[i].fixed) == accesses[i].bits)
			return i;
	return -1;
}

static void count_operand(int op, unsigned format, unsigned reg)
{
	uint64_t value = now.f[reg];
	bool is_double = format;

	if (ops[op].formats != BOTH) /* the other format is converted */
		is_double = !format;
	if (!is_double && value >> 32 != UINT32_MAX) {
		n.unboxed[op]++;
		return;
	}
	uint64_t class = is_double ? soc_float_class(SOC_FLOAT64, value)
				   : soc_float_class(SOC_FLOAT32, (uint32_t)value);
	for (unsigned i = 0; i < CLASSES; i++)
		n.class[op][format][i] += class >> i & 1;
}

static void count_result(int op, unsigned format, const struct soc_commit *c)
{
	uint64_t bits = format ? c->value : (uint32_t)c->value;

	if (c->rd < 32)
		return;
	n.tiny[op][format] +=
	    (soc_float_class(format ? SOC_FLOAT64 : SOC_FLOAT32, bits) & SUBNORMALS) != 0;
}

static void count_op(int op, const struct soc_commit *c, uint64_t raised)
{
	unsigned format = c->insn >> 25 & 1, mode = c->insn >> 12 & 7;
	const unsigned regs[] = {c->insn >> 15 & 31, c->insn >> 20 & 31, c->insn >> 27};

	n.op[op][format]++;
	if (ops[op].rounds && mode == DYNAMIC) {
		mode = (unsigned)now.frm;
		n.dynamic[mode]++;
	}
	if (ops[op].rounds)
		n.mode[op][format][mode]++;
	for (unsigned i = 0; i < FLAGS; i++)
		n.raised[op][format][i] += raised >> i & 1;
	for (unsigned i = 0; i < ops[op].operands; i++)
		count_operand(op, format, regs[i]);
	count_result(op, format, c);
}

void coverage_float_commit(const struct soc *soc, const struct soc_commit *c)
{
	int op = find_op(c->insn), access = find_access(c->insn);
	uint64_t fflags, status;

	soc_csr(soc, 0, CSR_FFLAGS, &fflags);
	if (op >= 0)
		count_op(op, c, fflags & ~now.fflags);
	if (access >= 0)
		n.access[access]++;
	if (insn_is_float(c->insn))
		n.state[now.fs][c->rd >= 32 || fflags != now.fflags]++;
	if (insn_find(c->insn) >= INSN_csrrw && insn_find(c->insn) <= INSN_csrrci &&
	    c->insn >> 20 <= CSR_FCSR)
		n.csr[c->insn >> 20]++;
	if (c->rd >= 32)
		now.f[c->rd - 32] = c->value;
	now.fflags = fflags;
	soc_csr(soc, 0, CSR_FRM, &now.frm);
	soc_csr(soc, 0, CSR_MSTATUS, &status);
	now.fs = status >> 13 & 3;
}

/* Returns the instruction at the pc of an exception, 0 if it cannot be read. */
static uint32_t read_insn(struct soc *soc, const struct soc_trap *t, unsigned was)
{
	uint8_t bytes[4] = {0};

	soc_set_priv(soc, 0, was);
	for (unsigned half = 0; half < 2; half++)
		if (!soc_read_virtual(soc, 0, t->epc + 2 * half, bytes + 2 * half, 2))
			break;
	soc_set_priv(soc, 0, t->priv);
	return (uint32_t)(bytes[0] | bytes[1] << 8 | bytes[2] << 16) | (uint32_t)bytes[3]
									   << 24;
}

static void count_illegal(uint32_t insn)
{
	int op = find_op(insn);

	if (now.fs == 0 && insn_is_float(insn))
		n.off++;
	else if (now.fs == 0 && insn_find(insn) >= INSN_csrrw &&
		 insn_find(insn) <= INSN_csrrci && insn >> 20 <= CSR_FCSR && insn >> 20)
		n.off_csr++;
	else if (op >= 0 && ops[op].rounds && (insn >> 12 & 7) == DYNAMIC &&
		 now.frm >= MODES)
		n.bad_mode++;
}

void coverage_float_trap(struct soc *soc, const struct soc_trap *t, unsigned was)
{
	if (t->cause >> 63 || t->cause >= CAUSES)
		return;
	uint32_t insn =
	    t->cause == CAUSE_ILLEGAL ? (uint32_t)t->tval : read_insn(soc, t, was);
	int access = find_access(insn);
	if (t->cause == CAUSE_ILLEGAL)
		count_illegal(insn);
	else if (access >= 0)
		n.faults[access][t->cause]++;
}

static const char *const suffixes[] = {".s", ".d"};

static bool print_flags(FILE *out, unsigned op, unsigned format)
{
	static const char *const names[FLAGS] = {"NX", "UF", "OF", "DZ", "NV"};
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < FLAGS; i++) {
		bool can = ops[op].flags[format] >> i & 1;

		if (!can && !n.raised[op][format][i])
			continue;
		snprintf(name, sizeof(name), "%s%s raises %s%s", ops[op].name,
			 suffixes[format], names[i], can ? "" : ", which it must not");
		good = coverage_put(out, name, can ? n.raised[op][format][i] : 0, true) &&
		       good;
	}
	return good;
}

static bool print_modes(FILE *out, unsigned op, unsigned format)
{
	static const char *const names[MODES] = {"rne", "rtz", "rdn", "rup", "rmm"};
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < MODES && ops[op].rounds; i++) {
		snprintf(name, sizeof(name), "%s%s %s", ops[op].name, suffixes[format],
			 names[i]);
		good = coverage_put(out, name, n.mode[op][format][i], true) && good;
	}
	return good;
}

static bool print_operands(FILE *out, unsigned op, unsigned format)
{
	static const char *const names[CLASSES] = {"-infinity",
						   "a negative number",
						   "a negative subnormal number",
						   "-0",
						   "0",
						   "a subnormal number",
						   "a number",
						   "infinity",
						   "a signalling NaN",
						   "a quiet NaN"};
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < CLASSES && ops[op].operands; i++) {
		snprintf(name, sizeof(name), "%s%s of %s", ops[op].name, suffixes[format],
			 names[i]);
		good = coverage_put(out, name, n.class[op][format][i], true) && good;
	}
	if (ops[op].makes_tiny[format]) {
		snprintf(name, sizeof(name), "%s%s gives a subnormal number",
			 ops[op].name, suffixes[format]);
		good = coverage_put(out, name, n.tiny[op][format], true) && good;
	}
	return good;
}

static bool print_op(FILE *out, unsigned op)
{
	char name[64];
	bool good = true;

	for (unsigned format = 0; format < 2; format++) {
		if (!(ops[op].formats >> format & 1))
			continue;
		snprintf(name, sizeof(name), "%s%s", ops[op].name, suffixes[format]);
		good = coverage_put(out, name, n.op[op][format], true) && good;
		good = print_modes(out, op, format) && good;
		good = print_operands(out, op, format) && good;
		good = print_flags(out, op, format) && good;
	}
	/* fmv.x.w does not mind what is above the word. */
	if (!ops[op].operands || ops[op].formats == SINGLE)
		return good;
	snprintf(name, sizeof(name), "%s of a single that is not boxed", ops[op].name);
	return coverage_put(out, name, n.unboxed[op], true) && good;
}

static bool print_accesses(FILE *out)
{
	/* Misaligned, access fault, page fault: of loads, then of stores. */
	static const uint8_t causes[2][3] = {{4, 5, 13}, {6, 7, 15}};
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < ACCESSES; i++) {
		good = coverage_put(out, accesses[i].name, n.access[i], true) && good;
		for (unsigned j = 0; j < 3; j++) {
			unsigned cause =
			    causes[strstr(accesses[i].name, "fs") != NULL][j];

			snprintf(name, sizeof(name), "exception %u of %s", cause,
				 accesses[i].name);
			/* Those of 16 bits have offsets from valid pointers. */
			good = coverage_put(out, name, n.faults[i][cause], i < 4) && good;
		}
	}
	return good;
}

bool coverage_float_print(FILE *out)
{
	static const char *const states[] = {"off", "initial", "clean", "dirty"};
	char name[64];
	bool good = true;

	for (unsigned i = 0; i < OPS; i++)
		good = print_op(out, i) && good;
	good = print_accesses(out) && good;
	for (unsigned i = 0; i < MODES; i++) {
		snprintf(name, sizeof(name), "rounding by frm %u", i);
		good = coverage_put(out, name, n.dynamic[i], true) && good;
	}
	for (unsigned i = 2; i < 8; i++) {
		snprintf(name, sizeof(name), "with FS %s %s", states[i / 2],
			 i & 1 ? "registers or flags change" : "nothing changes");
		good = coverage_put(out, name, n.state[i / 2][i & 1], true) && good;
	}
	for (unsigned i = CSR_FFLAGS; i <= CSR_FCSR; i++) {
		snprintf(name, sizeof(name), "csr 0x%03x", i);
		good = coverage_put(out, name, n.csr[i], true) && good;
	}
	good = coverage_put(out, "illegal with FS off", n.off, true) && good;
	good = coverage_put(out, "csr illegal with FS off", n.off_csr, true) && good;
	return coverage_put(out, "illegal by frm", n.bad_mode, true) && good;
}
