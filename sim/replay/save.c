/* SPDX-License-Identifier: Apache-2.0 */
#include "save.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "model/load.h"
#include "model/state.h"
#include "run/checkpoint.h"

enum { PAGE = 4096, TABLE_WORDS = 8 };

/* ------------------------------------------------------------ saving */

/* As text, which a checkpoint has as well. */
static int put_hart_registers(const struct replay *r, unsigned hart,
			      struct tr_buffer *out)
{
	struct tr_header *keys = tr_header_new();
	struct soc_state state;
	char *text = NULL;
	size_t size = 0;

	soc_get_state(replay_soc(r), hart, &state);
	if (keys &&
	    checkpoint_put_state(keys, &state, soc_get_features(replay_soc(r))) == TR_OK)
		text = tr_header_format(keys, &size);
	if (text)
		tr_buffer_sized(out, text, size);
	free(text);
	tr_header_free(keys);
	return text ? TR_OK : TR_E_NOMEM;
}

/* For each page with code that a hart may have fetched: its number less that of the
 * previous one, and its lines. */
static void put_page(const struct replay *r, uint64_t address, uint64_t *last,
		     struct tr_buffer *out)
{
	const struct soc_code_lines lines = soc_code_lines(replay_soc(r), address);

	if (!lines.fetched && !lines.written)
		return;
	tr_buffer_varint(out, (address - *last) / PAGE);
	tr_buffer_varint(out, lines.fetched);
	tr_buffer_varint(out, lines.written);
	*last = address;
}

static void put_table(const struct replay *r, uint64_t address, uint64_t *last,
		      struct tr_buffer *out)
{
	const struct soc_table_entries entries =
	    soc_table_entries(replay_soc(r), address);

	if (!entries.known)
		return;
	tr_buffer_varint(out, (address - *last) / PAGE + 1);
	for (unsigned i = 0; i < TABLE_WORDS; i++)
		tr_buffer_varint(out, entries.written[i]);
	*last = address;
}

/* Pages with page tables, each with its number less that of the previous one plus 1, and
 * the entries that may have been used and written. */
static void put_page_tables(const struct replay *r, struct tr_buffer *out)
{
	uint64_t end = SOC_RAM_BASE + soc_image(replay_soc(r))->size, last = SOC_RAM_BASE;

	for (uint64_t at = last; at < end; at += PAGE)
		put_table(r, at, &last, out);
	tr_buffer_varint(out, 0);
}

/* Returns whether code, or a page-table entry, may have been used and written. */
static bool is_used_and_written(const struct soc *soc, uint64_t address)
{
	const struct soc_table_entries entries = soc_table_entries(soc, address);

	return (entries.written[address >> 9 & 7] >> (address >> 3 & 63) & 1) ||
	       (soc_code_lines(soc, address).written >> (address >> 6 & 63) & 1);
}

/* A value that memory held, unless it has been put. */
struct olds {
	const struct replay *r;
	struct tr_buffer *out;
	struct tr_map put;
};
static void put_old(void *user, uint64_t address, uint64_t value)
{
	struct olds *olds = user;
	uint64_t key = tr_mix(tr_mix(address) + value);

	if (!is_used_and_written(replay_soc(olds->r), address) ||
	    tr_map_get(&olds->put, key) != TR_MAP_NONE)
		return;
	if (!tr_map_set(&olds->put, key, 0))
		olds->out->failed = true;
	tr_buffer_varint(olds->out, address);
	tr_buffer_varint(olds->out, value);
}

/* Code and translations that harts may still use after memory has changed: pages, then
 * for each hart what memory held since its last fence. */
static void put_old_code(const struct replay *r, struct tr_buffer *out)
{
	uint64_t end = SOC_RAM_BASE + soc_image(replay_soc(r))->size, last = SOC_RAM_BASE;

	for (uint64_t at = last; at < end; at += PAGE)
		put_page(r, at, &last, out);
	for (unsigned i = 0; i < 3; i++)
		tr_buffer_varint(out, 0);
	put_page_tables(r, out);
	for (unsigned i = 0; i < replay_harts(r); i++) {
		struct olds olds = {.r = r, .out = out};

		old_code_each(replay_lane(r, i), put_old, &olds);
		tr_buffer_varint(out, 0);
		tr_map_free(&olds.put);
	}
}

int replay_save(const struct replay *r, struct tr_buffer *out)
{
	const struct replay_counts *c = replay_counts(r);
	const uint64_t counts[] = {
	    c->instructions, c->traps,	c->interrupts,	    c->loads,  c->csrs,
	    c->atomics,	     c->writes, c->written,	    c->hashes, c->old_code,
	    c->windows,	     c->before, c->old_translations};
	int status = TR_OK;

	order_put(r, out);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		tr_buffer_varint(out, counts[i]);
	for (unsigned i = 0; i < replay_harts(r) && !status; i++) {
		status = put_hart_registers(r, i, out);
		if (!status)
			status = lane_put(replay_lane(r, i), out);
	}
	put_old_code(r, out);
	return out->failed ? TR_E_NOMEM : status;
}

/* ------------------------------------------------------------ loading */

static int load_registers(struct replay *r, unsigned hart, struct tr_bytes *in)
{
	struct tr_header *keys = tr_header_new();
	uint64_t size = tr_varint(in);
	const char *text = (const char *)tr_bytes_take(in, size);
	struct soc_state state;
	int status = TR_E_CORRUPT;

	if (!keys)
		return TR_E_NOMEM;
	if (text && tr_header_parse(keys, text, size) == TR_OK &&
	    !checkpoint_get_state(keys, &state, soc_get_features(replay_soc(r)))) {
		soc_set_state(replay_soc(r), hart, &state);
		status = TR_OK;
	}
	tr_header_free(keys);
	return status;
}

static int load_tables(struct replay *r, struct tr_bytes *in)
{
	uint64_t pages = soc_image(replay_soc(r))->size / PAGE, page = 0, more;

	while ((more = tr_varint_below(in, pages + 1)) != 0) {
		struct soc_table_entries entries = {.known = true};

		page += more - 1;
		for (unsigned i = 0; i < TABLE_WORDS; i++)
			entries.written[i] = tr_varint(in);
		if (in->bad || page >= pages)
			return TR_E_CORRUPT;
		soc_set_table_entries(replay_soc(r), SOC_RAM_BASE + page * PAGE,
				      &entries);
	}
	return in->bad ? TR_E_CORRUPT : TR_OK;
}

static int load_code(struct replay *r, struct tr_bytes *in)
{
	uint64_t pages = soc_image(replay_soc(r))->size / PAGE, page = 0, address;
	struct soc_code_lines lines;

	do {
		page += tr_varint_below(in, pages);
		lines.fetched = tr_varint(in);
		lines.written = tr_varint(in);
		if (in->bad || page >= pages)
			return TR_E_CORRUPT;
		soc_set_code_lines(replay_soc(r), SOC_RAM_BASE + page * PAGE, lines);
	} while (lines.fetched || lines.written);
	if (load_tables(r, in))
		return TR_E_CORRUPT;
	for (unsigned i = 0; i < replay_harts(r); i++)
		while ((address = tr_varint(in)) != 0)
			old_code_add(lane_of_hart(r, i), address & ~UINT64_C(7),
				     tr_varint(in));
	return in->bad ? TR_E_CORRUPT : TR_OK;
}

int replay_load(struct replay *r, struct tr_bytes *in)
{
	struct replay_counts *c = lane_counts(lane_of_hart(r, 0));
	uint64_t *const counts[] = {
	    &c->instructions, &c->traps,  &c->interrupts,      &c->loads,  &c->csrs,
	    &c->atomics,      &c->writes, &c->written,	       &c->hashes, &c->old_code,
	    &c->windows,      &c->before, &c->old_translations};
	int status = TR_OK;

	order_load(r, in);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		*counts[i] = tr_varint(in);
	for (unsigned i = 0; i < replay_harts(r) && !status; i++) {
		status = load_registers(r, i, in);
		if (!status)
			status = lane_load(lane_of_hart(r, i), in);
	}
	if (!status)
		status = load_code(r, in);
	replay_continue(r);
	if (!status && (in->bad || in->at != in->end))
		status = TR_E_CORRUPT;
	return status;
}
