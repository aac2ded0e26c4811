/* SPDX-License-Identifier: Apache-2.0 */
/* Writes memory as an ELF file. */
#include "elf.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "base/little.h"
#include "soc.h"

enum { PAGE = 4096, HEADER = 64, PROGRAM_HEADER = 56 };
/* Segments that are as near are one. If there are still more than this, which takes
 * simulators long, segments that are further apart are one. */
enum { NEAR_PAGES = 4, SEGMENTS_MAX = 1024 };

struct segment {
	uint64_t address, bytes;
	const uint8_t *data;
};

struct segments {
	struct segment *list;
	size_t count, room;
};

static bool add_segment(struct segments *s, struct segment segment)
{
	if (s->count == s->room) {
		const size_t room = s->room ? 2 * s->room : 64;
		struct segment *list = realloc(s->list, room * sizeof(*list));

		if (!list)
			return false;
		s->list = list;
		s->room = room;
	}
	s->list[s->count++] = segment;
	return true;
}

static bool is_zero_page(const uint8_t *page)
{
	return page[0] == 0 && memcmp(page, page + 1, PAGE - 1) == 0;
}

/* Collects the pages of RAM that are not zero, with at most `near` bytes between those of
 * a segment. */
static bool find_segments(struct segments *s, const struct restore_elf *elf,
			  uint64_t near)
{
	for (uint64_t at = 0; at < elf->ram_size; at += PAGE) {
		struct segment *last = s->count ? &s->list[s->count - 1] : NULL;
		const uint8_t *data = elf->ram + at;
		const uint64_t address = SOC_RAM_BASE + at;

		if (is_zero_page(data))
			continue;
		if (last && address - last->address - last->bytes <= near)
			last->bytes = address + PAGE - last->address;
		else if (!add_segment(s, (struct segment){address, PAGE, data}))
			return false;
	}
	return true;
}

/* Joins segments that are at most `near` bytes apart. */
static void join_segments(struct segments *s, uint64_t near)
{
	size_t kept = 0;

	for (size_t i = 1; i < s->count; i++) {
		struct segment *last = &s->list[kept];
		const struct segment *next = &s->list[i];

		if (next->address - last->address - last->bytes <= near)
			last->bytes = next->address + next->bytes - last->address;
		else
			s->list[++kept] = *next;
	}
	s->count = kept + 1;
}

static bool add_page(struct segments *s, const struct restore_elf *elf)
{
	if (!elf->page)
		return true;
	if (!add_segment(s, (struct segment){elf->page_at, PAGE, elf->page}))
		return false;
	if (elf->page_at < SOC_RAM_BASE) {
		const struct segment page = s->list[s->count - 1];

		memmove(s->list + 1, s->list, (s->count - 1) * sizeof(page));
		s->list[0] = page;
	}
	return true;
}

static void put_header(FILE *file, const struct restore_elf *elf, size_t segments)
{
	uint8_t h[HEADER] = {ELFMAG0,	 ELFMAG1,     ELFMAG2,	 ELFMAG3,
			     ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
	const uint32_t abi = elf->fpu ? EF_RISCV_FLOAT_ABI_DOUBLE : 0;

	tr_store32(h + 16, ET_EXEC | EM_RISCV << 16);
	tr_store32(h + 20, EV_CURRENT);
	tr_store64(h + 24, SOC_RESET_PC);
	tr_store64(h + 32, HEADER); /* e_phoff */
	tr_store32(h + 48, EF_RISCV_RVC | abi);
	tr_store32(h + 52, HEADER | PROGRAM_HEADER << 16);
	tr_store32(h + 56, (uint32_t)segments); /* and no e_shentsize */
	fwrite(h, sizeof(h), 1, file);
}

static void put_program_header(FILE *file, const struct segment *s, uint64_t offset)
{
	uint8_t h[PROGRAM_HEADER] = {0};

	tr_store32(h, PT_LOAD);
	tr_store32(h + 4, PF_R | PF_W | PF_X);
	tr_store64(h + 8, offset);
	tr_store64(h + 16, s->address); /* p_vaddr, p_paddr */
	tr_store64(h + 24, s->address);
	tr_store64(h + 32, s->bytes); /* p_filesz, p_memsz */
	tr_store64(h + 40, s->bytes);
	tr_store64(h + 48, PAGE);
	fwrite(h, sizeof(h), 1, file);
}

static void put_segments(FILE *file, const struct restore_elf *elf,
			 const struct segments *s)
{
	static const uint8_t zeros[PAGE];
	const uint64_t heads = HEADER + s->count * PROGRAM_HEADER;
	const uint64_t first = (heads + PAGE - 1) / PAGE * PAGE;
	uint64_t offset = first;

	put_header(file, elf, s->count);
	for (size_t i = 0; i < s->count; i++) {
		put_program_header(file, &s->list[i], offset);
		offset += s->list[i].bytes;
	}
	fwrite(zeros, 1, first - heads, file);
	for (size_t i = 0; i < s->count; i++)
		fwrite(s->list[i].data, 1, s->list[i].bytes, file);
}

bool restore_write_elf(FILE *file, const struct restore_elf *elf)
{
	struct segments s = {.list = NULL};
	uint64_t near = NEAR_PAGES * PAGE;
	bool good = find_segments(&s, elf, near);

	while (good && s.count >= SEGMENTS_MAX) /* and the page */
		join_segments(&s, near *= 2);
	good = good && add_page(&s, elf);
	if (good)
		put_segments(file, elf, &s);
	free(s.list);
	return good;
}
