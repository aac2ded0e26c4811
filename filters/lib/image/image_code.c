/* SPDX-License-Identifier: Apache-2.0 */
/* Code bytes and the build-id of an ELF file. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image/image_state.h"

/* A range of code in the file, before it is copied. */
struct piece {
	uint64_t address, size, offset;
	int64_t load_delta;
	size_t section; /* 0: without section headers */
};
struct pieces {
	struct piece *list;
	size_t count, capacity;
};

static bool add_piece(struct pieces *pieces, const GElf_Phdr *segment, uint64_t address,
		      uint64_t size, size_t section)
{
	if (!tr_grow(&pieces->list, &pieces->capacity, pieces->count + 1,
		     sizeof(*pieces->list)))
		return false;
	pieces->list[pieces->count++] = (struct piece){
	    .address = address,
	    .size = size,
	    .offset = segment->p_offset + (address - segment->p_vaddr),
	    .load_delta = (int64_t)(segment->p_paddr - segment->p_vaddr),
	    .section = section,
	};
	return true;
}

static bool is_code_section(const GElf_Shdr *section)
{
	uint64_t flags = SHF_ALLOC | SHF_EXECINSTR;
	return section->sh_type == SHT_PROGBITS && (section->sh_flags & flags) == flags &&
	       section->sh_size > 0;
}

static bool is_section_within(const GElf_Shdr *section, const GElf_Phdr *segment)
{
	uint64_t into = section->sh_addr - segment->p_vaddr;
	return section->sh_addr >= segment->p_vaddr && into < segment->p_filesz &&
	       section->sh_size <= segment->p_filesz - into &&
	       section->sh_offset == segment->p_offset + into;
}

/* Returns true if another segment holds the section: overlays have one address, and a
 * segment each. */
static bool is_section_elsewhere(const struct image_elf *elf, const GElf_Shdr *section)
{
	GElf_Phdr segment;
	for (size_t i = 0; i < elf->nsegments; i++)
		if (gelf_getphdr(elf->elf, (int)i, &segment) &&
		    segment.p_type == PT_LOAD && is_section_within(section, &segment))
			return true;
	return false;
}

/* Adds the executable sections of one segment. Returns a status. */
static int add_sections(struct tr_image *image, const struct image_elf *elf,
			const GElf_Phdr *segment, struct pieces *pieces)
{
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (!gelf_getshdr(elf_getscn(elf->elf, i), &section) ||
		    !is_code_section(&section))
			continue;
		uint64_t into = section.sh_addr - segment->p_vaddr;
		if (section.sh_addr < segment->p_vaddr || into >= segment->p_filesz)
			continue;
		if (!is_section_within(&section, segment) &&
		    is_section_elsewhere(elf, &section))
			continue;
		if (!is_section_within(&section, segment))
			return tr_image_fail(image, TR_E_CORRUPT,
					     "byte %" PRIu64
					     ": section %zu and its segment disagree",
					     section.sh_offset, i);
		if (!add_piece(pieces, segment, section.sh_addr, section.sh_size, i))
			return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	}
	return TR_OK;
}

static int collect_code_pieces(struct tr_image *image, const struct image_elf *elf,
			       struct pieces *pieces)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		GElf_Phdr segment;
		if (!gelf_getphdr(elf->elf, (int)i, &segment) ||
		    segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) ||
		    segment.p_filesz == 0)
			continue;
		if (image->nsegments < TR_IMAGE_SEGMENTS)
			image->segments[image->nsegments] = (struct tr_segment){
			    segment.p_vaddr, segment.p_memsz, segment.p_offset};
		image->nsegments++;
		size_t before = pieces->count;
		int status = add_sections(image, elf, &segment, pieces);
		if (status != TR_OK)
			return status;
		if (pieces->count == before &&
		    !add_piece(pieces, &segment, segment.p_vaddr, segment.p_filesz, 0))
			return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	}
	return TR_OK;
}

static int compare_pieces(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

static const char *find_section_name(const struct image_elf *elf, size_t section)
{
	GElf_Shdr header;
	size_t names;
	const char *name = NULL;
	if (section && elf_getshdrstrndx(elf->elf, &names) == 0 &&
	    gelf_getshdr(elf_getscn(elf->elf, section), &header))
		name = elf_strptr(elf->elf, names, header.sh_name);
	return name ? name : "";
}

/* Notes that the code of two sections is at [low, high). */
static void note_overlay(struct tr_image *image, uint64_t low, uint64_t high)
{
	struct image_span *last =
	    image->noverlays ? &image->overlays[image->noverlays - 1] : NULL;
	if (last && low <= last->high) {
		last->high = high > last->high ? high : last->high;
		return;
	}
	if (image->noverlays < IMAGE_PARTS_MAX)
		image->overlays[image->noverlays++] = (struct image_span){low, high};
}

/* Takes the overlays out of the pieces, which are sorted, or the others if one is wanted.
 * Returns a status. */
static int divide_overlays(struct tr_image *image, struct image_elf *elf,
			   struct pieces *pieces, const char *part)
{
	size_t kept = 0, lost = 0;
	struct piece first = {0};
	int status = TR_OK;
	for (size_t i = 0; i < pieces->count && !status; i++) {
		struct piece piece = pieces->list[i];
		const char *name = find_section_name(elf, piece.section);
		uint64_t end = piece.address + piece.size;
		bool overlaid = i && piece.section && first.section &&
				piece.address - first.address < first.size;
		if (overlaid)
			note_overlay(image, first.address,
				     end > first.address + first.size
					 ? end
					 : first.address + first.size);
		else if (!i || end > first.address + first.size)
			first = piece;
		if (part ? strcmp(name, part) == 0 : !overlaid) {
			pieces->list[kept++] = piece;
			elf->module_section = part ? piece.section : 0;
		} else if (overlaid && elf->noverlays < IMAGE_PARTS_MAX) {
			elf->overlays[elf->noverlays++] = piece.section;
			status = part ? TR_OK : tr_image_add_part(image, name);
		} else {
			lost += overlaid;
		}
	}
	pieces->count = kept;
	if (lost && !part)
		tr_image_warn(image, "%zu overlays more than %d: their code is unknown",
			      lost, IMAGE_PARTS_MAX);
	if (part && (!kept || !image->noverlays) && !status)
		return tr_image_fail(image, TR_E_UNSUPPORTED, "no code in %s", part);
	return status;
}

/* Removes overlap: the first piece keeps its bytes. */
static void trim_overlaps(struct tr_image *image, struct pieces *pieces)
{
	uint64_t end = 0;
	size_t kept = 0;
	for (size_t i = 0; i < pieces->count; i++) {
		struct piece piece = pieces->list[i];
		uint64_t covered = end > piece.address ? end - piece.address : 0;
		if (covered)
			tr_image_warn(image, "code overlaps at 0x%" PRIx64,
				      piece.address);
		if (covered >= piece.size)
			continue;
		piece.address += covered;
		piece.offset += covered;
		piece.size -= covered;
		end = piece.address + piece.size;
		pieces->list[kept++] = piece;
	}
	pieces->count = kept;
}

static int copy_code_pieces(struct tr_image *image, struct image_elf *elf,
			    const struct pieces *pieces)
{
	uint64_t total = 0;
	for (size_t i = 0; i < pieces->count; i++)
		total += pieces->list[i].size;
	if (total > elf->size)
		return tr_image_fail(image, TR_E_CORRUPT,
				     "more code than the file has bytes");
	image->code = calloc(pieces->count + 1, sizeof(*image->code));
	image->code_bytes = malloc(total + 1);
	elf->executable = calloc(pieces->count + 1, sizeof(*elf->executable));
	if (!image->code || !image->code_bytes || !elf->executable)
		return tr_image_fail(image, TR_E_NOMEM, "out of memory");
	uint8_t *to = image->code_bytes;
	for (size_t i = 0; i < pieces->count; i++) {
		const struct piece *piece = &pieces->list[i];
		struct tr_code *last =
		    image->ncode ? &image->code[image->ncode - 1] : NULL;
		if (!tr_image_elf_read(elf, piece->offset, to, piece->size))
			return tr_image_fail(image, TR_E_IO, "cannot read the code");
		elf->executable[elf->nexecutable++] =
		    (struct image_span){piece->address, piece->address + piece->size};
		if (last && last->address + last->size == piece->address &&
		    last->load_delta == piece->load_delta)
			last->size += piece->size;
		else
			image->code[image->ncode++] = (struct tr_code){
			    to, piece->address, piece->size, piece->load_delta};
		to += piece->size;
	}
	return TR_OK;
}

/* Notes are small; a longer section of notes is not searched. */
enum { NOTES_MAX_BYTES = 1 << 16 };

/* Searches the notes at [offset, offset + size) of the file for a build-id. Returns true
 * if it was found. */
static bool find_build_id(struct tr_image *image, const struct image_elf *elf,
			  uint64_t offset, uint64_t size)
{
	if (size > NOTES_MAX_BYTES)
		return false;
	Elf_Data *data =
	    elf_getdata_rawchunk(elf->elf, (int64_t)offset, size, ELF_T_NHDR);
	GElf_Nhdr note;
	size_t next = 0, name, text;
	while (data && (next = gelf_getnote(data, next, &note, &name, &text)) > 0) {
		const uint8_t *bytes = data->d_buf;
		if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != sizeof("GNU") ||
		    memcmp(bytes + name, "GNU", sizeof("GNU")) != 0 ||
		    note.n_descsz > IMAGE_BUILD_ID_MAX)
			continue;
		for (size_t i = 0; i < note.n_descsz; i++)
			snprintf(image->build_id + 2 * i, 3, "%02x", bytes[text + i]);
		return true;
	}
	return false;
}

void tr_image_build_id_load(struct tr_image *image, const struct image_elf *elf)
{
	for (size_t i = 0; i < elf->nsegments; i++) {
		GElf_Phdr segment;
		if (gelf_getphdr(elf->elf, (int)i, &segment) &&
		    segment.p_type == PT_NOTE &&
		    find_build_id(image, elf, segment.p_offset, segment.p_filesz))
			return;
	}
	for (size_t i = 1; i < elf->nsections; i++) {
		GElf_Shdr section;
		if (gelf_getshdr(elf_getscn(elf->elf, i), &section) &&
		    section.sh_type == SHT_NOTE &&
		    find_build_id(image, elf, section.sh_offset, section.sh_size))
			return;
	}
}

int tr_image_code_load(struct tr_image *image, struct image_elf *elf, const char *part)
{
	struct pieces pieces = {0};
	if (elf->header.e_type == ET_REL) {
		tr_image_build_id_load(image, elf);
		return tr_image_module_load(image, elf, part);
	}
	int status = collect_code_pieces(image, elf, &pieces);
	if (status == TR_OK) {
		if (pieces.count)
			qsort(pieces.list, pieces.count, sizeof(*pieces.list),
			      compare_pieces);
		else
			tr_image_warn(image, "no executable code");
		status = divide_overlays(image, elf, &pieces, part);
	}
	if (status == TR_OK) {
		trim_overlaps(image, &pieces);
		status = copy_code_pieces(image, elf, &pieces);
	}
	free(pieces.list);
	tr_image_build_id_load(image, elf);
	return status;
}

bool tr_image_elf_is_code(const struct image_elf *elf, uint64_t low, uint64_t high)
{
	size_t first = 0, end = elf->nexecutable;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (elf->executable[middle].high <= low)
			first = middle + 1;
		else
			end = middle;
	}
	return first < elf->nexecutable && elf->executable[first].low <= low &&
	       high <= elf->executable[first].high;
}
