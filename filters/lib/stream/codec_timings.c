/* SPDX-License-Identifier: Apache-2.0 */
/* Timing definitions: which tokens stall, with which delays; and new delays. */
#include <stdlib.h>

#include "stream/codec.h"

enum { STALLS, DELAYS, NEW_DELAYS }; /* columns */

uint64_t tr_runs_slots(const struct tr_run *runs, unsigned count)
{
	uint64_t slots = 0;
	for (unsigned i = 0; i < count; i++)
		slots += runs[i].slots;
	return slots;
}

bool tr_runs_good(const struct tr_run *runs, unsigned count, uint64_t cycles,
		  uint32_t commit_width)
{
	if (count > TR_TOKEN_MAX_RUNS || cycles >= TR_MAX_CYCLES)
		return false;
	for (unsigned i = 0; i < count; i++)
		if (runs[i].class >= TR_MAX_CLASSES || runs[i].slots == UINT32_MAX)
			return false;
	return tr_runs_slots(runs, count) < (cycles + 1) * commit_width;
}

uint64_t tr_srow_lost_limit(const struct tr_srow *row, uint32_t commit_width)
{
	uint64_t cycles = row->cycles + row->instructions + 1, slots;
	if (commit_width == 1)
		return row->cycles;
	if (__builtin_mul_overflow(cycles, commit_width, &slots) || slots > INT64_MAX)
		return INT64_MAX - 1;
	return slots - 1;
}

/* If one instruction commits per cycle and all lost slots are classified, the runs
 * determine the cycles. */
static void encode_delay(struct tr_buffer *out, const struct tr_delay *delay)
{
	bool is_explicit = delay->cycles != 1 + tr_runs_slots(delay->runs, delay->nruns);
	tr_buffer_varint(out, (uint64_t)delay->nruns << 1 | is_explicit);
	if (is_explicit)
		tr_buffer_varint(out, delay->cycles);
	for (uint32_t i = 0; i < delay->nruns; i++) {
		tr_buffer_varint(out, delay->runs[i].class);
		tr_buffer_varint(out, delay->runs[i].slots);
	}
}

int tr_encode_timing(struct tr_buffer *columns, struct tr_delays *delays,
		     const struct tr_timing *timing)
{
	unsigned next = 0;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		const struct tr_delay delay = {.cycles = stall->cycles,
					       .runs = timing->runs + stall->first_run,
					       .nruns = stall->nruns};
		uint32_t id;
		bool added;
		int status = tr_delays_find(delays, &delay, &id, &added);
		if (status)
			return status;
		tr_buffer_varint(&columns[STALLS], (uint64_t)(stall->token - next) << 1 |
						       (i + 1 < timing->nstalls));
		tr_buffer_varint(&columns[DELAYS], id);
		if (added)
			encode_delay(&columns[NEW_DELAYS], &delay);
		next = stall->token + 1U;
	}
	return TR_OK;
}

struct timing_room {
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_run runs[TR_BLOCK_MAX_TOKENS * TR_TOKEN_MAX_RUNS];
};

static int decode_delay(struct tr_bytes *in, struct tr_delays *delays,
			uint32_t commit_width)
{
	struct tr_run runs[TR_TOKEN_MAX_RUNS];
	uint64_t head = tr_varint_below(in, (TR_TOKEN_MAX_RUNS + 1) << 1);
	struct tr_delay delay = {.runs = runs, .nruns = (uint32_t)(head >> 1)};
	if (head & 1)
		delay.cycles = tr_varint_below(in, TR_MAX_CYCLES);
	for (uint32_t i = 0; i < delay.nruns; i++) {
		runs[i].class = (uint8_t)tr_varint_below(in, TR_MAX_CLASSES);
		runs[i].slots = (uint32_t)tr_varint_below(in, UINT32_MAX);
	}
	if (!(head & 1))
		delay.cycles = 1 + tr_runs_slots(runs, delay.nruns);
	if (in->bad || !tr_runs_good(runs, delay.nruns, delay.cycles, commit_width))
		return TR_E_CORRUPT;
	return tr_delays_add(delays, &delay);
}

/* Decodes one stall, at or after token `*next`, and advances `*next`; sets *more if
 * another one follows. Returns a status. */
static int decode_stall(struct tr_bytes *columns, struct tr_delays *delays,
			struct timing_room *room, struct tr_timing *timing,
			unsigned *next, bool *more, uint32_t commit_width)
{
	uint64_t place =
	    tr_varint_below(&columns[STALLS], (TR_BLOCK_MAX_TOKENS - *next) << 1);
	uint64_t id = tr_varint(&columns[DELAYS]);
	if (columns[STALLS].bad || columns[DELAYS].bad || id > delays->count)
		return TR_E_CORRUPT;
	if (id == delays->count) {
		int status = decode_delay(&columns[NEW_DELAYS], delays, commit_width);
		if (status)
			return status;
	}
	const struct tr_delay *delay = &delays->list[id];
	struct tr_stall *stall = &room->stalls[timing->nstalls++];
	*stall = (struct tr_stall){.token = (uint16_t)(*next + (place >> 1)),
				   .cycles = delay->cycles,
				   .first_run = timing->nruns,
				   .nruns = (uint16_t)delay->nruns};
	for (uint32_t i = 0; i < delay->nruns; i++)
		room->runs[timing->nruns++] = delay->runs[i];
	*next = stall->token + 1U;
	*more = place & 1;
	return TR_OK;
}

static int decode_timing(struct tr_bytes *columns, struct tr_dictionary *dictionary,
			 struct timing_room *room, uint32_t commit_width)
{
	struct tr_timing timing = {.stalls = room->stalls, .runs = room->runs};
	unsigned next = 0;
	int status = TR_OK;
	for (bool more = true; more && !status;)
		status = decode_stall(columns, &dictionary->delays, room, &timing, &next,
				      &more, commit_width);
	if (!status)
		status = tr_dictionary_add_timing(dictionary, &timing);
	if (!status && tr_dictionary_beyond(dictionary))
		status = TR_E_CORRUPT;
	return status;
}

int tr_decode_timings(struct tr_bytes *in, struct tr_dictionary *dictionary,
		      uint32_t commit_width)
{
	struct tr_bytes columns[TR_TIMING_COLUMNS];
	int status = TR_OK;
	if (!tr_decode_columns(in, columns, TR_TIMING_COLUMNS))
		return TR_E_CORRUPT;
	if (columns[STALLS].at != columns[STALLS].end) {
		struct timing_room *room = malloc(sizeof(*room)); /* too large for the
								   * stack */
		if (!room)
			return TR_E_NOMEM;
		while (!status && columns[STALLS].at != columns[STALLS].end)
			status = decode_timing(columns, dictionary, room, commit_width);
		free(room);
	}
	if (status)
		return status;
	return tr_columns_done(columns, TR_TIMING_COLUMNS) ? TR_OK : TR_E_CORRUPT;
}
