/* SPDX-License-Identifier: Apache-2.0 */
/* Functions from DWARF: out of the cache, or by a child process. */
#include "image_dwarf.h"

#include <inttypes.h>
#include <string.h>

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

/* Whether code lies at all of [low, high). Functions that the linker dropped
 * stay behind at 0 or so. */
static bool is_all_code(const struct image_elf *elf, uint64_t low, uint64_t high)
{
	size_t first = 0, end = elf->nexecutable;
	while (first < end) {
		size_t middle = first + (end - first) / 2;
		if (elf->executable[middle].high <= low)
			first = middle + 1;
		else
			end = middle;
	}
	return first < elf->nexecutable && elf->executable[first].low <= low &&
	       high <= elf->executable[first].high;
}

static bool take_range(void *context, const struct image_index_range *range)
{
	struct taking *taking = context;
	struct image_candidates *to = taking->candidates;
	if (!is_all_code(taking->elf, range->low, range->high))
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

static int take_index(struct tr_image *image, const struct image_elf *elf,
		      const struct image_index *index,
		      struct image_candidates *candidates)
{
	struct taking taking = {.image = image, .elf = elf, .candidates = candidates};
	if (index->damaged) {
		const char *damage =
		    image_name_keep(image, index->damage, strlen(index->damage));
		image_warn(image,
			   "damaged DWARF in %" PRIu32 " of %" PRIu32 " units (%s)",
			   index->damaged, index->units, damage ? damage : "");
	}
	return image_index_walk(index, take_range, &taking) ? TR_OK : TR_E_NOMEM;
}

static bool ask_child(struct tr_image *image, struct image_dwarf_job *job,
		      struct tr_buffer *bytes, struct image_index *index)
{
	const struct image_child_limits limits = limits_for(job->elf->size);
	char problem[80] = "an answer that makes no sense";
	bytes->size = 0;
	if (image_child_run(image_dwarf_read, job, &limits, bytes, problem,
			    sizeof(problem)) &&
	    image_index_read(index, bytes->data, bytes->size, &job->key))
		return true;
	image_warn(image, "DWARF reader: %s; names from symbols only", problem);
	return false;
}

int image_dwarf_load(struct tr_image *image, const struct image_elf *elf, bool use_cache,
		     struct image_candidates *candidates)
{
	struct image_dwarf_job job = {.elf = elf};
	struct tr_buffer bytes = {0};
	struct image_index index;
	int status = TR_OK;
	if (!elf->has_dwarf)
		return TR_OK;
	image_key_make(&job.key, elf->data, elf->size);
	bool good = use_cache && image_cache_load(&job.key, &bytes) &&
		    image_index_read(&index, bytes.data, bytes.size, &job.key);
	if (!good) {
		good = ask_child(image, &job, &bytes, &index);
		if (good && use_cache)
			image_cache_store(&job.key, &bytes);
	}
	if (good)
		status = take_index(image, elf, &index, candidates);
	tr_buffer_free(&bytes);
	return status;
}
