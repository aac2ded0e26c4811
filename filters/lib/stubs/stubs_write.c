/* SPDX-License-Identifier: Apache-2.0 */
/* Writes data.bin, and the checksum of all files of the run-time profiler. */
#include "stubs/stubs.h"

#include <stdlib.h>

#include "base/little.h"
#include "stubs/stubs_layout_internal.h"

/* Every step is a bijection of the state, so that a change within one word always changes
 * the result; the shift brings the upper half back into the product. The constant is that
 * of Knuth's multiplicative hashing, 2^64 divided by the golden ratio. */
static uint64_t mix_word(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * 0x9e3779b97f4a7c15;
	return sum ^ sum >> 32;
}

uint64_t tr_stubs_checksum(const uint8_t *bytes, size_t size)
{
	uint64_t sum = size;
	size_t whole = size & ~(size_t)7;
	if (((uintptr_t)bytes & 7) == 0) {
		for (const uint8_t *p = bytes, *end = bytes + whole; p != end; p += 8)
			sum = mix_word(sum, load_word(p));
	} else {
		for (size_t i = 0; i < whole; i += 8)
			sum = mix_word(sum, tr_load64(bytes + i));
	}
	if (size == whole)
		return sum;
	uint8_t last[8] = {0};
	memcpy(last, bytes + whole, size - whole);
	return mix_word(sum, tr_load64(last));
}

static void encode_area(uint8_t *p, const struct tr_stubs_area *area)
{
	tr_store32(p, area->offset);
	tr_store32(p + 4, area->size);
	tr_store64(p + 8, area->lowest);
	tr_store64(p + 16, area->highest);
}

static void encode_header(uint8_t *p, const struct tr_stubs *stubs)
{
	memcpy(p + FILE_MAGIC, DATA_MAGIC, 8);
	tr_store32(p + FILE_VERSION, TR_STUBS_VERSION);
	tr_store32(p + FILE_FLAGS, stubs->flags);
	tr_store64(p + DATA_ENTRY, stubs->program_entry);
	tr_store64(p + DATA_PROGRAM_SIZE, stubs->program_size);
	tr_store64(p + DATA_PROGRAM_MTIME, stubs->program_mtime);
	memcpy(p + DATA_FIRST, stubs->program_first, sizeof(stubs->program_first));
	tr_store32(p + DATA_BUILD_ID_SIZE, stubs->build_id_size);
	memcpy(p + DATA_BUILD_ID, stubs->build_id, stubs->build_id_size);
	tr_store64(p + DATA_CODE_OFFSET, stubs->code_offset);
	tr_store64(p + DATA_CODE_CHECKSUM, stubs->code_checksum);
	tr_store32(p + DATA_CODE_SIZE, stubs->code_size);
	tr_store32(p + DATA_COUNTERS, stubs->counters);
	tr_store32(p + DATA_FUNCTIONS, stubs->function_count);
	tr_store32(p + DATA_LABELS, stubs->label_count);
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		encode_area(p + DATA_AREAS + AREA_SIZE * i, &stubs->areas[i]);
}

static uint32_t end_of_labels(const struct tr_stubs *stubs, uint32_t number)
{
	return number + 1 < stubs->function_count
		   ? stubs->functions[number + 1].first_label
		   : stubs->label_count;
}

static void encode_function(uint8_t *p, const struct tr_stubs *stubs, uint32_t number)
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	tr_store64(p + FUNCTION_START, f->start);
	tr_store32(p + FUNCTION_INDEX, f->index);
	tr_store32(p + FUNCTION_STUB, f->stub);
	p[FUNCTION_STUB_SIZE] = (uint8_t)f->stub_size;
	p[FUNCTION_STUB_SIZE + 1] = (uint8_t)(f->stub_size >> 8);
	p[FUNCTION_LABELS] = (uint8_t)(end_of_labels(stubs, number) - f->first_label);
	p[FUNCTION_TAIL] = f->tail;
	p[FUNCTION_REPLACED] = f->size;
	p[FUNCTION_FLAGS] =
	    (uint8_t)((f->kind == TR_STUBS_FAR ? FUNCTION_IS_FAR : 0) |
		      (f->loops ? FUNCTION_LOOPS : 0) | (f->area ? FUNCTION_AREA : 0));
	memcpy(p + FUNCTION_MOVED, f->moved, f->size / 2);
	memcpy(p + FUNCTION_ORIGINAL, f->original, f->size);
}

static void encode_label(uint8_t *p, const struct tr_stubs_function *f,
			 const struct tr_stubs_label *label)
{
	uint32_t at = label->at - f->stub;
	p[LABEL_AT] = (uint8_t)at;
	p[LABEL_AT + 1] = (uint8_t)(at >> 8);
	p[LABEL_KIND] = label->kind;
	p[LABEL_REG] = label->reg;
	tr_store32(p + LABEL_TARGET, label->kind == TR_STUBS_COUNTER
					 ? (uint32_t)label->target
					 : (uint32_t)(label->target - f->start));
}

uint8_t *tr_stubs_encode(const struct tr_stubs *stubs, size_t *size)
{
	*size = DATA_HEADER + (size_t)stubs->function_count * FUNCTION_SIZE +
		(size_t)stubs->label_count * LABEL_SIZE;
	uint8_t *bytes = calloc(1, *size);
	if (!bytes)
		return NULL;
	encode_header(bytes, stubs);
	uint8_t *function = bytes + DATA_HEADER;
	uint8_t *label = function + (size_t)stubs->function_count * FUNCTION_SIZE;
	for (uint32_t i = 0; i < stubs->function_count; i++, function += FUNCTION_SIZE) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		encode_function(function, stubs, i);
		for (uint32_t j = f->first_label; j < end_of_labels(stubs, i); j++) {
			encode_label(label, f, &stubs->labels[j]);
			label += LABEL_SIZE;
		}
	}
	tr_store64(bytes + FILE_CHECKSUM,
		   tr_stubs_checksum(bytes + FILE_VERSION, *size - FILE_VERSION));
	return bytes;
}
