/* SPDX-License-Identifier: Apache-2.0 */
/* ELF files and raw images into RAM, before the run. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

struct file {
	const char *path;
	const uint8_t *data;
	uint64_t size;
};

static bool open_file(struct soc *soc, struct file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data = NULL;

	*f = (struct file){.path = path};
	if (fd < 0 || fstat(fd, &st) < 0) {
		soc_fail(soc, "%s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		soc_fail(soc, "%s: not a regular file", path);
	} else if (st.st_size == 0) {
		soc_fail(soc, "%s: empty file", path);
	} else {
		f->size = (uint64_t)st.st_size;
		data = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
		if (data == MAP_FAILED)
			soc_fail(soc, "%s: %s", path, strerror(errno));
		else
			f->data = data;
	}
	if (fd >= 0)
		close(fd);
	return f->data != NULL;
}

static void close_file(const struct file *f)
{
	munmap((void *)(uintptr_t)f->data, f->size);
}

/* The place [address, address + size) must be in RAM and free; then it is taken. */
static bool claim(struct soc *soc, const char *what, uint64_t address, uint64_t size)
{
	uint64_t last = address + size - 1;
	struct soc_range *more;

	if (!soc_in_ram(soc, address, size))
		return soc_fail(soc,
				"%s: 0x%" PRIx64 " to 0x%" PRIx64
				" is outside memory, 0x%x to 0x%" PRIx64,
				what, address, last, SOC_RAM_BASE,
				SOC_RAM_BASE + soc->ram_size - 1);
	for (size_t i = 0; i < soc->nloaded; i++)
		if (address <= soc->loaded[i].last && last >= soc->loaded[i].first)
			return soc_fail(soc,
					"%s: 0x%" PRIx64 " to 0x%" PRIx64
					" overlaps what is loaded from 0x%" PRIx64,
					what, address, last, soc->loaded[i].first);
	more = realloc(soc->loaded, (soc->nloaded + 1) * sizeof *more);
	if (!more)
		return soc_fail(soc, "%s: out of memory", what);
	soc->loaded = more;
	soc->loaded[soc->nloaded++] = (struct soc_range){address, last};
	return true;
}

static void hash_u64(XXH64_state_t *hash, uint64_t value)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	XXH64_update(hash, bytes, sizeof bytes);
}

static bool place(struct soc *soc, const char *what, uint64_t address,
		  const uint8_t *data, uint64_t file_size, uint64_t size)
{
	if (!claim(soc, what, address, size))
		return false;
	if (file_size)
		soc_write_physical(soc, address, data, file_size);
	hash_u64(soc->hash, address);
	hash_u64(soc->hash, size);
	if (file_size)
		XXH64_update(soc->hash, data, file_size);
	return true;
}

static bool load_segment(struct soc *soc, const struct file *f, size_t i,
			 const GElf_Phdr *p)
{
	char what[320];

	snprintf(what, sizeof what, "%s: segment %zu", f->path, i);
	if (p->p_offset > f->size || p->p_filesz > f->size - p->p_offset)
		return soc_fail(soc,
				"%s: truncated: ends at byte %" PRIu64 " of %" PRIu64,
				what, p->p_offset + p->p_filesz, f->size);
	if (p->p_filesz > p->p_memsz)
		return soc_fail(soc, "%s: larger in the file than in memory", what);
	if (p->p_memsz == 0)
		return true;
	return place(soc, what, p->p_paddr, f->data + p->p_offset, p->p_filesz,
		     p->p_memsz);
}

static bool check_elf(struct soc *soc, const struct file *f, Elf *elf, GElf_Ehdr *eh)
{
	if (f->size < 4 || memcmp(f->data, ELFMAG, SELFMAG) != 0)
		return soc_fail(soc, "%s: not an ELF file (a raw image is FILE@ADDRESS)",
				f->path);
	if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, eh) == NULL)
		return soc_fail(soc, "%s: damaged or truncated ELF header", f->path);
	if (eh->e_machine != EM_RISCV)
		return soc_fail(soc, "%s: not for RISC-V (machine %u)", f->path,
				eh->e_machine);
	if (eh->e_ident[EI_CLASS] != ELFCLASS64)
		return soc_fail(soc, "%s: for RV32, not RV64", f->path);
	if (eh->e_ident[EI_DATA] != ELFDATA2LSB)
		return soc_fail(soc, "%s: big-endian", f->path);
	if (eh->e_type != ET_EXEC)
		return soc_fail(soc,
				"%s: not an executable with fixed addresses (type %u)",
				f->path, eh->e_type);
	return true;
}

static bool load_segments(struct soc *soc, const struct file *f, Elf *elf,
			  const GElf_Ehdr *eh)
{
	size_t count, loaded = 0;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &count) != 0 || (count == 0 && eh->e_phnum))
		return soc_fail(soc, "%s: damaged or truncated program headers", f->path);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &p))
			return soc_fail(soc, "%s: program header %zu is truncated",
					f->path, i);
		if (p.p_type != PT_LOAD)
			continue;
		if (!load_segment(soc, f, i, &p))
			return false;
		loaded++;
	}
	return loaded || soc_fail(soc, "%s: nothing to load", f->path);
}

/* Where in memory the file begins to run; SOC_NEVER if it does not say. */
static uint64_t physical_entry(Elf *elf, uint64_t entry)
{
	size_t count = 0;
	GElf_Phdr p;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count && entry; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD &&
		    entry >= p.p_vaddr && entry - p.p_vaddr < p.p_memsz)
			return entry - p.p_vaddr + p.p_paddr;
	return entry ? entry : SOC_NEVER;
}

bool soc_load_elf(struct soc *soc, const char *path)
{
	struct file f;
	GElf_Ehdr eh;
	Elf *elf;
	bool good;

	if (!open_file(soc, &f, path))
		return false;
	elf_version(EV_CURRENT);
	elf = elf_memory((char *)(uintptr_t)f.data, f.size);
	good = check_elf(soc, &f, elf, &eh) && load_segments(soc, &f, elf, &eh);
	soc->entry = good ? physical_entry(elf, eh.e_entry) : SOC_NEVER;
	elf_end(elf);
	close_file(&f);
	return good;
}

bool soc_load_raw(struct soc *soc, const char *path, uint64_t address)
{
	struct file f;
	bool good;

	if (!open_file(soc, &f, path))
		return false;
	good = place(soc, path, address, f.data, f.size, f.size);
	close_file(&f);
	return good;
}

uint64_t soc_image_hash(const struct soc *soc)
{
	return XXH64_digest(soc->hash);
}

bool soc_is_loaded(const struct soc *soc, uint64_t address)
{
	for (size_t i = 0; i < soc->nloaded; i++)
		if (address >= soc->loaded[i].first && address <= soc->loaded[i].last)
			return true;
	return false;
}

bool soc_elf_entry(const struct soc *soc, uint64_t *entry)
{
	*entry = soc->entry;
	return soc->entry != SOC_NEVER;
}
