/* SPDX-License-Identifier: Apache-2.0 */
/* Prints tables of operands and results for the self-checking programs.
 *
 * `gen SET` writes assembler source: for each instruction a DATA block of rows, then the
 * macro of tables.h that runs them. The host computes the results here, independently of
 * the machine under test. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

typedef uint64_t op_fn(uint64_t a, uint64_t b);

struct op {
	const char *set, *name;
	op_fn *result;
};

static const uint64_t values[] = {
    0,
    1,
    2,
    5,
    31,
    32,
    33,
    63,
    64,
    UINT64_MAX,
    0x7fffffff,
    0x80000000,
    0xffffffff,
    0x100000000,
    0xffffffff80000000,
    INT64_MAX,
    0x8000000000000000,
    0x123456789abcdef0,
    0xfedcba9876543210,
};
enum { N_VALUES = sizeof(values) / sizeof(values[0]) };

static const int immediates[] = {-2048, -1, 0, 1, 5, 0x555, -1366, 2047};
static const int shifts[] = {0, 1, 4, 31, 32, 33, 63};
static const int small_immediates[] = {-32, -1, 1, 21, 31};
enum {
	N_IMMEDIATES = sizeof(immediates) / sizeof(immediates[0]),
	N_SHIFTS = sizeof(shifts) / sizeof(shifts[0]),
	N_SMALL = sizeof(small_immediates) / sizeof(small_immediates[0]),
};

/* Sign extension and arithmetic shifts without relying on the host compiler. */
static uint64_t sext32(uint64_t v)
{
	v &= 0xffffffff;
	return v & 0x80000000 ? v | 0xffffffff00000000 : v;
}

static uint64_t shift_right_arithmetic(uint64_t v, unsigned by)
{
	uint64_t sign = v >> 63 ? ~(UINT64_MAX >> by) : 0;
	return v >> by | sign;
}

static int less(uint64_t a, uint64_t b)
{
	uint64_t flip = (uint64_t)1 << 63;
	return (a ^ flip) < (b ^ flip);
}

#define OP(name, expression)                                                             \
	static uint64_t op_##name(uint64_t a, uint64_t b)                                \
	{                                                                                \
		return (expression);                                                     \
	}

OP(add, a + b)
OP(sub, a - b)
OP(sll, a << (b & 63))
OP(slt, (uint64_t)less(a, b))
OP(sltu, a < b)
OP(xor, a ^ b)
OP(srl, a >> (b & 63))
OP(sra, shift_right_arithmetic(a, b & 63))
OP(or, a | b)
OP(and, a &b)
OP(addw, sext32(a + b))
OP(subw, sext32(a - b))
OP(sllw, sext32(a << (b & 31)))
OP(srlw, sext32((a & 0xffffffff) >> (b & 31)))
OP(sraw, sext32(shift_right_arithmetic(sext32(a), b & 31)))

OP(mul, a *b)
OP(mulh, (uint64_t)(u128)(((i128)(int64_t)a * (i128)(int64_t)b) >> 64))
OP(mulhsu, (uint64_t)(u128)(((i128)(int64_t)a * (i128)b) >> 64))
OP(mulhu, (uint64_t)(((u128)a * (u128)b) >> 64))
OP(mulw, sext32(a *b))

static uint64_t magnitude(uint64_t v)
{
	return v >> 63 ? 0 - v : v;
}

static uint64_t op_divu(uint64_t a, uint64_t b)
{
	return b ? a / b : UINT64_MAX;
}

static uint64_t op_remu(uint64_t a, uint64_t b)
{
	return b ? a % b : a;
}

static uint64_t op_div(uint64_t a, uint64_t b)
{
	if (!b)
		return UINT64_MAX;
	uint64_t quotient = magnitude(a) / magnitude(b);
	return (a ^ b) >> 63 ? 0 - quotient : quotient;
}

static uint64_t op_rem(uint64_t a, uint64_t b)
{
	if (!b)
		return a;
	uint64_t rest = magnitude(a) % magnitude(b);
	return a >> 63 ? 0 - rest : rest;
}

OP(divw, sext32(op_div(sext32(a), sext32(b))))
OP(divuw, sext32(op_divu(a & 0xffffffff, b & 0xffffffff)))
OP(remw, sext32(op_rem(sext32(a), sext32(b))))
OP(remuw, sext32(op_remu(a & 0xffffffff, b & 0xffffffff)))

OP(swap, ((void)a, b))
OP(min, less(a, b) ? a : b)
OP(max, less(a, b) ? b : a)
OP(minu, a < b ? a : b)
OP(maxu, a < b ? b : a)

OP(beq, a == b)
OP(bne, a != b)
OP(blt, (uint64_t)less(a, b))
OP(bge, (uint64_t)!less(a, b))
OP(bltu, a < b)
OP(bgeu, a >= b)

static const struct op ops[] = {
    {"op", "add", op_add},
    {"op", "sub", op_sub},
    {"op", "sll", op_sll},
    {"op", "slt", op_slt},
    {"op", "sltu", op_sltu},
    {"op", "xor", op_xor},
    {"op", "srl", op_srl},
    {"op", "sra", op_sra},
    {"op", "or", op_or},
    {"op", "and", op_and},
    {"op-32", "addw", op_addw},
    {"op-32", "subw", op_subw},
    {"op-32", "sllw", op_sllw},
    {"op-32", "srlw", op_srlw},
    {"op-32", "sraw", op_sraw},
    {"mul", "mul", op_mul},
    {"mul", "mulh", op_mulh},
    {"mul", "mulhsu", op_mulhsu},
    {"mul", "mulhu", op_mulhu},
    {"mul", "mulw", op_mulw},
    {"div", "div", op_div},
    {"div", "divu", op_divu},
    {"div", "rem", op_rem},
    {"div", "remu", op_remu},
    {"div", "divw", op_divw},
    {"div", "divuw", op_divuw},
    {"div", "remw", op_remw},
    {"div", "remuw", op_remuw},
    {"branch", "beq", op_beq},
    {"branch", "bne", op_bne},
    {"branch", "blt", op_blt},
    {"branch", "bge", op_bge},
    {"branch", "bltu", op_bltu},
    {"branch", "bgeu", op_bgeu},
    {"amo", "amoswap", op_swap},
    {"amo", "amoadd", op_add},
    {"amo", "amoxor", op_xor},
    {"amo", "amoand", op_and},
    {"amo", "amoor", op_or},
    {"amo", "amomin", op_min},
    {"amo", "amomax", op_max},
    {"amo", "amominu", op_minu},
    {"amo", "amomaxu", op_maxu},
    {"op-imm", "addi", op_add},
    {"op-imm", "slti", op_slt},
    {"op-imm", "sltiu", op_sltu},
    {"op-imm", "xori", op_xor},
    {"op-imm", "ori", op_or},
    {"op-imm", "andi", op_and},
    {"op-imm", "addiw", op_addw},
    {"shift-imm", "slli", op_sll},
    {"shift-imm", "srli", op_srl},
    {"shift-imm", "srai", op_sra},
    {"shift-imm", "slliw", op_sllw},
    {"shift-imm", "srliw", op_srlw},
    {"shift-imm", "sraiw", op_sraw},
    {"c-op", "c.add", op_add},
    {"c-op", "c.sub", op_sub},
    {"c-op", "c.xor", op_xor},
    {"c-op", "c.or", op_or},
    {"c-op", "c.and", op_and},
    {"c-op", "c.addw", op_addw},
    {"c-op", "c.subw", op_subw},
    {"c-imm", "c.addi", op_add},
    {"c-imm", "c.addiw", op_addw},
    {"c-imm", "c.andi", op_and},
    {"c-shift", "c.slli", op_sll},
    {"c-shift", "c.srli", op_srl},
    {"c-shift", "c.srai", op_sra},
};

static void print_row(const uint64_t *row, int columns)
{
	for (int i = 0; i < columns; i++)
		printf("%s%#" PRIx64, i ? ", " : "\t.dword\t", row[i]);
	putchar('\n');
}

/* Rows of a, b, result, and the result when both operands are a. */
static void print_pairs(const struct op *op)
{
	for (int i = 0; i < N_VALUES; i++) {
		for (int j = 0; j < N_VALUES; j++) {
			uint64_t a = values[i], b = values[j];
			uint64_t row[] = {a, b, op->result(a, b), op->result(a, a)};
			print_row(row, 4);
		}
	}
}

/* Each immediate has its own rows: operand, result. */
static void print_immediates(int number, const struct op *op, const int *imms, int count)
{
	int limit = strstr(op->name, "iw") && strcmp(op->set, "shift-imm") == 0 ? 32 : 64;
	for (int k = 0; k < count; k++) {
		if (imms == shifts && imms[k] >= limit)
			continue;
		puts("\tDATA");
		for (int i = 0; i < N_VALUES; i++) {
			uint64_t imm = (uint64_t)(int64_t)imms[k];
			uint64_t row[] = {values[i], op->result(values[i], imm)};
			print_row(row, 2);
		}
		printf("\tRUN_IMM\t%d, %s, %d\n", number, op->name, imms[k]);
	}
}

/* Returns a doubleword whose word at byte `at` is replaced. */
static uint64_t replace_word(uint64_t whole, int at, uint64_t word)
{
	uint64_t mask = (uint64_t)0xffffffff << (8 * at);
	return (whole & ~mask) | ((word << (8 * at)) & mask);
}

/* Unsigned word operations see zero-extended operands, the others signed ones. */
static uint64_t word_operand(const struct op *op, uint64_t v)
{
	size_t length = strlen(op->name);
	return op->name[length - 1] == 'u' ? v & 0xffffffff : sext32(v);
}

/* Rows of memory, rs2, then rd and memory after the AMO; at is the byte offset. */
static void print_amo(int number, const struct op *op, char width, int at)
{
	puts("\tDATA");
	for (int i = 0; i < N_VALUES; i++) {
		for (int j = 0; j < N_VALUES; j++) {
			uint64_t memory = values[i], b = values[j];
			uint64_t old = memory, after = op->result(old, b);
			if (width == 'w') {
				old = sext32(memory >> (8 * at));
				after = op->result(word_operand(op, old),
						   word_operand(op, b));
				after = replace_word(memory, at, after);
			}
			uint64_t row[] = {memory, b, old, after};
			print_row(row, 4);
		}
	}
	printf("\tRUN_AMO\t%d, %s.%c, %d\n", number, op->name, width, at);
}

static void print_op(int number, const struct op *op)
{
	if (strcmp(op->set, "amo") == 0) {
		print_amo(number, op, 'w', 0);
		print_amo(number + 1, op, 'w', 4);
		print_amo(number + 2, op, 'd', 0);
	} else if (strcmp(op->set, "op-imm") == 0) {
		print_immediates(number, op, immediates, N_IMMEDIATES);
	} else if (strcmp(op->set, "shift-imm") == 0) {
		print_immediates(number, op, shifts, N_SHIFTS);
	} else if (strcmp(op->set, "c-imm") == 0) {
		print_immediates(number, op, small_immediates, N_SMALL);
	} else if (strcmp(op->set, "c-shift") == 0) {
		print_immediates(number, op, shifts + 1, N_SHIFTS - 1);
	} else {
		puts("\tDATA");
		print_pairs(op);
		printf("\tRUN_OP\t%d, %s\n", number, op->name);
	}
}

int main(int argc, char **argv)
{
	int number = 1;
	for (size_t i = 0; argc == 2 && i < sizeof(ops) / sizeof(ops[0]); i++) {
		if (strcmp(ops[i].set, argv[1]) != 0)
			continue;
		print_op(number, &ops[i]);
		number += strcmp(ops[i].set, "amo") == 0 ? 3 : 1;
	}
	if (number == 1) {
		fprintf(stderr, "gen: expects the name of a set, as in `gen op`\n");
		return 2;
	}
	return fclose(stdout) == 0 ? 0 : 2;
}
