/* SPDX-License-Identifier: Apache-2.0 */
/* A machine without instructions: registers, and the memory of an ELF file. */
#ifndef PROBE_MACHINE_H
#define PROBE_MACHINE_H

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <unistd.h>

#include "../unit/check.h"
#include "probe/probe.h"

enum { MACHINE_RAM = 1 << 20, RA = 1, SP = 2, A0 = 10 };
#define MACHINE_BASE UINT64_C(0x80000000)

struct machine {
	uint64_t x[32], f[32];
	bool x_unknown;
	uint8_t ram[MACHINE_RAM]; /* at MACHINE_BASE + bias */
	struct tr_probe_machine probe;
};

static inline bool machine_x(void *user, unsigned reg, uint64_t *value)
{
	const struct machine *machine = user;
	*value = machine->x[reg];
	return !machine->x_unknown;
}

static inline bool machine_f(void *user, unsigned reg, uint64_t *value)
{
	const struct machine *machine = user;
	*value = machine->f[reg];
	return true;
}

static inline bool machine_read(void *user, uint64_t address, void *to, size_t size)
{
	const struct machine *machine = user;
	uint64_t at = address - MACHINE_BASE - machine->probe.bias;
	if (at >= MACHINE_RAM || size > MACHINE_RAM - at)
		return false;
	memcpy(to, machine->ram + at, size);
	return true;
}

static inline void machine_write(struct machine *machine, uint64_t address,
				 const void *from, size_t size)
{
	memcpy(machine->ram + (address - MACHINE_BASE - machine->probe.bias), from, size);
}

/* Loads the segments of a file. */
static inline void machine_load(struct machine *machine, const char *path)
{
	elf_version(EV_CURRENT);
	int fd = open(path, O_RDONLY);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	size_t count = 0;
	GElf_Phdr segment;
	*machine = (struct machine){
	    .probe = {
		.user = machine, .x = machine_x, .f = machine_f, .read = machine_read}};
	CHECK(elf && elf_getphdrnum(elf, &count) == 0 && count > 0);
	for (size_t i = 0; i < count; i++)
		if (gelf_getphdr(elf, (int)i, &segment) && segment.p_type == PT_LOAD)
			CHECK_EQ(pread(fd,
				       machine->ram + (segment.p_vaddr - MACHINE_BASE),
				       segment.p_filesz, (off_t)segment.p_offset),
				 segment.p_filesz);
	elf_end(elf);
	close(fd);
}

/* Reads and resolves one text for the binary "program". */
static inline struct tr_probes *machine_probes(const char *text, const char *path)
{
	struct tr_probes *probes = tr_probes_new();
	if (tr_probes_read_text(probes, "test", text) != TR_OK ||
	    tr_probes_resolve(probes, "program", path) != TR_OK) {
		CHECK_STR(tr_probes_message(probes), "");
		tr_probes_free(probes);
		return NULL;
	}
	return probes;
}

/* Returns all values of a place, as text: "a=1 b=missing". */
static inline const char *machine_hit(struct tr_probes *probes, size_t place,
				      const struct machine *machine, const void *saved)
{
	static char text[4096];
	struct tr_probe_hit hit;
	FILE *out = fmemopen(text, sizeof(text), "w");
	memset(text, 0, sizeof(text));
	if (!tr_probes_hit(probes, place, &machine->probe, saved, &hit)) {
		fclose(out);
		return "filtered";
	}
	for (size_t i = 0; i < tr_probes_field_count(probes, hit.probe); i++) {
		fprintf(out, "%s%s=", i ? " " : "",
			tr_probes_field_name(probes, hit.probe, i));
		tr_probe_value_print(&hit.values[i], out);
	}
	fclose(out);
	return text;
}

#endif
