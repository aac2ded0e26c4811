/* SPDX-License-Identifier: Apache-2.0 */
/* Names of marks, which <tr-profiler/mark.h> puts into a section: for each mark its
 * address, of 4 or 8 bytes, and its name, which ends with a byte 0. Linkers leave address
 * 0 where they have dropped the code. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "base/little.h"
#include "image/image_state.h"

/* Linkers keep sections of this prefix without references, and those who strip debug
 * information know it. */
#define SECTION ".debug_tr_marks"

enum { BY_ZSTD = 2 /* ELFCOMPRESS_ZSTD of the gABI, which elf.h lacks */ };
enum { CONTENTS_MAX = 64 << 20 };

/* The contents of a section; `own` is to be freed. */
struct contents {
	const uint8_t *at, *end;
	uint8_t *own;
};

/* Decompresses a section. Returns false if it is damaged. */
static bool unpack_marks(struct contents *c, bool is_wide)
{
	const size_t head = is_wide ? sizeof(Elf64_Chdr) : sizeof(Elf32_Chdr);
	if ((size_t)(c->end - c->at) < head)
		return false;
	const uint64_t size = is_wide ? tr_load64(c->at + 8) : tr_load32(c->at + 4);
	const uint32_t by = tr_load32(c->at);
	const uint8_t *from = c->at + head;
	const size_t packed = (size_t)(c->end - from);
	uLongf got = size;
	if (size > CONTENTS_MAX || !(c->own = malloc(size + 1)))
		return false;
	if (by == BY_ZSTD)
		got = ZSTD_decompress(c->own, size, from, packed);
	else if (by != ELFCOMPRESS_ZLIB || uncompress(c->own, &got, from, packed) != Z_OK)
		return false;
	c->at = c->own;
	c->end = c->own + size;
	return got == size;
}

static int compare_marks(const void *left, const void *right)
{
	const struct image_symbol *a = left, *b = right;
	return (a->address > b->address) - (a->address < b->address);
}

/* Takes the entries. Returns TR_OK, TR_E_CORRUPT or TR_E_NOMEM. */
static int take_marks(struct tr_image *image, struct contents c)
{
	const size_t word = image->xlen / 8;
	size_t room = 0;
	while ((size_t)(c.end - c.at) > word) {
		const uint64_t address = word == 8 ? tr_load64(c.at) : tr_load32(c.at);
		const uint8_t *name = c.at + word;
		const uint8_t *zero = memchr(name, 0, (size_t)(c.end - name));
		if (!zero)
			return TR_E_CORRUPT;
		c.at = zero + 1;
		if (!address || zero == name)
			continue;
		if (!tr_grow(&image->marks, &room, image->nmarks + 1,
			     sizeof(*image->marks)))
			return TR_E_NOMEM;
		const char *copy =
		    tr_image_name_store(image, (const char *)name, (size_t)(zero - name));
		if (!copy)
			return TR_E_NOMEM;
		image->marks[image->nmarks++] = (struct image_symbol){copy, address};
	}
	return c.at == c.end ? TR_OK : TR_E_CORRUPT;
}

static int take_section(struct tr_image *image, const struct image_elf *elf,
			const GElf_Shdr *section)
{
	const uint8_t *bytes =
	    section->sh_type == SHT_NOBITS
		? NULL
		: tr_image_elf_bytes(elf, section->sh_offset, section->sh_size);
	struct contents c = {.at = bytes, .end = bytes + (bytes ? section->sh_size : 0)};
	const bool is_whole = bytes && (!(section->sh_flags & SHF_COMPRESSED) ||
					unpack_marks(&c, image->xlen == 64));
	const int status = is_whole ? take_marks(image, c) : TR_E_CORRUPT;
	free(c.own);
	return status;
}

int tr_image_marks_load(struct tr_image *image, const struct image_elf *elf)
{
	size_t names;
	int status = TR_OK;
	if (!elf->nsections || elf_getshdrstrndx(elf->elf, &names) != 0)
		return TR_OK;
	for (size_t i = 1; i < elf->nsections && status != TR_E_NOMEM; i++) {
		GElf_Shdr section;
		const char *name;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    !(name = elf_strptr(elf->elf, names, section.sh_name)) ||
		    strcmp(name, SECTION) != 0)
			continue;
		status = take_section(image, elf, &section);
		if (status == TR_E_CORRUPT)
			tr_image_warn(image, "damaged names of marks");
	}
	if (image->nmarks)
		qsort(image->marks, image->nmarks, sizeof(*image->marks), compare_marks);
	return status == TR_E_NOMEM ? status : TR_OK;
}

const char *tr_image_mark_at(const struct tr_image *image, uint64_t address)
{
	const struct image_symbol key = {.address = address};
	const struct image_symbol *found =
	    image->nmarks ? bsearch(&key, image->marks, image->nmarks,
				    sizeof(*image->marks), compare_marks)
			  : NULL;
	return found ? found->name : NULL;
}
