/* SPDX-License-Identifier: Apache-2.0 */
/* Flags and loads of commits: hits of probes, each before its token. */
#include <inttypes.h>

#include "stream/probes.h"
#include "trace_internal.h"

static int put_hit(struct tr_trace *t, unsigned hart, unsigned probe,
		   const struct tr_probe_value *values, unsigned count)
{
	t->hit.size = 0;
	tr_hit_encode(&t->hit, values, count);
	const struct tr_event event = {.kind = TR_EV_PROBE,
				       .u.probe = {.probe = probe,
						   .count = count,
						   .values = t->hit.data,
						   .size = (uint32_t)t->hit.size}};
	return t->hit.failed ? tr_trace_fail(t, "out of memory")
			     : tr_trace_put(t, hart, &event);
}

int tr_trace_put_hits(struct tr_trace *t, unsigned hart, const struct tr_trace_commit *c)
{
	const struct tr_probe_value load[] = {
	    {.kind = TR_PROBE_ADDRESS, .number = c->load_address & t->mask},
	    {.kind = TR_PROBE_UNSIGNED, .number = c->load_cycles}};
	if (c->flags >> t->nflags)
		return tr_trace_fail(t,
				     "flags 0x%" PRIx32 " of the commit at 0x%" PRIx64
				     "; %u have names",
				     c->flags, c->pc & t->mask, t->nflags);
	if (c->load && !t->options.tells_loads)
		return tr_trace_fail(t,
				     "a load of the commit at 0x%" PRIx64
				     ", though commits do not tell them",
				     c->pc & t->mask);
	if (tr_trace_pass_plain(t, hart, c->pc & t->mask))
		return TR_TRACE_FAILED;
	for (unsigned i = 0; i < t->nflags; i++)
		if (c->flags >> i & 1 && put_hit(t, hart, i, NULL, 0))
			return TR_TRACE_FAILED;
	return c->load ? put_hit(t, hart, t->nflags, load, 2) : TR_TRACE_OK;
}
