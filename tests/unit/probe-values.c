/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments, results and memory on RV32 and RV64, with registers that the test sets as
 * the calling convention says; a load bias; what is missing. */
#include "../probe/machine.h"

static struct machine machine;

static uint64_t single(float value)
{
	uint32_t bits;
	memcpy(&bits, &value, sizeof(bits));
	return bits | UINT64_C(0xffffffff00000000);
}

static uint64_t address_of(const char *expression, const char *path)
{
	char text[200];
	struct tr_probe_hit hit;
	uint64_t address = 0;
	snprintf(text, sizeof(text), "p: program:use { a = %s }", expression);
	struct tr_probes *probes = machine_probes(text, path);
	if (probes && CHECK(tr_probes_hit(probes, 0, &machine.probe, NULL, &hit)))
		address = hit.values[0].number;
	tr_probes_free(probes);
	return address;
}

static void check(const char *text, const char *path, const char *want)
{
	struct tr_probes *probes = machine_probes(text, path);
	if (!probes)
		return;
	CHECK_EQ(tr_probes_place_count(probes), 1);
	CHECK_STR(machine_hit(probes, 0, &machine, NULL), want);
	tr_probes_free(probes);
}

/* Evaluates a return with other registers than at the entry. */
static void check_return(const char *text, const char *path, uint64_t a0, uint64_t a1,
			 const char *want)
{
	struct tr_probes *probes = machine_probes(text, path);
	uint64_t saved[32];
	if (!probes)
		return;
	const struct tr_probe_place *place = tr_probes_place(probes, 0);
	CHECK_EQ(place->kind, TR_PROBE_RETURN);
	CHECK(place->saved_size <= sizeof(saved));
	tr_probes_enter(probes, 0, &machine.probe, saved);
	uint64_t before[2] = {machine.x[A0], machine.x[A0 + 1]};
	machine.x[A0] = a0;
	machine.x[A0 + 1] = a1;
	CHECK_STR(machine_hit(probes, 0, &machine, saved), want);
	machine.x[A0] = before[0];
	machine.x[A0 + 1] = before[1];
	tr_probes_free(probes);
}

static void check_integers(const char *path, bool is_32)
{
	uint64_t node = address_of("&first", path);
	/* int, unsigned char, long long (a pair on RV32), pointer, short; the upper bits
	 * of a register are sign-extended or not. */
	uint64_t args[] = {is_32 ? 0xfffffff9 : (uint64_t)-7,
			   200,
			   0x456789ab,
			   0x123,
			   node,
			   (uint64_t)-300};
	if (!is_32) {
		args[2] = 0x123456789ab;
		args[3] = node;
		args[4] = (uint64_t)-300;
	}
	memcpy(&machine.x[A0], args, sizeof(args));
	check(
	    "p: program:scalars { a = arg0; b = arg1; c = arg2; id = arg3->id; d = arg4;"
	    "delta = node->delta; bits = node->wide_bits; name = node->next->inner.name;"
	    "long_size = sizeof(long); sum = arg0 + (long)1; word = sizeof(node) }",
	    path,
	    is_32 ? "a=-7 b=200 c=1250999896491 id=1 d=-300 delta=-3 bits=703710 "
		    "name=\"seven77\" long_size=4 sum=-6 word=4"
		  : "a=-7 b=200 c=1250999896491 id=1 d=-300 delta=-3 bits=703710 "
		    "name=\"seven77\" long_size=8 sum=-6 word=8");
	check("p: program:scalars / node->id == 2 / { a = a }", path, "filtered");
	check("p: program:scalars / node->id == 1 && !(arg0 / 100) / { a = a }", path,
	      "a=-7");
	check(
	    "p: program:scalars { a = reg(\"sp\"); b = sp; c = pc; d = hart; e = cycle; "
	    "f = satp }",
	    path, "a=2148008448 b=2148008448 c=7 d=3 e=99 f=5");
	check_return(
	    "p: program:wide:return { r = retval; a = arg0; t = cycle - entered }", path,
	    is_32 ? 0xfffffffe : (uint64_t)-2, 0xffffffff,
	    is_32 ? "r=-2 a=-7 t=0" : "r=-2 a=-7 t=0");
}

static void check_reals(const char *path, bool is_32)
{
	double b = 2.25;
	uint64_t bits, x = 3, y = 4;
	double reals[] = {3, 4};
	memcpy(&bits, &b, sizeof(bits));
	memcpy(&x, &reals[0], sizeof(x));
	memcpy(&y, &reals[1], sizeof(y));
	machine.f[10] = single(0.5f);
	if (is_32) { /* ilp32f: a double is a pair of integers */
		machine.x[10] = (uint32_t)bits;
		machine.x[11] = bits >> 32;
		machine.x[12] = 9;
		machine.f[11] = single(1.25f);
		machine.x[13] = (uint64_t)-4;
		/* 16 bytes: by reference */
		machine.x[14] = MACHINE_BASE + MACHINE_RAM - 64;
		machine_write(&machine, machine.x[14], reals, sizeof(reals));
	} else {
		machine.f[11] = bits;
		machine.x[10] = 9;
		machine.f[12] = single(1.25f);
		machine.x[11] = (uint64_t)-4;
		machine.f[13] = x;
		machine.f[14] = y;
	}
	check("p: program:reals { a = a; b = b; c = c; real = m.real; number = m.number;"
	      "x = r.x; y = r.y }",
	      path, "a=0.5 b=2.25 c=9 real=1.25 number=-4 x=3 y=4");
}

/* Ten arguments: two of them, and a part of one, are on the stack. */
static void check_stack(const char *path, bool is_32)
{
	uint64_t words[] = {(uint64_t)-9, 101, 102};
	for (unsigned i = 0; i < 8; i++)
		machine.x[A0 + i] = i + 1;
	for (unsigned i = 0; i < 3; i++)
		machine_write(&machine, machine.x[SP] + i * (is_32 ? 4U : 8U), &words[i],
			      is_32 ? 4 : 8);
	check("p: program:many { a = arg0; h = arg7; ninth = ninth; t = tenth.a; b = "
	      "tenth.b }",
	      path, "a=1 h=8 ninth=-9 t=101 b=102");
}

static void check_bias(const char *path)
{
	uint64_t bias = 0x10000;
	machine.probe.bias = bias;
	machine.x[A0] = 0;
	check("p: program:use { id = second.id; pointer = first.text != 0; c = sink }",
	      path, "id=-2 pointer=1 c=0");
	machine.probe.bias = 0;
}

static void check_missing(const char *path)
{
	machine.x[A0] = 16;
	check("p: program:use { a = str(arg0); b = *(int *)arg0; c = *(int *)arg0 + 1;"
	      "d = arg0 || *(int *)arg0; e = buf(arg0, 4); f = buf(&first, 0);"
	      "g = str(0) == \"\"; h = buf(&first, -1) }",
	      path, "a=missing b=missing c=missing d=1 e=missing f= g=missing h=missing");
	machine.x_unknown = true;
	check("p: program:use { a = arg0; b = 1 }", path, "a=missing b=1");
	struct tr_probes *probes =
	    machine_probes("p: program:use / arg0 == 1 / { a = 1 }", path);
	if (probes) {
		CHECK_STR(machine_hit(probes, 0, &machine, NULL), "filtered");
		CHECK_EQ(tr_probes_unknown(probes, 0), 1);
	}
	tr_probes_free(probes);
	machine.x_unknown = false;
}

/* Up to the last byte of memory, a string is read; beyond it, it is missing. */
static void check_strings(const char *path)
{
	uint64_t end = MACHINE_BASE + MACHINE_RAM;
	machine_write(&machine, end - 4, "abc", 4);
	machine.x[A0] = end - 4;
	check("p: program:use { a = str(arg0); b = str(arg0, 2); c = str(arg0, 0); d = "
	      "words(arg0, 4) }",
	      path, "a=\"abc\" b=\"ab\"... c=\"\"... d=\"abc\"");
	machine_write(&machine, end - 1, "d", 1);
	check("p: program:use { a = str(arg0); b = str(arg0, 4); c = buf(arg0, 4); d = "
	      "buf(arg0, 5) }",
	      path, "a=missing b=\"abcd\"... c=61626364 d=missing");
	machine_write(&machine, end - 4, "\0\n\"\377", 4);
	check("p: program:use { a = words(arg0, 4) }", path, "a=\" \\n\\\"\\xff\"");
}

static void check_file(const char *path, bool is_32)
{
	machine_load(&machine, path);
	machine.probe.pc = 7;
	machine.probe.hart = 3;
	machine.probe.cycle = 99;
	machine.probe.satp = 5;
	machine.x[SP] = MACHINE_BASE + MACHINE_RAM / 2 + 0x200;
	check_integers(path, is_32);
	check_reals(path, is_32);
	check_stack(path, is_32);
	check_bias(path);
	check_missing(path);
	check_strings(path);
}

static void check_enumerator(const char *name, const char *want)
{
	const struct tr_probe_value value = {.kind = TR_PROBE_ENUM,
					     .data = (const uint8_t *)name,
					     .size = strlen(name),
					     .number = 3};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	tr_probe_value_print(&value, out);
	fclose(out);
	CHECK_STR(text, want);
	free(text);
}

/* Names come from a file. */
static void check_enumerators(void)
{
	check_enumerator("RUNNING", "RUNNING");
	check_enumerator("", "3");
	check_enumerator("A\n100 hart 0 p", "\"A\\n100 hart 0 p\"");
	check_enumerator("A\x1b[31m", "\"A\\x1b[31m\"");
	check_enumerator("A b=1", "\"A b=1\"");
}

int main(void)
{
	check_enumerators();
	check_file(PROBES "/rv64-0.elf", false);
	check_file(PROBES "/rv64-2.elf", false);
	check_file(PROBES "/rv32-0.elf", true);
	check_file(PROBES "/rv32-2.elf", true);
	return check_done();
}
