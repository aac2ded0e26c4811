/* SPDX-License-Identifier: Apache-2.0 */
/* data.bin and injected.o: what is written is read, and what is damaged is refused or
 * consistent. */
#include "stubs-plan.h"

#include "base/little.h"
#include "stubs/stubs_layout_internal.h"

static uint8_t *data;
static size_t data_size;

static void check_same_functions(const struct tr_stubs *is, const struct tr_stubs *want)
{
	for (uint32_t i = 0; i < want->function_count; i++) {
		const struct tr_stubs_function *a = &is->functions[i];
		const struct tr_stubs_function *b = &want->functions[i];
		CHECK_EQ(a->start, b->start);
		CHECK_EQ(a->resume, b->resume);
		CHECK_EQ(a->index, b->index);
		CHECK_EQ(a->stub, b->stub);
		CHECK_EQ(a->stub_size, b->stub_size);
		CHECK_EQ(a->first_label, b->first_label);
		CHECK_EQ(a->size, b->size);
		CHECK_EQ(a->kind, b->kind);
		CHECK_EQ(a->loops, b->loops);
		CHECK_EQ(a->area, b->area);
		CHECK_EQ(a->tail, b->tail);
		CHECK(memcmp(a->original, b->original, sizeof(a->original)) == 0);
		CHECK(memcmp(a->moved, b->moved, sizeof(a->moved)) == 0);
	}
	for (uint32_t i = 0; i < want->label_count; i++) {
		CHECK_EQ(is->labels[i].at, want->labels[i].at);
		CHECK_EQ(is->labels[i].kind, want->labels[i].kind);
		CHECK_EQ(is->labels[i].reg, want->labels[i].reg);
		CHECK_EQ(is->labels[i].target, want->labels[i].target);
	}
}

static void check_same_plan(const struct tr_stubs *is, const struct tr_stubs *want)
{
	CHECK_EQ(is->flags, want->flags);
	CHECK_EQ(is->program_entry, want->program_entry);
	CHECK_EQ(is->program_size, want->program_size);
	CHECK_EQ(is->program_mtime, want->program_mtime);
	CHECK(memcmp(is->program_first, want->program_first, 4) == 0);
	CHECK_EQ(is->build_id_size, want->build_id_size);
	CHECK(memcmp(is->build_id, want->build_id, sizeof(is->build_id)) == 0);
	CHECK_EQ(is->code_offset, want->code_offset);
	CHECK_EQ(is->code_size, want->code_size);
	CHECK_EQ(is->code_checksum, want->code_checksum);
	CHECK_EQ(is->counters, want->counters);
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		CHECK_EQ(is->areas[i].offset, want->areas[i].offset);
		CHECK_EQ(is->areas[i].size, want->areas[i].size);
		CHECK_EQ(is->areas[i].lowest, want->areas[i].lowest);
		CHECK_EQ(is->areas[i].highest, want->areas[i].highest);
	}
	CHECK(memcmp(&is->image, &want->image, sizeof(is->image)) == 0);
	CHECK_EQ(is->function_count, want->function_count);
	CHECK_EQ(is->label_count, want->label_count);
	check_same_functions(is, want);
}

/* What stubs.h promises of an accepted file, told again. */
static void check_consistent(const struct tr_stubs *stubs)
{
	uint64_t behind = 0;
	uint32_t labels = 0;
	for (uint32_t i = 0; i < stubs->function_count; i++) {
		const struct tr_stubs_function *f = &stubs->functions[i];
		const struct tr_stubs_area *area = &stubs->areas[f->area];
		CHECK(f->start >= behind && f->index < stubs->counters);
		CHECK(f->size >= 4 && f->size <= TR_STUBS_ENTRY_MAX);
		CHECK(f->kind == TR_STUBS_NEAR || f->size >= 8);
		CHECK(f->stub >= area->offset &&
		      f->stub + f->stub_size <= area->offset + area->size);
		CHECK(f->stub + f->stub_size <= stubs->code_size);
		CHECK(f->moved[0] && f->moved[0] < f->stub_size);
		CHECK(f->tail < f->stub_size);
		for (unsigned j = f->size / 2; j < TR_STUBS_ENTRY_MAX / 2; j++)
			CHECK(f->moved[j] == 0);
		CHECK(f->first_label == labels);
		behind = f->start + f->size;
		labels =
		    i + 1 < stubs->function_count ? f[1].first_label : stubs->label_count;
		CHECK(labels >= f->first_label && labels <= stubs->label_count);
		for (uint32_t j = f->first_label; j < labels; j++) {
			const struct tr_stubs_label *label = &stubs->labels[j];
			uint32_t size = label->kind == TR_STUBS_JUMP ? 4 : 8;
			CHECK(label->at >= f->stub &&
			      label->at + size <= f->stub + f->stub_size);
			CHECK(label->reg < 32 && label->kind >= TR_STUBS_COUNTER &&
			      label->kind <= TR_STUBS_ADDRESS);
			CHECK(label->kind != TR_STUBS_COUNTER ||
			      label->target < stubs->counters);
		}
	}
}

/* Returns whether the bytes are refused. */
static bool is_data_refused(const uint8_t *bytes, size_t size)
{
	struct tr_stubs got;
	uint64_t at = UINT64_MAX;
	enum tr_status status = tr_stubs_decode(bytes, size, &got, &at);
	if (status == TR_OK) {
		check_consistent(&got);
		tr_stubs_free(&got);
		return false;
	}
	CHECK(status == TR_E_CORRUPT || status == TR_E_TRUNCATED ||
	      status == TR_E_UNSUPPORTED);
	CHECK(at <= size);
	CHECK(got.functions == NULL && got.labels == NULL);
	return true;
}

static void seal_data(void)
{
	tr_store64(data + DATA_PARTS_CHECKSUM,
		   tr_stubs_checksum(data + DATA_HEADER, data_size - DATA_HEADER));
	tr_store64(data + FILE_CHECKSUM,
		   tr_stubs_checksum(data + FILE_VERSION, DATA_HEADER - FILE_VERSION));
}

/* Every byte is covered by a checksum; behind it every value is checked by itself. */
static void check_data_flips(void)
{
	unsigned accepted = 0;
	for (size_t i = 0; i < data_size * 9; i++) {
		uint8_t flip = (uint8_t)(i % 9 == 8 ? 0xff : 1U << i % 9);
		uint8_t header[DATA_HEADER];
		memcpy(header, data, DATA_HEADER);
		data[i / 9] ^= flip;
		CHECK(is_data_refused(data, data_size));
		seal_data();
		accepted += !is_data_refused(data, data_size);
		data[i / 9] ^= flip;
		memcpy(data, header, DATA_HEADER);
	}
	/* The dates, bytes of the program, places and sums of the image have any value.
	 */
	CHECK(accepted > 500 && accepted < data_size * 9 * 2 / 3);
}

static void check_data_cuts(void)
{
	for (size_t size = 0; size < data_size; size++) {
		uint8_t *cut = malloc(size + 1);
		memcpy(cut, data, size);
		struct tr_stubs got;
		uint64_t at = 0;
		CHECK_EQ(tr_stubs_decode(cut, size, &got, &at), TR_E_TRUNCATED);
		CHECK_EQ(at, size);
		free(cut);
	}
	uint8_t *longer = calloc(1, data_size + 8);
	struct tr_stubs got;
	uint64_t at = 0;
	memcpy(longer, data, data_size);
	CHECK_EQ(tr_stubs_decode(longer, data_size + 8, &got, &at), TR_E_CORRUPT);
	CHECK_EQ(at, data_size);
	free(longer);
}

/* A plan that can be changed. */
struct changed {
	struct tr_stubs plan;
	struct tr_stubs_function functions[PLAN_FUNCTIONS];
	struct tr_stubs_label labels[PLAN_LABELS];
};

static void copy_plan(struct changed *c)
{
	c->plan = make_stub_plan();
	memcpy(c->functions, plan_functions, sizeof(c->functions));
	memcpy(c->labels, plan_labels, sizeof(c->labels));
	c->plan.functions = c->functions;
	c->plan.labels = c->labels;
}

/* One wrong value each, in a plan that is otherwise right. Returns false after the last.
 */
/* Changes that are in the functions. */
static bool change_functions(struct changed *c, unsigned number)
{
	struct tr_stubs_function *f = c->functions;
	struct tr_stubs_label *l = c->labels;
	switch (number) {
	case 0: /* within the function before it */
		f[1].start = 0x10002;
		f[1].resume = l[5].target = 0x1000c;
		return true;
	case 1:
		f[2].start = 0x10018;
		return true;
	case 2: /* a stub within another */
		f[0].stub_size = 26;
		return true;
	case 3:
		f[1].area = 0;
		return true;
	case 4: /* too small for a far entry */
		f[1].size = 6;
		f[1].resume = l[5].target = 0x10016;
		f[1].moved[3] = f[1].moved[4] = 0;
		return true;
	case 5:
		f[0].moved[0] = 0;
		return true;
	case 6: /* not in order */
		f[1].moved[3] = 14;
		return true;
	case 7: /* no such counter */
		f[0].index = 8;
		l[0].target = 8;
		return true;
	case 8: /* the jump back is beyond the stub */
		f[0].tail = 22;
		l[1].at = 22;
		return true;
	}
	return false;
}

/* Changes that are in areas and labels. */
static bool change_labels(struct changed *c, unsigned number)
{
	struct tr_stubs_label *l = c->labels;
	switch (number) {
	case 9:
		c->plan.areas[0].size = 2 * TR_STUBS_PAGE;
		return true;
	case 10:
		c->plan.areas[1].size = 2 * TR_STUBS_PAGE;
		return true;
	case 11: /* a far jump needs a register, a near one has none */
		l[4].reg = 0;
		return true;
	case 12:
		l[4].kind = TR_STUBS_JUMP;
		return true;
	case 13: /* over the counter's label, the one before, the jump back */
		l[3].at = 4096 + 6;
		return true;
	case 14:
		l[4].at = 4096 + 22;
		return true;
	case 15:
		l[4].at = 4096 + 30;
		return true;
	case 16:
		l[3].kind = TR_STUBS_COUNTER;
		return true;
	}
	return false;
}

/* Changes in the places of moved code, and addresses. */
static bool change_code(struct changed *c, unsigned number)
{
	struct tr_stubs_function *f = c->functions;
	struct tr_stubs_label *l = c->labels;
	switch (number) {
	case 17: /* moved code behind the jump back */
		f[0].moved[1] = 18;
		return true;
	case 18: /* a jump back that is over moved code */
		f[0].moved[1] = 16;
		f[0].tail = 16;
		l[1].at = 16;
		return true;
	case 19: /* odd places */
		f[2].start = 0x10021;
		return true;
	case 20:
		f[0].moved[1] = 17;
		return true;
	case 21: /* at the end of all addresses */
		f[2].start = l[7].target = UINT64_MAX - 1;
		return true;
	}
	return false;
}

static bool change_plan(struct changed *c, unsigned number)
{
	return change_functions(c, number) || change_labels(c, number) ||
	       change_code(c, number);
}

static void check_wrong_plans(void)
{
	struct changed c;
	copy_plan(&c);
	for (unsigned i = 0; change_plan(&c, i); i++, copy_plan(&c)) {
		size_t size;
		uint8_t *bytes = tr_stubs_encode(&c.plan, &size);
		if (!CHECK(bytes && is_data_refused(bytes, size)))
			fprintf(stderr, "\tplan %u\n", i);
		free(bytes);
	}
}

/* Records that no plan becomes: a jump back without a place, a label that belongs to no
 * function, and a function that has more labels than there are. */
static void check_records(void)
{
	static const struct {
		unsigned field;
		uint8_t value;
	} list[] = {{FUNCTION_FLAGS, 6 << FUNCTION_BACK_SHIFT | FUNCTION_LOOPS},
		    {FUNCTION_LABELS, 0},
		    {FUNCTION_LABELS, 2}};
	/* Behind the file is another label. */
	uint8_t *bytes = calloc(1, data_size + LABEL_SIZE);
	for (unsigned i = 0; i < 3; i++) {
		memcpy(bytes, data, data_size);
		memcpy(bytes + data_size, (uint8_t[]){14, 0, TR_STUBS_JUMP, 0}, 4);
		bytes[data_size - LABEL_SIZE] = 10;
		bytes[DATA_HEADER + 2 * FUNCTION_SIZE + list[i].field] = list[i].value;
		tr_store64(
		    bytes + FILE_CHECKSUM,
		    tr_stubs_checksum(bytes + FILE_VERSION, data_size - FILE_VERSION));
		if (!CHECK(is_data_refused(bytes, data_size)))
			fprintf(stderr, "\trecord %u\n", i);
	}
	free(bytes);
}

/* Labels that the file does not have must be what it means. */
static void check_other_labels(void)
{
	struct changed c;
	for (unsigned i = 0; i < 10; i++) {
		copy_plan(&c);
		switch (i) {
		case 0:
			c.labels[0].target = 1;
			break;
		case 1:
			c.labels[0].reg = 6;
			break;
		case 2:
			c.labels[0].at = 2;
			break;
		case 3:
			c.labels[0].kind = TR_STUBS_ADDRESS;
			break;
		case 4:
			c.labels[1].at = 16;
			break;
		case 5:
			c.labels[1].target = 0x10006;
			break;
		case 6:
			c.labels[5].kind = TR_STUBS_ADDRESS;
			break;
		case 7:
			c.labels[1].reg = 6;
			break;
		case 8:
			c.functions[1].first_label = 1;
			break;
		case 9:
			c.functions[1].first_label = 0;
			break;
		}
		size_t size;
		if (!CHECK(tr_stubs_encode(&c.plan, &size) == NULL))
			fprintf(stderr, "\tplan %u\n", i);
	}
}

static void check_object(const struct tr_stubs *plan)
{
	size_t size;
	uint64_t at;
	uint8_t *object =
	    tr_stubs_encode_object(plan, plan_code, NULL, 0, plan_names, &size);
	const uint8_t *code = tr_stubs_code(plan, object, size, &at);
	if (CHECK(code != NULL))
		CHECK(memcmp(code, plan_code, PLAN_CODE) == 0);
	for (size_t i = 0; i < PLAN_CODE; i++) {
		object[TR_STUBS_PAGE + i] ^= 0x10;
		CHECK(tr_stubs_code(plan, object, size, &at) == NULL);
		CHECK_EQ(at, TR_STUBS_PAGE);
		object[TR_STUBS_PAGE + i] ^= 0x10;
	}
	for (size_t cut = 0; cut < TR_STUBS_PAGE + PLAN_CODE; cut += 511) {
		CHECK(tr_stubs_code(plan, object, cut, &at) == NULL);
		CHECK_EQ(at, cut);
	}
	object[0] ^= 1;
	CHECK(tr_stubs_code(plan, object, size, &at) == NULL);
	CHECK_EQ(at, 0);
	free(object);
}

/* The words of prof-files(5), in any alignment. */
static void check_checksum(void)
{
	uint8_t bytes[32];
	_Alignas(8) uint8_t aligned[32];
	for (unsigned i = 0; i < sizeof(bytes); i++)
		bytes[i] = aligned[i] = (uint8_t)(i + 1);
	CHECK_EQ(tr_stubs_checksum(bytes, 0), 0);
	for (unsigned size = 0; size <= 24; size++) {
		uint64_t sum = tr_stubs_checksum(aligned, size);
		for (unsigned shift = 1; shift < 8; shift++) {
			memmove(bytes + shift, aligned, size);
			CHECK_EQ(tr_stubs_checksum(bytes + shift, size), sum);
		}
	}
	/* Changes of the highest bits do not cancel each other. */
	uint64_t sum = tr_stubs_checksum(aligned, 24);
	aligned[7] ^= 0x80;
	aligned[15] ^= 0x80;
	CHECK(tr_stubs_checksum(aligned, 24) != sum);
	/* A last word is filled with zeros, but is not the same as zeros. */
	aligned[5] = 0;
	CHECK(tr_stubs_checksum(aligned, 5) != tr_stubs_checksum(aligned, 6));
}

int main(void)
{
	struct tr_stubs plan = make_stub_plan(), got;
	uint64_t at;
	data = tr_stubs_encode(&plan, &data_size);
	CHECK_EQ(data_size, DATA_HEADER + 3 * FUNCTION_SIZE + 3 * LABEL_SIZE);
	CHECK_EQ(tr_stubs_decode(data, data_size, &got, &at), TR_OK);
	check_same_plan(&got, &plan);
	check_consistent(&got);
	tr_stubs_free(&got);
	uint8_t *shifted = malloc(data_size + 1);
	memcpy(shifted + 1, data, data_size);
	CHECK_EQ(tr_stubs_decode(shifted + 1, data_size, &got, &at), TR_OK);
	check_same_plan(&got, &plan);
	tr_stubs_free(&got);
	free(shifted);
	check_data_flips();
	check_data_cuts();
	check_wrong_plans();
	check_other_labels();
	check_records();
	check_object(&plan);
	check_checksum();
	free(data);
	return check_done();
}
