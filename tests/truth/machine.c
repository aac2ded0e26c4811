/* SPDX-License-Identifier: Apache-2.0 */
/* Registers and memory of the model, and the files that run on it. */
#include "machine.h"

#include <fcntl.h>
#include <getopt.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "image/bins.h"
#include "model/csr.h"
#include "model/load.h"

static const struct tr_cli cli = {.program = "truth"}; /* for messages */

enum { PAGE_SHIFT = 12, PTE_VALID = 1, PTE_LEAF = 0xe, SV39_LEVELS = 3 };

/* The executable segments; a file without any has none. */
static bool open_segments(struct binary *binary, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	size_t count = 0;
	GElf_Phdr header;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count && binary->nsegments < SEGMENTS; i++)
		if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_LOAD &&
		    header.p_flags & PF_X)
			binary->segments[binary->nsegments++] = (struct segment){
			    header.p_offset, header.p_filesz, header.p_vaddr};
	elf_end(elf);
	close(fd);
	return true;
}

static bool open_binary(struct binary *binary, const char *path)
{
	const struct tr_image_options options = {.functions = true};

	if (tr_image_open(&binary->image, path, &options) != TR_OK) {
		fprintf(stderr, "truth: %s\n",
			binary->image ? tr_image_message(binary->image) : "no memory");
		return false;
	}
	binary->name = tr_image_name(binary->image);
	if (!open_segments(binary, path) || !names_open(&binary->names, path)) {
		fprintf(stderr, "truth: %s: no symbols\n", path);
		return false;
	}
	if (!cfi_open(&binary->cfi, path)) {
		fprintf(stderr, "truth: %s: %s\n", path, binary->cfi.error);
		return false;
	}
	return true;
}

bool machine_open(struct machine *m, const char *path)
{
	struct tr_bins bins = {.bins = NULL};
	bool ok = true;

	if (tr_bins_read(&bins, path) != TR_OK) {
		fprintf(stderr, "truth: %s\n", bins.message);
		return false;
	}
	m->binaries = calloc(bins.count, sizeof(*m->binaries));
	for (size_t i = 0; i < bins.count && ok && m->binaries; i++) {
		struct binary *binary = &m->binaries[i];
		m->nbinaries++;
		ok = open_binary(binary, bins.bins[i].path);
		if (bins.bins[i].role == TR_ROLE_FIRMWARE)
			m->firmware = binary;
		if (bins.bins[i].role == TR_ROLE_KERNEL)
			m->kernel = binary;
	}
	tr_bins_release(&bins);
	if (ok && m->nbinaries == 1)
		m->kernel = m->firmware = m->binaries; /* which runs alone */
	if (ok && (!m->firmware || !m->kernel)) {
		fprintf(stderr, "truth: %s: no firmware, or no kernel\n", path);
		ok = false;
	}
	return ok;
}

void machine_close(struct machine *m)
{
	for (size_t i = 0; i < m->nbinaries; i++) {
		tr_image_close(m->binaries[i].image);
		cfi_close(&m->binaries[i].cfi);
		names_close(&m->binaries[i].names);
	}
	free(m->binaries);
	follow_close(m->follow);
	soc_free(m->soc);
}

static void load(struct machine *m, const char *operand)
{
	struct soc_image *image = soc_image(m->soc);
	struct trouble trouble = {""};
	char *path = NULL;
	uint64_t address;
	bool ok, placed;

	if (!boot_split(operand, &path, &address, &placed, &trouble))
		tr_die(&cli, "%s", trouble.text);
	if (placed) {
		ok = soc_image_load_raw(image, path, address);
		m->kernel->moved = address - tr_image_code(m->kernel->image, 0)->address;
	} else {
		ok = soc_image_load_elf(image, operand);
	}
	if (!ok)
		tr_die(&cli, "%s", image->message);
	free(path);
}

static void take_ram_size(struct machine_parts *parts, const char *text)
{
	struct trouble trouble = {""};

	if (!boot_ram(text, &parts->ram, &trouble))
		tr_die(&cli, "%s", trouble.text);
}

void machine_option(struct machine_parts *parts, int option)
{
	if (option == 'r')
		take_ram_size(parts, optarg);
	else if (option == 'd')
		parts->boot.dtb = optarg;
	else if (option == 'i')
		parts->boot.initrd = optarg;
}

bool machine_images(struct machine_parts *parts, int argc, char **argv)
{
	parts->images = argv + optind + 2;
	parts->count = argc - optind - 2;
	return parts->count > 0;
}

void machine_reset(struct machine *m, const struct machine_parts *parts)
{
	const struct soc_config config = {.ram_size = parts->ram,
					  .harts = parts->harts ? parts->harts : 1,
					  .features = parts->features};
	struct trouble trouble = {""};

	follow_close(m->follow);
	m->follow = NULL;
	soc_free(m->soc);
	m->soc = soc_new(&config);
	if (!m->soc)
		tr_die(&cli, "no memory for the machine");
	m->kernel->soc = m->soc;
	m->kernel->moved = (uint64_t)tr_image_code(m->kernel->image, 0)->load_delta;
	for (int i = 0; i < parts->count; i++)
		load(m, parts->images[i]);
	if (!boot_load(&parts->boot, soc_image(m->soc), &trouble))
		tr_die(&cli, "%s", trouble.text);
	for (unsigned i = 0; i < soc_harts(m->soc); i++)
		soc_set_x(m->soc, i, A0 + 1, soc_image(m->soc)->tree);
	if (!parts->trace)
		return;
	m->follow = follow_open(m->soc, parts->trace);
	if (!m->follow)
		exit(2);
}

void machine_set_hooks(struct machine *m, const struct soc_hooks *hooks)
{
	if (m->follow)
		follow_set_hooks(m->follow, hooks);
	else
		soc_set_hooks(m->soc, hooks);
}

bool machine_break_at_pc(struct machine *m, uint64_t pc)
{
	return m->follow ? follow_break_at_pc(m->follow, pc)
			 : soc_break_at_pc(m->soc, pc);
}

enum soc_stop machine_run(struct machine *m, uint64_t instret)
{
	return m->follow ? follow_run(m->follow, instret)
			 : soc_run(m->soc, instret, UINT64_MAX);
}

void machine_take_traps(struct machine *m)
{
	if (!m->follow)
		soc_step(m->soc);
}

uint64_t machine_instret(const struct machine *m)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < soc_harts(m->soc); i++)
		sum += soc_instret(m->soc, i);
	return sum;
}

uint64_t machine_csr(const struct machine *m, unsigned csr)
{
	uint64_t value = 0;

	soc_csr(m->soc, m->hart, csr, &value);
	return value;
}

void machine_registers(const struct machine *m, struct registers *registers)
{
	registers->pc = soc_pc(m->soc, m->hart);
	for (unsigned i = 0; i < 32; i++)
		registers->x[i] = soc_x(m->soc, m->hart, i);
}

bool machine_translate(const struct machine *m, uint64_t satp, uint64_t address,
		       uint64_t *physical)
{
	uint64_t table = (satp & ((UINT64_C(1) << 44) - 1)) << PAGE_SHIFT, pte;

	if (satp >> 60 == 0) {
		*physical = address;
		return true;
	}
	for (unsigned level = SV39_LEVELS; level-- > 0;) {
		unsigned shift = PAGE_SHIFT + 9 * level;
		uint64_t mask = (UINT64_C(1) << shift) - 1;
		table += (address >> shift & 511) * sizeof(pte);
		if (!soc_read_physical(m->soc, table, &pte, sizeof(pte)) ||
		    !(pte & PTE_VALID))
			return false;
		table = pte >> 10 << PAGE_SHIFT;
		if (pte & PTE_LEAF) {
			*physical = (table & ~mask) | (address & mask);
			return true;
		}
	}
	return false;
}

bool machine_read(const struct machine *m, uint64_t satp, uint64_t address, void *data,
		  size_t size)
{
	uint64_t physical;

	return machine_translate(m, satp, address, &physical) &&
	       soc_read_physical(m->soc, physical, data, size);
}

bool machine_read64(const struct machine *m, uint64_t satp, uint64_t address,
		    uint64_t *value)
{
	return address % 8 == 0 && machine_read(m, satp, address, value, sizeof(*value));
}

static bool read_code(const struct binary *binary, uint64_t pc, uint16_t *half)
{
	if (binary->soc)
		return soc_read_physical(binary->soc, pc + binary->moved, half,
					 sizeof(*half));
	const uint8_t *code = tr_image_bytes(binary->image, pc, sizeof(*half));
	if (code)
		*half = (uint16_t)(code[0] | code[1] << 8);
	return code;
}

bool binary_linked(const struct binary *binary, uint64_t offset, uint64_t *linked)
{
	for (unsigned i = 0; i < binary->nsegments; i++) {
		const struct segment *s = &binary->segments[i];
		*linked = offset - s->offset + s->address;
		if (offset - s->offset < s->size)
			return true;
	}
	return false;
}

uint32_t binary_insn(const struct binary *binary, uint64_t pc)
{
	uint16_t low, high;

	if (!read_code(binary, pc, &low))
		return 0;
	if ((low & 3) != 3 || !read_code(binary, pc + 2, &high))
		return low;
	return low | (uint32_t)high << 16;
}
