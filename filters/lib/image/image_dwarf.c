/* SPDX-License-Identifier: Apache-2.0 */
/* Functions from DWARF, out of the cache or by a child process. */
#include "image/image_dwarf.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/number.h"
#include "image/image_cache.h"
#include "image/image_child.h"

/* Some damage makes libdwarf loop endlessly. It needs about 0.1 s for 16 MiB. */
static struct image_child_limits dwarf_child_limits(size_t file_bytes)
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
	const char *raw, *kept; /* the last name, original and stored */
	const char *place;	/* stored; NULL if none */
};

static bool take_range(void *context, const struct image_index_range *range)
{
	struct taking *taking = context;
	struct image_candidates *to = taking->candidates;
	if (!tr_image_elf_is_code(taking->elf, range->low, range->high) ||
	    tr_image_is_overlaid(taking->image, range->low))
		return true;
	if (range->name != taking->raw) {
		taking->raw = range->name;
		taking->kept =
		    tr_image_name_store(taking->image, range->name, strlen(range->name));
		taking->place = NULL;
		if (*range->place)
			taking->place = tr_image_name_store(taking->image, range->place,
							    strlen(range->place));
	}
	if (!taking->kept || (*range->place && !taking->place) ||
	    !tr_grow(&to->list, &to->capacity, to->count + 1, sizeof(*to->list)))
		return false;
	to->list[to->count++] = (struct image_candidate){
	    .name = taking->kept,
	    .place = taking->place,
	    .entry = range->entry,
	    .low = range->low,
	    .high = range->high,
	    .rank = IMAGE_RANK_DWARF,
	};
	return true;
}

static void warn_of_damage(struct tr_image *image, const struct image_index *index)
{
	const char *damage =
	    tr_image_name_store(image, index->damage, strlen(index->damage));
	tr_image_warn(image, "damaged DWARF in %" PRIu32 " of %" PRIu32 " unit%s (%s)",
		      index->damaged, index->units, tr_plural(index->units),
		      damage ? damage : "");
}

/* Units that are not damaged may still be in other files. */
static void warn_of_split(struct tr_image *image, const struct image_index *index)
{
	if (!index->damage || !*index->damage)
		return;
	const char *what =
	    tr_image_name_store(image, index->damage, strlen(index->damage));
	tr_image_warn(image, "%s", what ? what : "");
	image->split = true;
}

/* Locates the indices of the requested kinds in the child's output. Returns false if one
 * is missing or invalid. */
static bool take_index_answer(struct tr_image *image, const struct image_dwarf_job *job,
			      const struct tr_buffer *answer, bool store)
{
	size_t at = 0;
	for (unsigned kind = 0; kind < IMAGE_INDEX_KINDS; kind++) {
		struct tr_buffer *bytes = &image->index_bytes[kind];
		if (!job->wanted[kind])
			continue;
		const uint8_t *data = answer->data + at;
		size_t size = tr_image_index_size(data, answer->size - at);
		bytes->size = 0;
		tr_buffer_add(bytes, data, size);
		if (bytes->failed || !tr_image_index_read(&image->index[kind], kind,
							  bytes->data, size, &job->key))
			return false;
		if (store)
			tr_image_cache_store(&job->key, kind, data, size);
		at += size;
	}
	return at == answer->size;
}

/* One child's task. A second child reads the lines in parallel, which halves the time,
 * and a crash of libdwarf there does not affect the rest. */
struct asking {
	struct image_dwarf_job job;
	struct image_child child;
	bool store;
};

static void start_dwarf_child(struct asking *asking)
{
	const struct image_child_limits limits =
	    dwarf_child_limits(asking->job.elf->size);
	tr_image_child_start(&asking->child, tr_image_dwarf_read, &asking->job, &limits);
}

/* Collects a child's result. Returns false on failure, described in child.problem. */
static bool finish_dwarf_child(struct asking *asking, struct tr_image *image)
{
	struct tr_buffer answer = {0};
	struct image_child *child = &asking->child;
	bool store = asking->store && tr_image_elf_same(asking->job.elf);
	bool good = tr_image_child_finish(child, &answer);
	if (good && !take_index_answer(image, &asking->job, &answer, store)) {
		snprintf(child->problem, sizeof(child->problem), "invalid answer");
		good = false;
	}
	tr_buffer_free(&answer);
	return good;
}

static bool wants_calls(const bool *wanted)
{
	return wanted[IMAGE_INDEX_CALLS] || wanted[IMAGE_INDEX_SCOPES];
}

/* Collects functions and requested calls; if that fails, retries without calls. */
static void finish_functions(struct asking *asking, struct tr_image *image)
{
	bool *wanted = asking->job.wanted;
	bool good = finish_dwarf_child(asking, image);
	image->failed[IMAGE_INDEX_CALLS] = !good && wanted[IMAGE_INDEX_CALLS];
	image->failed[IMAGE_INDEX_SCOPES] = !good && wanted[IMAGE_INDEX_SCOPES];
	if (!good && wants_calls(wanted) && wanted[IMAGE_INDEX_FUNCTIONS]) {
		tr_image_warn(image, "DWARF reader: %s", asking->child.problem);
		wanted[IMAGE_INDEX_CALLS] = wanted[IMAGE_INDEX_SCOPES] = false;
		start_dwarf_child(asking);
		good = finish_dwarf_child(asking, image);
	}
	if (!good)
		tr_image_warn(image, "DWARF reader: %s%s", asking->child.problem,
			      wanted[IMAGE_INDEX_FUNCTIONS] ? "; names from symbols only"
							    : "");
}

static void ask_children(struct tr_image *image, const struct image_dwarf_job *job,
			 bool store)
{
	struct asking names = {.job = *job, .store = store}, lines = names;
	bool *want_names = names.job.wanted, *want_lines = lines.job.wanted;
	want_names[IMAGE_INDEX_LINES] = want_names[IMAGE_INDEX_SPOTS] = false;
	want_names[IMAGE_INDEX_PATHS] = false;
	want_lines[IMAGE_INDEX_FUNCTIONS] = want_lines[IMAGE_INDEX_CALLS] = false;
	want_lines[IMAGE_INDEX_SCOPES] = false;
	bool any = want_names[IMAGE_INDEX_FUNCTIONS] || wants_calls(want_names);
	bool any_lines = want_lines[IMAGE_INDEX_LINES] || want_lines[IMAGE_INDEX_SPOTS] ||
			 want_lines[IMAGE_INDEX_PATHS];
	if (any)
		start_dwarf_child(&names);
	if (any_lines)
		start_dwarf_child(&lines);
	if (any)
		finish_functions(&names, image);
	if (any_lines && !finish_dwarf_child(&lines, image)) {
		image->failed[IMAGE_INDEX_LINES] = want_lines[IMAGE_INDEX_LINES];
		image->failed[IMAGE_INDEX_SPOTS] = want_lines[IMAGE_INDEX_SPOTS];
		image->failed[IMAGE_INDEX_PATHS] = want_lines[IMAGE_INDEX_PATHS];
		tr_image_warn(image, "DWARF reader: %s; no source lines",
			      lines.child.problem);
	}
}

/* Maps the whole file for the children only: the parent must not touch it, since it may
 * shrink. */
static void ask_dwarf_children(struct tr_image *image, struct image_dwarf_job *job,
			       bool store)
{
	struct image_mangled mangled = {0};
	job->map = mmap(NULL, job->elf->size, PROT_READ | PROT_WRITE, MAP_PRIVATE,
			job->elf->fd, 0);
	if (job->map == MAP_FAILED) {
		tr_image_warn(
		    image, "DWARF reader: no memory for the file (see ulimit -v)%s",
		    job->wanted[IMAGE_INDEX_FUNCTIONS] ? "; names from symbols only"
						       : "");
		memcpy(image->failed, job->wanted, sizeof(image->failed));
		return;
	}
	/* The child cannot read the file. Out of memory, fewer names are available. */
	tr_image_symbols_mangled(job->elf, &mangled);
	job->mangled = &mangled;
	ask_children(image, job, store);
	munmap(job->map, job->elf->size);
	tr_map_free(&mangled.offsets);
	tr_buffer_free(&mangled.names);
}

/* Loads from the cache; leaves in `wanted` the kinds that it lacks. Returns true if none
 * is left. */
static bool ask_cache(struct tr_image *image, struct image_dwarf_job *job)
{
	bool all = true;
	for (unsigned kind = 0; kind < IMAGE_INDEX_KINDS; kind++) {
		struct tr_buffer *bytes = &image->index_bytes[kind];
		if (job->wanted[kind] && tr_image_cache_load(&job->key, kind, bytes) &&
		    tr_image_index_read(&image->index[kind], kind, bytes->data,
					bytes->size, &job->key))
			job->wanted[kind] = false;
		all &= !job->wanted[kind];
	}
	return all;
}

/* Makes the names safe in place; a name may become shorter. */
static void clean_names(struct tr_image *image, enum image_index_kind kind)
{
	const struct image_index *index = &image->index[kind];
	struct tr_buffer *bytes = &image->index_bytes[kind];
	for (size_t at = index->nitems ? bytes->size - 8 - index->names_bytes
				       : bytes->size;
	     at + 8 < bytes->size;) {
		char *name = (char *)bytes->data + at;
		at += strlen(name) + 1;
		tr_image_name_clean(name);
	}
}

int tr_image_dwarf_load(struct tr_image *image, const struct image_elf *elf,
			const struct tr_image_options *options,
			struct image_candidates *candidates)
{
	struct image_dwarf_job job = {.elf = elf,
				      .wanted = {true, options->calls, options->lines,
						 options->scopes, options->scopes,
						 options->paths}};
	struct taking taking = {.image = image, .elf = elf, .candidates = candidates};
	const struct image_index *functions = &image->index[IMAGE_INDEX_FUNCTIONS];
	int status = TR_OK;
	image->has_dwarf = elf->has_dwarf;
	if (!elf->has_dwarf)
		return TR_OK;
	if (!tr_image_key_make(&job.key, elf->fd, elf->size))
		return tr_image_fail(image, TR_E_IO, "cannot read all of it");
	if (options->no_cache || !ask_cache(image, &job))
		ask_dwarf_children(image, &job, !options->no_cache);
	if (functions->damaged)
		warn_of_damage(image, functions);
	else
		warn_of_split(image, functions);
	if (!tr_image_index_walk(functions, take_range, &taking))
		status = TR_E_NOMEM;
	tr_buffer_free(&image->index_bytes[IMAGE_INDEX_FUNCTIONS]);
	clean_names(image, IMAGE_INDEX_CALLS);
	clean_names(image, IMAGE_INDEX_LINES);
	clean_names(image, IMAGE_INDEX_PATHS);
	return status;
}
