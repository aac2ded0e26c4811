/* SPDX-License-Identifier: Apache-2.0 */
/* Reads .eh_frame, and the tables of call sites that it refers to. */
#include "unwind_tables.h"

#include <string.h>

#include "base/little.h"
#include "base/varint.h"

#define LONG_LENGTH UINT32_C(0xffffffff) /* an 8-byte length follows */

enum {
	AUGMENTATION_MAX = 16,
	/* Encodings of pointers: the format, and what the value is relative to. */
	POINTER_FORMAT = 0x0f,
	POINTER_ABSOLUTE = 0x00,
	POINTER_ULEB = 0x01,
	POINTER_SIGNED = 0x08,
	POINTER_SLEB = 0x09,
	POINTER_RELATIVE = 0x70,
	POINTER_FROM_HERE = 0x10,
	POINTER_INDIRECT = 0x80,
	POINTER_OMITTED = 0xff,
};

struct unwind_table {
	const struct prof_elf *elf;
	const uint8_t *bytes;
	uint64_t size, address, offset;
};

/* What a CIE says of its FDEs. */
struct unwind_common {
	uint64_t offset; /* of the CIE; UINT64_MAX: none was read */
	uint8_t code;	 /* encoding of addresses of code */
	uint8_t sites;	 /* encoding of the address of the table of call sites */
	bool augmented;
};

/* Bytes at an address. */
struct unwind_reader {
	struct tr_bytes in;
	const uint8_t *first;
	uint64_t address; /* of the first */
};

static uint64_t read_fixed(struct tr_bytes *in, unsigned size)
{
	const uint8_t *p = tr_bytes_take(in, size);
	uint64_t value = 0;
	for (unsigned i = 0; p && i < size; i++)
		value |= (uint64_t)p[i] << 8 * i;
	return value;
}

static uint64_t read_signed_leb(struct tr_bytes *in)
{
	uint64_t value = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		const uint64_t byte = read_fixed(in, 1);
		value |= (byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (byte & 0x40 && shift < 57)
			value |= ~UINT64_C(0) << (shift + 7);
		return value;
	}
	in->bad = true;
	return 0;
}

/* Reads a pointer, or a length if `encoding` is only a format. */
static uint64_t read_pointer(struct unwind_reader *r, unsigned encoding)
{
	static const uint8_t sizes[8] = {8, 0, 2, 4, 8};
	const uint64_t here = r->address + (uint64_t)(r->in.at - r->first);
	const unsigned format = encoding & POINTER_FORMAT;
	const unsigned size = sizes[format & ~(unsigned)POINTER_SIGNED & 7];
	uint64_t value;
	if (format == POINTER_ULEB)
		value = tr_varint(&r->in);
	else if (format == POINTER_SLEB)
		value = read_signed_leb(&r->in);
	else
		value = read_fixed(&r->in, size);
	if (!size && format != POINTER_ULEB && format != POINTER_SLEB)
		r->in.bad = true;
	if (format & POINTER_SIGNED && size && size < 8 && value >> (8 * size - 1))
		value |= ~UINT64_C(0) << 8 * size;
	if ((encoding & POINTER_RELATIVE) == POINTER_FROM_HERE && value)
		value += here;
	else if (encoding & POINTER_RELATIVE)
		r->in.bad |= (encoding & POINTER_RELATIVE) != POINTER_FROM_HERE;
	return value;
}

/* Reads the augmentation data of a CIE. */
static void read_augmentation_data(struct unwind_reader *r, const char *letters,
				   struct unwind_common *common)
{
	tr_varint(&r->in); /* size */
	common->augmented = true;
	for (; *letters && !r->in.bad; letters++) {
		if (*letters == 'R')
			common->code = (uint8_t)read_fixed(&r->in, 1);
		else if (*letters == 'L')
			common->sites = (uint8_t)read_fixed(&r->in, 1);
		else if (*letters == 'P') /* the personality routine */
			read_pointer(r, (unsigned)read_fixed(&r->in, 1) & POINTER_FORMAT);
		else if (*letters != 'S') /* a frame of a signal handler */
			r->in.bad = true;
	}
}

static bool read_common(const struct unwind_table *table, struct unwind_reader r,
			struct unwind_common *common)
{
	char letters[AUGMENTATION_MAX];
	size_t length = 0;
	const uint64_t version = read_fixed(&r.in, 1);
	(void)table;
	common->code = POINTER_ABSOLUTE;
	common->sites = POINTER_OMITTED;
	common->augmented = false;
	do {
		if (length == sizeof(letters))
			return false;
		letters[length] = (char)read_fixed(&r.in, 1);
	} while (letters[length++]);
	tr_varint(&r.in);	/* alignment of code */
	read_signed_leb(&r.in); /* and of data */
	if (version == 1)
		read_fixed(&r.in, 1); /* register of the return address */
	else
		tr_varint(&r.in);
	if (letters[0] == 'z')
		read_augmentation_data(&r, letters + 1, common);
	else if (letters[0])
		return false;
	return !r.in.bad && (version == 1 || version == 3);
}

/* Sets *r to the contents of the entry at an offset, behind its length, and *next to the
 * offset of the next one. */
static bool read_unwind_entry(const struct unwind_table *table, uint64_t offset,
			      struct unwind_reader *r, uint64_t *next)
{
	struct tr_bytes in = {.at = table->bytes + offset,
			      .end = table->bytes + table->size};
	uint64_t length = read_fixed(&in, 4);
	if (length == LONG_LENGTH)
		length = read_fixed(&in, 8);
	if (in.bad || length > (uint64_t)(in.end - in.at) || length < 4)
		return false;
	in.end = in.at + length;
	*next = (uint64_t)(in.end - table->bytes);
	*r = (struct unwind_reader){in, table->bytes, table->address};
	return true;
}

/* Reads the range of an FDE, whose CIE is `distance` bytes before `id_at`. */
static bool read_range(const struct unwind_table *table, struct unwind_reader *r,
		       uint64_t id_at, uint64_t distance, struct unwind_common *common,
		       struct prof_unwind_entry *entry)
{
	struct unwind_reader cie;
	uint64_t next;
	if (distance > id_at)
		return false;
	if (common->offset != id_at - distance) {
		common->offset = id_at - distance;
		if (!read_unwind_entry(table, common->offset, &cie, &next) ||
		    read_fixed(&cie.in, 4) != 0 || !read_common(table, cie, common)) {
			common->offset = UINT64_MAX;
			return false;
		}
	}
	entry->start = read_pointer(r, common->code);
	const uint64_t size = read_pointer(r, common->code & POINTER_FORMAT);
	entry->end = entry->start + size;
	entry->call_sites = 0;
	if (common->augmented) {
		tr_varint(&r->in); /* size */
		if (common->sites != POINTER_OMITTED)
			entry->call_sites = read_pointer(r, common->sites);
	}
	return !r->in.bad && entry->end >= entry->start;
}

static bool visit_table(const struct unwind_table *table, struct prof_trouble *trouble,
			bool (*visit)(void *context,
				      const struct prof_unwind_entry *entry),
			void *context)
{
	struct unwind_common common = {.offset = UINT64_MAX};
	uint64_t next;
	for (uint64_t at = 0; at < table->size; at = next) {
		struct unwind_reader r;
		struct prof_unwind_entry entry = {.at = table->offset + at};
		if (table->size - at >= 4 && tr_load32(table->bytes + at) == 0)
			break; /* the end */
		*trouble = (struct prof_trouble){"damaged unwind tables", entry.at};
		if (!read_unwind_entry(table, at, &r, &next))
			return false;
		const uint64_t id_at = (uint64_t)(r.in.at - table->bytes);
		const uint64_t distance = read_fixed(&r.in, 4);
		if (!distance)
			continue;
		if (!read_range(table, &r, id_at, distance, &common, &entry))
			return false;
		if (entry.end > entry.start && !visit(context, &entry))
			return false;
	}
	return true;
}

bool prof_visit_unwind(const struct prof_elf *elf, struct prof_trouble *trouble,
		       bool (*visit)(void *context,
				     const struct prof_unwind_entry *entry),
		       void *context)
{
	const struct prof_section *section = prof_section_named(elf, ".eh_frame");
	if (!section || !(section->flags & PROF_SECTION_ALLOC))
		return true;
	const struct unwind_table table = {.elf = elf,
					   .bytes =
					       prof_section_bytes(elf, section, trouble),
					   .size = section->size,
					   .address = section->address,
					   .offset = section->offset};
	return table.bytes && visit_table(&table, trouble, visit, context);
}

bool prof_visit_landing_pads(const struct prof_elf *elf,
			     const struct prof_unwind_entry *entry,
			     void (*visit)(void *context, uint64_t address),
			     void *context)
{
	const uint64_t offset = prof_file_offset(elf, entry->call_sites, 1);
	if (offset == UINT64_MAX)
		return false;
	struct unwind_reader r = {.in = {elf->bytes + offset, elf->bytes + elf->size, 0},
				  .first = elf->bytes + offset,
				  .address = entry->call_sites};
	uint64_t base = entry->start;
	unsigned encoding = (unsigned)read_fixed(&r.in, 1);
	if (encoding != POINTER_OMITTED)
		base = read_pointer(&r, encoding);
	if (read_fixed(&r.in, 1) != POINTER_OMITTED)
		tr_varint(&r.in); /* distance to the table of types */
	encoding = (unsigned)read_fixed(&r.in, 1) & POINTER_FORMAT;
	const uint64_t size = tr_varint(&r.in);
	if (r.in.bad || size > (uint64_t)(r.in.end - r.in.at))
		return false;
	r.in.end = r.in.at + size;
	while (r.in.at < r.in.end) {
		read_pointer(&r, encoding); /* start and length of the range of calls */
		read_pointer(&r, encoding);
		const uint64_t pad = read_pointer(&r, encoding);
		tr_varint(&r.in); /* action */
		if (r.in.bad)
			return false;
		if (pad)
			visit(context, base + pad);
	}
	return true;
}
