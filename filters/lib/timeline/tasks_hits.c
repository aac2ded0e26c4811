/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the hits of the probes on tasks. */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "timeline/tasks_internal.h"

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
    [SWITCH] = {"switch", 0, {NULL}, {"prev_tgid", "next_tgid"}},
    [START] = {"start", 0, {NULL}, {"prev_tgid", "next_tgid"}},
    [IDLE] = {"idle", 0, {NULL}, {"prev_tgid", "next_tgid"}},
    [WAKEUP] = {"wakeup", 3, {"pid", "waker", "began", "comm", "waker_comm"}},
    [CALL] = {"syscall",
	      8,
	      {"pid", "number", "arg0", "arg1", "arg2", "arg3", "arg4", "arg5"},
	      {"tgid"}},
    [RESULT] = {"syscall_result", 2, {"pid", "result"}},
    [STATUS] = {"status", 2, {"goid", "g", "old", "new", "reason"}},
    [PREEMPT] = {"preempt", 2, {"goid", "g"}},
    [GOROUTINE] = {"goroutine", 2, {"goid", "g"}},
    [INTERRUPT] = {"interrupt", 3, {"pid", "number", "began", "name"}},
    [SOFTIRQ] = {"softirq", 3, {"pid", "number", "began", "name"}},
    [FAULT] = {"fault", 4, {"pid", "major", "began", "failed", "file"}, {"tgid"}},
    [LOCK] = {"lock", 2, {"pid", "address", "kind", "name"}, {"tgid"}},
    [LOCK_END] = {"lock_end", 1, {"pid"}},
    [BLOCKS] = {"blocks", 0, {NULL}},
    [MASKED] = {"masked", 1, {"began", "from", "to"}},
    [STACK] = {"stack", 2, {"free", "size"}},
    [BLOCK] = {"block", 2, {"request", "bytes", "operation", "device"}},
    [BLOCK_END] = {"block_end", 2, {"request", "error"}},
};

/* The fields of a switch, most of which it may lack. */
enum { PREV, NEXT, PREV_STATE, PREV_COMM, NEXT_COMM, PREV_PLACE, NEXT_PLACE, FIELDS };
static const char *const switch_fields[FIELDS][3] = {
    [PREV] = {"prev", "prev_pid"},
    [NEXT] = {"next", "next_pid"},
    [PREV_STATE] = {"prev_state"},
    [PREV_COMM] = {"prev_comm", "prev_name"},
    [NEXT_COMM] = {"next_comm", "next_name"},
    [PREV_PLACE] = {"prev_task", "prev_tp", "prev_stack"},
    [NEXT_PLACE] = {"next_task", "next_tp", "next_stack"}};
#define NO_FIELD UINT16_MAX
/* Fields that a probe may lack, behind those that it must have. */
enum { CALL_FUNCTION = 8, LOCK_HOLDER = 4, RESULT_KILLED = 2 };

static bool is_switch_probe(unsigned kind)
{
	return kind == SWITCH || kind == START || kind == IDLE;
}

static bool read_probe_number(const struct tr_probe_value *value, uint64_t *number)
{
	*number = value->number;
	return value->kind >= TR_PROBE_UNSIGNED && value->kind <= TR_PROBE_ENUM &&
	       value->kind != TR_PROBE_FLOAT;
}

/* Sets the fields of a switch. A task whose number is missing, the next or the previous
 * one, is identified by its place and name. */
static bool has_switch_fields(struct tr_tasks *t, uint32_t probe)
{
	uint16_t *fields = t->fields[probe];
	for (unsigned i = 0; i < FIELDS; i++) {
		fields[i] = NO_FIELD;
		for (unsigned k = 0; k < 3 && switch_fields[i][k]; k++) {
			const uint32_t field =
			    tr_probe_names_field(t->probes, probe, switch_fields[i][k]);
			if (field != UINT32_MAX && fields[i] == NO_FIELD)
				fields[i] = (uint16_t)field;
		}
	}
	if (fields[NEXT] != NO_FIELD)
		return true;
	fields[PREV] = fields[PREV_COMM] == NO_FIELD ? NO_FIELD : fields[PREV_PLACE];
	return fields[NEXT_PLACE] != NO_FIELD && fields[NEXT_COMM] != NO_FIELD;
}

/* A wake-up that does not tell the waker is by the task that the hart runs. It has the
 * number of the task that is woken, or, if the kernel does not number tasks, its place.
 */
enum { WAKEUP_TASK, WAKEUP_BEGAN, WAKEUP_COMM, WAKEUP_FIELDS };
enum { WAKEUP_HOW = MOST_FIELDS - 1, BY_WAKER = 0, NUMBERED, PLACED };

/* Sets the fields of such a wake-up. Returns false if it lacks one. */
static bool has_lone_wakeup(struct tr_tasks *t, uint32_t probe)
{
	const bool is_numbered =
	    tr_probe_names_field(t->probes, probe, "pid") != UINT32_MAX;
	const char *const names[WAKEUP_FIELDS] = {is_numbered ? "pid" : "task", "began",
						  "comm"};
	for (unsigned i = 0; i < WAKEUP_FIELDS; i++) {
		const uint32_t field = tr_probe_names_field(t->probes, probe, names[i]);
		if (field == UINT32_MAX)
			return false;
		t->fields[probe][i] = (uint16_t)field;
	}
	t->fields[probe][WAKEUP_HOW] = is_numbered ? NUMBERED : PLACED;
	return true;
}

/* Returns the number of a field, or NO_FIELD. */
static uint16_t find_field(const struct tr_tasks *t, uint32_t probe, const char *name)
{
	const uint32_t field = tr_probe_names_field(t->probes, probe, name);
	return field == UINT32_MAX ? NO_FIELD : (uint16_t)field;
}

/* Sets the fields of a probe. Returns false if it lacks one. */
static bool has_fields(struct tr_tasks *t, uint32_t probe, unsigned kind)
{
	if (is_switch_probe(kind))
		return has_switch_fields(t, probe);
	if (kind == WAKEUP &&
	    tr_probe_names_field(t->probes, probe, "waker") == UINT32_MAX)
		return has_lone_wakeup(t, probe);
	for (unsigned i = 0; i < MOST_FIELDS && kinds[kind].fields[i]; i++) {
		uint32_t field =
		    tr_probe_names_field(t->probes, probe, kinds[kind].fields[i]);
		if (field == UINT32_MAX)
			return false;
		t->fields[probe][i] = (uint16_t)field;
	}
	if (kind == CALL)
		t->fields[probe][CALL_FUNCTION] = find_field(t, probe, "function");
	else if (kind == LOCK)
		t->fields[probe][LOCK_HOLDER] = find_field(t, probe, "holder");
	else if (kind == RESULT)
		t->fields[probe][RESULT_KILLED] = find_field(t, probe, "killed");
	return true;
}

/* Returns the number of a group, 0 if the probe does not report it. */
static int32_t read_group_number(const struct tr_tasks *t, const struct tr_hit *hit,
				 const char *name)
{
	const uint32_t field =
	    name ? tr_probe_names_field(t->probes, hit->probe, name) : UINT32_MAX;
	uint64_t number = 0;
	if (field == UINT32_MAX)
		return 0;
	const struct tr_probe_value value = tr_hit_value(hit, field);
	return read_probe_number(&value, &number) && number <= INT32_MAX ? (int32_t)number
									 : 0;
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
		if (kind < KINDS && (t->has[kind] || t->probes->probes[i].absence ||
				     !has_fields(t, i, kind)))
			kind = KINDS;
		t->kind_of[i] = (uint8_t)kind;
		if (kind < KINDS)
			t->has[kind] = true;
		if (kind == SWITCH)
			t->has_states |= t->fields[i][PREV_STATE] != NO_FIELD;
		t->has_states |= kind == BLOCKS;
	}
	return TR_OK;
}

/* Returns why the kernel has no place for a probe of this name, or NULL. */
static const char *find_absence(const struct tr_tasks *t, const char *name)
{
	for (uint32_t i = 0; i < t->probes->count; i++)
		if (strcmp(t->probes->probes[i].name, name) == 0)
			return t->probes->probes[i].absence;
	return NULL;
}

bool tr_tasks_lacks(const struct tr_tasks *t, enum tr_tally_kind kind,
		    struct tr_tasks_lack *lack)
{
	enum { MOST = 3 };
	/* Those behind the first may be the same again. */
	static const enum probe_kind needs[TR_TALLY_KINDS][MOST] = {
	    [TR_TALLY_SYSCALLS] = {SWITCH, CALL, RESULT},
	    [TR_TALLY_WAKEUPS] = {SWITCH, WAKEUP, WAKEUP},
	    [TR_TALLY_RUNQUEUE] = {SWITCH, WAKEUP, WAKEUP},
	    [TR_TALLY_INTERRUPTS] = {INTERRUPT, INTERRUPT, INTERRUPT},
	    [TR_TALLY_SOFTIRQS] = {SOFTIRQ, SOFTIRQ, SOFTIRQ},
	    [TR_TALLY_FAULTS] = {FAULT, FAULT, FAULT},
	    [TR_TALLY_LOCKS] = {SWITCH, LOCK, LOCK_END},
	    [TR_TALLY_ACTIVATIONS] = {SWITCH, SWITCH, SWITCH},
	    [TR_TALLY_MASKED] = {MASKED, MASKED, MASKED},
	    [TR_TALLY_STACKS] = {SWITCH, STACK, STACK},
	    [TR_TALLY_BLOCK] = {BLOCK, BLOCK_END, BLOCK_END}};
	*lack = (struct tr_tasks_lack){0};
	for (unsigned i = 0; i < MOST; i++)
		if (!t->has[needs[kind][i]]) {
			lack->probe = kinds[needs[kind][i]].name;
			lack->absence = find_absence(t, lack->probe);
			return true;
		}
	if ((kind != TR_TALLY_RUNQUEUE && kind != TR_TALLY_ACTIVATIONS) || t->has_states)
		return false;
	lack->probe = kinds[SWITCH].name;
	lack->field = switch_fields[PREV_STATE][0];
	return true;
}

/* Copies a text, as far as it fits. */
static void copy_probe_text(const struct tr_probe_value *value, char *text, size_t size)
{
	const bool has_text = value->kind == TR_PROBE_STRING;
	tr_utf8_clean(text, size - 1, (const char *)value->data,
		      has_text ? value->size : 0, ';');
}

/* Returns a copy of a text in the arena, NULL when out of memory. */
static const char *keep_text(struct tr_tasks *t, const struct tr_probe_value *value)
{
	char text[TEXT_BYTES];
	copy_probe_text(value, text, sizeof(text));
	const size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&t->text, size);
	if (copy)
		memcpy(copy, text, size);
	return copy;
}

/* Returns whether the first number of a probe is not that of a task. */
static bool has_no_task(enum probe_kind kind)
{
	return kind == MASKED || kind == STACK || kind == BLOCK || kind == BLOCK_END;
}

/* Sets the numbers of a hit. Returns false if a task's number is none. */
static bool set_numbers(struct task_hit *to, const uint64_t *numbers)
{
	const unsigned pids = to->kind == FORK	      ? 4
			      : to->kind == WAKEUP    ? 2
			      : has_no_task(to->kind) ? 0
						      : 1;
	int32_t *const places[] = {&to->pid, &to->other, &to->tgid, &to->ppid};
	for (unsigned i = 0; i < pids; i++) {
		if (numbers[i] > INT32_MAX)
			return false;
		*places[i] = (int32_t)numbers[i];
	}
	to->number = numbers[pids];
	to->size = pids == 0 ? numbers[1] : 0;
	memcpy(to->values, numbers + 2, sizeof(to->values));
	return true;
}

/* Returns true if the field of a task's address, tp or stack is 0. */
static bool is_nobody(const struct tr_hit *hit, uint16_t field)
{
	uint64_t number;
	if (field == NO_FIELD)
		return false;
	const struct tr_probe_value value = tr_hit_value(hit, field);
	return read_probe_number(&value, &number) && !number;
}

/* Reads the number of a task of a switch: that of the kernel, in `field`, or ours, from
 * its place and name. Returns TR_OK, TR_END if something is missing, or TR_E_NOMEM. */
static int read_switch_task(struct tr_tasks *t, const struct tr_hit *hit, uint16_t field,
			    uint16_t place, const char *comm, int32_t *pid)
{
	const bool is_numbered = t->fields[hit->probe][NEXT] != NO_FIELD;
	const struct tr_probe_value value =
	    tr_hit_value(hit, is_numbered ? field : place);
	uint64_t number;
	if (is_nobody(hit, place)) {
		*pid = TR_TASK_NOBODY;
		return TR_OK;
	}
	if (!read_probe_number(&value, &number) || (is_numbered && number > INT32_MAX))
		return TR_END;
	*pid = (int32_t)number;
	if (is_numbered)
		return TR_OK;
	return *comm ? tr_tasks_number(t, hit->cycle, number, comm, pid) : TR_END;
}

static int read_switch(struct tr_tasks *t, const struct tr_hit *hit, struct task_hit *to)
{
	const uint16_t *fields = t->fields[hit->probe];
	char *const comms[] = {to->comm, to->other_comm};
	for (unsigned i = 0; i < 2; i++)
		if (fields[PREV_COMM + i] != NO_FIELD) {
			const struct tr_probe_value text =
			    tr_hit_value(hit, fields[PREV_COMM + i]);
			copy_probe_text(&text, comms[i], sizeof(to->comm));
		}
	to->has_prev = fields[PREV] != NO_FIELD;
	if (fields[PREV_STATE] != NO_FIELD) {
		const struct tr_probe_value state = tr_hit_value(hit, fields[PREV_STATE]);
		if (!read_probe_number(&state, &to->number))
			return TR_END;
	}
	int status = to->has_prev
			 ? read_switch_task(t, hit, fields[PREV], fields[PREV_PLACE],
					    to->comm, &to->pid)
			 : TR_OK;
	if (!status)
		status = read_switch_task(t, hit, fields[NEXT], fields[NEXT_PLACE],
					  to->other_comm, &to->other);
	to->tgid = read_group_number(t, hit, kinds[SWITCH].tgids[0]);
	to->other_tgid = read_group_number(t, hit, kinds[SWITCH].tgids[1]);
	return status;
}

static int read_lone_wakeup(struct tr_tasks *t, const struct tr_hit *hit,
			    struct task_hit *to)
{
	const uint16_t *fields = t->fields[hit->probe];
	const bool is_numbered = fields[WAKEUP_HOW] == NUMBERED;
	const struct tr_probe_value task = tr_hit_value(hit, fields[WAKEUP_TASK]),
				    began = tr_hit_value(hit, fields[WAKEUP_BEGAN]),
				    comm = tr_hit_value(hit, fields[WAKEUP_COMM]);
	uint64_t number;
	copy_probe_text(&comm, to->comm, sizeof(to->comm));
	to->is_by_running = true;
	if (!read_probe_number(&task, &number) || !read_probe_number(&began, &to->number))
		return TR_END;
	if (is_numbered ? number > INT32_MAX : !number || !*to->comm)
		return TR_END;
	to->pid = (int32_t)number;
	return is_numbered ? TR_OK
			   : tr_tasks_number(t, hit->cycle, number, to->comm, &to->pid);
}

/* Reads what only some kinds have; `texts` are the first two. */
static void read_more(const struct tr_tasks *t, const struct tr_hit *hit,
		      struct task_hit *to, const struct tr_probe_value *texts)
{
	const uint16_t *fields = t->fields[hit->probe];
	struct tr_probe_value value =
	    texts[to->kind == LOCK || to->kind == MASKED || to->kind == BLOCK];
	uint64_t number;
	if (to->kind == STATUS)
		value = tr_hit_value(hit, fields[4]);
	else if (to->kind == CALL && fields[CALL_FUNCTION] != NO_FIELD)
		value = tr_hit_value(hit, fields[CALL_FUNCTION]);
	copy_probe_text(&value, to->text, sizeof(to->text));
	if (to->kind == MASKED)
		copy_probe_text(&texts[0], to->from, sizeof(to->from));
	if (to->kind == RESULT && fields[RESULT_KILLED] != NO_FIELD) {
		value = tr_hit_value(hit, fields[RESULT_KILLED]);
		to->is_killed = read_probe_number(&value, &number) && number;
	}
	if (to->kind != LOCK || fields[LOCK_HOLDER] == NO_FIELD)
		return;
	value = tr_hit_value(hit, fields[LOCK_HOLDER]);
	if (read_probe_number(&value, &number) && number <= INT32_MAX)
		to->other = (int32_t)number;
}

/* Counts a hit that lacks a number. */
static void count_incomplete(struct tr_tasks *t, enum probe_kind kind)
{
	struct tr_tasks_sums *sums = &t->sums;
	const char *name = kinds[kind].name;
	if (!has_no_task(kind)) {
		sums->incomplete++;
		return;
	}
	sums->left_out++;
	if (!sums->left_out_probe)
		sums->left_out_probe = name;
	sums->are_several |= sums->left_out_probe != name;
}

int tr_tasks_read(struct tr_tasks *t, const struct tr_hit *hit, struct task_hit *to)
{
	if (hit->probe == TR_PROBE_MARK)
		return TR_END;
	const unsigned kind = t->kind_of[hit->probe];
	const uint16_t *fields = t->fields[hit->probe];
	uint64_t numbers[MOST_FIELDS] = {0};
	struct tr_probe_value texts[2] = {0};
	if (kind == KINDS)
		return TR_END;
	*to = (struct task_hit){.cycle = hit->cycle, .kind = (enum probe_kind)kind};
	t->sums.hits++;
	if (is_switch_probe(kind) || (kind == WAKEUP && fields[WAKEUP_HOW] != BY_WAKER)) {
		int status = kind == WAKEUP ? read_lone_wakeup(t, hit, to)
					    : read_switch(t, hit, to);
		t->sums.incomplete += status == TR_END;
		return status;
	}
	for (unsigned i = 0; i < kinds[kind].numbers; i++) {
		const struct tr_probe_value value = tr_hit_value(hit, fields[i]);
		if (!read_probe_number(&value, &numbers[i])) {
			count_incomplete(t, to->kind);
			return TR_END;
		}
	}
	if (!set_numbers(to, numbers)) {
		t->sums.incomplete++;
		return TR_END;
	}
	if (kind != FORK) {
		to->tgid = read_group_number(t, hit, kinds[kind].tgids[0]);
		to->other_tgid = read_group_number(t, hit, kinds[kind].tgids[1]);
	}
	for (unsigned i = 0; i < 2 && kinds[kind].fields[kinds[kind].numbers + i]; i++)
		texts[i] = tr_hit_value(hit, fields[kinds[kind].numbers + i]);
	copy_probe_text(&texts[0], to->comm, sizeof(to->comm));
	copy_probe_text(&texts[1], to->other_comm, sizeof(to->other_comm));
	read_more(t, hit, to, texts);
	if (kind != EXEC)
		return TR_OK;
	texts[0] = tr_hit_value(hit, fields[3]);
	to->program = keep_text(t, &texts[1]);
	to->arguments = keep_text(t, &texts[0]);
	return to->program && to->arguments ? TR_OK : TR_E_NOMEM;
}
