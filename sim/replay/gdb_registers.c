/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb_registers.h"

#include <stdarg.h>
#include <stdio.h>

#include "model/csr.h"

/* gdb's numbers of registers. */
enum { PC = 32, F0 = 33, CSR0 = 65, PRIV = CSR0 + 4096 };

static const char *const x_names[32] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};
static const char *const f_names[32] = {
    "ft0", "ft1", "ft2", "ft3", "ft4",	"ft5",	"ft6", "ft7", "fs0",  "fs1", "fa0",
    "fa1", "fa2", "fa3", "fa4", "fa5",	"fa6",	"fa7", "fs2", "fs3",  "fs4", "fs5",
    "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "ft8", "ft9", "ft10", "ft11"};

static const struct {
	const char *name;
	unsigned number;
} csrs[] = {
    {"sstatus", CSR_SSTATUS},	{"sie", CSR_SIE},	    {"stvec", CSR_STVEC},
    {"sscratch", CSR_SSCRATCH}, {"sepc", CSR_SEPC},	    {"scause", CSR_SCAUSE},
    {"stval", CSR_STVAL},	{"satp", CSR_SATP},	    {"mstatus", CSR_MSTATUS},
    {"medeleg", CSR_MEDELEG},	{"mideleg", CSR_MIDELEG},   {"mie", CSR_MIE},
    {"mtvec", CSR_MTVEC},	{"mscratch", CSR_MSCRATCH}, {"mepc", CSR_MEPC},
    {"mcause", CSR_MCAUSE},	{"mtval", CSR_MTVAL}};
enum { CSRS = sizeof(csrs) / sizeof(*csrs) };

struct text {
	char *at, *end;
};

__attribute__((format(printf, 2, 3))) static void append_xml(struct text *text,
							     const char *format, ...)
{
	va_list args;

	va_start(args, format);
	int n = vsnprintf(text->at, (size_t)(text->end - text->at), format, args);
	va_end(args);
	if (n > 0)
		text->at += n < text->end - text->at ? n : text->end - text->at - 1;
}

static void add_register(struct text *text, const char *name, unsigned bits,
			 const char *type, unsigned number)
{
	append_xml(text, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>\n",
		   name, bits, type, number);
}

void gdb_describe(const struct soc *soc, char *out, size_t size)
{
	struct text text = {out, out + size};

	/* For programs of Linux, gdb steps by breakpoints of its own, which an
	 * instruction that traps never reaches, and another process may. */
	append_xml(&text, "<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM "
			  "\"gdb-target.dtd\">\n<target version=\"1.0\">\n"
			  "<architecture>riscv:rv64</architecture>\n"
			  "<osabi>none</osabi>\n"
			  "<feature name=\"org.gnu.gdb.riscv.cpu\">\n");
	for (unsigned i = 0; i < 32; i++)
		add_register(&text, x_names[i], 64, "int", i);
	add_register(&text, "pc", 64, "code_ptr", PC);
	if (soc_get_features(soc)->fpu) {
		append_xml(&text,
			   "</feature>\n<feature name=\"org.gnu.gdb.riscv.fpu\">\n");
		for (unsigned i = 0; i < 32; i++)
			add_register(&text, f_names[i], 64, "ieee_double", F0 + i);
		add_register(&text, "fflags", 32, "int", CSR0 + CSR_FFLAGS);
		add_register(&text, "frm", 32, "int", CSR0 + CSR_FRM);
		add_register(&text, "fcsr", 32, "int", CSR0 + CSR_FCSR);
	}
	append_xml(&text, "</feature>\n<feature name=\"org.gnu.gdb.riscv.virtual\">\n");
	add_register(&text, "priv", 64, "int", PRIV);
	append_xml(&text, "</feature>\n<feature name=\"org.gnu.gdb.riscv.csr\">\n");
	for (unsigned i = 0; i < CSRS; i++)
		add_register(&text, csrs[i].name, 64, "int", CSR0 + csrs[i].number);
	append_xml(&text, "</feature>\n</target>\n");
}

static void put_register_hex(uint64_t value, unsigned bytes, char *text)
{
	for (unsigned i = 0; i < bytes; i++)
		sprintf(text + 2 * i, "%02x", (unsigned)(value >> 8 * i & 0xff));
}

bool gdb_register(const struct soc *soc, unsigned hart, unsigned number,
		  char text[GDB_REGISTER_TEXT])
{
	unsigned bytes = 8;
	uint64_t value = 0;
	bool known = true;

	if (number < PC)
		value = soc_x(soc, hart, number);
	else if (number == PC)
		value = soc_pc(soc, hart);
	else if (number < CSR0 && soc_get_features(soc)->fpu)
		value = soc_f(soc, hart, number - F0);
	else if (number == PRIV)
		value = soc_priv(soc, hart);
	else
		known = number > CSR0 && number < PRIV &&
			soc_csr(soc, hart, number - CSR0, &value);
	if (number > CSR0 && number <= CSR0 + CSR_FCSR)
		bytes = 4;
	put_register_hex(value, bytes, text);
	return known;
}

void gdb_registers(const struct soc *soc, unsigned hart, char text[GDB_ALL_TEXT])
{
	unsigned end = soc_get_features(soc)->fpu ? CSR0 : F0;

	for (unsigned i = 0; i < end; i++)
		gdb_register(soc, hart, i, text + (size_t)i * 16);
}
