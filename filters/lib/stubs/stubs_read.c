/* SPDX-License-Identifier: Apache-2.0 */
/* Reads data.bin, and finds the code in injected.o. */
#include "stubs/stubs.h"

#include <stdlib.h>

#include "base/fuzzed.h"
#include "base/little.h"
#include "stubs/stubs_layout_internal.h"

/* Functions and labels are checked while they are decoded, each against what the one
 * before it leaves: the injector reads this file at every start of a program. */
struct decoder {
	struct tr_stubs *stubs;
	struct tr_stubs_function *functions;
	struct tr_stubs_label *labels;
	const uint8_t *next_label, *end;
	uint32_t label_count;
	uint64_t free_address;		     /* behind the last function */
	uint32_t free_stub[TR_STUBS_AREAS];  /* behind the last stub of an area */
	uint32_t stub_count[TR_STUBS_AREAS]; /* of an area */
};

static bool is_page(uint64_t value)
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
		if (!is_page(area->offset) || !is_page(area->size) ||
		    area->offset < behind || !is_page(area->lowest) ||
		    !is_page(area->highest) || area->lowest > area->highest)
			return false;
		behind = (uint64_t)area->offset + area->size;
	}
	return behind <= stubs->code_size;
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
	if (!is_page(stubs->code_offset))
		return DATA_CODE_OFFSET;
	if (!is_page(stubs->code_size))
		return DATA_CODE_SIZE;
	return decode_areas(bytes, stubs) ? 0 : DATA_AREAS;
}

static void load_function(const uint8_t *p, struct tr_stubs_function *f)
{
	uint64_t counter = load_word(p + FUNCTION_INDEX);
	uint64_t sizes = load_word(p + FUNCTION_STUB_SIZE);
	uint64_t behind = load_word(p + FUNCTION_STUB_SIZE + 8);
	uint64_t last = load_word(p + FUNCTION_STUB_SIZE + 16);
	uint8_t flags = (uint8_t)(sizes >> 40);
	f->start = load_word(p + FUNCTION_START);
	f->index = (uint32_t)counter;
	f->stub = (uint32_t)(counter >> 32);
	f->stub_size = (uint16_t)sizes;
	f->tail = (uint8_t)(sizes >> 24);
	f->size = (uint8_t)(sizes >> 32);
	f->resume = f->tail ? f->start + f->size : 0;
	f->kind = flags & FUNCTION_IS_FAR ? TR_STUBS_FAR : TR_STUBS_NEAR;
	f->loops = flags & FUNCTION_LOOPS;
	f->area = flags & FUNCTION_AREA ? 1 : 0;
	f->moved[0] = (uint8_t)(sizes >> 48);
	f->moved[1] = (uint8_t)(sizes >> 56);
	for (unsigned i = 0; i < 4; i++)
		f->moved[2 + i] = (uint8_t)(behind >> 8 * i);
	tr_store32(f->original, (uint32_t)(behind >> 32));
	tr_store64(f->original + 4, last);
}

/* What stands for the replaced instructions is in their order, before the jump back. */
static bool is_moved_in_order(const struct tr_stubs_function *f)
{
	unsigned last = f->moved[0], count = f->size / 2U;
	if (last == 0 || last % 2)
		return false;
	for (unsigned i = 1; i < count; i++) {
		if (f->moved[i] == 0)
			continue;
		if (f->moved[i] <= last || f->moved[i] % 2)
			return false;
		last = f->moved[i];
	}
	for (unsigned i = count; i < TR_STUBS_ENTRY_MAX / 2; i++)
		if (f->moved[i])
			return false;
	if (f->tail)
		return f->tail % 2 == 0 && last < f->tail && f->tail + 4U <= f->stub_size;
	return last < f->stub_size;
}

static bool check_function(struct decoder *d, const uint8_t *p,
			   const struct tr_stubs_function *f)
{
	const struct tr_stubs_area *area = &d->stubs->areas[f->area];
	unsigned least = f->kind == TR_STUBS_FAR ? 8 : 4;
	if (p[FUNCTION_FLAGS] & ~FUNCTION_FLAGS_KNOWN || f->index >= d->stubs->counters)
		return false;
	if (f->size < least || f->size > TR_STUBS_ENTRY_MAX || f->size % 2)
		return false;
	if (f->start % 2 || f->start < d->free_address || f->start + f->size < f->start)
		return false;
	if (f->stub % 2 || f->stub_size % 2 || f->stub < area->offset ||
	    f->stub < d->free_stub[f->area] || area->size < f->stub_size ||
	    f->stub - area->offset > area->size - f->stub_size)
		return false;
	d->free_address = f->start + f->size;
	d->free_stub[f->area] = f->stub + f->stub_size;
	d->stub_count[f->area]++;
	return is_moved_in_order(f);
}

static bool check_label(const struct decoder *d, const struct tr_stubs_label *label)
{
	if (label->kind == TR_STUBS_JUMP)
		return label->reg == 0;
	if (label->kind == TR_STUBS_COUNTER && label->target >= d->stubs->counters)
		return false;
	return label->kind >= TR_STUBS_COUNTER && label->kind <= TR_STUBS_ADDRESS &&
	       label->reg >= 1 && label->reg <= 31;
}

/* Returns false if the labels of function `f` are wrong; d->next_label is then at the
 * wrong one. */
static bool decode_labels(struct decoder *d, const struct tr_stubs_function *f,
			  unsigned count)
{
	uint32_t least = 0;
	for (; count; count--, d->next_label += LABEL_SIZE) {
		if (d->next_label == d->end)
			return false;
		uint64_t word = load_word(d->next_label);
		uint32_t at = (uint16_t)word, value = (uint32_t)(word >> 32);
		struct tr_stubs_label *label = &d->labels[d->label_count++];
		label->at = f->stub + at;
		label->kind = (uint8_t)(word >> 16);
		label->reg = (uint8_t)(word >> 24);
		label->target = label->kind == TR_STUBS_COUNTER
				    ? value
				    : f->start + (uint64_t)(int32_t)value;
		unsigned size = label->kind == TR_STUBS_JUMP ? 4 : 8;
		if (at < least || at % 2 || at + size > f->stub_size ||
		    !check_label(d, label))
			return false;
		least = at + size;
	}
	return true;
}

/* Returns NULL, or the record that is wrong. */
static const uint8_t *decode_functions(struct decoder *d, const uint8_t *bytes)
{
	const uint8_t *p = bytes + DATA_HEADER;
	const uint8_t *end = p + (size_t)d->stubs->function_count * FUNCTION_SIZE;
	d->next_label = end;
	d->end = end + (size_t)d->stubs->label_count * LABEL_SIZE;
	for (struct tr_stubs_function *f = d->functions; p != end;
	     f++, p += FUNCTION_SIZE) {
		load_function(p, f);
		f->first_label = d->label_count;
		if (!check_function(d, p, f))
			return p;
		if (!decode_labels(d, f, p[FUNCTION_LABELS]))
			return d->next_label;
	}
	return d->next_label == d->end ? NULL : d->next_label;
}

/* The numbers of the functions of each area, which are in the order of their stubs. */
static void order_stubs(const struct decoder *d, uint32_t *by_stub)
{
	uint32_t next[TR_STUBS_AREAS] = {0, d->stub_count[0]};
	for (uint32_t i = 0; i < d->stubs->function_count; i++)
		by_stub[next[d->functions[i].area]++] = i;
}

static enum tr_status decode_aligned(const uint8_t *bytes, struct tr_stubs *stubs,
				     uint64_t *at)
{
	struct decoder d = {.stubs = stubs};
	uint32_t *by_stub = malloc((size_t)stubs->function_count * sizeof(*by_stub) + 1);
	d.functions = malloc((size_t)stubs->function_count * sizeof(*d.functions) + 1);
	d.labels = malloc((size_t)stubs->label_count * sizeof(*d.labels) + 1);
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

static enum tr_status check_whole(const uint8_t *bytes, size_t size, uint64_t *at)
{
	*at = FILE_MAGIC;
	if (size >= 8 && memcmp(bytes, DATA_MAGIC, 8) != 0)
		return TR_E_CORRUPT;
	*at = FILE_VERSION;
	if (size >= FILE_VERSION + 4 &&
	    tr_load32(bytes + FILE_VERSION) != TR_STUBS_VERSION)
		return TR_E_UNSUPPORTED;
	*at = size;
	if (size < DATA_HEADER)
		return TR_E_TRUNCATED;
	uint64_t want = DATA_HEADER +
			(uint64_t)tr_load32(bytes + DATA_FUNCTIONS) * FUNCTION_SIZE +
			(uint64_t)tr_load32(bytes + DATA_LABELS) * LABEL_SIZE;
	if (size < want)
		return TR_E_TRUNCATED;
	*at = want;
	if (size > want)
		return TR_E_CORRUPT;
	*at = FILE_CHECKSUM;
	uint64_t sum = tr_stubs_checksum(bytes + FILE_VERSION, size - FILE_VERSION);
	return sum == tr_load64(bytes + FILE_CHECKSUM) || TR_IS_FUZZED ? TR_OK
								       : TR_E_CORRUPT;
}

enum tr_status tr_stubs_decode(const uint8_t *bytes, size_t size, struct tr_stubs *stubs,
			       uint64_t *at)
{
	*stubs = (struct tr_stubs){0};
	enum tr_status status = check_whole(bytes, size, at);
	if (status)
		return status;
	*at = decode_header(bytes, stubs);
	if (*at)
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
	uint64_t sum = tr_stubs_checksum(code, stubs->code_size);
	return sum == stubs->code_checksum || TR_IS_FUZZED ? code : NULL;
}
