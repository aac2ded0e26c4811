/* SPDX-License-Identifier: Apache-2.0 */
#include "snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "checkpoint_internal.h"

/* Before the bytes of a change. */
struct head {
	uint64_t address;
	uint32_t size;
};

static void keep_changed_bytes(void *user, uint64_t address, const uint8_t *data,
			       uint32_t size)
{
	struct snapshot *s = user;
	const struct head head = {.address = address, .size = size};

	tr_buffer_add(&s->memory, &head, sizeof(head));
	tr_buffer_add(&s->memory, data, size);
}

bool snapshot_take(struct snapshot *s, const struct trace *trace)
{
	const struct machine *m = s->machine;

	s->taken = false;
	for (unsigned i = 0; i < m->harts; i++) {
		s->back[i] = trace && trace_has_tokens(trace, i);
		if (!m->ops->snapshot(m, i, &s->states[i], &s->back[i]))
			return false;
	}
	m->ops->changes(s->machine, s, keep_changed_bytes);
	s->taken = true;
	return true;
}

/* A state as text, as in a checkpoint. */
static void trace_hart_state(const struct snapshot *s, unsigned hart, struct trace *trace)
{
	struct tr_header *keys = tr_header_new();
	char *text = NULL;
	size_t size = 0;

	if (keys &&
	    checkpoint_put_state(keys, &s->states[hart], &s->machine->features) == TR_OK)
		text = tr_header_format(keys, &size);
	trace_state(trace, hart, text, (uint32_t)size, s->back[hart]);
	free(text);
	tr_header_free(keys);
}

void snapshot_put(struct snapshot *s, struct trace *trace)
{
	const uint8_t *at = s->memory.data, *end = at + s->memory.size;
	struct head head;

	for (; at < end; at += head.size) {
		memcpy(&head, at, sizeof(head));
		at += sizeof(head);
		trace_memory(trace, head.address, at, head.size);
	}
	if (s->memory.failed)
		trace_state(trace, 0, NULL, 0, 0);
	tr_buffer_free(&s->memory);
	s->memory = (struct tr_buffer){.size = 0};
	for (unsigned i = 0; i < s->machine->harts; i++)
		trace_hart_state(s, i, trace);
	s->taken = false;
}

void snapshot_release(struct snapshot *s)
{
	tr_buffer_free(&s->memory);
}
