/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses sections by zstd. */
#include "image/image_unzstd.h"

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/little.h"

enum { BY_ZSTD = 2 /* ELFCOMPRESS_ZSTD of the gABI, which elf.h lacks */ };
enum { ALIGNMENT = 16 };

/* A section compressed by zstd. */
struct packed {
	const char *data;   /* behind its compression header */
	uint64_t size;	    /* of the data */
	uint64_t unpacked;  /* size of the contents, as the header says */
	uint64_t header_at; /* of its section header, in the file */
};

/* Reads the headers of a section. Returns false if it is not compressed by zstd. */
static bool is_packed(Elf *elf, const char *map, size_t size, size_t index,
		      struct packed *packed)
{
	GElf_Ehdr file;
	GElf_Shdr section;
	const bool wide = gelf_getclass(elf) == ELFCLASS64;
	const uint64_t head = wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	if (!gelf_getehdr(elf, &file) ||
	    !gelf_getshdr(elf_getscn(elf, index), &section) ||
	    !(section.sh_flags & SHF_COMPRESSED) || section.sh_size < head ||
	    section.sh_offset > size || section.sh_size > size - section.sh_offset)
		return false;
	const uint8_t *at = (const uint8_t *)map + section.sh_offset;
	if (tr_load32(at) != BY_ZSTD)
		return false;
	packed->unpacked = wide ? tr_load64(at + 8) : tr_load32(at + 4);
	packed->data = map + section.sh_offset + head;
	packed->size = section.sh_size - head;
	packed->header_at = file.e_shoff + index * file.e_shentsize;
	return packed->header_at <= size && file.e_shentsize <= size - packed->header_at;
}

static uint64_t align_size(uint64_t size)
{
	return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* Returns the size of the file with all contents; 0 if there is nothing to do. */
static uint64_t whole_size(Elf *elf, const char *map, size_t size, size_t nsections)
{
	uint64_t whole = align_size(size);
	struct packed packed;
	bool any = false;
	for (size_t i = 1; i < nsections; i++) {
		if (!is_packed(elf, map, size, i, &packed))
			continue;
		any = true;
		if (packed.unpacked > SIZE_MAX / 2 - whole)
			return 0;
		whole += align_size(packed.unpacked);
	}
	return any ? whole : 0;
}

/* Changes a section header: what it describes is at `offset`, and not compressed. */
static void point_to(char *copy, const struct packed *packed, bool wide, uint64_t offset)
{
	uint8_t *header = (uint8_t *)copy + packed->header_at;
	if (wide) {
		uint64_t flags = tr_load64(header + offsetof(Elf64_Shdr, sh_flags));
		tr_store64(header + offsetof(Elf64_Shdr, sh_flags),
			   flags & ~(uint64_t)SHF_COMPRESSED);
		tr_store64(header + offsetof(Elf64_Shdr, sh_offset), offset);
		tr_store64(header + offsetof(Elf64_Shdr, sh_size), packed->unpacked);
		return;
	}
	uint32_t flags = tr_load32(header + offsetof(Elf32_Shdr, sh_flags));
	tr_store32(header + offsetof(Elf32_Shdr, sh_flags),
		   flags & ~(uint32_t)SHF_COMPRESSED);
	tr_store32(header + offsetof(Elf32_Shdr, sh_offset), (uint32_t)offset);
	tr_store32(header + offsetof(Elf32_Shdr, sh_size), (uint32_t)packed->unpacked);
}

/* Returns a copy of the file with the contents behind it; NULL when out of memory. */
static char *unpack_zstd_sections(Elf *elf, const char *map, size_t size, uint64_t whole,
				  size_t nsections)
{
	const bool wide = gelf_getclass(elf) == ELFCLASS64;
	char *copy = malloc(whole);
	uint64_t at = align_size(size);
	struct packed packed;
	if (!copy)
		return NULL;
	memcpy(copy, map, size);
	memset(copy + size, 0, at - size);
	for (size_t i = 1; i < nsections; i++) {
		if (!is_packed(elf, map, size, i, &packed))
			continue;
		if (ZSTD_decompress(copy + at, packed.unpacked, packed.data,
				    packed.size) == packed.unpacked)
			point_to(copy, &packed, wide, at);
		at += align_size(packed.unpacked);
	}
	return copy;
}

Elf *tr_image_elf_memory(char *map, size_t size)
{
	Elf *elf = elf_memory(map, size);
	size_t nsections = 0;
	if (!elf || elf_getshdrnum(elf, &nsections) != 0)
		return elf;
	uint64_t whole = whole_size(elf, map, size, nsections);
	char *copy =
	    whole ? unpack_zstd_sections(elf, map, size, whole, nsections) : NULL;
	if (!copy)
		return elf;
	elf_end(elf);
	return elf_memory(copy, whole);
}
