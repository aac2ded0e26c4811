/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of functions from call frame information, for files without symbols: .eh_frame
 * has an entry for each function that the compiler made. */
#include <string.h>

#include "base/little.h"
#include "base/varint.h"
#include "image/image_state.h"

/* How pointers are encoded: DW_EH_PE_… of the Linux Standard Base. */
enum {
	POINTER_ADDRESS = 0x00,
	POINTER_UDATA4 = 0x03,
	POINTER_UDATA8 = 0x04,
	POINTER_SDATA4 = 0x0b,
	POINTER_SDATA8 = 0x0c,
	POINTER_FORMAT = 0x0f,
	POINTER_RELATIVE = 0x10, /* to its own address */
	POINTER_OMITTED = 0xff,
};

struct section {
	const uint8_t *data;
	uint64_t address, size;
	unsigned xlen;
};

static bool section_at(struct section *section, const struct image_elf *elf)
{
	size_t names;
	if (elf_getshdrstrndx(elf->elf, &names) != 0)
		return false;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr header;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &header) ||
		    header.sh_type == SHT_NOBITS)
			continue;
		const char *name = elf_strptr(elf->elf, names, header.sh_name);
		if (!name || strcmp(name, ".eh_frame") != 0)
			continue;
		section->data = tr_image_elf_bytes(elf, header.sh_offset, header.sh_size);
		section->address = header.sh_addr;
		section->size = header.sh_size;
		section->xlen = gelf_getclass(elf->elf) == ELFCLASS64 ? 64 : 32;
		return section->data;
	}
	return false;
}

/* Reads a pointer, without the address that it is relative to. Sets `bad` for an encoding
 * that compilers do not use here. */
static uint64_t read_value(const struct section *section, struct tr_bytes *in,
			   unsigned format)
{
	bool wide = format == POINTER_UDATA8 || format == POINTER_SDATA8 ||
		    (format == POINTER_ADDRESS && section->xlen == 64);
	const uint8_t *p = tr_bytes_take(in, wide ? 8 : 4);
	if (!p)
		return 0;
	if (wide)
		return tr_load64(p);
	if (format == POINTER_SDATA4)
		return (uint64_t)(int32_t)tr_load32(p);
	in->bad |= format != POINTER_UDATA4 && format != POINTER_ADDRESS;
	return tr_load32(p);
}

static uint64_t read_pointer(const struct section *section, struct tr_bytes *in,
			     unsigned encoding)
{
	uint64_t here = section->address + (uint64_t)(in->at - section->data);
	uint64_t value = read_value(section, in, encoding & POINTER_FORMAT);
	in->bad |=
	    (encoding & ~(unsigned)POINTER_FORMAT & ~(unsigned)POINTER_RELATIVE) != 0;
	return encoding & POINTER_RELATIVE ? here + value : value;
}

static uint8_t read_byte(struct tr_bytes *in)
{
	const uint8_t *p = tr_bytes_take(in, 1);
	return p ? *p : 0;
}

/* Finds the letter R in the augmentation of a CIE, which gives the encoding. */
static unsigned read_augmentation(const struct section *section, struct tr_bytes *in,
				  const char *letters)
{
	unsigned personality;
	tr_varint(in); /* size of the data */
	for (letters++; *letters && !in->bad; letters++)
		switch (*letters) {
		case 'R':
			return read_byte(in);
		case 'L':
			read_byte(in);
			break;
		case 'P':
			personality = read_byte(in);
			if (personality != POINTER_OMITTED)
				read_value(section, in, personality & POINTER_FORMAT);
			break;
		case 'S':
		case 'B':
			break;
		default:
			in->bad = true;
			break;
		}
	return POINTER_ADDRESS;
}

/* Returns the encoding of the pointers in entries that refer to this CIE. */
static unsigned read_cie(const struct section *section, struct tr_bytes *in)
{
	unsigned version = read_byte(in);
	const char *letters = (const char *)in->at;
	while (!in->bad && read_byte(in))
		continue;
	if (in->bad || (version != 1 && version != 3))
		in->bad = true;
	if (in->bad || letters[0] != 'z') {
		in->bad |= letters[0] != '\0';
		return POINTER_ADDRESS;
	}
	tr_varint(in); /* alignment of code */
	tr_varint(in); /* alignment of data, signed, of the same length */
	if (version == 1)
		read_byte(in);
	else
		tr_varint(in);
	return read_augmentation(section, in, letters);
}

/* Reads the CIE at an offset. */
static unsigned encoding_at(const struct section *section, uint64_t offset, bool *bad)
{
	struct tr_bytes in = {.at = section->data + offset,
			      .end = section->data + section->size};
	const uint8_t *head = tr_bytes_take(&in, 8);
	if (!head || tr_load32(head + 4) != 0 ||
	    tr_load32(head) - 4 > (uint64_t)(in.end - in.at)) {
		*bad = true;
		return POINTER_ADDRESS;
	}
	in.end = in.at + (tr_load32(head) - 4);
	unsigned encoding = read_cie(section, &in);
	*bad |= in.bad;
	return encoding;
}

struct reading {
	const struct section *section;
	const struct image_elf *elf;
	uint64_t cie; /* offset of the newest CIE that was used */
	unsigned encoding;
	bool has_cie;
};

/* Reads an FDE. Returns false when out of memory. */
static bool read_fde(struct tr_image *image, struct reading *r, struct tr_bytes *in,
		     uint64_t cie, struct image_candidates *candidates)
{
	if (!r->has_cie || cie != r->cie) {
		r->encoding = encoding_at(r->section, cie, &in->bad);
		r->cie = cie;
		r->has_cie = !in->bad;
	}
	if (in->bad)
		return true;
	uint64_t low = read_pointer(r->section, in, r->encoding);
	uint64_t size = read_value(r->section, in, r->encoding & POINTER_FORMAT);
	if (in->bad || !size || low + size < low ||
	    !tr_image_elf_is_code(r->elf, low, low + size))
		return true;
	return tr_image_add_nameless(image, candidates, low, low + size,
				     IMAGE_RANK_FRAME);
}

int tr_image_frames_load(struct tr_image *image, const struct image_elf *elf,
			 struct image_candidates *candidates)
{
	struct section section = {NULL};
	struct reading r = {.section = &section, .elf = elf};
	if (!section_at(&section, elf))
		return TR_OK;
	struct tr_bytes all = {.at = section.data, .end = section.data + section.size};
	while (all.end - all.at >= 8) {
		uint64_t at = (uint64_t)(all.at - section.data);
		uint32_t length = tr_load32(all.at), id = tr_load32(all.at + 4);
		/* The end, a length of 64 bits, or damage. */
		if (length < 4 || length > (uint64_t)(all.end - all.at) - 4)
			break;
		struct tr_bytes in = {.at = all.at + 8, .end = all.at + 4 + length};
		all.at = in.end;
		if (id == 0)
			continue;
		if (id > at + 4)
			break;
		if (!read_fde(image, &r, &in, at + 4 - id, candidates))
			return TR_E_NOMEM;
		if (in.bad)
			break;
	}
	return TR_OK;
}
