/* SPDX-License-Identifier: Apache-2.0 */
/* Loads ELF files and raw images into RAM before the run. */
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/little.h"
#include "load.h"
#include "soc.h"

#define NO_ENTRY UINT64_MAX

bool soc_image_fail(struct soc_image *image, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(image->message, sizeof(image->message), format, args);
	va_end(args);
	return false;
}

/* Pages of RAM are allocated on first use. */
bool soc_image_init(struct soc_image *image, uint64_t ram_size)
{
	void *ram;

	*image = (struct soc_image){.entry = NO_ENTRY};
	image->hash = XXH64_createState();
	if (!image->hash || ram_size == 0 || ram_size % 4096 || ram_size >> 38)
		return false;
	XXH64_reset(image->hash, 0);
	ram = mmap(NULL, ram_size, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (ram == MAP_FAILED)
		return false;
	image->ram = ram;
	image->size = ram_size;
	return true;
}

void soc_image_free(struct soc_image *image)
{
	if (image->ram)
		munmap(image->ram, image->size);
	XXH64_freeState(image->hash);
	for (size_t i = 0; i < image->nloaded; i++)
		free(image->loaded[i].what);
	free(image->loaded);
	*image = (struct soc_image){.ram = NULL};
}

bool soc_image_in_ram(const struct soc_image *image, uint64_t address, uint64_t size)
{
	return address >= SOC_RAM_BASE && address - SOC_RAM_BASE < image->size &&
	       size <= image->size - (address - SOC_RAM_BASE);
}

bool soc_file_open(struct soc_image *image, struct soc_file *f, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;
	void *data = NULL;

	*f = (struct soc_file){.path = path};
	if (fd < 0 || fstat(fd, &st) < 0) {
		soc_image_fail(image, "%s: %s", path, strerror(errno));
	} else if (!S_ISREG(st.st_mode)) {
		soc_image_fail(image, "%s: not a regular file", path);
	} else if (st.st_size == 0) {
		soc_image_fail(image, "%s: empty file", path);
	} else {
		f->size = (uint64_t)st.st_size;
		data = mmap(NULL, f->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
		if (data == MAP_FAILED)
			soc_image_fail(image, "%s: %s", path, strerror(errno));
		else
			f->data = data;
	}
	if (fd >= 0)
		close(fd);
	return f->data != NULL;
}

void soc_file_close(const struct soc_file *f)
{
	munmap((void *)(uintptr_t)f->data, f->size);
}

/* Reserves [address, address + size), which must be in RAM and free. */
static bool claim_image_range(struct soc_image *image, const char *what, uint64_t address,
			      uint64_t size)
{
	uint64_t last = address + size - 1;

	if (!soc_image_in_ram(image, address, size))
		return soc_image_fail(image,
				      "%s: 0x%" PRIx64 " to 0x%" PRIx64
				      " is outside memory, 0x%x to 0x%" PRIx64,
				      what, address, last, SOC_RAM_BASE,
				      SOC_RAM_BASE + image->size - 1);
	for (size_t i = 0; i < image->nloaded; i++)
		if (address <= image->loaded[i].last && last >= image->loaded[i].first)
			return soc_image_fail(image,
					      "%s: 0x%" PRIx64 " to 0x%" PRIx64
					      " overlaps %s, 0x%" PRIx64 " to 0x%" PRIx64,
					      what, address, last, image->loaded[i].what,
					      image->loaded[i].first,
					      image->loaded[i].last);
	struct soc_range *more =
	    realloc(image->loaded, (image->nloaded + 1) * sizeof(*more));
	if (more)
		image->loaded = more;
	char *name = strdup(what);
	if (!more || !name) {
		free(name);
		return soc_image_fail(image, "%s: out of memory", what);
	}
	image->loaded[image->nloaded++] = (struct soc_range){address, last, name};
	return true;
}

static void hash_u64(XXH64_state_t *hash, uint64_t value)
{
	uint8_t bytes[8];

	for (unsigned i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(value >> (8 * i));
	XXH64_update(hash, bytes, sizeof(bytes));
}

/* A device tree is recognised by the magic number at its start. */
static bool is_device_tree(const uint8_t *data, uint64_t size)
{
	static const uint8_t magic[] = {0xd0, 0x0d, 0xfe, 0xed};

	return size >= sizeof(magic) && memcmp(data, magic, sizeof(magic)) == 0;
}

static bool place_in_image(struct soc_image *image, const char *what, uint64_t address,
			   const uint8_t *data, uint64_t file_size, uint64_t size)
{
	if (!claim_image_range(image, what, address, size))
		return false;
	if (file_size)
		memcpy(image->ram + (address - SOC_RAM_BASE), data, file_size);
	if (is_device_tree(data, file_size))
		image->tree = address;
	hash_u64(image->hash, address);
	hash_u64(image->hash, size);
	if (file_size)
		XXH64_update(image->hash, data, file_size);
	return true;
}

static bool load_segment(struct soc_image *image, const struct soc_file *f, size_t i,
			 const GElf_Phdr *p)
{
	char what[320];

	snprintf(what, sizeof(what), "%s: segment %zu", f->path, i);
	if (p->p_offset > f->size || p->p_filesz > f->size - p->p_offset)
		return soc_image_fail(
		    image, "%s: truncated: ends at byte %" PRIu64 " of %" PRIu64, what,
		    p->p_offset + p->p_filesz, f->size);
	if (p->p_filesz > p->p_memsz)
		return soc_image_fail(image, "%s: larger in the file than in memory",
				      what);
	if (p->p_memsz == 0)
		return true;
	return place_in_image(image, what, p->p_paddr, f->data + p->p_offset, p->p_filesz,
			      p->p_memsz);
}

static bool check_elf(struct soc_image *image, const struct soc_file *f, Elf *elf,
		      GElf_Ehdr *eh)
{
	if (f->size < 4 || memcmp(f->data, ELFMAG, SELFMAG) != 0)
		return soc_image_fail(
		    image, "%s: not an ELF file (a raw image is FILE@ADDRESS)", f->path);
	if (elf == NULL || elf_kind(elf) != ELF_K_ELF || gelf_getehdr(elf, eh) == NULL)
		return soc_image_fail(image, "%s: damaged or truncated ELF header",
				      f->path);
	if (eh->e_machine != EM_RISCV)
		return soc_image_fail(image, "%s: not for RISC-V (machine %u)", f->path,
				      eh->e_machine);
	if (eh->e_ident[EI_CLASS] != ELFCLASS64)
		return soc_image_fail(image, "%s: for RV32, not RV64", f->path);
	if (eh->e_ident[EI_DATA] != ELFDATA2LSB)
		return soc_image_fail(image, "%s: big-endian", f->path);
	if (eh->e_type != ET_EXEC)
		return soc_image_fail(
		    image, "%s: not an executable with fixed addresses (type %u)",
		    f->path, eh->e_type);
	return true;
}

static bool load_segments(struct soc_image *image, const struct soc_file *f, Elf *elf,
			  const GElf_Ehdr *eh)
{
	size_t count, loaded = 0;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &count) != 0 || (count == 0 && eh->e_phnum))
		return soc_image_fail(image, "%s: damaged or truncated program headers",
				      f->path);
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, (int)i, &p))
			return soc_image_fail(
			    image, "%s: program header %zu is truncated", f->path, i);
		if (p.p_type != PT_LOAD)
			continue;
		if (!load_segment(image, f, i, &p))
			return false;
		loaded++;
	}
	return loaded || soc_image_fail(image, "%s: nothing to load", f->path);
}

/* Returns the physical address of the entry point, or NO_ENTRY if there is none. */
static uint64_t physical_entry(Elf *elf, uint64_t entry)
{
	size_t count = 0;
	GElf_Phdr p;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count && entry; i++)
		if (gelf_getphdr(elf, (int)i, &p) && p.p_type == PT_LOAD &&
		    entry >= p.p_vaddr && entry - p.p_vaddr < p.p_memsz)
			return entry - p.p_vaddr + p.p_paddr;
	return entry ? entry : NO_ENTRY;
}

bool soc_image_load_elf(struct soc_image *image, const char *path)
{
	struct soc_file f;
	GElf_Ehdr eh;

	if (!soc_file_open(image, &f, path))
		return false;
	elf_version(EV_CURRENT);
	Elf *elf = elf_memory((char *)(uintptr_t)f.data, f.size);
	bool good = check_elf(image, &f, elf, &eh) && load_segments(image, &f, elf, &eh);
	image->entry = good ? physical_entry(elf, eh.e_entry) : NO_ENTRY;
	image->flags = good ? eh.e_flags : 0;
	elf_end(elf);
	soc_file_close(&f);
	return good;
}

/* Returns the size in memory: Linux clears memory behind its image up to a size given in
 * the image's header. */
static uint64_t size_in_memory(const struct soc_file *f)
{
	enum { SIZE_AT = 16, MAGIC_AT = 56, HEADER = 64 };

	if (f->size < HEADER || memcmp(f->data + MAGIC_AT, "RSC\x05", 4) != 0)
		return f->size;
	uint64_t size = tr_load64(f->data + SIZE_AT);
	return size > f->size ? size : f->size;
}

bool soc_image_load_raw(struct soc_image *image, const char *path, uint64_t address)
{
	struct soc_file f;

	if (!soc_file_open(image, &f, path))
		return false;
	bool good =
	    place_in_image(image, path, address, f.data, f.size, size_in_memory(&f));
	soc_file_close(&f);
	return good;
}

bool soc_image_load_bytes(struct soc_image *image, const char *what, const uint8_t *data,
			  uint64_t size, uint64_t address)
{
	return place_in_image(image, what, address, data, size, size);
}

uint64_t soc_image_above(const struct soc_image *image, uint64_t align)
{
	uint64_t end = SOC_RAM_BASE;

	for (size_t i = 0; i < image->nloaded; i++)
		if (image->loaded[i].last >= end)
			end = image->loaded[i].last + 1;
	return (end + align - 1) & ~(align - 1);
}

uint64_t soc_image_digest(const struct soc_image *image)
{
	return XXH64_digest(image->hash);
}

bool soc_image_has(const struct soc_image *image, uint64_t address)
{
	for (size_t i = 0; i < image->nloaded; i++)
		if (address >= image->loaded[i].first && address <= image->loaded[i].last)
			return true;
	return false;
}
