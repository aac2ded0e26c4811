/* SPDX-License-Identifier: Apache-2.0 */
/* Copies frames of a reader, with other events and notes. */
#include "stream/writer_state.h"

/* Contexts follow from the events that go out, not from those that came in. */
static int pass_hart(struct tr_writer *w, struct tr_hart_head *head,
		     const struct tr_event *events, uint32_t nevents,
		     struct tr_buffer *body)
{
	struct writer_hart *hart = tr_writer_hart(w, head->hart);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (!hart->passed) {
		hart->passed = true;
		hart->cycle = head->start_cycle;
		hart->context = head->context;
	}
	if (hart->cycle != head->start_cycle)
		return tr_writer_status(w, TR_E_ARGUMENT);
	head->context = hart->context;
	head->nevents = nevents;
	hart->events_from.last_row = 0;
	for (uint32_t i = 0; i < nevents; i++) {
		if (!tr_writer_sample_good(w, &events[i]))
			return tr_writer_status(w, TR_E_ARGUMENT);
		tr_encode_event(body, &events[i], &hart->events_from);
		tr_context_apply(&hart->context, &events[i]);
	}
	hart->events_from.last_row = 0;
	hart->cycle += head->cycles;
	w->cycles += head->cycles;
	w->instructions += head->tokens;
	return w->status;
}

static void copy_sections(struct tr_writer *w, struct tr_bytes *in)
{
	unsigned kind;
	bool must;
	struct tr_bytes body;
	while (tr_decode_section(in, &kind, &must, &body)) {
		if (kind == TR_SECTION_EVENTS || kind == TR_SECTION_NOTES)
			continue;
		tr_buffer_varint(&w->chunk, (uint64_t)kind << 1 | must);
		tr_buffer_varint(&w->chunk, (uint64_t)(body.end - body.at));
		tr_buffer_add(&w->chunk, body.at, (size_t)(body.end - body.at));
	}
}

static void pass_notes(struct tr_writer *w, const struct tr_pass *pass)
{
	struct tr_buffer body = {0};
	uint64_t last = 0;
	for (uint32_t i = 0; i < pass->nnotes; i++)
		tr_encode_note(&body, &pass->notes[i], &last);
	tr_encode_section(&w->chunk, TR_SECTION_NOTES, &body);
	tr_buffer_free(&body);
}

static bool has_tokens(const struct tr_writer *w)
{
	for (uint32_t i = 0; i < w->nharts; i++)
		if (w->harts[i]->head.nrows || w->harts[i]->draft.block.tokens)
			return true;
	return false;
}

int tr_writer_pass(struct tr_writer *w, const struct tr_pass *pass)
{
	struct tr_bytes in = {.at = pass->payload.data,
			      .end = pass->payload.data + pass->payload.size};
	struct tr_frame_head head;
	struct tr_buffer events[TR_MAX_HARTS] = {{0}};
	tr_decode_frame_head(&in, &head);
	if (in.bad || head.nharts != pass->nharts || (w->frames && !w->passed) ||
	    has_tokens(w))
		return tr_writer_status(w, TR_E_ARGUMENT);
	for (uint32_t i = 0; i < head.nharts && !w->status; i++)
		pass_hart(w, &head.harts[i], pass->events[i], pass->nevents[i],
			  &events[i]);
	head.number = w->frames++;
	w->generation = head.generation;
	w->passed = true;
	tr_writer_begin_chunk(w);
	tr_encode_frame_head(&w->chunk, &head);
	copy_sections(w, &in);
	for (uint32_t i = 0; i < head.nharts; i++) {
		tr_encode_section(&w->chunk, TR_SECTION_EVENTS, &events[i]);
		tr_buffer_free(&events[i]);
	}
	pass_notes(w, pass);
	for (uint32_t i = 0; i < w->nharts; i++) {
		w->harts[i]->head.start_cycle = w->harts[i]->cycle;
		w->harts[i]->head.context = w->harts[i]->context;
	}
	return tr_writer_put_chunk(w, TR_CHUNK_FRAME);
}
