/* SPDX-License-Identifier: Apache-2.0 */
#include "calls.h"

#include <stdlib.h>

#include "base/map.h"

enum { FEWEST = 64 };

static struct call **sp_bucket(const struct calls *calls, uint64_t sp)
{
	return &calls->buckets[tr_mix(sp) & (calls->nbuckets - 1)];
}

static struct call *with_sp(struct call *call, uint64_t sp)
{
	while (call && call->sp != sp)
		call = call->next;
	return call;
}

static void push_call(struct call **sp_bucket, struct call *call)
{
	call->next = *sp_bucket;
	*sp_bucket = call;
}

/* Doubles the buckets. The newest calls remain the first of theirs. */
static bool grow_buckets(struct calls *calls)
{
	struct calls larger = {.nbuckets = calls->nbuckets ? 2 * calls->nbuckets : FEWEST,
			       .count = calls->count};

	larger.buckets = calloc(larger.nbuckets, sizeof(struct call *));
	if (!larger.buckets)
		return false;
	for (size_t i = 0; i < calls->nbuckets; i++) {
		struct call *oldest = NULL, *call;

		while ((call = calls->buckets[i]) != NULL) {
			calls->buckets[i] = call->next;
			push_call(&oldest, call);
		}
		while ((call = oldest) != NULL) {
			oldest = call->next;
			push_call(sp_bucket(&larger, call->sp), call);
		}
	}
	free(calls->buckets);
	*calls = larger;
	return true;
}

struct call *calls_add(struct calls *calls, uint64_t sp, size_t saved_size)
{
	if (calls->count >= calls->nbuckets && !grow_buckets(calls))
		return NULL;
	struct call *call = calloc(1, sizeof(*call) + saved_size);
	if (!call)
		return NULL;
	call->sp = sp;
	push_call(sp_bucket(calls, sp), call);
	calls->count++;
	return call;
}

void calls_remove(struct calls *calls, struct call *call)
{
	struct call **at = sp_bucket(calls, call->sp);

	while (*at != call)
		at = &(*at)->next;
	*at = call->next;
	free(call);
	calls->count--;
}

struct call *calls_newest(const struct calls *calls, uint64_t sp)
{
	return calls->nbuckets ? with_sp(*sp_bucket(calls, sp), sp) : NULL;
}

struct call *calls_older(const struct call *call)
{
	return with_sp(call->next, call->sp);
}

void calls_sweep(struct calls *calls, bool (*ends)(void *user, const struct call *call),
		 void *user)
{
	for (size_t i = 0; i < calls->nbuckets; i++) {
		struct call *next;

		for (struct call *call = calls->buckets[i]; call; call = next) {
			next = call->next;
			if (ends(user, call))
				calls_remove(calls, call);
		}
	}
}

static bool match_every_call(void *user, const struct call *call)
{
	(void)user, (void)call;
	return true;
}

void calls_end_all(struct calls *calls)
{
	calls_sweep(calls, match_every_call, NULL);
	free(calls->buckets);
	*calls = (struct calls){.buckets = NULL};
}
