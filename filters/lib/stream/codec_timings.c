/* SPDX-License-Identifier: Apache-2.0 */
/* Timing definitions: which tokens stall, with which delays; and new delays. */
#include <stdlib.h>

#include "stream/codec.h"

enum { STALLS, DELAYS, NEW_DELAYS, SAME_CYCLE }; /* columns */

/* Tokens in a value of the column SAME_CYCLE; above them in the first value of a timing
 * is whether it has stalls, and in each whether another value follows. */
enum { SAME_BITS = 60 };

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

/* Commits in the same cycle as the token before, which costs a bit. */
static bool is_same_cycle(const struct tr_stall *stall)
{
	return !stall->cycles && !stall->nruns;
}

int tr_encode_wide_timing(struct tr_buffer *columns, struct tr_delays *delays,
			  const struct tr_timing *timing)
{
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	uint64_t same[TR_BLOCK_MAX_TOKENS / SAME_BITS + 1] = {0};
	struct tr_timing rest = {.stalls = stalls, .runs = timing->runs};
	unsigned values = 1;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		const unsigned value = stall->token / SAME_BITS;
		if (!is_same_cycle(stall)) {
			stalls[rest.nstalls++] = *stall;
			continue;
		}
		same[value] |= UINT64_C(1) << stall->token % SAME_BITS;
		values = value + 1;
	}
	tr_buffer_varint(&columns[SAME_CYCLE],
			 same[0] << 2 | (rest.nstalls ? 2U : 0U) | (values > 1));
	for (unsigned i = 1; i < values; i++)
		tr_buffer_varint(&columns[SAME_CYCLE], same[i] << 1 | (i + 1 < values));
	return rest.nstalls ? tr_encode_timing(columns, delays, &rest) : TR_OK;
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

/* Decodes the tokens that commit in the same cycle, as stalls, and whether others follow.
 * Returns their number; sets in->bad for tokens that no block has. */
static uint32_t decode_same_cycle(struct tr_bytes *in, struct tr_stall *stalls,
				  bool *has_stalls)
{
	uint64_t value = tr_varint(in);
	uint32_t count = 0;
	bool more = value & 1;
	*has_stalls = value >> 1 & 1;
	value >>= 2;
	for (unsigned first = 0;; first += SAME_BITS) {
		for (; value && !in->bad; value &= value - 1) {
			const unsigned token = first + (unsigned)__builtin_ctzll(value);
			if (token >= TR_BLOCK_MAX_TOKENS || token >= first + SAME_BITS)
				in->bad = true;
			else
				stalls[count++] =
				    (struct tr_stall){.token = (uint16_t)token};
		}
		if (!more || in->bad || first >= TR_BLOCK_MAX_TOKENS)
			break;
		value = tr_varint(in);
		more = value & 1;
		value >>= 1;
	}
	in->bad |= more;
	return count;
}

/* Merges the tokens of no cycles into the stalls of a timing, in room of their own.
 * Returns false if a token is in both. */
static bool merge_same_cycle(struct tr_timing *timing, const struct tr_stall *same,
			     uint32_t count, struct tr_stall *merged)
{
	const struct tr_stall *const stalls = timing->stalls;
	uint32_t n = 0, next = 0;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		while (next < count && same[next].token < stalls[i].token) {
			merged[n] = same[next++];
			merged[n++].first_run = stalls[i].first_run;
		}
		if (next < count && same[next].token == stalls[i].token)
			return false;
		merged[n++] = stalls[i];
	}
	while (next < count) {
		merged[n] = same[next++];
		merged[n++].first_run = timing->nruns;
	}
	timing->stalls = merged;
	timing->nstalls = n;
	return true;
}

static int decode_wide_timing(struct tr_bytes *columns, struct tr_dictionary *dictionary,
			      struct timing_room *room, uint32_t commit_width)
{
	struct tr_timing timing = {.stalls = room->stalls, .runs = room->runs};
	struct tr_stall same[TR_BLOCK_MAX_TOKENS], merged[TR_BLOCK_MAX_TOKENS];
	unsigned next = 0;
	int status = TR_OK;
	bool more;
	uint32_t count = decode_same_cycle(&columns[SAME_CYCLE], same, &more);
	if (columns[SAME_CYCLE].bad || (!count && !more))
		return TR_E_CORRUPT;
	while (more && !status)
		status = decode_stall(columns, &dictionary->delays, room, &timing, &next,
				      &more, commit_width);
	if (!status && !merge_same_cycle(&timing, same, count, merged))
		status = TR_E_CORRUPT;
	if (!status)
		status = tr_dictionary_add_timing(dictionary, &timing);
	if (!status && tr_dictionary_beyond(dictionary))
		status = TR_E_CORRUPT;
	return status;
}

int tr_decode_wide_timings(struct tr_bytes *in, struct tr_dictionary *dictionary,
			   uint32_t commit_width)
{
	struct tr_bytes columns[TR_WIDE_TIMING_COLUMNS];
	int status = TR_OK;
	if (!tr_decode_columns(in, columns, TR_WIDE_TIMING_COLUMNS))
		return TR_E_CORRUPT;
	struct timing_room *room = malloc(sizeof(*room)); /* too large for the stack */
	if (!room)
		return TR_E_NOMEM;
	while (!status && columns[SAME_CYCLE].at != columns[SAME_CYCLE].end)
		status = decode_wide_timing(columns, dictionary, room, commit_width);
	free(room);
	if (status)
		return status;
	return tr_columns_done(columns, TR_WIDE_TIMING_COLUMNS) ? TR_OK : TR_E_CORRUPT;
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
