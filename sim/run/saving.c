/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a checkpoint during a run. */
#include "saving.h"

static void save_checkpoint(struct saving *s)
{
	char message[CHECKPOINT_MESSAGE];
	struct soc_state states[SOC_HARTS_MAX];
	const struct checkpoint_source source = {.states = states,
						 .harts = s->machine->harts,
						 .ram = s->machine->image->ram,
						 .ram_size = s->machine->image->size,
						 .features = s->machine->features,
						 .keys = s->o->keys};

	s->machine->ops->save(s->machine, states);
	s->done = checkpoint_write(s->o->path, &source, message);
	s->failed = !s->done;
	if (s->failed)
		tr_warn(s->cli, "%s", message);
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
	if (!waits_for_trigger(s) || s->o->at.kind != TRIGGER_CYCLE ||
	    s->o->at.value <= machine_now(s->machine).cycle)
		return UINT64_MAX;
	return s->o->at.value;
}

bool saving_poll(struct saving *s)
{
	struct machine_next next;

	if (!waits_for_trigger(s))
		return false;
	s->machine->ops->next(s->machine, &next);
	if (!trigger_meets(&s->o->at, machine_now(s->machine).cycle, &next))
		return false;
	save_checkpoint(s);
	return s->failed || !s->o->goes_on;
}

int saving_end(struct saving *s, bool off)
{
	const char *const path = s->o->path;

	if (waits_for_trigger(s)) {
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
	if (path && !s->done && !s->failed)
		save_checkpoint(s);
	return s->failed ? TR_EXIT_TROUBLE : TR_EXIT_OK;
}
