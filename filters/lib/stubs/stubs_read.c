/* SPDX-License-Identifier: Apache-2.0 */
/* Reads data.bin, and finds the code in injected.o. */
#include "stubs/stubs.h"

#include <stdlib.h>

#include "base/little.h"
#include "stubs/stubs_check_internal.h"
#include "stubs/stubs_layout_internal.h"

/* Functions and labels are checked while they are decoded, each against what the one
 * before it leaves: the injector reads this file at every start of a program. */
struct decoder {
	struct tr_stubs *stubs;
	struct tr_stubs_function *functions;
	struct tr_stubs_label *labels;
	const uint8_t *next_label, *end;
	uint32_t label_count;
	bool is_label;	       /* the one at next_label is wrong */
	uint64_t free_address; /* behind the last function */
	struct stub_area {
		uint32_t free, end; /* behind the last stub; bytes of the code */
		uint32_t stubs;
	} areas[TR_STUBS_AREAS];
};

static bool is_whole_pages(uint64_t value)
{
	return value % TR_STUBS_PAGE == 0;
}

/* Areas are whole pages of the code, the first before the second. */
static bool decode_areas(const uint8_t *bytes, struct tr_stubs *stubs)
{
	uint64_t behind = 0;
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		const uint8_t *p = bytes + DATA_AREAS + AREA_SIZE * i;
		struct tr_stubs_area *area = &stubs->areas[i];
		area->offset = tr_load32(p);
		area->size = tr_load32(p + 4);
		area->lowest = tr_load64(p + 8);
		area->highest = tr_load64(p + 16);
		if (area->size == 0)
			continue;
		if (!is_whole_pages(area->offset) || !is_whole_pages(area->size) ||
		    area->offset < behind || !is_whole_pages(area->lowest) ||
		    !is_whole_pages(area->highest) || area->lowest > area->highest)
			return false;
		behind = (uint64_t)area->offset + area->size;
	}
	return behind <= stubs->code_size;
}

/* Parts of an image are whole pages, and sizes that can be added. */
static bool decode_image(const uint8_t *p, struct tr_stubs_image *image)
{
	image->code_offset = tr_load64(p + IMAGE_CODE_OFFSET);
	image->code_checksum = tr_load64(p + IMAGE_CODE_CHECKSUM);
	image->counters = tr_load64(p + IMAGE_COUNTERS);
	image->text_address = tr_load64(p + IMAGE_TEXT_ADDRESS);
	image->text_size = tr_load64(p + IMAGE_TEXT_SIZE);
	image->text_origin = tr_load64(p + IMAGE_TEXT_ORIGIN);
	image->text_offset = tr_load64(p + IMAGE_TEXT_OFFSET);
	image->text_digest = tr_load64(p + IMAGE_TEXT_DIGEST);
	const uint64_t places = image->code_offset | image->counters |
				image->text_address | image->text_origin |
				image->text_offset;
	const uint64_t sizes = image->code_offset | image->text_size |
			       image->text_origin | image->text_offset;
	return is_whole_pages(places) && sizes <= INT64_MAX;
}

/* Returns 0, or the number of the first field that no writer produces. */
static unsigned decode_header(const uint8_t *bytes, struct tr_stubs *stubs)
{
	const uint32_t known = TR_STUBS_STOPPED | TR_STUBS_GLOBAL | TR_STUBS_MOVABLE;
	stubs->flags = tr_load32(bytes + FILE_FLAGS);
	stubs->program_entry = tr_load64(bytes + DATA_ENTRY);
	stubs->program_size = tr_load64(bytes + DATA_PROGRAM_SIZE);
	stubs->program_mtime = tr_load64(bytes + DATA_PROGRAM_MTIME);
	memcpy(stubs->program_first, bytes + DATA_FIRST, sizeof(stubs->program_first));
	stubs->build_id_size = tr_load32(bytes + DATA_BUILD_ID_SIZE);
	memcpy(stubs->build_id, bytes + DATA_BUILD_ID, sizeof(stubs->build_id));
	stubs->code_offset = tr_load64(bytes + DATA_CODE_OFFSET);
	stubs->code_checksum = tr_load64(bytes + DATA_CODE_CHECKSUM);
	stubs->code_size = tr_load32(bytes + DATA_CODE_SIZE);
	stubs->counters = tr_load32(bytes + DATA_COUNTERS);
	stubs->function_count = tr_load32(bytes + DATA_FUNCTIONS);
	stubs->label_count = tr_load32(bytes + DATA_LABELS);
	if (stubs->flags & ~known)
		return FILE_FLAGS;
	if (stubs->build_id_size > TR_STUBS_BUILD_ID_MAX)
		return DATA_BUILD_ID_SIZE;
	if (!is_whole_pages(stubs->code_offset))
		return DATA_CODE_OFFSET;
	if (!is_whole_pages(stubs->code_size))
		return DATA_CODE_SIZE;
	if (!decode_areas(bytes, stubs))
		return DATA_AREAS;
	return decode_image(bytes + DATA_IMAGE, &stubs->image) ? 0 : DATA_IMAGE;
}

/* `f` becomes what the record at `p` has; returns the word of moved[]. */
static uint64_t load_function(const uint8_t *p, struct tr_stubs_function *f)
{
	uint64_t counter = load_word(p + FUNCTION_INDEX);
	uint64_t sizes = load_word(p + FUNCTION_STUB_SIZE);
	uint64_t flags = sizes >> 40;
	f->start = load_word(p + FUNCTION_START);
	f->index = (uint32_t)counter;
	f->stub = (uint32_t)(counter >> 32);
	f->stub_size = (uint16_t)sizes;
	f->tail = (uint8_t)(sizes >> 24);
	f->size = (uint8_t)(sizes >> 32);
	f->resume = f->tail ? f->start + f->size : 0;
	f->kind = flags & FUNCTION_IS_FAR;
	f->loops = flags & FUNCTION_LOOPS;
	f->area = flags & FUNCTION_AREA ? 1 : 0;
	memcpy(f->moved, __builtin_assume_aligned(p + FUNCTION_MOVED, 2),
	       sizeof(f->moved));
	memcpy(f->original, __builtin_assume_aligned(p + FUNCTION_ORIGINAL, 4),
	       sizeof(f->original));
	return sizes >> 48 | (load_word(p + FUNCTION_MOVED + 2) & UINT32_MAX) << 16;
}

/* What stands for the replaced instructions is in their order, before the jump back. */
static bool is_moved_in_order(const struct tr_stubs_function *f, uint64_t moved,
			      uint32_t end)
{
	uint32_t last = f->moved[0], odd = last;
	if (last < COUNTER_SIZE)
		return false;
	moved >>= 8;
	for (unsigned i = f->size / 2U; --i; moved >>= 8) {
		uint32_t at = moved & 0xff;
		if (at == 0)
			continue;
		if (at <= last)
			return false;
		last = at;
		odd |= at;
	}
	return moved == 0 && (odd & 1) == 0 && last < end;
}

static bool check_stub_function(struct decoder *d, const struct tr_stubs_function *f)
{
	struct stub_area *area = &d->areas[f->area];
	unsigned least = f->kind == TR_STUBS_FAR ? 8 : 4;
	uint64_t stub_end = (uint64_t)f->stub + f->stub_size;
	if (f->index >= d->stubs->counters || f->size < least ||
	    f->size > TR_STUBS_ENTRY_MAX ||
	    (f->start | f->stub | f->size | f->stub_size | f->tail) & 1)
		return false;
	if (f->start < d->free_address || f->start > UINT64_MAX - TR_STUBS_ENTRY_MAX)
		return false;
	if (f->stub < area->free || stub_end > area->end)
		return false;
	d->free_address = f->start + f->size;
	area->free = (uint32_t)stub_end;
	area->stubs++;
	return true;
}

static void append_stub_label(struct decoder *d, uint32_t at,
			      enum tr_stubs_label_kind kind, uint32_t reg,
			      uint64_t target)
{
	struct tr_stubs_label *label = &d->labels[d->label_count++];
	label->at = at;
	label->kind = (uint8_t)kind;
	label->reg = (uint8_t)reg;
	label->target = target;
}

/* Decodes the labels that the file has of function `f`, up to the byte `end` of the stub.
 * Returns false if one is wrong; d->next_label is then at it. */
static bool decode_labels(struct decoder *d, const struct tr_stubs_function *f,
			  unsigned count, uint32_t end)
{
	uint32_t least = COUNTER_SIZE;
	for (; count; count--, d->next_label += LABEL_SIZE) {
		if (d->next_label == d->end)
			return false;
		uint64_t word = load_word(d->next_label), target;
		uint32_t at = (uint16_t)word, kind = (uint8_t)(word >> 16);
		uint32_t reg = (uint8_t)(word >> 24), size = 8;
		target = f->start + (uint64_t)((int64_t)word >> 32);
		if (kind == TR_STUBS_COUNTER) {
			target = word >> 32;
			if (target >= d->stubs->counters)
				return false;
		} else if (kind == TR_STUBS_JUMP) {
			size = 4;
		}
		if (at < least || at % 2 || at + size > end || kind < TR_STUBS_COUNTER ||
		    kind > TR_STUBS_ADDRESS || reg > 31 ||
		    (reg == 0) != (kind == TR_STUBS_JUMP))
			return false;
		append_stub_label(d, f->stub + at, (enum tr_stubs_label_kind)kind, reg,
				  target);
		least = at + size;
	}
	return true;
}

/* The labels of a function, in their order: the counter's, those of the file, and that of
 * the jump back. */
static bool decode_stub(struct decoder *d, const uint8_t *p, uint64_t moved,
			struct tr_stubs_function *f)
{
	uint32_t back = p[FUNCTION_FLAGS] >> FUNCTION_BACK_SHIFT;
	uint32_t end = f->stub_size;
	if (f->tail) {
		if (f->tail + (back ? 8U : 4U) > end)
			return false;
		end = f->tail;
	} else if (back) {
		return false;
	}
	if (!is_moved_in_order(f, moved, end))
		return false;
	f->first_label = d->label_count;
	append_stub_label(d, f->stub, TR_STUBS_COUNTER, COUNTER_REG, f->index);
	if (p[FUNCTION_LABELS] && !decode_labels(d, f, p[FUNCTION_LABELS], end)) {
		d->is_label = true;
		return false;
	}
	if (f->tail)
		append_stub_label(d, f->stub + f->tail,
				  back ? TR_STUBS_FAR_JUMP : TR_STUBS_JUMP, back,
				  f->resume);
	return true;
}

/* Returns NULL, or the record that is wrong. */
static const uint8_t *decode_functions(struct decoder *d, const uint8_t *bytes)
{
	const uint8_t *p = bytes + DATA_HEADER;
	const uint8_t *end = p + (size_t)d->stubs->function_count * FUNCTION_SIZE;
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &d->stubs->areas[i];
		d->areas[i].free = area->offset;
		d->areas[i].end = area->offset + area->size;
	}
	d->next_label = end;
	d->end = end + (size_t)d->stubs->label_count * LABEL_SIZE;
	for (struct tr_stubs_function *f = d->functions; p != end;
	     f++, p += FUNCTION_SIZE) {
		uint64_t moved = load_function(p, f);
		if (!check_stub_function(d, f) || !decode_stub(d, p, moved, f))
			return d->is_label ? d->next_label : p;
	}
	d->stubs->label_count = d->label_count;
	return d->next_label == d->end ? NULL : d->next_label;
}

/* The numbers of the functions of each area, which are in the order of their stubs. */
static void order_stubs(const struct decoder *d, uint32_t *by_stub)
{
	uint32_t next[TR_STUBS_AREAS] = {0, d->areas[0].stubs};
	for (uint32_t i = 0; i < d->stubs->function_count; i++)
		by_stub[next[d->functions[i].area]++] = i;
}

static enum tr_status decode_aligned(const uint8_t *bytes, struct tr_stubs *stubs,
				     uint64_t *at)
{
	struct decoder d = {.stubs = stubs};
	uint32_t *by_stub = malloc((size_t)stubs->function_count * sizeof(*by_stub) + 1);
	d.functions = malloc((size_t)stubs->function_count * sizeof(*d.functions) + 1);
	/* With those that the file does not have. */
	size_t labels = stubs->label_count + 2 * (size_t)stubs->function_count;
	d.labels = malloc(labels * sizeof(*d.labels) + 1);
	stubs->functions = d.functions;
	stubs->labels = d.labels;
	stubs->by_stub = by_stub;
	enum tr_status status = TR_OK;
	if (!d.functions || !d.labels || !by_stub) {
		status = TR_E_NOMEM;
	} else {
		const uint8_t *wrong = decode_functions(&d, bytes);
		if (wrong) {
			*at = (uint64_t)(wrong - bytes);
			status = TR_E_CORRUPT;
		} else {
			order_stubs(&d, by_stub);
		}
	}
	if (status)
		tr_stubs_free(stubs);
	return status;
}

static enum tr_status check_data_head(const uint8_t *bytes, size_t size, uint64_t *at)
{
	static const struct stubs_file file = {DATA_MAGIC, TR_STUBS_VERSION, DATA_HEADER};
	const enum tr_status status =
	    tr_stubs_check_header(bytes, size, &file, DATA_HEADER, at);
	if (status)
		return status;
	const uint64_t want =
	    DATA_HEADER + (uint64_t)tr_load32(bytes + DATA_FUNCTIONS) * FUNCTION_SIZE +
	    (uint64_t)tr_load32(bytes + DATA_LABELS) * LABEL_SIZE;
	*at = size < want ? size : want;
	if (size != want)
		return size < want ? TR_E_TRUNCATED : TR_E_CORRUPT;
	return TR_OK;
}

enum tr_status tr_stubs_decode_head(const uint8_t *bytes, size_t size,
				    struct tr_stubs *stubs, uint64_t *at)
{
	*stubs = (struct tr_stubs){0};
	enum tr_status status = check_data_head(bytes, size, at);
	if (status)
		return status;
	*at = decode_header(bytes, stubs);
	return *at ? TR_E_CORRUPT : TR_OK;
}

enum tr_status tr_stubs_decode(const uint8_t *bytes, size_t size, struct tr_stubs *stubs,
			       uint64_t *at)
{
	enum tr_status status = tr_stubs_decode_head(bytes, size, stubs, at);
	if (status)
		return status;
	*at = DATA_PARTS_CHECKSUM;
	if (!tr_stubs_fits_sum(bytes + DATA_HEADER, size - DATA_HEADER,
			       tr_load64(bytes + DATA_PARTS_CHECKSUM)))
		return TR_E_CORRUPT;
	if (((uintptr_t)bytes & 7) == 0)
		return decode_aligned(bytes, stubs, at);
	uint8_t *copy = malloc(size);
	if (!copy)
		return TR_E_NOMEM;
	memcpy(copy, bytes, size);
	status = decode_aligned(copy, stubs, at);
	free(copy);
	return status;
}

void tr_stubs_free(struct tr_stubs *stubs)
{
	free((void *)stubs->functions);
	free((void *)stubs->labels);
	free((void *)stubs->by_stub);
	stubs->functions = NULL;
	stubs->labels = NULL;
	stubs->by_stub = NULL;
	stubs->function_count = stubs->label_count = 0;
}

const uint8_t *tr_stubs_code(const struct tr_stubs *stubs, const uint8_t *object,
			     size_t size, uint64_t *at)
{
	*at = 0;
	if (size >= 4 && memcmp(object, "\177ELF", 4) != 0)
		return NULL;
	*at = size;
	if (size < stubs->code_offset || size - stubs->code_offset < stubs->code_size)
		return NULL;
	*at = stubs->code_offset;
	const uint8_t *code = object + stubs->code_offset;
	return tr_stubs_fits_sum(code, stubs->code_size, stubs->code_checksum) ? code
									       : NULL;
}
