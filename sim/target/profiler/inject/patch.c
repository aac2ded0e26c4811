/* SPDX-License-Identifier: Apache-2.0 */
/* Writes entries page by page. */
#include "patch.h"

#include <stdlib.h>
#include <string.h>

/* The kernel copies words between places that are equal modulo WORD, else bytes. */
enum { PAGE = 4096, WORD = 8 };

static bool in_two_pages(uint64_t place, uint32_t size)
{
	return place / PAGE != (place + size - 1) / PAGE;
}

/* Where a run with an entry begins: at a word, but in no other run. */
static uint64_t begin_run(const struct patch_run *last, uint64_t entry, bool two_pages)
{
	uint64_t place = two_pages ? entry : entry / WORD * WORD;
	uint64_t end = last ? last->place + last->size : 0;

	return place < end ? end : place;
}

/* Makes the runs, without their bytes, and returns the room for these. */
static size_t plan_runs(struct text_patch *patch, const struct tr_stubs *stubs,
			uint64_t bias)
{
	size_t room = 0;

	for (uint32_t i = 0; i < stubs->function_count; i++) {
		uint64_t entry = stubs->functions[i].start + bias;
		uint64_t end = entry + stubs->functions[i].size;
		struct patch_run *last =
		    patch->count ? &patch->runs[patch->count - 1] : NULL;
		bool two_pages = in_two_pages(entry, stubs->functions[i].size);

		if (two_pages || !last || last->two_pages ||
		    last->place / PAGE != entry / PAGE) {
			uint64_t place = begin_run(last, entry, two_pages);

			room = (room + WORD - 1) / WORD * WORD + place % WORD;
			last = &patch->runs[patch->count++];
			*last = (struct patch_run){.place = place,
						   .offset = (uint32_t)room,
						   .two_pages = two_pages};
		}
		last->size = (uint32_t)(end - last->place);
		room = last->offset + last->size;
	}
	return room;
}

/* Replaces the entries within a run; *next is the number of the first one. */
static bool replace_run(const struct patch_run *run, uint8_t *bytes, uint32_t *next,
			const struct tr_stubs *stubs,
			const struct tr_stubs_places *places, bool enter,
			struct trouble *trouble)
{
	for (; *next < stubs->function_count; ++*next) {
		const struct tr_stubs_function *function = &stubs->functions[*next];
		uint64_t place = function->start + places->bias;
		uint8_t entry[TR_STUBS_ENTRY_MAX];

		if (place >= run->place + run->size)
			break;
		uint8_t *at = bytes + (place - run->place);

		if (tr_stubs_entry(stubs, places, *next, entry) != TR_OK)
			return tell_trouble(trouble, "the stub of 0x%llx is out of reach",
					    (unsigned long long)place);
		if (memcmp(at, function->original, function->size) != 0 &&
		    (enter || memcmp(at, entry, function->size) != 0))
			return tell_trouble(trouble, "0x%llx has other instructions",
					    (unsigned long long)place);
		memcpy(at, enter ? entry : function->original, function->size);
	}
	return true;
}

bool prepare_text_patch(struct text_patch *patch, int memory,
			const struct tr_stubs *stubs,
			const struct tr_stubs_places *places, bool enter,
			struct trouble *trouble)
{
	uint32_t next = 0;

	*patch = (struct text_patch){
	    .runs = malloc((stubs->function_count + 1) * sizeof(*patch->runs))};
	if (patch->runs)
		patch->bytes = malloc(plan_runs(patch, stubs, places->bias) + 1);
	if (!patch->bytes)
		return tell_no_memory(trouble);
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_run *run = &patch->runs[i];
		uint8_t *bytes = patch->bytes + run->offset;

		if (!read_tracee_memory(memory, run->place, bytes, run->size, trouble) ||
		    !replace_run(run, bytes, &next, stubs, places, enter, trouble))
			return false;
	}
	return true;
}

void free_text_patch(struct text_patch *patch)
{
	free(patch->runs);
	free(patch->bytes);
	*patch = (struct text_patch){0};
}

static bool has_split_entries(const struct text_patch *patch)
{
	for (size_t i = 0; i < patch->count; i++)
		if (patch->runs[i].two_pages)
			return true;
	return false;
}

bool write_split_entries(const struct text_patch *patch, struct tracee_calls *calls,
			 struct trouble *trouble)
{
	bool done = true;

	if (!has_split_entries(patch) || !open_own_memory(calls, trouble))
		return !has_split_entries(patch);
	for (size_t i = 0; done && i < patch->count; i++) {
		const struct patch_run *run = &patch->runs[i];

		if (run->two_pages)
			done = write_own_memory(calls, run->place,
						patch->bytes + run->offset, run->size,
						trouble);
	}
	return close_tracee_file(calls, trouble) && done;
}

bool write_patch_pages(const struct text_patch *patch, int memory,
		       struct trouble *trouble)
{
	for (size_t i = 0; i < patch->count; i++) {
		const struct patch_run *run = &patch->runs[i];

		if (!run->two_pages &&
		    !write_tracee_memory(memory, run->place, patch->bytes + run->offset,
					 run->size, trouble))
			return false;
	}
	return true;
}
