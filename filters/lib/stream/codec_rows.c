/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: one byte for a block and timing already seen at this place.
 *
 * The byte is successor << 4 | timing index. The successor is the index of the row's
 * block among the blocks that have followed the hart's previous block, in order of first
 * use; the timing index is that of its timing among the block's timings. The value 15
 * means that the index is in another column. An index equal to the length of its list
 * appends to the list: the id follows in its own column, as 0 for the lowest unused id,
 * else id + 1. */
#include "stream/codec.h"

enum { CODES, BEYOND, BLOCK_IDS, TIMING_IDS }; /* columns */
enum { FAR = 15 };

static void put_id(struct tr_buffer *out, uint32_t id, uint32_t *lowest_new)
{
	tr_buffer_varint(out, id == *lowest_new ? 0 : (uint64_t)id + 1);
	if (id >= *lowest_new)
		*lowest_new = id + 1;
}

static int encode_row(uint8_t *code, struct tr_buffer *columns, struct tr_dictionary *d,
		      struct tr_row_state *state, uint32_t owner, struct tr_row_ids row)
{
	uint32_t follower = tr_dictionary_follower(d, owner, row.block);
	uint32_t rhythm = tr_dictionary_rhythm(d, row.block, row.timing);
	bool new_follower = follower == d->history[owner].followers.count;
	bool new_rhythm = rhythm == d->history[row.block + 1].rhythms.count;
	int status = TR_OK;

	*code = (uint8_t)((follower < FAR ? follower : FAR) << 4 |
			  (rhythm < FAR ? rhythm : FAR));
	if (follower >= FAR)
		tr_buffer_varint(&columns[BEYOND], follower - FAR);
	if (rhythm >= FAR)
		tr_buffer_varint(&columns[BEYOND], rhythm - FAR);
	if (new_follower) {
		put_id(&columns[BLOCK_IDS], row.block, &state->new_block);
		status = tr_dictionary_add_follower(d, owner, row.block, true);
	}
	if (new_rhythm && !status) {
		put_id(&columns[TIMING_IDS], row.timing, &state->new_timing);
		status = tr_dictionary_add_rhythm(d, row.block, row.timing, true);
	}
	return status;
}

/* Fast path: encodes rows while block and timing are in inline storage. All its state
 * fits in registers. Returns the number of rows encoded. */
static uint32_t encode_near(uint8_t *codes, const struct tr_dictionary *d,
			    uint32_t *owner, const struct tr_row_ids *rows,
			    uint32_t count)
{
	const struct tr_history *const places = d->history, *place = &places[*owner];
	uint32_t i;
	for (i = 0; i < count; i++) {
		const struct tr_history *next = &places[rows[i].block + 1];
		unsigned follower = tr_list_near(&place->followers, rows[i].block);
		unsigned rhythm = tr_list_near(&next->rhythms, rows[i].timing);
		if (follower == TR_LIST_NEAR || rhythm == TR_LIST_NEAR)
			break;
		codes[i] = (uint8_t)(follower << 4 | rhythm);
		place = next;
	}
	*owner = (uint32_t)(place - places);
	return i;
}

int tr_encode_rows(struct tr_buffer *columns, struct tr_dictionary *d,
		   struct tr_row_state *state, uint32_t *owner,
		   const struct tr_row_ids *rows, uint32_t count)
{
	uint8_t *codes = tr_buffer_room(&columns[CODES], count);
	if (!codes && count)
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < count; i++) {
		i += encode_near(&codes[i], d, owner, &rows[i], count - i);
		if (i == count)
			break;
		int status = encode_row(&codes[i], columns, d, state, *owner, rows[i]);
		if (status)
			return status;
		*owner = rows[i].block + 1;
	}
	columns[CODES].size += count;
	return TR_OK;
}

static uint32_t get_id(struct tr_bytes *in, uint32_t *lowest_new, size_t count)
{
	uint64_t code = tr_varint(in);
	uint64_t id = code ? code - 1 : *lowest_new;
	if (id >= count || id == TR_MAP_NONE) {
		in->bad = true;
		return 0;
	}
	if (id >= *lowest_new)
		*lowest_new = (uint32_t)id + 1;
	return (uint32_t)id;
}

static int new_follower(struct tr_bytes *in, struct tr_dictionary *d,
			struct tr_row_state *state, uint32_t owner, uint32_t *block)
{
	*block = get_id(in, &state->new_block, d->nblocks);
	if (in->bad)
		return TR_E_CORRUPT;
	return tr_dictionary_add_follower(d, owner, *block, false);
}

static int new_rhythm(struct tr_bytes *in, struct tr_dictionary *d,
		      struct tr_row_state *state, uint32_t block, uint32_t *timing)
{
	*timing = get_id(in, &state->new_timing, d->ntimings);
	if (in->bad || !tr_timing_fits(&d->timings[*timing], &d->blocks[block]))
		return TR_E_CORRUPT;
	return tr_dictionary_add_rhythm(d, block, *timing, false);
}

static int decode_row(unsigned code, struct tr_bytes *columns, struct tr_dictionary *d,
		      struct tr_row_state *state, uint32_t *owner, struct tr_row *row)
{
	uint64_t follower = code >> 4, rhythm = code & FAR;
	if (follower == FAR)
		follower += tr_varint_below(&columns[BEYOND], UINT32_MAX);
	if (rhythm == FAR)
		rhythm += tr_varint_below(&columns[BEYOND], UINT32_MAX);
	const struct tr_list *followers = &d->history[*owner].followers;
	if (follower > followers->count || columns[BEYOND].bad)
		return TR_E_CORRUPT;
	if (follower < followers->count) {
		row->block = tr_list_id(d, followers, follower);
	} else {
		int status =
		    new_follower(&columns[BLOCK_IDS], d, state, *owner, &row->block);
		if (status)
			return status;
	}
	*owner = row->block + 1;
	const struct tr_list *rhythms = &d->history[*owner].rhythms;
	if (rhythm > rhythms->count)
		return TR_E_CORRUPT;
	if (rhythm == rhythms->count)
		return new_rhythm(&columns[TIMING_IDS], d, state, row->block,
				  &row->timing);
	row->timing = tr_list_id(d, rhythms, rhythm);
	return TR_OK;
}

/* Common case: block and timing are both in the lists. Returns false, and changes
 * nothing, otherwise. */
static inline bool decode_known(unsigned code, const struct tr_dictionary *d,
				uint32_t *owner, struct tr_row *row)
{
	unsigned follower = code >> 4, rhythm = code & FAR;
	const struct tr_list *followers = &d->history[*owner].followers;
	if (follower == FAR || rhythm == FAR || follower >= followers->count)
		return false;
	uint32_t block = tr_list_id(d, followers, follower);
	const struct tr_list *rhythms = &d->history[block + 1].rhythms;
	if (rhythm >= rhythms->count)
		return false;
	row->block = block;
	row->timing = tr_list_id(d, rhythms, rhythm);
	*owner = block + 1;
	return true;
}

/* Rows decoded between checks of their sums: they add less than 2^62 cycles. */
enum { DECODED_AT_ONCE = 32 };

struct row_sums {
	uint64_t tokens, cycles;
};

static inline struct tr_row row_of(uint32_t block, uint32_t timing, uint32_t tokens,
				   int64_t extra)
{
	return (struct tr_row){.block = block,
			       .timing = timing,
			       .tokens = tokens,
			       .cycles = tokens + (uint64_t)extra};
}

/* Fast path: decodes up to `count` rows while block and timing are in inline storage. All
 * its state fits in registers. Returns the row after the last one decoded. */
static struct tr_row *decode_near(struct tr_bytes *in, const struct tr_dictionary *d,
				  uint32_t *owner, struct tr_row *row, uint32_t count,
				  struct row_sums *sums)
{
	const struct tr_history *const places = d->history, *place = &places[*owner];
	const uint16_t *const tokens = d->tokens;
	const int64_t *const extras = d->extras;
	const uint8_t *at = in->at, *end = in->end;
	struct row_sums now = {0};
	if ((size_t)(end - at) > count)
		end = at + count;
	for (; at < end; at++, row++) {
		uint32_t code = *at, follower = code >> 4, rhythm = code & 1;
		if (code & ~0x11U)
			break;
		/* A missing successor leads to entry 0, which has no timings. */
		uint32_t block = place->followers.near[follower];
		const struct tr_history *next = &places[block + 1];
		uint32_t timing = next->rhythms.near[rhythm];
		if (timing == TR_MAP_NONE)
			break;
		*row = row_of(block, timing, tokens[block], extras[timing]);
		now.tokens += row->tokens;
		now.cycles += row->cycles;
		place = next;
	}
	in->at = at;
	*owner = (uint32_t)(place - places);
	sums->tokens += now.tokens;
	sums->cycles += now.cycles;
	return row;
}

int tr_decode_rows(struct tr_bytes *in, struct tr_dictionary *d,
		   struct tr_row_state *state, uint32_t *owner, struct tr_row *rows,
		   uint32_t count, uint64_t *tokens, uint64_t *cycles)
{
	struct tr_bytes columns[TR_ROW_COLUMNS], *codes = &columns[CODES];
	struct row_sums sums = {0};
	struct tr_row *row = rows, *const end = rows + count;
	if (!tr_decode_columns(in, columns, TR_ROW_COLUMNS) ||
	    (size_t)(codes->end - codes->at) != count)
		return TR_E_CORRUPT;
	while (row < end) {
		uint32_t most =
		    end - row < DECODED_AT_ONCE ? (uint32_t)(end - row) : DECODED_AT_ONCE;
		row = decode_near(codes, d, owner, row, most, &sums);
		if (row < end) {
			unsigned code = *codes->at++;
			int status =
			    decode_known(code, d, owner, row)
				? TR_OK
				: decode_row(code, columns, d, state, owner, row);
			if (status)
				return status;
			*row = row_of(row->block, row->timing, d->tokens[row->block],
				      d->extras[row->timing]);
			sums.tokens += row->tokens;
			sums.cycles += row->cycles;
			row++;
		}
		if (sums.cycles > INT64_MAX)
			return TR_E_CORRUPT;
	}
	*tokens += sums.tokens;
	*cycles += sums.cycles;
	if (!tr_columns_done(columns, TR_ROW_COLUMNS) || tr_dictionary_beyond(d))
		return TR_E_CORRUPT;
	return TR_OK;
}
