/* SPDX-License-Identifier: Apache-2.0 */
#include "accesses.h"

#include "lane.h"

void replay_watch_accesses(struct replay *r, const struct replay_accesses *accesses)
{
	r->accesses = accesses ? *accesses : (struct replay_accesses){.user = NULL};
	compare_set_hooks(r);
}

static void on_access(void *user, unsigned hart, const struct soc_access *access)
{
	struct replay *r = user;

	r->accesses.access(r->accesses.user, hart, access);
}

static void on_data(void *user, unsigned hart, const struct soc_data *data)
{
	struct replay *r = user;

	r->accesses.data(r->accesses.user, hart, data);
}

void accesses_add_hook(const struct replay *r, struct soc_hooks *hooks)
{
	hooks->access = r->accesses.access ? on_access : NULL;
	hooks->data = r->accesses.data ? on_data : NULL;
}

void accesses_tell_begin(const struct lane *l, uint32_t row, unsigned token)
{
	const struct replay_accesses *a = &lane_replay(l)->accesses;

	if (a->begins)
		a->begins(a->user, lane_hart(l), carry_number(lane_carry(l), row), token);
}

void accesses_tell_write(const struct lane *l, const struct tr_event *event)
{
	const struct replay_accesses *a = &lane_replay(l)->accesses;

	if (a->external_write)
		a->external_write(a->user, lane_hart(l), event->u.write.address,
				  event->u.write.data, event->u.write.size,
				  event->kind == TR_EV_MEMORY);
}
