/* SPDX-License-Identifier: Apache-2.0 */
#include "counter_loads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS_AT = 4096, COUNTER = 8 }; /* prof-files(5) */
#define NOT_LOADED UINT64_MAX

/* --- indexes */

static bool make_room(struct counter_indexes *indexes, size_t entries)
{
	indexes->local = malloc(entries * sizeof(uint32_t));
	indexes->global = malloc(entries * sizeof(uint32_t));
	indexes->entry_of = malloc(entries * sizeof(uint32_t));
	indexes->end = calloc(entries, sizeof(uint64_t));
	if (!indexes->local || !indexes->global || !indexes->entry_of || !indexes->end)
		return false;
	memset(indexes->local, 0xff, entries * sizeof(uint32_t));
	memset(indexes->global, 0xff, entries * sizeof(uint32_t));
	return true;
}

static const char *read_index_line(struct counter_loads *loads,
				   struct counter_indexes *indexes,
				   const struct watched_program *watched,
				   const char *line)
{
	uint64_t address, end;
	long local, global;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %ld %ld", &address, &end, &local,
		   &global) != 4)
		return "not ADDRESS END LOCAL GLOBAL";
	size_t entry = find_next_entry(watched, address);
	if (entry == watched->count || watched->entries[entry].address != address)
		return "an index of a function that is no entry";
	indexes->end[entry] = end;
	if (local < 0)
		return NULL;
	if ((uint64_t)local != indexes->local_count)
		return "indexes are not in the order of addresses";
	indexes->local[entry] = (uint32_t)local;
	indexes->entry_of[indexes->local_count++] = (uint32_t)entry;
	indexes->global[entry] = (uint32_t)global;
	if (global < 0 || (uint64_t)global < loads->global_count)
		return global < 0 ? "no global index" : NULL;
	uint64_t *more =
	    realloc(loads->global, ((size_t)global + 1) * sizeof(*loads->global));
	if (!more)
		return "out of memory";
	loads->global = more;
	for (; loads->global_count <= (uint64_t)global; loads->global_count++)
		more[loads->global_count] = 0;
	return NULL;
}

const char *read_counter_indexes(struct counter_loads *loads, size_t program,
				 const char *path)
{
	const struct watched_program *watched = &loads->lives->watched.programs[program];
	FILE *file = fopen(path, "r");
	const char *trouble = NULL;
	char line[256];

	if (!file)
		return "the indexes cannot be opened";
	if (!make_room(&loads->indexes[program], watched->count))
		trouble = "out of memory";
	while (!trouble && fgets(line, sizeof(line), file))
		trouble = read_index_line(loads, &loads->indexes[program], watched, line);
	fclose(file);
	return trouble;
}

static const struct counter_indexes *life_indexes(const struct counter_loads *loads,
						  const struct process_life *life)
{
	return &loads->indexes[life->placed->program - loads->lives->watched.programs];
}

/* --- files */

static struct process_life *latest_life(const struct process_lives *lives, uint64_t pid)
{
	for (size_t i = lives->count; i; i--)
		if (lives->lives[i - 1]->pid == pid)
			return lives->lives[i - 1];
	return NULL;
}

static void end_pass(struct mapped_counts *map)
{
	if (!map->count)
		return;
	printf("pass %" PRIu64 " %" PRIu32 " %" PRIu64 " %" PRIu64, map->file,
	       map->life ? map->life->number : 0, map->first, map->last);
	for (uint32_t i = 0; i < map->count; i++)
		if (map->calls[i] == NOT_LOADED)
			fputs(" -", stdout);
		else
			printf(" %" PRIu64, map->calls[i]);
	putchar('\n');
	map->count = 0;
}

const char *map_counts(struct counter_loads *loads, struct mapped_counts map,
		       const char *name)
{
	char *rest;

	map.file = strtoull(name, &rest, 10);
	if (rest == name || strcmp(rest, ".dat") != 0)
		return NULL;
	map.life = map.file ? latest_life(loads->lives, map.file) : NULL;
	if (map.file && !map.life)
		return NULL;
	uint32_t room =
	    map.life ? life_indexes(loads, map.life)->local_count : loads->global_count;
	map.calls = calloc(room ? room : 1, sizeof(*map.calls));
	struct mapped_counts *more =
	    realloc(loads->maps, (loads->map_count + 1) * sizeof(*more));
	if (more)
		loads->maps = more;
	if (!more || !map.calls) {
		free(map.calls);
		return "out of memory";
	}
	loads->maps[loads->map_count++] = map;
	return NULL;
}

/* --- what takes place */

static void execute_count(struct counter_loads *loads, const struct load_action *action)
{
	const struct counter_indexes *indexes = life_indexes(loads, action->life);
	uint32_t global = indexes->global[action->entry];

	action->life->counts[action->entry].counted++;
	if (global != NO_INDEX)
		loads->global[global]++;
}

/* Returns the map of an address that was made last. */
static struct mapped_counts *find_mapped_counts(struct counter_loads *loads,
						uint64_t address)
{
	for (size_t i = loads->map_count; i; i--) {
		struct mapped_counts *map = &loads->maps[i - 1];
		if (address - map->address < map->size)
			return map;
	}
	return NULL;
}

static uint64_t true_calls(const struct counter_loads *loads,
			   const struct mapped_counts *map, uint32_t index)
{
	if (!map->life)
		return loads->global[index];
	return map->life->counts[life_indexes(loads, map->life)->entry_of[index]].counted;
}

/* Ends what is mapped within a range. */
static void execute_unmap(struct counter_loads *loads, const struct load_action *action)
{
	for (size_t i = 0; i < loads->map_count; i++) {
		struct mapped_counts *map = &loads->maps[i];
		if (map->address - action->address < action->size) {
			end_pass(map);
			map->size = 0;
		}
	}
}

static void execute_load(struct counter_loads *loads, const struct load_action *action)
{
	struct mapped_counts *map = find_mapped_counts(loads, action->address);
	uint64_t at = map ? action->address - map->address + map->offset : 0;

	if (!map || at < COUNTS_AT) {
		loads->other_loads++;
		return;
	}
	uint64_t index = (at - COUNTS_AT) / COUNTER;
	uint32_t count =
	    map->life ? life_indexes(loads, map->life)->local_count : loads->global_count;
	if (index >= count) {
		loads->other_loads++;
		return;
	}
	/* The daemon may load the last counter again, when it has got more memory. */
	bool again = index + 1 == map->count && map->count < count;
	if (again)
		map->count--;
	else if (index < map->count)
		end_pass(map);
	if (!map->count && !again)
		map->first = action->cycle;
	while (map->count < index)
		map->calls[map->count++] = NOT_LOADED;
	map->last = action->cycle;
	map->calls[map->count++] = true_calls(loads, map, (uint32_t)index);
}

/* --- in the order of commits */

/* Inserts an action, nearly always behind all others. */
static const char *put_action(struct counter_loads *loads, unsigned hart,
			      struct load_action action)
{
	if (hart >= LOADING_HARTS)
		return "too many harts";
	struct action_queue *queue = &loads->queues[hart];
	if (queue->first + queue->count == queue->room) {
		memmove(queue->actions, queue->actions + queue->first,
			queue->count * sizeof(action));
		queue->first = 0;
	}
	if (queue->count == queue->room) {
		size_t room = queue->room ? 2 * queue->room : 1024;
		struct load_action *more = realloc(queue->actions, room * sizeof(action));
		if (!more)
			return "out of memory";
		queue->actions = more;
		queue->room = room;
	}
	size_t at = queue->first + queue->count++;
	for (; at > queue->first && queue->actions[at - 1].cycle > action.cycle; at--)
		queue->actions[at] = queue->actions[at - 1];
	queue->actions[at] = action;
	return NULL;
}

const char *tell_count(struct counter_loads *loads, unsigned hart, uint64_t cycle,
		       struct process_life *life, uint32_t entry)
{
	return put_action(
	    loads, hart,
	    (struct load_action){.cycle = cycle, .life = life, .entry = entry});
}

const char *tell_load(struct counter_loads *loads, unsigned hart, uint64_t cycle,
		      uint64_t address)
{
	return put_action(loads, hart,
			  (struct load_action){.cycle = cycle, .address = address});
}

const char *tell_unmap(struct counter_loads *loads, unsigned hart, uint64_t cycle,
		       uint64_t address, uint64_t size)
{
	return put_action(
	    loads, hart,
	    (struct load_action){.cycle = cycle, .address = address, .size = size});
}

static struct action_queue *earliest_queue(struct counter_loads *loads)
{
	struct action_queue *earliest = NULL;

	for (unsigned h = 0; h < LOADING_HARTS; h++) {
		struct action_queue *queue = &loads->queues[h];
		if (queue->count &&
		    (!earliest || queue->actions[queue->first].cycle <
				      earliest->actions[earliest->first].cycle))
			earliest = queue;
	}
	return earliest;
}

void settle_counts(struct counter_loads *loads, uint64_t cycle)
{
	struct action_queue *queue;

	while ((queue = earliest_queue(loads))) {
		const struct load_action *action = &queue->actions[queue->first];
		if (action->cycle >= cycle)
			break;
		if (action->life)
			execute_count(loads, action);
		else if (action->size)
			execute_unmap(loads, action);
		else
			execute_load(loads, action);
		queue->first++;
		queue->count--;
	}
}

void end_counter_loads(struct counter_loads *loads)
{
	settle_counts(loads, UINT64_MAX);
	for (size_t i = 0; i < loads->map_count; i++)
		end_pass(&loads->maps[i]);
}

void free_counter_loads(struct counter_loads *loads)
{
	for (size_t i = 0; i < loads->lives->watched.count && loads->indexes; i++) {
		free(loads->indexes[i].local);
		free(loads->indexes[i].global);
		free(loads->indexes[i].entry_of);
		free(loads->indexes[i].end);
	}
	for (size_t i = 0; i < loads->map_count; i++)
		free(loads->maps[i].calls);
	for (unsigned h = 0; h < LOADING_HARTS; h++)
		free(loads->queues[h].actions);
	free(loads->indexes);
	free(loads->global);
	free(loads->maps);
}
