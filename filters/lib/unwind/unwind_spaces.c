/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces and the binaries in them. */
#include "unwind/unwind_spaces.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"

enum { SPACES_SLACK = 1 << 12, SATPS_MAX = 1 << 16 };

struct space {
	uint64_t used;		  /* time of use, for eviction */
	struct space_object home; /* its first known binary */
	uint32_t number;
	uint32_t first; /* item of the user's list */
	uint32_t nobjects;
	struct space_object objects[SPACE_OBJECTS]; /* the latest first */
};

struct tr_spaces {
	struct unwind_status *status;
	struct space *all;
	uint32_t count, capacity;
	struct tr_map slots; /* by number; may still contain a dropped space */
	struct tr_map satps; /* from satp to current space */
	uint64_t clock;
	uint64_t forgotten;
};

struct tr_spaces *tr_spaces_new(struct unwind_status *status)
{
	struct tr_spaces *spaces = calloc(1, sizeof(*spaces));
	if (spaces)
		spaces->status = status;
	return spaces;
}

void tr_spaces_free(struct tr_spaces *spaces)
{
	if (!spaces)
		return;
	tr_map_free(&spaces->slots);
	tr_map_free(&spaces->satps);
	free(spaces->all);
	free(spaces);
}

static struct space *find_space(const struct tr_spaces *spaces, uint32_t number)
{
	uint32_t i = tr_map_get(&spaces->slots, number);
	if (i == TR_MAP_NONE || i >= spaces->count || spaces->all[i].number != number)
		return NULL;
	return &spaces->all[i];
}

uint32_t *tr_spaces_list(struct tr_spaces *spaces, uint32_t number)
{
	struct space *s = find_space(spaces, number);
	if (s)
		return &s->first;
	if (!tr_unwind_reserve(spaces->status, (void **)&spaces->all, &spaces->capacity,
			       spaces->count + 1ULL, sizeof(*spaces->all)))
		return NULL;
	if (!tr_map_set(&spaces->slots, number, spaces->count)) {
		unwind_fail(spaces->status, TR_E_NOMEM);
		return NULL;
	}
	s = &spaces->all[spaces->count++];
	*s = (struct space){.number = number,
			    .home.binary = TR_NOTE_UNKNOWN,
			    .first = SPACE_LIST_END,
			    .used = ++spaces->clock};
	return &s->first;
}

void tr_spaces_clear(struct tr_spaces *spaces)
{
	tr_map_clear(&spaces->slots);
	spaces->count = 0;
}

static void number_spaces(struct tr_spaces *spaces)
{
	tr_map_clear(&spaces->slots);
	for (uint32_t i = 0; i < spaces->count; i++)
		if (!tr_map_set(&spaces->slots, spaces->all[i].number, i))
			unwind_fail(spaces->status, TR_E_NOMEM);
}

/* Drops a space. Returns its first item. */
static uint32_t drop_space(struct tr_spaces *spaces, struct space *s)
{
	const uint32_t first = s->first;
	*s = spaces->all[--spaces->count];
	if (spaces->count &&
	    !tr_map_set(&spaces->slots, s->number, (uint32_t)(s - spaces->all)))
		unwind_fail(spaces->status, TR_E_NOMEM);
	if (spaces->slots.count >= 2ULL * spaces->count + SPACES_SLACK)
		number_spaces(spaces);
	return first;
}

static bool is_global(uint32_t number)
{
	return number == TR_SPACE_MACHINE || number == TR_SPACE_SUPERVISOR;
}

uint32_t tr_spaces_see(struct tr_spaces *spaces, const struct tr_context *context)
{
	uint32_t first = SPACE_LIST_END;
	if (!tr_mode_is_user(tr_mode_of(context->priv)) || !context->space)
		return first;
	struct space *now = find_space(spaces, context->space);
	if (now)
		now->used = ++spaces->clock;
	uint32_t before = tr_map_get(&spaces->satps, context->satp);
	if (before != TR_MAP_NONE && before >= context->space)
		return first;
	struct space *dead = before == TR_MAP_NONE ? NULL : find_space(spaces, before);
	if (dead && !is_global(before))
		first = drop_space(spaces, dead);
	if (spaces->satps.count >= SATPS_MAX)
		tr_map_clear(&spaces->satps);
	if (!tr_map_set(&spaces->satps, context->satp, context->space))
		unwind_fail(spaces->status, TR_E_NOMEM);
	return first;
}

static int compare_space_use(const void *a, const void *b)
{
	const struct space *x = a, *y = b;
	return (x->used < y->used) - (x->used > y->used);
}

bool tr_spaces_sort(struct tr_spaces *spaces)
{
	enum { FEWEST = 4 };
	if (spaces->count < FEWEST)
		return false;
	qsort(spaces->all, spaces->count, sizeof(*spaces->all), compare_space_use);
	number_spaces(spaces);
	return true;
}

bool tr_spaces_drop_oldest(struct tr_spaces *spaces, uint32_t *first)
{
	uint32_t i = spaces->count;
	while (i-- > 1)
		if (!is_global(spaces->all[i].number)) {
			spaces->forgotten++;
			*first = drop_space(spaces, &spaces->all[i]);
			return true;
		}
	return false;
}

/* Moves an object to the front. */
static void put_object_first(struct space *s, const struct space_object *object)
{
	uint32_t i = 0;
	while (i < s->nobjects && (s->objects[i].binary != object->binary ||
				   s->objects[i].bias != object->bias))
		i++;
	if (i == s->nobjects && i < SPACE_OBJECTS)
		s->nobjects++;
	else if (i == SPACE_OBJECTS)
		i--;
	memmove(&s->objects[1], &s->objects[0], i * sizeof(s->objects[0]));
	s->objects[0] = *object;
}

void tr_spaces_found(struct tr_spaces *spaces, uint32_t number,
		     const struct space_object *object)
{
	struct space *s = find_space(spaces, number);
	if (!s)
		return;
	put_object_first(s, object);
	if (s->home.binary == TR_NOTE_UNKNOWN)
		s->home = *object;
}

bool tr_spaces_object(const struct tr_spaces *spaces, uint32_t number, uint32_t nth,
		      struct space_object *object)
{
	const struct space *s = find_space(spaces, number);
	if (!s || nth > s->nobjects)
		return false;
	*object = nth < s->nobjects ? s->objects[nth] : s->home;
	return object->binary != TR_NOTE_UNKNOWN;
}

bool tr_spaces_home(const struct tr_spaces *spaces, uint32_t number,
		    struct space_object *object)
{
	const struct space *s = find_space(spaces, number);
	if (!s || s->home.binary == TR_NOTE_UNKNOWN)
		return false;
	*object = s->home;
	return true;
}

void tr_spaces_add_totals(const struct tr_spaces *spaces, struct tr_unwind_totals *totals)
{
	totals->spaces_forgotten += spaces->forgotten;
}
