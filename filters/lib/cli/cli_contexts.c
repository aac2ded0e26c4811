/* SPDX-License-Identifier: Apache-2.0 */
/* Reads stacks by process and thread, with the profile by which tr-explore numbers them.
 */
#include "cli/cli_contexts.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/map.h"
#include "cli/cli_stacks.h"

/* The stacks that are read. */
struct reading {
	struct tr_cli_stacks in;
	struct tr_cli_contexts *result;
	struct tr_slices_pair *pairs;
	size_t room;
	struct tr_map index; /* of pairs */
};

/* Finds or adds a pair. Returns TR_MAP_NONE when out of memory. */
static uint32_t find_pair(struct reading *r, const struct tr_slices_pair *wanted)
{
	size_t *count = &r->result->contexts.count;
	const uint64_t key = tr_pair_key(wanted->process, wanted->thread);
	const uint32_t found = tr_map_get(&r->index, key);
	if (found != TR_MAP_NONE)
		return found;
	if (!tr_grow(&r->pairs, &r->room, *count + 1, sizeof(*r->pairs)) ||
	    !tr_map_set(&r->index, key, (uint32_t)*count))
		return TR_MAP_NONE;
	r->pairs[*count] = *wanted;
	return (uint32_t)(*count)++;
}

static int take_row(void *context, const struct tr_profile_step *row)
{
	struct reading *r = context;
	if (row->is_gap || (!row->instructions && !row->cycles))
		return TR_OK;
	const struct tr_slices_pair pair = {
	    .process = row->group,
	    .thread = tr_profile_thread_group(r->in.profile, row->thread)};
	const uint32_t key = find_pair(r, &pair);
	return key == TR_MAP_NONE ? TR_E_NOMEM
				  : tr_selection_add(r->result->keys, row->hart, key,
						     row->instructions, row->cycles);
}

void tr_cli_contexts_read(struct tr_cli_contexts *contexts, const struct tr_cli *cli,
			  const char *path)
{
	struct reading r = {.in = {.cli = cli, .name = path}, .result = contexts};
	*contexts = (struct tr_cli_contexts){.keys = tr_selection_new()};
	tr_cli_need(cli, contexts->keys);
	r.in.reader = tr_cli_reader_of(cli, path, TR_CONTENT_STACKS);
	const struct tr_profile_options options = {.by = TR_BY_PROCESS,
						   .commit_width =
						       tr_cli_stacks_width(&r.in),
						   .to = {.cycle = UINT64_MAX},
						   .may_lack_groups = true};
	r.in.profile = tr_profile_new(&options);
	tr_cli_need(cli, r.in.profile);
	tr_profile_observe(r.in.profile, take_row, &r, false);
	tr_cli_stacks_take(&r.in);
	contexts->contexts.pairs = r.pairs;
	tr_map_free(&r.index);
	tr_profile_free(r.in.profile);
	tr_reader_close(r.in.reader);
}

void tr_cli_contexts_release(struct tr_cli_contexts *contexts)
{
	tr_selection_free(contexts->keys);
	free((void *)contexts->contexts.pairs);
}
