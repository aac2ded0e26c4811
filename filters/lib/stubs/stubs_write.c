/* SPDX-License-Identifier: Apache-2.0 */
/* Writes data.bin. */
#include "stubs/stubs.h"

#include <stdlib.h>

#include "base/little.h"
#include "stubs/stubs_layout_internal.h"

static void encode_area(uint8_t *p, const struct tr_stubs_area *area)
{
	tr_store32(p, area->offset);
	tr_store32(p + 4, area->size);
	tr_store64(p + 8, area->lowest);
	tr_store64(p + 16, area->highest);
}

static void encode_image(uint8_t *p, const struct tr_stubs_image *image)
{
	tr_store64(p + IMAGE_CODE_OFFSET, image->code_offset);
	tr_store64(p + IMAGE_CODE_CHECKSUM, image->code_checksum);
	tr_store64(p + IMAGE_COUNTERS, image->counters);
	tr_store64(p + IMAGE_TEXT_ADDRESS, image->text_address);
	tr_store64(p + IMAGE_TEXT_SIZE, image->text_size);
	tr_store64(p + IMAGE_TEXT_ORIGIN, image->text_origin);
	tr_store64(p + IMAGE_TEXT_OFFSET, image->text_offset);
	tr_store64(p + IMAGE_TEXT_DIGEST, image->text_digest);
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
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		encode_area(p + DATA_AREAS + AREA_SIZE * i, &stubs->areas[i]);
	encode_image(p + DATA_IMAGE, &stubs->image);
}

static uint32_t end_of_labels(const struct tr_stubs *stubs, uint32_t number)
{
	return number + 1 < stubs->function_count
		   ? stubs->functions[number + 1].first_label
		   : stubs->label_count;
}

/* Labels that the file does not have: of the counter and the jump back. Returns false if
 * they are not the first and the last. */
static bool has_own_labels(const struct tr_stubs *stubs, uint32_t number)
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	uint32_t end = end_of_labels(stubs, number), count = end - f->first_label;
	if (end < f->first_label || count < (f->tail ? 2 : 1))
		return false;
	const struct tr_stubs_label *first = &stubs->labels[f->first_label];
	if (first->kind != TR_STUBS_COUNTER || first->at != f->stub ||
	    first->reg != COUNTER_REG || first->target != f->index)
		return false;
	const struct tr_stubs_label *last = &stubs->labels[end - 1];
	return !f->tail ||
	       ((last->kind == TR_STUBS_JUMP ? last->reg == 0
					     : last->kind == TR_STUBS_FAR_JUMP) &&
		last->at == f->stub + f->tail && last->target == f->resume);
}

static uint32_t other_labels(const struct tr_stubs *stubs, uint32_t number)
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	return end_of_labels(stubs, number) - f->first_label - (f->tail ? 2 : 1);
}

static void encode_function(uint8_t *p, const struct tr_stubs *stubs, uint32_t number)
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	uint32_t back = f->tail ? stubs->labels[end_of_labels(stubs, number) - 1].reg : 0;
	tr_store64(p + FUNCTION_START, f->start);
	tr_store32(p + FUNCTION_INDEX, f->index);
	tr_store32(p + FUNCTION_STUB, f->stub);
	p[FUNCTION_STUB_SIZE] = (uint8_t)f->stub_size;
	p[FUNCTION_STUB_SIZE + 1] = (uint8_t)(f->stub_size >> 8);
	p[FUNCTION_LABELS] = (uint8_t)other_labels(stubs, number);
	p[FUNCTION_TAIL] = f->tail;
	p[FUNCTION_REPLACED] = f->size;
	p[FUNCTION_FLAGS] =
	    (uint8_t)((f->kind == TR_STUBS_FAR ? FUNCTION_IS_FAR : 0) |
		      (f->loops ? FUNCTION_LOOPS : 0) | (f->area ? FUNCTION_AREA : 0) |
		      back << FUNCTION_BACK_SHIFT);
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

static void encode_parts(uint8_t *bytes, const struct tr_stubs *stubs)
{
	uint8_t *function = bytes + DATA_HEADER;
	uint8_t *label = function + (size_t)stubs->function_count * FUNCTION_SIZE;
	for (uint32_t i = 0; i < stubs->function_count; i++, function += FUNCTION_SIZE) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		const struct tr_stubs_label *first = &stubs->labels[f->first_label + 1];
		encode_function(function, stubs, i);
		for (uint32_t j = 0; j < other_labels(stubs, i); j++) {
			encode_label(label, f, &first[j]);
			label += LABEL_SIZE;
		}
	}
}

uint8_t *tr_stubs_encode(const struct tr_stubs *stubs, size_t *size)
{
	uint32_t labels = 0;
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		if (!has_own_labels(stubs, i))
			return NULL;
		labels += other_labels(stubs, i);
	}
	*size = DATA_HEADER + (size_t)stubs->function_count * FUNCTION_SIZE +
		(size_t)labels * LABEL_SIZE;
	uint8_t *bytes = calloc(1, *size);
	if (!bytes)
		return NULL;
	encode_header(bytes, stubs);
	tr_store32(bytes + DATA_LABELS, labels);
	encode_parts(bytes, stubs);
	tr_store64(bytes + DATA_PARTS_CHECKSUM,
		   tr_stubs_checksum(bytes + DATA_HEADER, *size - DATA_HEADER));
	tr_store64(bytes + FILE_CHECKSUM,
		   tr_stubs_checksum(bytes + FILE_VERSION, DATA_HEADER - FILE_VERSION));
	return bytes;
}
