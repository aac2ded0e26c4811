/* SPDX-License-Identifier: Apache-2.0 */
/* The ISA that a file was made for, from its attributes (RISC-V ELF psABI
 * specification, chapter "Attributes"): 'A', and for each vendor a size of 4 bytes, which
 * includes itself, the vendor's name, and parts. A part is a tag, its size of 4 bytes,
 * from its tag on, and attributes: a tag, and a text if it is odd, else a number. */
#include <string.h>

#include "base/little.h"
#include "image/image_state.h"
#include "stream/isa.h"

enum { SIZE_BYTES = 4, TAG_FILE = 1, TAG_ARCH = 5 };

/* What is left to read; empty after anything that is cut short. */
struct attributes {
	const uint8_t *at, *end;
};

static uint64_t take_uleb128(struct attributes *a)
{
	uint64_t value = 0;
	for (unsigned shift = 0; a->at < a->end; shift += 7) {
		const uint8_t byte = *a->at++;
		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	return 0;
}

/* Returns a text of *size bytes, or NULL. */
static const char *take_attribute_text(struct attributes *a, size_t *size)
{
	const uint8_t *text = a->at, *zero = memchr(text, 0, (size_t)(a->end - text));
	if (!zero) {
		a->at = a->end;
		return NULL;
	}
	*size = (size_t)(zero - text);
	a->at = zero + 1;
	return (const char *)text;
}

/* Takes what has a size in front, which counts from `start`. */
static struct attributes take_sized(struct attributes *a, const uint8_t *start)
{
	struct attributes inner = {a->end, a->end};
	const uint8_t *at = a->at;
	a->at = a->end;
	if (a->end - at < SIZE_BYTES)
		return inner;
	const uint32_t size = tr_load32(at);
	if (size > a->end - start || size < at + SIZE_BYTES - start)
		return inner;
	inner = (struct attributes){at + SIZE_BYTES, start + size};
	a->at = inner.end;
	return inner;
}

/* Looks for the ISA among the attributes of the whole file. */
static unsigned isa_of_file(struct attributes a, unsigned isa)
{
	while (a.at < a.end) {
		const uint64_t tag = take_uleb128(&a);
		size_t size;
		const char *text = tag & 1 ? take_attribute_text(&a, &size) : NULL;
		if (text && tag == TAG_ARCH)
			return tr_isa_parse(isa, text, size);
		if (!(tag & 1))
			take_uleb128(&a);
	}
	return isa;
}

static unsigned isa_of_vendor(struct attributes a, unsigned isa)
{
	static const char vendor[] = "riscv";
	size_t size;
	const char *name = take_attribute_text(&a, &size);
	if (!name || size != sizeof(vendor) - 1 || memcmp(name, vendor, size) != 0)
		return isa;
	while (a.at < a.end) {
		const uint8_t *start = a.at;
		const uint64_t tag = take_uleb128(&a);
		const struct attributes part = take_sized(&a, start);
		if (tag == TAG_FILE)
			return isa_of_file(part, isa);
	}
	return isa;
}

static unsigned isa_of(const uint8_t *data, size_t size, unsigned isa)
{
	struct attributes a = {data + 1, data + size};
	if (!size || *data != 'A')
		return isa;
	while (a.at < a.end && !tr_isa_tells_zcm(isa))
		isa = isa_of_vendor(take_sized(&a, a.at), isa);
	return isa;
}

/* Finds the attributes by the section headers, or else by the segments. */
static const uint8_t *find_attributes(const struct image_elf *elf, size_t *size)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    section.sh_type != SHT_RISCV_ATTRIBUTES)
			continue;
		*size = section.sh_size;
		return tr_image_elf_bytes(elf, section.sh_offset, *size);
	}
	for (size_t i = 0; i < elf->nsegments; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf->elf, (int)i, &segment) ||
		    segment.p_type != PT_RISCV_ATTRIBUTES ||
		    segment.p_offset > elf->size ||
		    segment.p_filesz > elf->size - segment.p_offset)
			continue;
		*size = segment.p_filesz;
		return tr_image_elf_bytes(elf, segment.p_offset, *size);
	}
	return NULL;
}

void tr_image_isa_load(struct tr_image *image, const struct image_elf *elf)
{
	const uint64_t flags = elf->header.e_flags;
	const bool has_double = (flags & EF_RISCV_FLOAT_ABI) >= EF_RISCV_FLOAT_ABI_DOUBLE;
	size_t size;
	const uint8_t *data = find_attributes(elf, &size);
	image->isa = image->xlen;
	if (data)
		image->isa = isa_of(data, size, image->isa);
	else if (flags & EF_RISCV_RVC && has_double)
		image->isa |= TR_ISA_ZCD;
}
