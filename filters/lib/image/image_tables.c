/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of functions from the unwind tables in .eh_frame, which programs keep when they
 * are stripped, since exceptions need them. They have no names.
 *
 * The section is a list of entries: a CIE describes how the FDEs that refer to it are
 * encoded, and an FDE has the begin and the length of a range of code. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/little.h"
#include "base/varint.h"
#include "image/image_state.h"

#define LONG_LENGTH UINT32_C(0xffffffff) /* an 8-byte length follows */

enum {
	AUGMENTATION_MAX = 16,
	/* Encodings of addresses: the format, and what the value is relative to. */
	FORMAT = 0x0f,
	FORMAT_ABSOLUTE = 0x00,
	FORMAT_ULEB = 0x01,
	FORMAT_SIGNED = 0x08,
	RELATIVE = 0xf0,
	RELATIVE_NONE = 0x00,
	RELATIVE_PC = 0x10,
	UNKNOWN = 0x100, /* no encoding: an entry that cannot be read */
};

/* The section. */
struct tables {
	const uint8_t *bytes;
	uint64_t size, address;
	unsigned pointer;  /* bytes of an address */
	uint64_t cie;	   /* offset of the CIE that was read last */
	unsigned encoding; /* its encoding */
};

static uint64_t take_table_value(struct tr_bytes *in, unsigned size)
{
	uint64_t value = 0;
	if (in->bad || (size_t)(in->end - in->at) < size) {
		in->bad = true;
		return 0;
	}
	for (unsigned i = 0; i < size; i++)
		value |= (uint64_t)in->at[i] << 8 * i;
	in->at += size;
	return value;
}

static int64_t sign_extend_value(uint64_t value, unsigned size)
{
	unsigned unused = 64 - 8 * size;
	return (int64_t)(value << unused) >> unused;
}

/* Reads an address or, with RELATIVE_NONE, a length. */
static uint64_t take_pointer(const struct tables *tables, struct tr_bytes *in,
			     unsigned encoding)
{
	static const uint8_t sizes[] = {[2] = 2, [3] = 4, [4] = 8};
	uint64_t from = tables->address + (uint64_t)(in->at - tables->bytes), value;
	unsigned format = encoding & FORMAT;
	unsigned plain = format & ~(unsigned)FORMAT_SIGNED;
	unsigned size = plain < sizeof(sizes) ? sizes[plain] : 0;
	if (format == FORMAT_ABSOLUTE)
		size = tables->pointer;
	if (format == FORMAT_ULEB) {
		value = tr_varint(in);
	} else if (size) {
		value = take_table_value(in, size);
		if (format & FORMAT_SIGNED)
			value = (uint64_t)sign_extend_value(value, size);
	} else {
		in->bad = true;
		return 0;
	}
	if ((encoding & RELATIVE) == RELATIVE_PC)
		value += from;
	else if ((encoding & RELATIVE) != RELATIVE_NONE)
		in->bad = true;
	return value;
}

/* Reads the augmentation data, of which only the encoding of addresses matters. Returns
 * it. */
static unsigned read_augmentation(const struct tables *tables, struct tr_bytes *in,
				  const char *augmentation)
{
	unsigned encoding = FORMAT_ABSOLUTE;
	tr_varint(in); /* size */
	for (const char *c = augmentation + 1; *c && !in->bad; c++) {
		if (*c == 'R')
			encoding = (unsigned)take_table_value(in, 1);
		else if (*c == 'P')
			take_pointer(tables, in,
				     (unsigned)take_table_value(in, 1) & FORMAT);
		else if (*c == 'L')
			take_table_value(in, 1);
		else if (*c != 'S')
			in->bad = true;
	}
	return in->bad ? UNKNOWN : encoding;
}

/* Returns the encoding of the addresses in the FDEs of a CIE whose contents are `in`. */
static unsigned read_cie(const struct tables *tables, struct tr_bytes in)
{
	char augmentation[AUGMENTATION_MAX];
	size_t length = 0;
	unsigned version = (unsigned)take_table_value(&in, 1);
	do {
		if (length == sizeof(augmentation))
			return UNKNOWN;
		augmentation[length] = (char)take_table_value(&in, 1);
	} while (augmentation[length++]);
	tr_varint(&in); /* alignment of code */
	tr_varint(&in); /* and of data */
	if (version == 1)
		take_table_value(&in, 1); /* register of the return address */
	else
		tr_varint(&in);
	if (in.bad || (version != 1 && version != 3))
		return UNKNOWN;
	if (augmentation[0] == '\0')
		return FORMAT_ABSOLUTE;
	return augmentation[0] == 'z' ? read_augmentation(tables, &in, augmentation)
				      : UNKNOWN;
}

/* An entry of the section. */
struct entry {
	uint64_t offset, next;	 /* of this and of the next entry */
	uint64_t id_at, id;	 /* 0: a CIE; else the distance back to its CIE */
	struct tr_bytes content; /* behind the id */
};

/* Returns false if there is no whole entry at the offset. */
static bool read_cfi_entry(const struct tables *tables, uint64_t offset,
			   struct entry *entry)
{
	struct tr_bytes in = {.at = tables->bytes + offset,
			      .end = tables->bytes + tables->size};
	uint64_t length = take_table_value(&in, 4);
	if (length == LONG_LENGTH)
		length = take_table_value(&in, 8);
	if (in.bad || length > (uint64_t)(in.end - in.at) || length < 4)
		return false;
	entry->offset = offset;
	entry->id_at = (uint64_t)(in.at - tables->bytes);
	entry->next = entry->id_at + length;
	in.end = tables->bytes + entry->next;
	entry->id = take_table_value(&in, 4);
	entry->content = in;
	return true;
}

/* Returns the encoding of an FDE's addresses. */
static unsigned encoding_of(struct tables *tables, const struct entry *fde)
{
	struct entry cie;
	uint64_t offset = fde->id_at - fde->id;
	if (fde->id > fde->id_at)
		return UNKNOWN;
	if (offset == tables->cie)
		return tables->encoding;
	if (!read_cfi_entry(tables, offset, &cie) || cie.id != 0)
		return UNKNOWN;
	tables->cie = offset;
	tables->encoding = read_cie(tables, cie.content);
	return tables->encoding;
}

/* Adds the range of an FDE, unless its code was discarded. Returns false if it cannot be
 * read, or when out of memory, with *status set. */
static bool take_fde(struct tr_image *image, const struct image_elf *elf,
		     struct tables *tables, const struct entry *fde,
		     struct image_candidates *candidates, int *status)
{
	struct tr_bytes in = fde->content;
	unsigned encoding = encoding_of(tables, fde);
	if (encoding == UNKNOWN)
		return false;
	uint64_t low = take_pointer(tables, &in, encoding);
	uint64_t size = take_pointer(tables, &in, encoding & FORMAT);
	if (in.bad)
		return false;
	if (size && size <= UINT64_MAX - low && !tr_image_is_overlaid(image, low) &&
	    tr_image_elf_is_code(elf, low, low + size) &&
	    !tr_image_add_nameless(image, candidates, low, low + size, IMAGE_RANK_TABLE))
		*status = TR_E_NOMEM;
	return *status == TR_OK;
}

/* Locates the section. Returns false if there is none. */
static bool find_tables(const struct image_elf *elf, struct tables *tables)
{
	size_t names = 0;
	if (elf->nsections && elf_getshdrstrndx(elf->elf, &names) != 0)
		return false;
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    section.sh_type != SHT_PROGBITS || !section.sh_size)
			continue;
		const char *name = elf_strptr(elf->elf, names, section.sh_name);
		if (!name || strcmp(name, ".eh_frame") != 0)
			continue;
		tables->bytes =
		    tr_image_elf_bytes(elf, section.sh_offset, section.sh_size);
		tables->size = section.sh_size;
		tables->address = section.sh_addr;
		return tables->bytes != NULL;
	}
	return false;
}

int tr_image_tables_load(struct tr_image *image, const struct image_elf *elf,
			 struct image_candidates *candidates)
{
	struct tables tables = {.cie = UINT64_MAX,
				.pointer = gelf_getclass(elf->elf) == ELFCLASS64 ? 8 : 4};
	struct entry entry;
	int status = TR_OK;
	uint64_t damaged = UINT64_MAX;
	if (!find_tables(elf, &tables))
		return TR_OK;
	for (uint64_t at = 0; at < tables.size && status == TR_OK; at = entry.next) {
		if (tables.size - at >= 4 && tr_load32(tables.bytes + at) == 0)
			break; /* the end */
		if (!read_cfi_entry(&tables, at, &entry)) {
			damaged = at;
			break;
		}
		if (entry.id &&
		    !take_fde(image, elf, &tables, &entry, candidates, &status) &&
		    damaged == UINT64_MAX)
			damaged = at;
	}
	if (damaged != UINT64_MAX && status == TR_OK)
		tr_image_warn(image, "damaged .eh_frame at its byte %" PRIu64, damaged);
	return status;
}
