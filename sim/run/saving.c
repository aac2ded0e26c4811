/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a checkpoint during a run. */
#include "saving.h"

#include <stdlib.h>

/* Gets the last uses of RAM, if they are kept. Returns false if memory runs out. */
static bool get_uses(const struct saving *s, struct checkpoint_source *source,
		     struct soc_line_uses **uses)
{
	*uses = NULL;
	if (!s->o->keeps_uses)
		return true;
	*uses = malloc(sizeof(**uses));
	source->uses = *uses;
	return *uses && s->machine->ops->uses(s->machine, *uses);
}

/* Returns false if the state of the machine is not known here. */
static bool save_checkpoint(struct saving *s)
{
	char message[CHECKPOINT_MESSAGE] = "out of memory";
	struct soc_state states[SOC_HARTS_MAX];
	struct soc_line_uses *uses;
	struct checkpoint_source source = {.states = states,
					   .harts = s->machine->harts,
					   .ram = s->machine->image->ram,
					   .ram_size = s->machine->image->size,
					   .features = s->machine->features,
					   .disk = s->machine->disk,
					   .keys = s->o->keys};

	if (!s->machine->ops->save(s->machine, states))
		return false;
	s->done =
	    get_uses(s, &source, &uses) && checkpoint_write(s->o->path, &source, message);
	free(uses);
	s->failed = !s->done;
	if (s->failed)
		tr_warn(s->cli, "%s", message);
	return true;
}

static bool waits_for_trigger(const struct saving *s)
{
	return s->o->path && s->o->at.kind != TRIGGER_NONE && !s->done && !s->failed;
}

void saving_begin(struct saving *s)
{
	const struct trigger *at = &s->o->at;

	if (waits_for_trigger(s) && at->kind != TRIGGER_CYCLE)
		s->machine->ops->watch(s->machine, at);
}

uint64_t saving_next_cycle(const struct saving *s)
{
	const uint64_t now = machine_now(s->machine).cycle;

	if (s->met && waits_for_trigger(s))
		return now + 1;
	if (!waits_for_trigger(s) || s->o->at.kind != TRIGGER_CYCLE ||
	    s->o->at.value <= now)
		return UINT64_MAX;
	return s->o->at.value;
}

bool saving_poll(struct saving *s)
{
	struct machine_next next;

	if (!waits_for_trigger(s))
		return false;
	if (!s->met) {
		s->machine->ops->next(s->machine, &next);
		s->met = trigger_meets(&s->o->at, machine_now(s->machine).cycle, &next);
	}
	return s->met && save_checkpoint(s) && (s->failed || !s->o->goes_on);
}

/* Runs on to where the state of the machine is known. Returns false if it ends before. */
static bool save_soon(struct saving *s)
{
	const struct machine_ops *ops = s->machine->ops;
	enum machine_stop why = MACHINE_LIMIT;

	while (!save_checkpoint(s)) {
		if (why != MACHINE_LIMIT && why != MACHINE_BREAK)
			return false;
		why = ops->run(s->machine, UINT64_MAX, machine_now(s->machine).cycle + 1);
	}
	return true;
}

int saving_end(struct saving *s, bool off)
{
	const char *const path = s->o->path;

	if (waits_for_trigger(s) && !s->met) {
		tr_warn(s->cli,
			"%s: not written: the trigger of the checkpoint was never "
			"met",
			path);
		return TR_EXIT_TROUBLE;
	}
	if (path && !s->done && !s->failed && off) {
		tr_warn(s->cli, "%s: not written: the machine is off", path);
		return TR_EXIT_TROUBLE;
	}
	if (path && !s->done && !s->failed && !save_soon(s)) {
		tr_warn(s->cli,
			"%s: not written: the machine stopped before its state "
			"was known",
			path);
		return TR_EXIT_TROUBLE;
	}
	return s->failed ? TR_EXIT_TROUBLE : TR_EXIT_OK;
}
