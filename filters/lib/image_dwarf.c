/* SPDX-License-Identifier: Apache-2.0 */
/* Functions from DWARF: out of the cache, or by a child process. */
#include "image_dwarf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "image_cache.h"
#include "image_child.h"

/* Some damage makes libdwarf run for ever. It takes 0.1 s for 16 MiB. */
static struct image_child_limits limits_for(size_t file_bytes)
{
	return (struct image_child_limits){
	    .cpu_seconds = 2 + (unsigned)(file_bytes >> 24),
	    .seconds = 60,
	    .memory = UINT64_C(4) << 30,
	    .most_bytes = UINT64_C(1) << 29,
	};
}

struct taking {
	struct tr_image *image;
	const struct image_elf *elf;
	struct image_candidates *candidates;
	const char *raw, *kept; /* the last name, as it was and as it is kept */
};

static bool take_range(void *context, const struct image_index_range *range)
{
	struct taking *taking = context;
	struct image_candidates *to = taking->candidates;
	if (!image_elf_is_code(taking->elf, range->low, range->high))
		return true;
	if (range->name != taking->raw) {
		taking->raw = range->name;
		taking->kept =
		    image_name_keep(taking->image, range->name, strlen(range->name));
	}
	if (!taking->kept ||
	    !tr_grow(&to->list, &to->capacity, to->count + 1, sizeof(*to->list)))
		return false;
	to->list[to->count++] = (struct image_candidate){
	    .name = taking->kept,
	    .entry = range->entry,
	    .low = range->low,
	    .high = range->high,
	    .rank = IMAGE_RANK_DWARF,
	};
	return true;
}

static void warn_of_damage(struct tr_image *image, const struct image_index *index)
{
	const char *damage = image_name_keep(image, index->damage, strlen(index->damage));
	image_warn(image, "damaged DWARF in %" PRIu32 " of %" PRIu32 " units (%s)",
		   index->damaged, index->units, damage ? damage : "");
}

/* Finds the indices of the kinds that are wanted in what the child wrote. */
static bool take_answer(struct tr_image *image, const struct image_dwarf_job *job,
			const struct tr_buffer *answer, bool store)
{
	size_t at = 0;
	for (unsigned kind = 0; kind < IMAGE_INDEX_KINDS; kind++) {
		struct tr_buffer *bytes = &image->index_bytes[kind];
		if (!job->wanted[kind])
			continue;
		const uint8_t *data = answer->data + at;
		size_t size = image_index_size(data, answer->size - at);
		bytes->size = 0;
		tr_buffer_add(bytes, data, size);
		if (bytes->failed || !image_index_read(&image->index[kind], kind,
						       bytes->data, size, &job->key))
			return false;
		if (store)
			image_cache_store(&job->key, kind, data, size);
		at += size;
	}
	return at == answer->size;
}

/* False: `problem` tells. */
static bool ask_child(struct tr_image *image, struct image_dwarf_job *job, bool use_cache,
		      char *problem, size_t size)
{
	const struct image_child_limits limits = limits_for(job->elf->size);
	struct tr_buffer answer = {0};
	snprintf(problem, size, "an answer that makes no sense");
	job->map = mmap(NULL, job->elf->size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			job->elf->fd, 0);
	if (job->map == MAP_FAILED)
		return false;
	bool good =
	    image_child_run(image_dwarf_read, job, &limits, &answer, problem, size) &&
	    take_answer(image, job, &answer, use_cache && image_elf_same(job->elf));
	munmap(job->map, job->elf->size);
	tr_buffer_free(&answer);
	return good;
}

/* What makes libdwarf die in calls or lines may leave the functions. */
static bool ask_again(struct tr_image *image, struct image_dwarf_job *job, bool use_cache)
{
	bool *wanted = job->wanted,
	     more = wanted[IMAGE_INDEX_CALLS] || wanted[IMAGE_INDEX_LINES];
	char problem[80];
	if (ask_child(image, job, use_cache, problem, sizeof(problem)))
		return true;
	wanted[IMAGE_INDEX_CALLS] = wanted[IMAGE_INDEX_LINES] = false;
	if (more && (!wanted[IMAGE_INDEX_FUNCTIONS] ||
		     ask_child(image, job, use_cache, problem, sizeof(problem)))) {
		image_warn(image, "DWARF reader: %s; functions only", problem);
		return true;
	}
	image_warn(image, "DWARF reader: %s; names from symbols only", problem);
	return false;
}

/* Leaves in `wanted` what the cache does not have. */
static bool ask_cache(struct tr_image *image, struct image_dwarf_job *job)
{
	bool all = true;
	for (unsigned kind = 0; kind < IMAGE_INDEX_KINDS; kind++) {
		struct tr_buffer *bytes = &image->index_bytes[kind];
		if (job->wanted[kind] && image_cache_load(&job->key, kind, bytes) &&
		    image_index_read(&image->index[kind], kind, bytes->data, bytes->size,
				     &job->key))
			job->wanted[kind] = false;
		all &= !job->wanted[kind];
	}
	return all;
}

/* The names lie in bytes of the image's own; each ends where it did, or before. */
static void clean_names(struct tr_image *image, enum image_index_kind kind)
{
	const struct image_index *index = &image->index[kind];
	struct tr_buffer *bytes = &image->index_bytes[kind];
	for (size_t at = index->nitems ? bytes->size - 8 - index->names_bytes
				       : bytes->size;
	     at + 8 < bytes->size;) {
		char *name = (char *)bytes->data + at;
		at += strlen(name) + 1;
		image_name_clean(name);
	}
}

int image_dwarf_load(struct tr_image *image, const struct image_elf *elf,
		     const struct tr_image_options *options,
		     struct image_candidates *candidates)
{
	struct image_dwarf_job job = {.elf = elf,
				      .wanted = {true, options->calls, options->lines}};
	struct taking taking = {.image = image, .elf = elf, .candidates = candidates};
	const struct image_index *functions = &image->index[IMAGE_INDEX_FUNCTIONS];
	int status = TR_OK;
	if (!elf->has_dwarf)
		return TR_OK;
	if (!image_key_make(&job.key, elf->fd, elf->size))
		return image_fail(image, TR_E_IO, "cannot read all of it");
	if ((options->no_cache || !ask_cache(image, &job)) &&
	    !ask_again(image, &job, !options->no_cache))
		return TR_OK;
	if (functions->damaged)
		warn_of_damage(image, functions);
	if (!image_index_walk(functions, take_range, &taking))
		status = TR_E_NOMEM;
	tr_buffer_free(&image->index_bytes[IMAGE_INDEX_FUNCTIONS]);
	clean_names(image, IMAGE_INDEX_CALLS);
	clean_names(image, IMAGE_INDEX_LINES);
	return status;
}
