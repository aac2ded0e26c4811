/* SPDX-License-Identifier: Apache-2.0 */
#include "save.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "model/load.h"
#include "model/state.h"
#include "run/checkpoint.h"
#include "stream/codec.h"

enum { RETAINED_MAX = 1 << 22, EVENTS_MAX = 1 << 22, PAGE = 4096, TABLE_WORDS = 8 };

/* ------------------------------------------------------------ saving */

/* As text, which a checkpoint has as well. */
static int put_hart_registers(const struct replay *r, unsigned hart,
			      struct tr_buffer *out)
{
	struct tr_header *keys = tr_header_new();
	struct soc_state state;
	char *text = NULL;
	size_t size = 0;

	soc_get_state(r->soc, hart, &state);
	if (keys && checkpoint_put_state(keys, &state, soc_get_features(r->soc)) == TR_OK)
		text = tr_header_format(keys, &size);
	if (text)
		tr_buffer_sized(out, text, size);
	free(text);
	tr_header_free(keys);
	return text ? TR_OK : TR_E_NOMEM;
}

/* A row with its block and timing, which are not in the dictionary any more. */
static int put_retained(const struct retained *retained, struct tr_buffer *out)
{
	struct tr_buffer blocks[TR_BLOCK_COLUMNS] = {{0}};
	struct tr_buffer timings[TR_TIMING_COLUMNS] = {{0}};
	struct tr_expected expected = {.count = 0};
	struct tr_delays delays = {.count = 0};
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_timing timing = {.stalls = stalls, .nstalls = retained->timing.nstalls};
	int status = TR_OK;

	for (uint32_t i = 0; i < timing.nstalls; i++)
		stalls[i] = (struct tr_stall){.cycles = retained->timing.stalls[i].cycles,
					      .token = retained->timing.stalls[i].token};
	tr_encode_block(blocks, &expected, &retained->block);
	tr_encode_columns(out, TR_SECTION_BLOCKS, blocks, TR_BLOCK_COLUMNS);
	if (timing.nstalls)
		status = tr_encode_timing(timings, &delays, &timing);
	tr_buffer_varint(out, timing.nstalls != 0);
	tr_encode_columns(out, TR_SECTION_TIMINGS, timings, TR_TIMING_COLUMNS);
	tr_columns_free(blocks, TR_BLOCK_COLUMNS);
	tr_columns_free(timings, TR_TIMING_COLUMNS);
	tr_delays_free(&delays);
	return status;
}

/* Events that a replay ignores lose what they point to. */
static void put_lane_event(const struct tr_event *event, struct tr_buffer *out)
{
	struct tr_event_state state = {.last_row = 0};
	struct tr_event copy = *event;

	if (copy.kind == TR_EV_TRAP)
		copy.u.trap.nruns = 0;
	if (copy.kind == TR_EV_COUNTERS || copy.kind == TR_EV_MARK ||
	    (copy.kind > TR_EV_REGISTERS && !tr_event_is_input(copy.kind))) {
		copy.kind = TR_EV_MARK;
		copy.u.raw.data = NULL;
		copy.u.raw.size = 0;
	}
	tr_encode_event(out, &copy, &state);
}

/* The lane is as lane_retain() leaves it: places count from the model's row. */
static int put_lane(const struct lane *l, struct tr_buffer *out)
{
	const struct tr_hart_frame *f = &l->view;
	const struct tr_context *context = &l->clock.context;
	int status = TR_OK;

	tr_buffer_varint(out, l->begun);
	if (!l->begun)
		return TR_OK;
	tr_buffer_varint(out, l->seeks_pc);
	tr_buffer_varint(out, f->start_cycle);
	tr_buffer_varint(out, f->end_cycle);
	tr_buffer_varint(out, context->satp); /* the model has no hgatp */
	tr_buffer_varint(out, context->tp);
	tr_buffer_varint(out, context->space);
	tr_buffer_varint(out, context->priv);
	tr_buffer_varint(out, l->run.cycle);
	tr_buffer_varint(out, l->run.token);
	tr_buffer_varint(out, l->replay->harts > 1 ? l->run.timed : 0);
	compare_put_place(l, out);
	inputs_put(l, out);
	compare_put_late(l, out);
	tr_buffer_varint(out, l->nretained);
	for (uint32_t i = 0; i < l->nretained && !status; i++)
		status = put_retained(&l->retained[i], out);
	tr_buffer_varint(out, f->nevents);
	for (uint32_t i = 0; i < f->nevents; i++)
		put_lane_event(&f->events[i], out);
	return status;
}

/* For each page with code that a hart may have fetched: its number less that of the
 * previous one, and its lines. */
static void put_page(const struct replay *r, uint64_t address, uint64_t *last,
		     struct tr_buffer *out)
{
	const struct soc_code_lines lines = soc_code_lines(r->soc, address);

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
	const struct soc_table_entries entries = soc_table_entries(r->soc, address);

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
	uint64_t end = SOC_RAM_BASE + soc_image(r->soc)->size, last = SOC_RAM_BASE;

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

	if (!is_used_and_written(olds->r->soc, address) ||
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
	uint64_t end = SOC_RAM_BASE + soc_image(r->soc)->size, last = SOC_RAM_BASE;

	for (uint64_t at = last; at < end; at += PAGE)
		put_page(r, at, &last, out);
	for (unsigned i = 0; i < 3; i++)
		tr_buffer_varint(out, 0);
	put_page_tables(r, out);
	for (unsigned i = 0; i < r->harts; i++) {
		struct olds olds = {.r = r, .out = out};

		old_code_each(&r->lanes[i], put_old, &olds);
		tr_buffer_varint(out, 0);
		tr_map_free(&olds.put);
	}
}

int replay_save(const struct replay *r, struct tr_buffer *out)
{
	const struct replay_counts *c = &r->counts;
	const uint64_t counts[] = {
	    c->instructions, c->traps,	c->interrupts,	    c->loads,  c->csrs,
	    c->atomics,	     c->writes, c->written,	    c->hashes, c->old_code,
	    c->windows,	     c->before, c->old_translations};
	int status = TR_OK;

	tr_buffer_varint(out, r->latest);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		tr_buffer_varint(out, counts[i]);
	for (unsigned i = 0; i < r->harts && !status; i++) {
		status = put_hart_registers(r, i, out);
		if (!status)
			status = put_lane(&r->lanes[i], out);
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
	    !checkpoint_get_state(keys, &state, soc_get_features(r->soc))) {
		soc_set_state(r->soc, hart, &state);
		status = TR_OK;
	}
	tr_header_free(keys);
	return status;
}

/* Decodes a section that must be of this kind. */
static int load_dictionary(struct tr_bytes *in, unsigned kind, struct tr_dictionary *d)
{
	struct tr_bytes body;
	unsigned found;
	bool must;

	if (!tr_decode_section(in, &found, &must, &body) || found != kind)
		return TR_E_CORRUPT;
	return kind == TR_SECTION_BLOCKS ? tr_decode_blocks(&body, d)
					 : tr_decode_timings(&body, d, 1);
}

static int load_retained(struct retained *retained, struct tr_bytes *in,
			 struct tr_dictionary *d)
{
	int status = tr_dictionary_reset(d);

	if (!status)
		status = load_dictionary(in, TR_SECTION_BLOCKS, d);
	uint64_t has_timing = tr_varint_below(in, 2);
	if (!status && has_timing)
		status = load_dictionary(in, TR_SECTION_TIMINGS, d);
	if (status || in->bad)
		return status ? status : TR_E_CORRUPT;
	if (d->nblocks != 1 || d->ntimings != 1 + has_timing ||
	    !tr_timing_fits(&d->timings[has_timing], &d->blocks[0]))
		return TR_E_CORRUPT;
	return lane_copy_row(retained, &d->blocks[0], &d->timings[has_timing])
		   ? TR_OK
		   : TR_E_NOMEM;
}

static int load_rows(struct lane *l, struct tr_bytes *in)
{
	uint64_t n = tr_varint_below(in, RETAINED_MAX);
	int status = TR_OK;

	if (in->bad || n > (uint64_t)(in->end - in->at))
		return TR_E_CORRUPT;
	l->retained = calloc(n + 1, sizeof(*l->retained));
	struct tr_dictionary *d = calloc(1, sizeof(*d));
	l->nretained = l->retained ? (uint32_t)n : 0;
	if (!l->retained || !d)
		status = TR_E_NOMEM;
	for (uint64_t i = 0; i < n && !status; i++)
		status = load_retained(&l->retained[i], in, d);
	if (d)
		tr_dictionary_free(d);
	free(d);
	return status;
}

static int load_event(const struct lane *l, struct tr_event *event, struct tr_bytes *in,
		      struct tr_arena *arena)
{
	static const struct tr_counters none;
	struct tr_event_state state = {.counters = &none};
	struct tr_event read;
	int status = tr_decode_event(in, &read, &state, arena, 1);

	if (status)
		return status;
	if (read.row > l->nretained ||
	    read.token >=
		(read.row < l->nretained ? l->retained[read.row].row.tokens : 1U))
		return TR_E_CORRUPT;
	return lane_copy_event(event, &read) ? TR_OK : TR_E_NOMEM;
}

static int load_events(struct lane *l, struct tr_bytes *in)
{
	uint64_t n = tr_varint_below(in, EVENTS_MAX);
	struct tr_arena arena = {.total = 0};
	int status = TR_OK;

	if (in->bad || n > (uint64_t)(in->end - in->at))
		return TR_E_CORRUPT;
	l->events = calloc(n + 1, sizeof(*l->events));
	if (!l->events)
		return TR_E_NOMEM;
	l->view.events = l->events;
	for (uint64_t i = 0; i < n && !status; i++) {
		l->view.nevents = (uint32_t)i + 1;
		status = load_event(l, &l->events[i], in, &arena);
		if (i && l->events[i].row < l->events[i - 1].row)
			status = TR_E_CORRUPT;
	}
	tr_arena_reset(&arena);
	return status;
}

/* Takes up the model's place, if it is consistent with the rows that are left. */
static bool restore_place(struct lane *l)
{
	unsigned bytes = 0;

	if (l->run.timed > l->view.nevents || !inputs_are_good(l))
		return false;
	if (l->run.token == 0)
		return compare_restore(l, 0, 0);
	if (l->nretained == 0 || l->run.token >= l->retained[0].row.tokens)
		return false;
	for (unsigned i = 0; i < l->run.token; i++)
		bytes += (l->retained[0].block.code[bytes] & 3) == 3 ? 4 : 2;
	return compare_restore(l, l->run.token, bytes);
}

static int load_lane(struct lane *l, struct tr_bytes *in)
{
	if (!lane_reset(l, l->replay, l->number))
		return TR_E_NOMEM;
	old_code_begin_within(l);
	compare_load_satp(l);
	l->begun = tr_varint_below(in, 2);
	if (!l->begun)
		return in->bad ? TR_E_CORRUPT : TR_OK;
	l->seeks_pc = tr_varint_below(in, 2);
	l->view.start_cycle = tr_varint_below(in, INT64_MAX);
	l->view.end_cycle = tr_varint_below(in, INT64_MAX);
	l->view.start.satp = tr_varint(in);
	l->view.start.tp = tr_varint(in);
	l->view.start.space = (uint32_t)tr_varint_below(in, UINT32_MAX);
	l->view.start.priv = (uint8_t)tr_varint_below(in, 16);
	l->run.cycle = tr_varint_below(in, INT64_MAX);
	l->run.token = (uint16_t)tr_varint_below(in, TR_BLOCK_MAX_TOKENS);
	l->run.timed = (uint32_t)tr_varint_below(in, UINT32_MAX);
	compare_load_place(l, in);
	inputs_load(l, in);
	compare_load_late(l, in);
	int status = in->bad ? TR_E_CORRUPT : load_rows(l, in);
	if (!status)
		status = load_events(l, in);
	if (status || in->bad || !restore_place(l))
		return status ? status : TR_E_CORRUPT;
	l->view.nrows = l->nretained;
	l->run.instret = soc_instret(l->replay->soc, l->number);
	l->instret = l->run.instret - l->run.token;
	inputs_start(l);
	old_code_start(l);
	l->clock.cycle = l->view.start_cycle;
	l->clock.context = l->view.start;
	return TR_OK;
}

static int load_tables(struct replay *r, struct tr_bytes *in)
{
	uint64_t pages = soc_image(r->soc)->size / PAGE, page = 0, more;

	while ((more = tr_varint_below(in, pages + 1)) != 0) {
		struct soc_table_entries entries = {.known = true};

		page += more - 1;
		for (unsigned i = 0; i < TABLE_WORDS; i++)
			entries.written[i] = tr_varint(in);
		if (in->bad || page >= pages)
			return TR_E_CORRUPT;
		soc_set_table_entries(r->soc, SOC_RAM_BASE + page * PAGE, &entries);
	}
	return in->bad ? TR_E_CORRUPT : TR_OK;
}

static int load_code(struct replay *r, struct tr_bytes *in)
{
	uint64_t pages = soc_image(r->soc)->size / PAGE, page = 0, address;
	struct soc_code_lines lines;

	do {
		page += tr_varint_below(in, pages);
		lines.fetched = tr_varint(in);
		lines.written = tr_varint(in);
		if (in->bad || page >= pages)
			return TR_E_CORRUPT;
		soc_set_code_lines(r->soc, SOC_RAM_BASE + page * PAGE, lines);
	} while (lines.fetched || lines.written);
	if (load_tables(r, in))
		return TR_E_CORRUPT;
	for (unsigned i = 0; i < r->harts; i++)
		while ((address = tr_varint(in)) != 0)
			old_code_add(&r->lanes[i], address & ~UINT64_C(7), tr_varint(in));
	return in->bad ? TR_E_CORRUPT : TR_OK;
}

int replay_load(struct replay *r, struct tr_bytes *in)
{
	struct replay_counts *c = &r->counts;
	uint64_t *const counts[] = {
	    &c->instructions, &c->traps,  &c->interrupts,      &c->loads,  &c->csrs,
	    &c->atomics,      &c->writes, &c->written,	       &c->hashes, &c->old_code,
	    &c->windows,      &c->before, &c->old_translations};
	int status = TR_OK;

	r->latest = tr_varint(in);
	for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++)
		*counts[i] = tr_varint(in);
	for (unsigned i = 0; i < r->harts && !status; i++) {
		status = load_registers(r, i, in);
		if (!status)
			status = load_lane(&r->lanes[i], in);
	}
	if (!status)
		status = load_code(r, in);
	replay_continue(r);
	if (!status && (in->bad || in->at != in->end))
		status = TR_E_CORRUPT;
	return status;
}
