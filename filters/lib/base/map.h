/* SPDX-License-Identifier: Apache-2.0 */
/* A hash map from 64-bit keys to 32-bit values. It offers no iteration, because the order
 * would depend on the hash function. */
#ifndef TR_MAP_H
#define TR_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TR_MAP_NONE UINT32_MAX /* not a valid value */

struct tr_map_slot {
	uint64_t key;
	uint32_t value; /* TR_MAP_NONE: free slot */
};

/* A map that is all zero is empty. */
struct tr_map {
	struct tr_map_slot *slots;
	size_t mask; /* number of slots - 1 */
	size_t count;
};

void tr_map_free(struct tr_map *map);
/* Inserts or replaces. Returns false when out of memory. */
bool tr_map_set(struct tr_map *map, uint64_t key, uint32_t value);
/* Removes all keys and keeps the memory. */
void tr_map_clear(struct tr_map *map);

static inline uint64_t tr_mix(uint64_t key)
{
	key ^= key >> 32;
	key *= UINT64_C(0x9e3779b97f4a7c15);
	return key ^ (key >> 29);
}

static inline uint64_t tr_pair_key(uint32_t high, uint32_t low)
{
	return (uint64_t)high << 32 | low;
}

/* Returns the value of `key`, or TR_MAP_NONE when it is absent. */
static inline uint32_t tr_map_get(const struct tr_map *map, uint64_t key)
{
	if (!map->count)
		return TR_MAP_NONE;
	for (size_t i = tr_mix(key) & map->mask;; i = (i + 1) & map->mask) {
		const struct tr_map_slot *slot = &map->slots[i];
		if (slot->value == TR_MAP_NONE)
			return TR_MAP_NONE;
		if (slot->key == key)
			return slot->value;
	}
}

#endif
