/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the hits of the probes on tasks. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "timeline/tasks_internal.h"

enum { TEXT_BYTES = 256 }; /* kept of a path or of arguments */

/* The names of linux.probes and go.probes. Numbers come first, in the order of
 * set_numbers(). */
static const struct {
	const char *name;
	unsigned numbers;
	const char *fields[MOST_FIELDS];
	const char *tgids[2]; /* of pid and other; a probe may lack them */
} kinds[KINDS] = {
    [FORK] = {"fork", 4, {"child", "parent", "tgid", "ppid", "comm"}},
    [EXEC] = {"exec", 1, {"pid", "comm", "filename", "argv"}, {"tgid"}},
    [COMM] = {"comm", 1, {"pid", "comm"}, {"tgid"}},
    [EXIT] = {"exit", 2, {"pid", "code"}, {"tgid"}},
    [SWITCH] = {"switch",
		3,
		{"prev", "next", "prev_state", "prev_comm", "next_comm"},
		{"prev_tgid", "next_tgid"}},
    [WAKEUP] = {"wakeup", 3, {"pid", "waker", "began", "comm", "waker_comm"}},
    [CALL] = {"syscall",
	      8,
	      {"pid", "number", "arg0", "arg1", "arg2", "arg3", "arg4", "arg5"}},
    [RESULT] = {"syscall_result", 2, {"pid", "result"}},
    [STATUS] = {"status", 2, {"goid", "g", "old", "new", "reason"}},
    [PREEMPT] = {"preempt", 2, {"goid", "g"}},
    [GOROUTINE] = {"goroutine", 2, {"goid", "g"}},
};

static bool read_number(const struct tr_probe_value *value, uint64_t *number)
{
	*number = value->number;
	return value->kind >= TR_PROBE_UNSIGNED && value->kind <= TR_PROBE_ENUM &&
	       value->kind != TR_PROBE_FLOAT;
}

/* Sets the fields of a probe. Returns false if it lacks one. */
static bool has_fields(struct tr_tasks *t, uint32_t probe, unsigned kind)
{
	for (unsigned i = 0; i < MOST_FIELDS && kinds[kind].fields[i]; i++) {
		uint32_t field =
		    tr_probe_names_field(t->probes, probe, kinds[kind].fields[i]);
		if (field == UINT32_MAX)
			return false;
		t->fields[probe][i] = (uint8_t)field;
	}
	return true;
}

/* Returns the number of a group, 0 if the probe does not tell it. */
static int32_t group_of(const struct tr_tasks *t, const struct tr_hit *hit,
			const char *name)
{
	const uint32_t field =
	    name ? tr_probe_names_field(t->probes, hit->probe, name) : UINT32_MAX;
	uint64_t number = 0;
	if (field == UINT32_MAX)
		return 0;
	const struct tr_probe_value value = tr_hit_value(hit, field);
	return read_number(&value, &number) && number <= INT32_MAX ? (int32_t)number : 0;
}

int tr_tasks_find_probes(struct tr_tasks *t)
{
	const uint32_t count = t->probes->count;
	t->kind_of = calloc(count + 1UL, sizeof(*t->kind_of));
	t->fields = calloc(count + 1UL, sizeof(*t->fields));
	if (!t->kind_of || !t->fields)
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < count; i++) {
		unsigned kind = 0;
		while (kind < KINDS &&
		       strcmp(t->probes->probes[i].name, kinds[kind].name) != 0)
			kind++;
		/* After two runs of tr-replay, each hit may be there twice. */
		if (kind < KINDS && (t->has[kind] || !has_fields(t, i, kind)))
			kind = KINDS;
		t->kind_of[i] = (uint8_t)kind;
		if (kind < KINDS)
			t->has[kind] = true;
	}
	return TR_OK;
}

/* Copies a text, as far as it fits. */
static void copy_text(const struct tr_probe_value *value, char *text, size_t size)
{
	const bool has_text = value->kind == TR_PROBE_STRING;
	tr_utf8_clean(text, size - 1, (const char *)value->data,
		      has_text ? value->size : 0, ';');
}

/* Returns a copy of a text in the arena, NULL when out of memory. */
static const char *keep_text(struct tr_tasks *t, const struct tr_probe_value *value)
{
	char text[TEXT_BYTES];
	copy_text(value, text, sizeof(text));
	const size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&t->text, size);
	if (copy)
		memcpy(copy, text, size);
	return copy;
}

/* Sets the numbers of a hit. Returns false if a task's number is none. */
static bool set_numbers(struct task_hit *to, const uint64_t *numbers)
{
	const unsigned pids = to->kind == FORK				 ? 4
			      : to->kind == SWITCH || to->kind == WAKEUP ? 2
									 : 1;
	int32_t *const places[] = {&to->pid, &to->other, &to->tgid, &to->ppid};
	for (unsigned i = 0; i < pids; i++) {
		if (numbers[i] > INT32_MAX)
			return false;
		*places[i] = (int32_t)numbers[i];
	}
	to->number = numbers[pids];
	memcpy(to->values, numbers + 2, sizeof(to->values));
	return true;
}

int tr_tasks_read(struct tr_tasks *t, const struct tr_hit *hit, struct task_hit *to)
{
	const unsigned kind = t->kind_of[hit->probe];
	const uint8_t *fields = t->fields[hit->probe];
	uint64_t numbers[MOST_FIELDS] = {0};
	struct tr_probe_value texts[2] = {0};
	if (kind == KINDS)
		return TR_END;
	*to = (struct task_hit){.cycle = hit->cycle, .kind = (enum probe_kind)kind};
	t->sums.hits++;
	for (unsigned i = 0; i < kinds[kind].numbers; i++) {
		const struct tr_probe_value value = tr_hit_value(hit, fields[i]);
		if (!read_number(&value, &numbers[i])) {
			t->sums.incomplete++;
			return TR_END;
		}
	}
	if (!set_numbers(to, numbers)) {
		t->sums.incomplete++;
		return TR_END;
	}
	if (kind != FORK) {
		to->tgid = group_of(t, hit, kinds[kind].tgids[0]);
		to->other_tgid = group_of(t, hit, kinds[kind].tgids[1]);
	}
	for (unsigned i = 0; i < 2 && kinds[kind].fields[kinds[kind].numbers + i]; i++)
		texts[i] = tr_hit_value(hit, fields[kinds[kind].numbers + i]);
	copy_text(&texts[0], to->comm, sizeof(to->comm));
	copy_text(&texts[1], to->other_comm, sizeof(to->other_comm));
	if (kind == STATUS) {
		texts[0] = tr_hit_value(hit, fields[4]);
		copy_text(&texts[0], to->reason, sizeof(to->reason));
	}
	if (kind != EXEC)
		return TR_OK;
	texts[0] = tr_hit_value(hit, fields[3]);
	to->program = keep_text(t, &texts[1]);
	to->arguments = keep_text(t, &texts[0]);
	return to->program && to->arguments ? TR_OK : TR_E_NOMEM;
}
