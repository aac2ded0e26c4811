/* SPDX-License-Identifier: Apache-2.0 */
/* Opens an ELF file and checks its headers against its size. Most of a kernel's file is
 * DWARF that is rarely needed, so parts are read on demand. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image/image_state.h"

#define FILE_MAX_BYTES (UINT64_C(2) << 30)

/* Far above what linkers produce; they bound the time of searches. */
enum { SEGMENTS_MAX = 256, SECTIONS_MAX = 65536 };

/* Reads up to `size` bytes; *got is their number. Returns false on failure (errno is
 * set). */
static bool read_up_to(int fd, off_t offset, uint8_t *data, size_t size, size_t *got)
{
	*got = 0;
	while (*got < size) {
		ssize_t n = pread(fd, data + *got, size - *got, offset + (off_t)*got);
		if (n == 0)
			break;
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		*got += (size_t)n;
	}
	return true;
}

/* Checks the first bytes only, so that a huge file that is not ELF is not read. Returns a
 * status. */
static int check_ident(struct tr_image *image, const uint8_t *data, size_t size)
{
	if (size == 0)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "empty file");
	if (size < SELFMAG || memcmp(data, ELFMAG, SELFMAG) != 0)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "not an ELF file");
	if (size < EI_NIDENT)
		return tr_image_fail(image, TR_E_CORRUPT, "byte %zu: header cut short",
				     size);
	if (data[EI_CLASS] != ELFCLASS32 && data[EI_CLASS] != ELFCLASS64)
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "byte 4: unknown ELF class %u", data[EI_CLASS]);
	if (data[EI_DATA] == ELFDATA2MSB)
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "a big-endian ELF file, not supported");
	if (data[EI_DATA] != ELFDATA2LSB)
		return tr_image_fail(image, TR_E_CORRUPT, "byte 5: unknown byte order %u",
				     data[EI_DATA]);
	if (data[EI_VERSION] != EV_CURRENT)
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "byte 6: unknown ELF version %u", data[EI_VERSION]);
	size_t header =
	    data[EI_CLASS] == ELFCLASS64 ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
	if (size < header)
		return tr_image_fail(image, TR_E_CORRUPT, "byte %zu: header cut short",
				     size);
	return TR_OK;
}

static int fail_errno(struct tr_image *image)
{
	return tr_image_fail(image, TR_E_IO, "%s", strerror(errno));
}

static int check_file(struct image_elf *elf, struct tr_image *image)
{
	uint8_t ident[sizeof(Elf64_Ehdr)];
	size_t got;
	if (elf->fd < 0 || fstat(elf->fd, &elf->stat) != 0)
		return fail_errno(image);
	if (S_ISDIR(elf->stat.st_mode)) {
		errno = EISDIR;
		return tr_image_fail(image, TR_E_IO, "is a directory");
	}
	if (!S_ISREG(elf->stat.st_mode))
		return tr_image_fail(image, TR_E_UNSUPPORTED, "not a regular file");
	if ((uint64_t)elf->stat.st_size > FILE_MAX_BYTES)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "larger than 2 GiB");
	elf->size = (size_t)elf->stat.st_size;
	if (!read_up_to(elf->fd, 0, ident, sizeof(ident), &got))
		return fail_errno(image);
	return check_ident(image, ident, got);
}

bool tr_image_elf_read(const struct image_elf *elf, uint64_t offset, void *to,
		       size_t size)
{
	size_t got;
	return read_up_to(elf->fd, (off_t)offset, to, size, &got) && got == size;
}

const void *tr_image_elf_bytes(const struct image_elf *elf, uint64_t offset, size_t size)
{
	if (size == 0)
		return "";
	Elf_Data *chunk =
	    elf_getdata_rawchunk(elf->elf, (int64_t)offset, size, ELF_T_BYTE);
	return chunk && chunk->d_size == size ? chunk->d_buf : NULL;
}

uint64_t tr_image_elf_offset(const struct image_elf *elf, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf->elf, (int)i, &segment) ||
		    segment.p_type != PT_LOAD || address < segment.p_vaddr)
			continue;
		uint64_t into = address - segment.p_vaddr;
		if (into < segment.p_filesz && size <= segment.p_filesz - into)
			return segment.p_offset + into;
	}
	return UINT64_MAX;
}

bool tr_image_elf_same(const struct image_elf *elf)
{
	const struct stat *was = &elf->stat;
	struct stat now;
	return fstat(elf->fd, &now) == 0 && now.st_size == was->st_size &&
	       now.st_mtim.tv_sec == was->st_mtim.tv_sec &&
	       now.st_mtim.tv_nsec == was->st_mtim.tv_nsec &&
	       now.st_ctim.tv_sec == was->st_ctim.tv_sec &&
	       now.st_ctim.tv_nsec == was->st_ctim.tv_nsec;
}

static bool is_within_file(const struct image_elf *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->size && size <= elf->size - offset;
}

/* Fails with the name of a common machine. Returns the status. */
static int fail_machine(struct tr_image *image, unsigned machine)
{
	static const struct {
		unsigned machine;
		const char *name;
	} names[] = {{EM_X86_64, "x86-64"},
		     {EM_386, "i386"},
		     {EM_ARM, "ARM"},
		     {EM_AARCH64, "AArch64"}};
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (names[i].machine == machine)
			return tr_image_fail(image, TR_E_UNSUPPORTED,
					     "for %s, not RISC-V", names[i].name);
	return tr_image_fail(image, TR_E_UNSUPPORTED, "for machine %u, not RISC-V",
			     machine);
}

/* The table of program headers, whose entries are of `size` bytes. */
static int check_program_headers(struct image_elf *elf, struct tr_image *image,
				 size_t size)
{
	const GElf_Ehdr *header = &elf->header;
	if (elf_getphdrnum(elf->elf, &elf->nsegments) != 0 ||
	    (elf->nsegments ? header->e_phentsize != size : header->e_phnum != 0) ||
	    !is_within_file(elf, header->e_phoff, elf->nsegments * size))
		return tr_image_fail(image, TR_E_CORRUPT,
				     "byte %" PRIu64 ": program headers beyond the end",
				     header->e_phoff);
	if (elf->nsegments == 0)
		return tr_image_fail(image, TR_E_CORRUPT, "no program headers");
	if (elf->nsegments > SEGMENTS_MAX)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "more than %d segments",
				     SEGMENTS_MAX);
	return TR_OK;
}

/* The table of section headers, if there is one. */
static int check_section_headers(struct image_elf *elf, struct tr_image *image,
				 size_t size)
{
	const GElf_Ehdr *header = &elf->header;
	if (header->e_shoff == 0)
		return TR_OK;
	if (!is_within_file(elf, header->e_shoff, size) ||
	    elf_getshdrnum(elf->elf, &elf->nsections) != 0 || elf->nsections == 0 ||
	    header->e_shentsize != size ||
	    !is_within_file(elf, header->e_shoff, elf->nsections * size))
		return tr_image_fail(image, TR_E_CORRUPT,
				     "byte %" PRIu64 ": section headers beyond the end",
				     header->e_shoff);
	if (elf->nsections > SECTIONS_MAX)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "more than %d sections",
				     SECTIONS_MAX);
	return TR_OK;
}

static int check_elf_header(struct image_elf *elf, struct tr_image *image)
{
	const GElf_Ehdr *header = &elf->header;
	if (header->e_machine != EM_RISCV)
		return fail_machine(image, header->e_machine);
	const bool relocatable = header->e_type == ET_REL;
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN && !relocatable)
		return tr_image_fail(
		    image, TR_E_UNSUPPORTED,
		    "neither an executable nor a shared object (type %u)",
		    header->e_type);
	bool wide = gelf_getclass(elf->elf) == ELFCLASS64;
	image->xlen = wide ? 64 : 32;
	image->entry = header->e_entry;
	image->pie = header->e_type == ET_DYN || relocatable;
	image->interpreted = image->has_soname = image->program = false;
	image->nneeds = 0;
	image->interpreter = image->search_path[0] = image->search_path[1] = NULL;
	int status =
	    relocatable ? TR_OK
			: check_program_headers(
			      elf, image, wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr));
	if (status)
		return status;
	return check_section_headers(elf, image,
				     wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr));
}

/* Returns true if a segment ends below or at the end of the address space, whose last
 * address is `top`. The end of code is an address itself: it must not wrap to 0. */
static bool is_segment_possible(const GElf_Phdr *segment, uint64_t top)
{
	const uint64_t size = segment->p_memsz, low = segment->p_vaddr;
	if (size < segment->p_filesz || low > top || (size && size - 1 > top - low))
		return false;
	return !(segment->p_flags & PF_X) || low + size >= low;
}

static int check_segments(struct image_elf *elf, struct tr_image *image)
{
	uint64_t top = image->xlen == 64 ? UINT64_MAX : UINT32_MAX;
	for (size_t i = 0; i < elf->nsegments; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf->elf, (int)i, &segment))
			return tr_image_fail(image, TR_E_CORRUPT, "segment %zu: %s", i,
					     elf_errmsg(-1));
		bool is_dynamic =
		    segment.p_type == PT_DYNAMIC || segment.p_type == PT_INTERP;
		if (is_dynamic && is_within_file(elf, segment.p_offset, segment.p_filesz))
			tr_image_dynamic_load(image, elf, &segment);
		if (segment.p_type != PT_LOAD && segment.p_type != PT_NOTE)
			continue;
		if (!is_within_file(elf, segment.p_offset, segment.p_filesz))
			return tr_image_fail(image, TR_E_CORRUPT,
					     "byte %" PRIu64
					     ": segment %zu beyond the end",
					     segment.p_offset, i);
		if (segment.p_type == PT_LOAD && !is_segment_possible(&segment, top))
			return tr_image_fail(image, TR_E_CORRUPT,
					     "segment %zu: impossible size", i);
	}
	return TR_OK;
}

static int check_sections(struct image_elf *elf, struct tr_image *image)
{
	size_t names = 0;
	if (elf->nsections && elf_getshdrstrndx(elf->elf, &names) != 0)
		return tr_image_fail(image, TR_E_CORRUPT, "no section names");
	for (size_t i = 1; i < elf->nsections; i++) {
		Elf_Scn *scn = elf_getscn(elf->elf, i);
		GElf_Shdr section;
		if (!scn || !gelf_getshdr(scn, &section))
			return tr_image_fail(image, TR_E_CORRUPT, "section %zu: %s", i,
					     elf_errmsg(-1));
		if (section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL)
			continue;
		if (!is_within_file(elf, section.sh_offset, section.sh_size))
			return tr_image_fail(image, TR_E_CORRUPT,
					     "byte %" PRIu64
					     ": section %zu beyond the end",
					     section.sh_offset, i);
		const char *name = elf_strptr(elf->elf, names, section.sh_name);
		if (name && section.sh_size && !(section.sh_flags & SHF_ALLOC) &&
		    (strcmp(name, ".debug_info") == 0 ||
		     strcmp(name, ".zdebug_info") == 0))
			elf->has_dwarf = true;
	}
	if (elf->header.e_type != ET_REL)
		return TR_OK;
	/* Its DWARF is not relocated. */
	elf->has_dwarf = false;
	if (!tr_image_elf_is_module(elf))
		return tr_image_fail(image, TR_E_UNSUPPORTED,
				     "a relocatable object, not yet linked");
	return TR_OK;
}

static int open_path(const char *path)
{
	return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int tr_image_elf_open(struct image_elf *elf, struct tr_image *image)
{
	return tr_image_elf_open_fd(elf, image, open_path(image->path));
}

static int open_headers(struct image_elf *elf, struct tr_image *image, int fd)
{
	*elf = (struct image_elf){.fd = fd};
	int status = check_file(elf, image);
	if (status != TR_OK)
		return status;
	elf_version(EV_CURRENT);
	elf->elf = elf_begin(elf->fd, ELF_C_READ, NULL);
	if (!elf->elf || elf_kind(elf->elf) != ELF_K_ELF ||
	    !gelf_getehdr(elf->elf, &elf->header))
		return tr_image_fail(image, TR_E_CORRUPT, "%s", elf_errmsg(-1));
	return check_elf_header(elf, image);
}

int tr_image_elf_open_fd(struct image_elf *elf, struct tr_image *image, int fd)
{
	int status = open_headers(elf, image, fd);
	if (status == TR_OK)
		status = check_segments(elf, image);
	if (status == TR_OK)
		status = check_sections(elf, image);
	if (status == TR_OK)
		tr_image_isa_load(image, elf);
	return status;
}

int tr_image_elf_open_debug(struct image_elf *elf, struct tr_image *image)
{
	int status = open_headers(elf, image, open_path(image->path));
	elf->nsegments = 0;
	return status == TR_OK ? check_sections(elf, image) : status;
}

void tr_image_elf_release(struct image_elf *elf)
{
	elf_end(elf->elf);
	if (elf->fd >= 0)
		close(elf->fd);
	free(elf->executable);
	*elf = (struct image_elf){.fd = -1};
}
