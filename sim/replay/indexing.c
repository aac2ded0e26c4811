/* SPDX-License-Identifier: Apache-2.0 */
#include "indexing.h"

#include <errno.h>
#include <string.h>

#include "base/output.h"

enum { EVERY = 16 << 20 }; /* instructions: replayed in less than half a second */

void indexing_check(const struct indexing *i)
{
	if (i->index && replay_index_message(i->index))
		tr_die(i->cli, "%s", replay_index_message(i->index));
}

void indexing_create(struct indexing *i)
{
	int fd = tr_output_open(i->source.index);

	i->file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!i->file)
		tr_die(i->cli, "%s: %s", i->source.index, tr_output_problem(errno));
	i->source.every = EVERY;
	i->index = replay_index_create(&i->source, i->file);
	tr_cli_need(i->cli, i->index);
	indexing_check(i);
}

bool indexing_frame(struct indexing *i)
{
	return !i->file || replay_index_frame(i->index);
}

void indexing_end(struct indexing *i)
{
	if (!i->file)
		return;
	replay_index_end(i->index);
	indexing_check(i);
	if (fclose(i->file) != 0)
		tr_die(i->cli, "%s: %s", i->source.index, strerror(errno));
	i->file = NULL;
}

void indexing_open(struct indexing *i, unsigned hart, uint64_t cycle)
{
	i->index = replay_index_open(&i->source);
	tr_cli_need(i->cli, i->index);
	if (!replay_index_message(i->index) &&
	    replay_index_check(i->index, replay_index_find_cycle(i->index, hart, cycle)))
		return;
	tr_warn(i->cli, "note: %s: not used", replay_index_message(i->index));
	indexing_free(i);
}

void indexing_go(struct indexing *i, unsigned hart, uint64_t cycle)
{
	if (!i->index)
		return;
	replay_index_go(i->index, replay_index_find_cycle(i->index, hart, cycle));
	indexing_check(i);
}

void indexing_free(struct indexing *i)
{
	replay_index_free(i->index);
	i->index = NULL;
}
