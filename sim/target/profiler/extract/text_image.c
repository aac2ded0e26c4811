/* SPDX-License-Identifier: Apache-2.0 */
/* Prepares the program's text with all entries. */
#include "text_image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stubs/shared_counts.h"

enum { EXECUTE = 1, WRITE = 2 };

static uint64_t page_down(uint64_t value)
{
	return value & -(uint64_t)TR_STUBS_PAGE;
}

static uint64_t page_up(uint64_t value)
{
	return page_down(value + TR_STUBS_PAGE - 1);
}

static bool blame_image(struct prof_trouble *trouble, const char *reason)
{
	*trouble = (struct prof_trouble){reason, PROF_NO_BYTE};
	return false;
}

/* Returns the segment that has all counted functions, or NULL. */
static const struct prof_segment *find_text(const struct prof_elf *elf,
					    const struct tr_stubs *stubs)
{
	const struct tr_stubs_function *first = stubs->functions;
	const struct tr_stubs_function *last = first + stubs->function_count - 1;
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct prof_segment *s = &elf->segments[i];
		if (first->start >= s->address &&
		    last->start + last->size <= s->address + s->size)
			return s;
	}
	return NULL;
}

/* Returns whether the pages of a segment are those of the file, and its alone. */
static bool has_own_pages(const struct prof_elf *elf, const struct prof_segment *text)
{
	const uint64_t start = page_down(text->address);
	const uint64_t end = page_up(text->address + text->size);
	if (!(text->flags & EXECUTE) || text->flags & WRITE ||
	    text->file_size != text->size ||
	    (text->address - text->offset) % TR_STUBS_PAGE)
		return false;
	for (size_t i = 0; i < elf->segment_count; i++) {
		const struct prof_segment *s = &elf->segments[i];
		if (s != text && page_down(s->address) < end &&
		    page_up(s->address + s->size) > start)
			return false;
	}
	return true;
}

/* Returns whether the lowest stub at the first places reaches the counters, however many
 * there are in the global file: by auipc and an offset of 12 bits. */
static bool reaches_counters(const struct tr_stubs *stubs)
{
	const struct tr_stubs_places places = tr_stubs_first_places(stubs, 0);
	const uint64_t lowest = places.areas[stubs->areas[0].size ? 0 : 1];
	const uint64_t end = places.counters + 8 * (uint64_t)TR_SHARED_CAPACITY_MAX;
	return end - lowest <= INT32_MAX - 0x800;
}

static bool read_text(const struct prof_elf *elf, const struct tr_stubs_image *image,
		      uint8_t *text, struct prof_trouble *trouble)
{
	for (uint64_t at = 0; at < image->text_size;) {
		const ssize_t got = pread(elf->file, text + at, image->text_size - at,
					  (off_t)(image->text_origin + at));
		if (got == 0)
			return blame_image(trouble, "the file ends within its text");
		if (got < 0 && errno != EINTR)
			return blame_image(trouble, strerror(errno));
		if (got > 0)
			at += (uint64_t)got;
	}
	return true;
}

/* The first instruction is another one in the file of a program that is stopped. */
static void restore_first(const struct prof_elf *elf, const struct tr_stubs *stubs,
			  uint8_t *text)
{
	const uint64_t at = elf->entry - stubs->image.text_address;
	if (at < stubs->image.text_size && stubs->image.text_size - at >= 4)
		memcpy(text + at, prof_code_bytes(elf, elf->entry), 4);
}

static bool put_entries(const struct tr_stubs *stubs, uint8_t *text)
{
	const struct tr_stubs_places places = tr_stubs_first_places(stubs, 0);
	uint8_t entry[TR_STUBS_ENTRY_MAX];
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		if (tr_stubs_entry(stubs, &places, i, entry) != TR_OK)
			return false;
		memcpy(text + (f->start - stubs->image.text_address), entry, f->size);
	}
	return true;
}

bool prof_make_text_image(const struct prof_elf *elf, struct prof_plan *plan,
			  struct prof_trouble *trouble)
{
	struct tr_stubs *stubs = &plan->stubs;
	struct tr_stubs_image *image = &stubs->image;
	const struct prof_segment *segment = find_text(elf, stubs);
	if (!segment || !has_own_pages(elf, segment) || !reaches_counters(stubs))
		return true;
	const struct tr_stubs_function *first = stubs->functions;
	const struct tr_stubs_function *last = first + stubs->function_count - 1;
	image->text_address = page_down(first->start);
	uint64_t end = page_up(last->start + last->size);
	/* Behind the segment the last page has what else is in the file. */
	if (end > segment->address + segment->size)
		end = segment->address + segment->size;
	image->text_size = end - image->text_address;
	image->text_origin = image->text_address - segment->address + segment->offset;
	uint8_t *text = calloc(1, image->text_size);
	plan->text = calloc(1, tr_stubs_text_pages(image));
	bool good = text && plan->text;
	if (!good)
		blame_image(trouble, "out of memory");
	good = good && read_text(elf, image, text, trouble);
	if (good) {
		restore_first(elf, stubs, text);
		memcpy(plan->text, text, image->text_size);
		good = put_entries(stubs, plan->text) ||
		       blame_image(trouble, "its stubs are out of reach");
		image->text_digest = tr_stubs_digest(image, text, plan->text);
	}
	free(text);
	return good;
}

uint8_t *prof_place_code(const struct prof_plan *plan, const struct tr_stubs *stubs)
{
	const struct tr_stubs_places places = tr_stubs_first_places(stubs, 0);
	uint8_t *code = malloc((size_t)stubs->code_size + 1);
	if (!code)
		return NULL;
	memcpy(code, plan->code, stubs->code_size);
	if (tr_stubs_place(stubs, &places, code) == TR_OK)
		return code;
	free(code);
	return NULL;
}
