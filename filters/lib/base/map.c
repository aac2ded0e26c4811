/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map from 64-bit keys to 32-bit values: open addressing, linear probing. */
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

void tr_map_free(struct tr_map *map)
{
	free(map->slots);
	*map = (struct tr_map){0};
}

void tr_map_clear(struct tr_map *map)
{
	if (map->slots)
		memset(map->slots, 0xff, (map->mask + 1) * sizeof(*map->slots));
	map->count = 0;
}

static void insert_map_slot(struct tr_map *map, uint64_t key, uint32_t value)
{
	size_t i = tr_mix(key) & map->mask;
	while (map->slots[i].value != TR_MAP_NONE && map->slots[i].key != key)
		i = (i + 1) & map->mask;
	if (map->slots[i].value == TR_MAP_NONE)
		map->count++;
	map->slots[i] = (struct tr_map_slot){.key = key, .value = value};
}

static bool enlarge_map(struct tr_map *map)
{
	struct tr_map bigger = {.mask = map->slots ? map->mask * 2 + 1 : 63};
	bigger.slots = malloc((bigger.mask + 1) * sizeof(*bigger.slots));
	if (!bigger.slots)
		return false;
	tr_map_clear(&bigger);
	for (size_t i = 0; map->slots && i <= map->mask; i++)
		if (map->slots[i].value != TR_MAP_NONE)
			insert_map_slot(&bigger, map->slots[i].key, map->slots[i].value);
	free(map->slots);
	*map = bigger;
	return true;
}

bool tr_map_set(struct tr_map *map, uint64_t key, uint32_t value)
{
	if ((!map->slots || map->count * 2 > map->mask) && !enlarge_map(map))
		return false;
	insert_map_slot(map, key, value);
	return true;
}
