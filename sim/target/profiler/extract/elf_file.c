/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the headers, sections and symbols of a program. The numbers of fields are those
 * of the gABI for 64-bit files. */
#include "elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/little.h"

enum {
	HEADER_SIZE = 64,
	SEGMENT_SIZE = 56,
	SECTION_SIZE = 64,
	SYMBOL_SIZE = 24,
	CLASS_64 = 2,
	LITTLE = 1,
	TYPE_EXECUTABLE = 2,
	TYPE_MOVABLE = 3,
	MACHINE_RISCV = 243,
	RISCV_EMBEDDED = 8, /* flag: the ABI of 16 registers */
	LOADED = 1,	    /* types of segments */
	NOTES = 4,
	TYPE_NOTHING = 0, /* types of sections */
	TYPE_NO_BYTES = 8,
	TYPE_STRINGS = 3,
	INDEX_ELSEWHERE = 0xffff, /* the number is in section 0 */
	NOTE_BUILD_ID = 3,
	SEGMENTS_MAX = 4096,
	SECTIONS_MAX = 1 << 20,
	NOTES_MAX = 1 << 16, /* bytes */
};
#define FILE_MAX (UINT64_C(1) << 30)

static bool blame_byte(struct prof_trouble *trouble, uint64_t at, const char *reason)
{
	*trouble = (struct prof_trouble){reason, at};
	return false;
}

/* Reads a part of the file into its place in memory. */
static bool fetch_bytes(const struct prof_elf *elf, uint64_t offset, uint64_t size,
			struct prof_trouble *trouble)
{
	while (size) {
		const ssize_t count =
		    pread(elf->file, elf->bytes + offset, size, (off_t)offset);
		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return blame_byte(trouble, offset, strerror(errno));
		if (count == 0)
			return blame_byte(trouble, offset, "the file ends here");
		offset += (uint64_t)count;
		size -= (uint64_t)count;
	}
	return true;
}

static bool is_within(const struct prof_elf *elf, uint64_t offset, uint64_t size)
{
	return offset <= elf->size && size <= elf->size - offset;
}

static bool check_header(struct prof_elf *elf, struct prof_trouble *trouble)
{
	const uint8_t *h = elf->bytes;
	const uint64_t have = elf->size < HEADER_SIZE ? elf->size : HEADER_SIZE;
	if (!fetch_bytes(elf, 0, have, trouble))
		return false;
	if (memcmp(h, "\177ELF", have < 4 ? have : 4) != 0)
		return blame_byte(trouble, 0, "not an ELF file");
	if (have < HEADER_SIZE)
		return blame_byte(trouble, have, "the file ends here");
	if (h[4] != CLASS_64)
		return blame_byte(trouble, 4, "not a 64-bit program");
	if (h[5] != LITTLE)
		return blame_byte(trouble, 5, "not a little-endian program");
	if (tr_load16(h + 18) != MACHINE_RISCV)
		return blame_byte(trouble, 18, "not a RISC-V program");
	if (tr_load16(h + 16) != TYPE_EXECUTABLE && tr_load16(h + 16) != TYPE_MOVABLE)
		return blame_byte(trouble, 16, "not a program");
	if (tr_load32(h + 48) & RISCV_EMBEDDED)
		return blame_byte(trouble, 48, "a program of 16 registers");
	elf->movable = tr_load16(h + 16) == TYPE_MOVABLE;
	elf->entry = tr_load64(h + 24);
	return true;
}

static int compare_segments(const void *a, const void *b)
{
	const struct prof_segment *x = a, *y = b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Adds the build-id that a segment of notes has. A damaged note ends the search: nothing
 * depends on it. */
static void find_build_id(struct prof_elf *elf, uint64_t at, uint64_t size)
{
	const uint8_t *bytes = elf->bytes + at;
	while (size >= 12) {
		const uint64_t name = (tr_load32(bytes) + UINT64_C(3)) & ~UINT64_C(3);
		const uint64_t content =
		    (tr_load32(bytes + 4) + UINT64_C(3)) & ~UINT64_C(3);
		if (name > size - 12 || content > size - 12 - name)
			return;
		const uint32_t length = tr_load32(bytes + 4);
		if (tr_load32(bytes) == 4 && memcmp(bytes + 12, "GNU", 4) == 0 &&
		    tr_load32(bytes + 8) == NOTE_BUILD_ID &&
		    length <= sizeof(elf->build_id) && !elf->build_id_size) {
			memcpy(elf->build_id, bytes + 12 + name, length);
			elf->build_id_size = length;
		}
		bytes += 12 + name + content;
		size -= 12 + name + content;
	}
}

static bool take_segment(struct prof_elf *elf, uint64_t at, struct prof_trouble *trouble)
{
	const uint8_t *h = elf->bytes + at;
	const struct prof_segment segment = {.flags = tr_load32(h + 4),
					     .offset = tr_load64(h + 8),
					     .address = tr_load64(h + 16),
					     .file_size = tr_load64(h + 32),
					     .size = tr_load64(h + 40)};
	const uint32_t type = tr_load32(h);
	if (type != LOADED && type != NOTES)
		return true;
	if (!is_within(elf, segment.offset, segment.file_size))
		return blame_byte(trouble, at, "a segment ends behind the file");
	if (type == NOTES && segment.file_size > NOTES_MAX)
		return blame_byte(trouble, at, "a segment of notes is too large");
	if (!fetch_bytes(elf, segment.offset, segment.file_size, trouble))
		return false;
	if (type == NOTES) {
		find_build_id(elf, segment.offset, segment.file_size);
		return true;
	}
	elf->loaded += segment.file_size;
	if (elf->loaded > elf->size)
		return blame_byte(trouble, at, "segments have the same bytes");
	if (segment.size < segment.file_size)
		return blame_byte(trouble, at, "a segment is smaller than its bytes");
	if (segment.size > UINT64_MAX / 4 || segment.address > UINT64_MAX / 4)
		return blame_byte(trouble, at, "a segment is not in user memory");
	if (segment.size)
		elf->segments[elf->segment_count++] = segment;
	return true;
}

static bool read_segments(struct prof_elf *elf, struct prof_trouble *trouble)
{
	const uint64_t at = tr_load64(elf->bytes + 32);
	const uint32_t count = tr_load16(elf->bytes + 56);
	if (!count)
		return blame_byte(trouble, 56, "there are no segments");
	if (tr_load16(elf->bytes + 54) != SEGMENT_SIZE || count > SEGMENTS_MAX)
		return blame_byte(trouble, 54, "not a table of segments");
	if (!is_within(elf, at, (uint64_t)count * SEGMENT_SIZE))
		return blame_byte(trouble, 32, "the segments are behind the file");
	elf->segments = calloc(count, sizeof(*elf->segments));
	if (!elf->segments)
		return blame_byte(trouble, PROF_NO_BYTE, "out of memory");
	if (!fetch_bytes(elf, at, (uint64_t)count * SEGMENT_SIZE, trouble))
		return false;
	for (uint32_t i = 0; i < count; i++)
		if (!take_segment(elf, at + i * (uint64_t)SEGMENT_SIZE, trouble))
			return false;
	if (!elf->segment_count)
		return blame_byte(trouble, at, "no segment is loaded");
	qsort(elf->segments, elf->segment_count, sizeof(*elf->segments),
	      compare_segments);
	for (size_t i = 1; i < elf->segment_count; i++)
		if (elf->segments[i].address - elf->segments[i - 1].address <
		    elf->segments[i - 1].size)
			return blame_byte(trouble, at, "segments overlap");
	return true;
}

static struct prof_section decode_section(const struct prof_elf *elf, uint64_t at)
{
	const uint8_t *h = elf->bytes + at;
	return (struct prof_section){.name = "",
				     .type = tr_load32(h + 4),
				     .flags = tr_load64(h + 8),
				     .address = tr_load64(h + 16),
				     .offset = tr_load64(h + 24),
				     .size = tr_load64(h + 32),
				     .link = tr_load32(h + 40),
				     .entry_size = tr_load64(h + 56),
				     .header = at};
}

static bool has_bytes(const struct prof_section *section)
{
	return section->type != TYPE_NOTHING && section->type != TYPE_NO_BYTES;
}

static bool is_code(const struct prof_section *section)
{
	const uint64_t both = PROF_SECTION_ALLOC | PROF_SECTION_EXECUTE;
	return has_bytes(section) && (section->flags & both) == both && section->size;
}

static bool check_section(const struct prof_elf *elf, const struct prof_section *section,
			  struct prof_trouble *trouble)
{
	if (has_bytes(section) && !is_within(elf, section->offset, section->size))
		return blame_byte(trouble, section->header,
				  "a section ends behind the file");
	if (is_code(section) &&
	    prof_file_offset(elf, section->address, section->size) != section->offset)
		return blame_byte(trouble, section->header,
				  "a section of code is not in a segment");
	if (is_code(section) && section->address % 2)
		return blame_byte(trouble, section->header,
				  "a section of code begins at an odd address");
	return true;
}

struct section_place {
	uint64_t low, size, header;
};

static int compare_places(const void *a, const void *b)
{
	const struct section_place *x = a, *y = b;
	if (x->low != y->low)
		return x->low < y->low ? -1 : 1;
	return x->header < y->header ? -1 : x->header > y->header;
}

/* Fails if two sections have the same bytes of the file: tables would be larger than the
 * file. Sets elf->contents. */
static bool check_overlaps(struct prof_elf *elf, struct prof_trouble *trouble)
{
	struct section_place *places = calloc(elf->section_count, sizeof(*places));
	size_t count = 0;
	bool good = true;
	if (!places)
		return blame_byte(trouble, PROF_NO_BYTE, "out of memory");
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct prof_section *s = &elf->sections[i];
		if (has_bytes(s) && s->size)
			places[count++] =
			    (struct section_place){s->offset, s->size, s->header};
	}
	qsort(places, count, sizeof(*places), compare_places);
	elf->contents = count ? places[0].low : elf->size;
	for (size_t i = 1; i < count && good; i++)
		if (places[i].low - places[i - 1].low < places[i - 1].size)
			good = blame_byte(trouble, places[i].header, "sections overlap");
	free(places);
	return good;
}

static bool name_sections(struct prof_elf *elf, uint64_t index,
			  struct prof_trouble *trouble)
{
	if (index >= elf->section_count || elf->sections[index].type != TYPE_STRINGS)
		return blame_byte(trouble, 62, "the sections have no names");
	const struct prof_section *names = &elf->sections[index];
	if (!names->size || !fetch_bytes(elf, names->offset, names->size, trouble) ||
	    elf->bytes[names->offset + names->size - 1])
		return blame_byte(trouble, names->header,
				  "the names of sections have no end");
	for (size_t i = 0; i < elf->section_count; i++) {
		const uint32_t name = tr_load32(elf->bytes + elf->sections[i].header);
		if (name >= names->size)
			return blame_byte(trouble, elf->sections[i].header,
					  "the name of a section is missing");
		elf->sections[i].name = (const char *)elf->bytes + names->offset + name;
	}
	return true;
}

static bool read_sections(struct prof_elf *elf, struct prof_trouble *trouble)
{
	const uint64_t at = tr_load64(elf->bytes + 40);
	uint64_t count = tr_load16(elf->bytes + 60), names = tr_load16(elf->bytes + 62);
	if (!at)
		return blame_byte(trouble, 40, "there are no sections");
	if (tr_load16(elf->bytes + 58) != SECTION_SIZE)
		return blame_byte(trouble, 58, "not a table of sections");
	if (!is_within(elf, at, SECTION_SIZE))
		return blame_byte(trouble, 40, "the sections are behind the file");
	if (!fetch_bytes(elf, at, SECTION_SIZE, trouble))
		return false;
	const struct prof_section first = decode_section(elf, at);
	if (count == 0)
		count = first.size;
	if (names == INDEX_ELSEWHERE)
		names = first.link;
	if (!count || count > SECTIONS_MAX || !is_within(elf, at, count * SECTION_SIZE))
		return blame_byte(trouble, 60, "the sections end behind the file");
	elf->sections = calloc(count, sizeof(*elf->sections));
	if (!elf->sections)
		return blame_byte(trouble, PROF_NO_BYTE, "out of memory");
	if (!fetch_bytes(elf, at, count * SECTION_SIZE, trouble))
		return false;
	elf->section_count = count;
	for (size_t i = 0; i < count; i++) {
		elf->sections[i] = decode_section(elf, at + i * SECTION_SIZE);
		if (i > 0 && !check_section(elf, &elf->sections[i], trouble))
			return false;
	}
	elf->sections[0].type = TYPE_NOTHING;
	return check_overlaps(elf, trouble) && name_sections(elf, names, trouble);
}

static int compare_code(const void *a, const void *b)
{
	const struct prof_section *x = *(const struct prof_section *const *)a,
				  *y = *(const struct prof_section *const *)b;
	return x->address < y->address ? -1 : x->address > y->address;
}

/* Lists the sections of code. They are apart, since they are apart in the file and each
 * is where its segment has it. */
static bool list_code(struct prof_elf *elf, struct prof_trouble *trouble)
{
	elf->code = calloc(elf->section_count, sizeof(*elf->code));
	if (!elf->code)
		return blame_byte(trouble, PROF_NO_BYTE, "out of memory");
	for (size_t i = 0; i < elf->section_count; i++)
		if (is_code(&elf->sections[i]))
			elf->code[elf->code_count++] = &elf->sections[i];
	qsort(elf->code, elf->code_count, sizeof(*elf->code), compare_code);
	if (!elf->code_count)
		return blame_byte(trouble, elf->sections[0].header,
				  "there is no section of code");
	return true;
}

bool prof_elf_open(const char *path, struct prof_elf *elf, struct prof_trouble *trouble)
{
	*elf = (struct prof_elf){.file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
	if (elf->file < 0)
		return blame_byte(trouble, PROF_NO_BYTE, strerror(errno));
	*trouble = (struct prof_trouble){NULL, PROF_NO_BYTE};
	if (fstat(elf->file, &elf->status) != 0)
		trouble->reason = strerror(errno);
	else if (!S_ISREG(elf->status.st_mode))
		trouble->reason = "not a regular file";
	else if ((uint64_t)elf->status.st_size > FILE_MAX)
		trouble->reason = "larger than 1 GiB";
	else if (elf->status.st_size == 0)
		trouble->reason = "the file is empty";
	if (trouble->reason) {
		close(elf->file);
		return false;
	}
	elf->size = (uint64_t)elf->status.st_size;
	/* Pages that are not read take no memory. */
	elf->bytes = mmap(NULL, elf->size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (elf->bytes == MAP_FAILED) {
		close(elf->file);
		return blame_byte(trouble, PROF_NO_BYTE, "out of memory");
	}
	if (check_header(elf, trouble) && read_segments(elf, trouble) &&
	    read_sections(elf, trouble) && list_code(elf, trouble))
		return true;
	prof_elf_close(elf);
	return false;
}

void prof_elf_close(struct prof_elf *elf)
{
	munmap(elf->bytes, elf->size);
	free(elf->segments);
	free(elf->sections);
	free(elf->code);
	close(elf->file);
}

const uint8_t *prof_section_bytes(const struct prof_elf *elf,
				  const struct prof_section *section,
				  struct prof_trouble *trouble)
{
	if (!has_bytes(section)) {
		blame_byte(trouble, section->header, "a section has no bytes");
		return NULL;
	}
	if (!fetch_bytes(elf, section->offset, section->size, trouble))
		return NULL;
	return elf->bytes + section->offset;
}

const struct prof_section *prof_section_named(const struct prof_elf *elf,
					      const char *name)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (strcmp(elf->sections[i].name, name) == 0)
			return &elf->sections[i];
	return NULL;
}

const struct prof_section *prof_section_typed(const struct prof_elf *elf, uint32_t type)
{
	for (size_t i = 1; i < elf->section_count; i++)
		if (elf->sections[i].type == type)
			return &elf->sections[i];
	return NULL;
}

bool prof_symbols_open(const struct prof_elf *elf, const struct prof_section *section,
		       struct prof_symbols *symbols, struct prof_trouble *trouble)
{
	if (section->entry_size != SYMBOL_SIZE || section->size % SYMBOL_SIZE)
		return blame_byte(trouble, section->header, "not a table of symbols");
	if (section->link >= elf->section_count ||
	    elf->sections[section->link].type != TYPE_STRINGS)
		return blame_byte(trouble, section->header, "symbols have no names");
	const struct prof_section *names = &elf->sections[section->link];
	*symbols =
	    (struct prof_symbols){.bytes = prof_section_bytes(elf, section, trouble),
				  .names_size = names->size,
				  .at = section->offset,
				  .count = section->size / SYMBOL_SIZE};
	if (!symbols->bytes)
		return false;
	symbols->names = prof_section_bytes(elf, names, trouble);
	if (!symbols->names)
		return false;
	if (!names->size || symbols->names[names->size - 1])
		return blame_byte(trouble, names->header,
				  "the names of symbols have no end");
	return true;
}

bool prof_symbol_read(const struct prof_symbols *symbols, size_t index,
		      struct prof_symbol *symbol)
{
	const uint8_t *bytes = symbols->bytes + index * SYMBOL_SIZE;
	const uint32_t name = tr_load32(bytes);
	*symbol = (struct prof_symbol){.name = "",
				       .value = tr_load64(bytes + 8),
				       .size = tr_load64(bytes + 16),
				       .type = bytes[4] & 15,
				       .bind = bytes[4] >> 4,
				       .section = (uint16_t)tr_load16(bytes + 6),
				       .at = symbols->at + index * SYMBOL_SIZE};
	if (name >= symbols->names_size)
		return false;
	symbol->name = (const char *)symbols->names + name;
	return true;
}

struct prof_relocation prof_relocation_read(const uint8_t *bytes, size_t index)
{
	bytes += index * PROF_RELOCATION_SIZE;
	return (struct prof_relocation){.offset = tr_load64(bytes),
					.type = tr_load32(bytes + 8),
					.symbol = tr_load32(bytes + 12),
					.addend = (int64_t)tr_load64(bytes + 16)};
}

const struct prof_section *prof_code_at(const struct prof_elf *elf, uint64_t address)
{
	size_t low = 0, high = elf->code_count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		const struct prof_section *s = elf->code[middle];
		if (address < s->address)
			high = middle;
		else if (address - s->address >= s->size)
			low = middle + 1;
		else
			return s;
	}
	return NULL;
}

bool prof_section_is_own(const struct prof_section *section)
{
	return strncmp(section->name, ".plt", 4) != 0 &&
	       strncmp(section->name, ".iplt", 5) != 0;
}

uint64_t prof_file_offset(const struct prof_elf *elf, uint64_t address, uint64_t size)
{
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct prof_segment *s = &elf->segments[i];
		if (address >= s->address && address - s->address <= s->file_size &&
		    size <= s->file_size - (address - s->address))
			return s->offset + (address - s->address);
	}
	return UINT64_MAX;
}
