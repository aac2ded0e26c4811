/* SPDX-License-Identifier: Apache-2.0 */
/* Rows: one byte for a block and timing that were seen here before.
 *
 * A row is a varint: follower << 2 | rhythm. `follower` is the index of its
 * block among those that have followed the hart's last block, in order of first
 * use, and `rhythm` that of its timing among those of its block; 3 means that
 * rhythm - 3 follows as a varint. An index equal to the length of its list adds
 * to the list: the id follows, as 0 for the lowest id not used yet, else id + 1.
 */
#include "stream/codec.h"

enum { ROW_BYTES = 4 * TR_VARINT_MAX, ROWS_AT_ONCE = 64 };

static uint8_t *put_id(uint8_t *p, uint32_t id, uint32_t *lowest_new)
{
	if (id != *lowest_new) {
		p = tr_varint_put(p, (uint64_t)id + 1);
		if (id > *lowest_new)
			*lowest_new = id + 1;
		return p;
	}
	*p++ = 0;
	++*lowest_new;
	return p;
}

static int encode_row(uint8_t **at, struct tr_dictionary *dictionary,
		      struct tr_row_state *state, uint32_t owner, struct tr_row_ids row)
{
	uint8_t *p = *at;
	uint32_t follower = tr_dictionary_follower(dictionary, owner, row.block);
	uint32_t rhythm = tr_dictionary_rhythm(dictionary, row.block, row.timing);
	bool new_follower = follower == dictionary->places[owner].followers.count;
	bool new_rhythm = rhythm == dictionary->places[row.block + 1].rhythms.count;
	int status = TR_OK;

	p = tr_varint_put(p, (uint64_t)follower << 2 | (rhythm < 3 ? rhythm : 3));
	if (rhythm >= 3)
		p = tr_varint_put(p, rhythm - 3);
	if (new_follower) {
		p = put_id(p, row.block, &state->new_block);
		status = tr_dictionary_add_follower(dictionary, owner, row.block, true);
	}
	if (new_rhythm && !status) {
		p = put_id(p, row.timing, &state->new_timing);
		status =
		    tr_dictionary_add_rhythm(dictionary, row.block, row.timing, true);
	}
	*at = p;
	return status;
}

/* The common case, one of the first in both lists. False, and nothing done, in all
 * others. */
static inline bool encode_known(uint8_t **at, const struct tr_dictionary *d,
				uint32_t owner, struct tr_row_ids row)
{
	unsigned follower = tr_list_near(&d->places[owner].followers, row.block);
	unsigned rhythm = tr_list_near(&d->places[row.block + 1].rhythms, row.timing);
	if (follower == TR_LIST_NEAR || rhythm == TR_LIST_NEAR)
		return false;
	*(*at)++ = (uint8_t)(follower << 2 | rhythm);
	return true;
}

int tr_encode_rows(struct tr_buffer *out, struct tr_dictionary *dictionary,
		   struct tr_row_state *state, uint32_t *owner,
		   const struct tr_row_ids *rows, uint32_t count)
{
	int status = TR_OK;
	uint32_t last = *owner;
	for (uint32_t i = 0, end = 0; i < count && !status;) {
		end = count - i < ROWS_AT_ONCE ? count : i + ROWS_AT_ONCE;
		uint8_t *p = tr_buffer_room(out, ROWS_AT_ONCE * ROW_BYTES);
		if (!p)
			return TR_E_NOMEM;
		for (; i < end && !status; i++) {
			if (!encode_known(&p, dictionary, last, rows[i]))
				status = encode_row(&p, dictionary, state, last, rows[i]);
			last = rows[i].block + 1;
		}
		out->size = (size_t)(p - out->data);
	}
	*owner = last;
	return status;
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

static int decode_row(struct tr_bytes *in, struct tr_dictionary *d,
		      struct tr_row_state *state, uint32_t *owner, struct tr_row *row)
{
	uint64_t code = tr_varint(in);
	uint64_t rhythm = code & 3;
	if (rhythm == 3)
		rhythm += tr_varint_below(in, UINT32_MAX);
	const struct tr_list *followers = &d->places[*owner].followers;
	if (code >> 2 > followers->count || in->bad)
		return TR_E_CORRUPT;
	if (code >> 2 < followers->count) {
		row->block = tr_list_id(d, followers, code >> 2);
	} else {
		int status = new_follower(in, d, state, *owner, &row->block);
		if (status)
			return status;
	}
	*owner = row->block + 1;
	const struct tr_list *rhythms = &d->places[*owner].rhythms;
	if (rhythm > rhythms->count)
		return TR_E_CORRUPT;
	if (rhythm == rhythms->count)
		return new_rhythm(in, d, state, row->block, &row->timing);
	row->timing = tr_list_id(d, rhythms, rhythm);
	return TR_OK;
}

/* The common case, a byte for a block and timing that were seen here before.
 * False, and nothing done, in all others. */
static inline bool decode_known(struct tr_bytes *in, const struct tr_dictionary *d,
				uint32_t *owner, struct tr_row *row)
{
	if (in->at == in->end)
		return false;
	unsigned code = *in->at, follower = code >> 2, rhythm = code & 3;
	const struct tr_list *followers = &d->places[*owner].followers;
	if (code >= 0x80 || rhythm == 3 || follower >= followers->count)
		return false;
	uint32_t block = tr_list_id(d, followers, follower);
	const struct tr_list *rhythms = &d->places[block + 1].rhythms;
	if (rhythm >= rhythms->count)
		return false;
	row->block = block;
	row->timing = tr_list_id(d, rhythms, rhythm);
	*owner = block + 1;
	in->at++;
	return true;
}

/* Rows that are decoded before their sum is looked at: they add less than 2^62 cycles. */
enum { DECODED_AT_ONCE = 32 };

struct row_sums {
	uint64_t tokens, cycles;
};

static inline void add_row(const struct tr_dictionary *d, struct tr_row *row,
			   struct row_sums *sums)
{
	uint32_t tokens = d->tokens[row->block];
	uint64_t cycles = tokens + (uint64_t)d->extras[row->timing];
	row->tokens = tokens;
	row->cycles = cycles;
	sums->tokens += tokens;
	sums->cycles += cycles;
}

/* Takes the commonest rows of all, of the first two followers and the first two
 * rhythms, for as long as they come, and at most `count`. Returns the row behind them.
 * All that this takes stays in registers. */
static struct tr_row *decode_near(struct tr_bytes *in, const struct tr_dictionary *d,
				  uint32_t *owner, struct tr_row *row, uint32_t count,
				  struct row_sums *sums)
{
	const struct tr_place *const places = d->places, *place = &places[*owner];
	const uint8_t *at = in->at, *end = in->end;
	struct row_sums now = {0};
	if ((size_t)(end - at) > count)
		end = at + count;
	for (; at < end; at++, row++) {
		uint32_t code = *at, follower = code >> 2, rhythm = code & 1;
		if (code & ~5U || follower >= place->followers.count)
			break;
		row->block = place->followers.near[follower];
		const struct tr_place *next = &places[row->block + 1];
		if (rhythm >= next->rhythms.count)
			break;
		row->timing = next->rhythms.near[rhythm];
		add_row(d, row, &now);
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
	struct tr_bytes bytes = *in;
	struct row_sums sums = {0};
	struct tr_row *row = rows, *const end = rows + count;
	while (row < end) {
		uint32_t most =
		    end - row < DECODED_AT_ONCE ? (uint32_t)(end - row) : DECODED_AT_ONCE;
		row = decode_near(&bytes, d, owner, row, most, &sums);
		if (row < end) {
			int status = decode_known(&bytes, d, owner, row)
					 ? TR_OK
					 : decode_row(&bytes, d, state, owner, row);
			if (status)
				return status;
			add_row(d, row++, &sums);
		}
		if (sums.cycles > INT64_MAX)
			return TR_E_CORRUPT;
	}
	*tokens += sums.tokens;
	*cycles += sums.cycles;
	return bytes.bad || bytes.at != bytes.end ? TR_E_CORRUPT : TR_OK;
}
