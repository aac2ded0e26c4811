/* SPDX-License-Identifier: Apache-2.0 */
#include "indexing.h"

#include <errno.h>
#include <string.h>

#include "base/output.h"

/* Instructions, which are replayed in less than half a second: at most those of a zstd
 * frame of tr-capture --archive. */
enum { EVERY = 16000000 };

bool indexing_check(const struct indexing *i, struct trouble *trouble)
{
	return !i->index || !replay_index_message(i->index) ||
	       tell_trouble(trouble, "%s", replay_index_message(i->index));
}

bool indexing_create(struct indexing *i, struct trouble *trouble)
{
	int fd = tr_output_open(i->source.index);

	i->file = fd < 0 ? NULL : fdopen(fd, "wb");
	if (!i->file)
		return tell_trouble(trouble, "%s: %s", i->source.index,
				    tr_output_problem(errno));
	i->source.every = EVERY;
	i->index = replay_index_create(&i->source, i->file);
	return i->index ? indexing_check(i, trouble) : tell_no_memory(trouble);
}

bool indexing_frame(struct indexing *i)
{
	return !i->file || replay_index_frame(i->index);
}

bool indexing_end(struct indexing *i, struct trouble *trouble)
{
	if (!i->file)
		return true;
	replay_index_end(i->index);
	if (!indexing_check(i, trouble))
		return false;
	if (fclose(i->file) != 0)
		tell_trouble(trouble, "%s: %s", i->source.index, strerror(errno));
	i->file = NULL;
	return !trouble->text[0];
}

bool indexing_open(struct indexing *i, unsigned hart, uint64_t cycle,
		   struct trouble *trouble)
{
	i->index = replay_index_open(&i->source);
	if (!i->index)
		return tell_no_memory(trouble);
	if (!replay_index_message(i->index) &&
	    replay_index_check(i->index, replay_index_find_cycle(i->index, hart, cycle)))
		return true;
	tr_warn(i->cli, "note: %s: not used", replay_index_message(i->index));
	indexing_free(i);
	return true;
}

bool indexing_go(struct indexing *i, unsigned hart, uint64_t cycle,
		 struct trouble *trouble)
{
	if (!i->index)
		return true;
	replay_index_go(i->index, replay_index_find_cycle(i->index, hart, cycle));
	return indexing_check(i, trouble);
}

void indexing_free(struct indexing *i)
{
	replay_index_free(i->index);
	i->index = NULL;
}
