/* SPDX-License-Identifier: Apache-2.0 */
#include "image/data_types.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/varint.h"
#include "image/data_flow.h"
#include "image/data_layouts.h"
#include "image/image_query.h"

struct answer {
	const char *name;
	enum tr_data_evidence evidence;
};

struct tr_data_types {
	struct answer *answers;
	size_t count;
	struct tr_arena names;
	char message[256];
};

/* ------------------------------------------------------------ in the child */

struct job {
	const struct tr_image *image;
	const struct tr_data_question *questions;
	size_t count;
};

/* The file's code may have been changed before it was executed. */
static bool is_same_access(const struct tr_data_question *question,
			   const struct data_base *base)
{
	if (question->size != base->size)
		return false;
	return base->is_atomic || (question->is_store == base->is_store &&
				   question->is_load != base->is_store);
}

/* Writes the number of the question + 1, the evidence, and the name. */
static void answer_question(struct data_layouts *layouts, struct data_flow *flow,
			    const struct tr_data_question *question, size_t number,
			    struct tr_buffer *out)
{
	struct data_base base;
	char name[TR_LAYOUT_NAME];
	if (!tr_data_flow_at(flow, question->address, &base) ||
	    !is_same_access(question, &base))
		return;
	const int64_t size = (int64_t)tr_data_layout_size(layouts, base.layout);
	int64_t offset = base.offset;
	if (base.is_array)
		offset = (offset % size + size) % size;
	if (offset < 0 ||
	    (offset >= size && !tr_data_layout_is_open(layouts, base.layout)) ||
	    !tr_data_layout_member(layouts, base.layout, (uint64_t)offset, name))
		return;
	tr_buffer_varint(out, number + 1);
	tr_buffer_varint(out,
			 base.is_variable ? TR_EVIDENCE_POINTER : TR_EVIDENCE_FOLLOWED);
	tr_buffer_sized(out, name, strlen(name));
}

static void answer_questions(struct tr_query *query, void *context, struct tr_buffer *out)
{
	const struct job *job = context;
	if (tr_query_has_btf(query) || tr_query_xlen(query) != 64)
		return;
	struct data_layouts *layouts = tr_data_layouts_new(query);
	struct data_flow *flow =
	    layouts ? tr_data_flow_new(query, layouts, job->image) : NULL;
	for (size_t i = 0; flow && i < job->count; i++)
		answer_question(layouts, flow, &job->questions[i], i, out);
	out->failed |=
	    !flow || tr_data_flow_failed(flow) || tr_data_layouts_failed(layouts);
	tr_data_flow_free(flow);
	tr_data_layouts_free(layouts);
}

/* ------------------------------------------------------------ in the parent */

/* Returns false if memory runs out; what the child did not write is missing. */
static bool read_answers(struct tr_data_types *t, struct tr_bytes *in)
{
	while (in->at < in->end) {
		const uint64_t number = tr_varint(in), evidence = tr_varint(in),
			       length = tr_varint(in);
		const uint8_t *bytes = tr_bytes_take(in, length);
		if (!bytes || !number || number > t->count ||
		    (evidence != TR_EVIDENCE_POINTER && evidence != TR_EVIDENCE_FOLLOWED))
			return true;
		char *name = tr_arena_take(&t->names, length + 1);
		if (!name)
			return false;
		memcpy(name, bytes, length);
		name[length] = '\0';
		t->answers[number - 1] =
		    (struct answer){name, (enum tr_data_evidence)evidence};
	}
	return true;
}

int tr_data_types_open(struct tr_data_types **types, const struct tr_image *image,
		       const struct tr_data_question *questions, size_t count)
{
	struct tr_data_types *t = *types = calloc(1, sizeof(*t));
	struct job job = {image, questions, count};
	struct tr_buffer out = {0};
	bool done = t != NULL;
	if (t) {
		t->count = count;
		t->answers = calloc(count + 1, sizeof(*t->answers));
		done = t->answers != NULL;
	}
	const int status =
	    done && count ? tr_query_run(tr_image_path(image), NULL, 0, answer_questions,
					 &job, &out, t->message, sizeof(t->message))
			  : TR_END;
	if (status == TR_OK) {
		struct tr_bytes in = {.at = out.data, .end = out.data + out.size};
		done = read_answers(t, &in);
	}
	if (t && (status == TR_OK || tr_query_has_none(status, t->message)))
		t->message[0] = '\0';
	tr_buffer_free(&out);
	if (done)
		return TR_OK;
	tr_data_types_close(t);
	*types = NULL;
	return TR_E_NOMEM;
}

void tr_data_types_close(struct tr_data_types *t)
{
	if (!t)
		return;
	free(t->answers);
	tr_arena_reset(&t->names);
	free(t);
}

const char *tr_data_types_get(const struct tr_data_types *t, size_t i,
			      enum tr_data_evidence *evidence)
{
	*evidence = t->answers[i].evidence;
	return t->answers[i].name;
}

const char *tr_data_types_message(const struct tr_data_types *t)
{
	return t->message;
}
