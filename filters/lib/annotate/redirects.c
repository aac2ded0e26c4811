/* SPDX-License-Identifier: Apache-2.0 */
/* Sums the counter of mispredictions. */
#include "annotate/redirects.h"

#include <string.h>

#include "base/status.h"

static bool is_of_mispredictions(const char *label)
{
	static const char name[] = "branch_miss";
	const size_t length = strlen(label), own = sizeof(name) - 1;
	if (length < own || strcmp(label + length - own, name) != 0)
		return false;
	return length == own || label[length - own - 1] == '.';
}

void tr_redirects_release(struct tr_redirects *r)
{
	tr_counter_sums_release(&r->sums);
}

/* Returns true if a set of counters has one of mispredictions. */
static bool has_counter(const struct tr_redirects *r, uint32_t set)
{
	for (uint32_t i = 0; i < r->counters->set[set].count; i++)
		if (is_of_mispredictions(r->counters->set[set].label[i]))
			return true;
	return false;
}

int tr_redirects_frame(struct tr_redirects *r, const struct tr_frame *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->nharts; i++)
		for (uint32_t e = 0; e < frame->harts[i].nevents && !status; e++) {
			const struct tr_event *event = &frame->harts[i].events[e];
			if (event->kind == TR_EV_COUNTERS &&
			    has_counter(r, event->u.counters.set))
				status = tr_counter_sums_add(&r->sums, r->counters,
							     frame->harts[i].hart,
							     &event->u.counters);
		}
	return status;
}

bool tr_redirects_counted(const struct tr_redirects *r, uint64_t *count)
{
	bool any = false;
	*count = 0;
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS; set++)
		for (uint32_t i = 0; r->sums.sum[set] && i < r->counters->set[set].count;
		     i++)
			if (is_of_mispredictions(r->counters->set[set].label[i])) {
				*count += r->sums.sum[set][i];
				any = true;
			}
	return any;
}
