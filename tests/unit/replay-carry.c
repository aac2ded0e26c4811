/* SPDX-License-Identifier: Apache-2.0 */
/* The view of a hart: wherever the frames of a trace are cut, and whether what is left
 * over is saved and loaded, its rows, events and times are those of the trace. Damaged
 * bytes and missing memory are refused. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../sim/replay/carry.h"
#include "check.h"
#include "no-memory.h"
#include "stream/writer.h"

enum { FRAMES = 40, STEPS = 60, MOST = FRAMES * STEPS };

/* The rows and events of the trace, in order. */
struct known_row {
	uint64_t start;	 /* cycle */
	uint64_t before; /* instructions */
	uint64_t sum;	 /* of its tokens */
	uint32_t tokens;
};
struct known_event {
	uint64_t row, cycles;
	uint16_t kind;
	uint8_t data; /* of a device write */
};
static struct known_row rows[MOST];
static struct known_event events[MOST];
static uint64_t commits[MOST]; /* cycle of each token */
static uint64_t nrows, nevents, ncommits;

static uint64_t seed = 1;
static unsigned draw(unsigned below)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (unsigned)((seed >> 33) % below);
}

static void write_step(struct tr_writer *w)
{
	static const uint8_t written[] = {11, 22, 33};
	struct tr_event event = {.kind = TR_EV_TRAP, .cycles = 3};

	switch (draw(9)) {
	case 0:
		event.u.trap.epc = 0x1000;
		event.u.trap.priv = TR_PRIV_M;
		CHECK_EQ(tr_writer_event(w, 0, &event), TR_OK);
		break;
	case 1:
		event = (struct tr_event){.kind = TR_EV_DEVICE_WRITE};
		event.u.write.address = 0x80000000;
		event.u.write.data = &written[draw(3)];
		event.u.write.size = 1;
		CHECK_EQ(tr_writer_event(w, 0, &event), TR_OK);
		break;
	case 2:
		CHECK_EQ(tr_writer_cut(w, 0), TR_OK);
		break;
	default:
		CHECK_EQ(tr_writer_token(w, 0, 0x1000 + 4 * draw(50),
					 0x13 | draw(20) << 20, 4,
					 draw(3) ? 1 : 1 + draw(9), NULL, 0),
			 TR_OK);
	}
}

static int write_trace(void)
{
	struct tr_header *header = tr_header_new();
	int fd = memfd_create("trace", 0);
	struct tr_writer *w;

	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){.level = 1}),
		 TR_OK);
	for (unsigned f = 0; f < FRAMES; f++) {
		for (unsigned i = 0; i < STEPS; i++)
			write_step(w);
		CHECK_EQ(tr_writer_flush(w), TR_OK);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	return fd;
}

static struct tr_reader *open_trace(int fd)
{
	struct tr_reader *reader;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_reader_open(&reader, path, 1), TR_OK);
	return reader;
}

static uint64_t sum_tokens(const struct tr_block *block, const struct tr_timing *timing)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t sum = 0;

	tr_tokens(block, timing, tokens);
	for (unsigned i = 0; i < block->tokens; i++)
		sum = sum * 31 + tokens[i].pc + (tokens[i].insn << 8) + tokens[i].cycles;
	return sum;
}

/* ------------------------------------------------------------ what is known */

static void know_row(const struct tr_reader *reader, const struct tr_row *row,
		     uint64_t *cycle)
{
	const struct tr_block *block = tr_reader_block(reader, row->block);
	const struct tr_timing *timing = tr_reader_timing(reader, row->timing);
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	rows[nrows++] =
	    (struct known_row){*cycle, ncommits, sum_tokens(block, timing), row->tokens};
	tr_tokens(block, timing, tokens);
	for (unsigned i = 0; i < row->tokens; i++)
		commits[ncommits++] = *cycle += tokens[i].cycles;
}

static void know_events(const struct tr_hart_frame *f, uint32_t *e, uint32_t row,
			uint64_t first, uint64_t *cycle)
{
	for (; *e < f->nevents && f->events[*e].row == row; ++*e) {
		const struct tr_event *event = &f->events[*e];

		events[nevents++] = (struct known_event){
		    first + row, event->cycles, event->kind,
		    event->kind == TR_EV_DEVICE_WRITE ? event->u.write.data[0] : 0};
		if (event->kind == TR_EV_TRAP)
			*cycle += event->cycles;
	}
}

static void know_trace(int fd)
{
	struct tr_reader *reader = open_trace(fd);
	const struct tr_frame *frame;
	uint64_t cycle = 0;

	while (tr_reader_next(reader, &frame) == TR_OK) {
		const struct tr_hart_frame *f = &frame->harts[0];
		uint64_t first = nrows;
		uint32_t e = 0;

		for (uint32_t row = 0; row < f->nrows; row++) {
			know_events(f, &e, row, first, &cycle);
			know_row(reader, &f->rows[row], &cycle);
		}
		know_events(f, &e, f->nrows, first, &cycle);
		CHECK_EQ(cycle, f->end_cycle);
	}
	CHECK(nrows > 400 && nevents > 200);
	tr_reader_close(reader);
}

/* Returns the number of the first known event at or behind a row. */
static uint64_t known_event_at(uint64_t row)
{
	uint64_t e = 0;

	while (e < nevents && events[e].row < row)
		e++;
	return e;
}

/* ------------------------------------------------------------ views */

/* Checks that the view begins at a row of the trace, and all that is in it. */
static void check_view(const struct carry *c, uint64_t first)
{
	const struct tr_hart_frame *f = carry_view(c);
	uint64_t e = known_event_at(first);

	CHECK_EQ(carry_number(c, 0), first);
	for (uint32_t row = 0; row < f->nrows; row++) {
		const struct known_row *known = &rows[first + row];

		CHECK_EQ(carry_row(c, row)->tokens, known->tokens);
		CHECK_EQ(sum_tokens(carry_block(c, row), carry_timing(c, row)),
			 known->sum);
		CHECK_EQ(carry_offset(carry_block(c, row), known->tokens),
			 carry_block(c, row)->bytes);
		CHECK_EQ(carry_cycle_at(c, known->before), commits[known->before]);
	}
	for (uint32_t i = 0; i < f->nevents; i++, e++) {
		CHECK_EQ(first + f->events[i].row, events[e].row);
		CHECK_EQ(f->events[i].kind, events[e].kind);
		CHECK_EQ(f->events[i].cycles, events[e].cycles);
		if (f->events[i].kind == TR_EV_DEVICE_WRITE)
			CHECK_EQ(f->events[i].u.write.data[0], events[e].data);
	}
}

/* Every third row has a note of its own. */
static const struct tr_note *note_row(void *user, uint32_t row)
{
	static struct tr_note note;
	const struct carry *c = user;

	note.binary = (uint32_t)carry_number(c, row);
	return note.binary % 3 ? NULL : &note;
}

static void check_notes(const struct carry *c)
{
	for (uint32_t row = 0; row < carry_view(c)->nrows; row++) {
		uint64_t number = carry_number(c, row);

		if (carry_note(c, row))
			CHECK_EQ(carry_note(c, row)->binary,
				 number % 3 ? TR_NOTE_UNKNOWN : number);
	}
}

static struct carry_cut cut_at(struct carry *c, uint32_t row)
{
	uint64_t number = carry_number(c, row);
	bool is_end = number == nrows;
	struct carry_cut cut = {.row = row, .note = note_row, .user = c};

	cut.event =
	    (uint32_t)(known_event_at(number) - known_event_at(carry_number(c, 0)));
	cut.instret = is_end ? ncommits : rows[number].before;
	/* The time of a view is that before the events at its first row. */
	cut.cycle = is_end ? 0 : rows[number].start;
	for (uint64_t e = known_event_at(number); e < nevents && events[e].row == number;
	     e++)
		if (events[e].kind == TR_EV_TRAP)
			cut.cycle -= events[e].cycles;
	return cut;
}

static struct tr_buffer put_carry(const struct carry *c)
{
	struct tr_buffer out = {0};

	carry_put_bounds(c, &out);
	CHECK_EQ(carry_put_rest(c, &out), TR_OK);
	return out;
}

static int load_carry(struct carry *c, const uint8_t *data, size_t size)
{
	struct tr_bytes in = {.at = data, .end = data + size};

	carry_load_bounds(c, &in);
	return carry_load_rest(c, &in);
}

/* Replaces what is left over by what was saved of it. */
static void reload(struct carry *c, const struct tr_reader *reader)
{
	struct tr_buffer saved = put_carry(c);
	uint64_t number = carry_number(c, 0), instret = carry_instret(c);

	carry_clear(c);
	carry_create(c, reader);
	CHECK_EQ(load_carry(c, saved.data, saved.size), TR_OK);
	carry_skip(c, (uint32_t)number);
	carry_count(c, instret);
	tr_buffer_free(&saved);
}

static void cuts(int fd, bool reloads)
{
	struct tr_reader *reader = open_trace(fd);
	const struct tr_frame *frame;
	struct carry c;
	uint64_t first = 0;

	carry_create(&c, reader);
	while (tr_reader_next(reader, &frame) == TR_OK) {
		CHECK(carry_add(&c, &frame->harts[0]));
		check_view(&c, first);
		if (!reloads)
			check_notes(&c);
		uint32_t row = carry_view(&c)->nrows;
		if (draw(2))
			row = draw(row + 1);
		struct carry_cut cut = cut_at(&c, row);
		CHECK(carry_retain(&c, &cut));
		first += row;
		if (reloads)
			reload(&c, reader);
		check_view(&c, first);
	}
	carry_clear(&c);
	CHECK_EQ(carry_view(&c)->nrows + carry_view(&c)->nevents, 0);
	tr_reader_close(reader);
}

/* Enters each row of the first frame. */
static void enters(int fd)
{
	struct tr_reader *reader = open_trace(fd);
	const struct tr_frame *frame;

	CHECK_EQ(tr_reader_next(reader, &frame), TR_OK);
	for (uint32_t row = 0; row < frame->harts[0].nrows; row++) {
		struct carry c;

		carry_create(&c, reader);
		CHECK(carry_enter(&c, &frame->harts[0], row,
				  (uint32_t)known_event_at(row), row));
		carry_count(&c, rows[row].before);
		check_view(&c, row);
		carry_clear(&c);
	}
	tr_reader_close(reader);
}

/* ------------------------------------------------------------ trouble */

/* Leaves all of a frame over. */
static bool retain_frame(struct carry *c, const struct tr_hart_frame *frame)
{
	struct carry_cut cut = {.note = note_row, .user = c};

	return carry_add(c, frame) && carry_retain(c, &cut) && carry_add(c, frame);
}

static void little_memory(int fd)
{
	struct tr_reader *reader = open_trace(fd);
	const struct tr_frame *frame;
	struct carry c;
	bool done = false;

	CHECK_EQ(tr_reader_next(reader, &frame), TR_OK);
	for (unsigned long n = 1; !done; n++) {
		carry_create(&c, reader);
		memory_fail_at(n);
		done = retain_frame(&c, &frame->harts[0]);
		CHECK_EQ(done, !memory_failed);
		carry_clear(&c);
	}
	memory_fail_at(0);
	tr_reader_close(reader);
}

/* Loads from memory of just this size. Returns the status. */
static int load_damaged(struct carry *c, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + !size);

	memcpy(copy, data, size);
	int status = load_carry(c, copy, size);
	const struct tr_hart_frame *f = carry_view(c);
	CHECK(status == TR_OK || status == TR_E_CORRUPT || status == TR_E_UNSUPPORTED);
	for (uint32_t e = 0; e < f->nevents && !status; e++)
		CHECK(f->events[e].row <= f->nrows);
	carry_clear(c);
	free(copy);
	return status;
}

static void damage(int fd)
{
	struct tr_reader *reader = open_trace(fd);
	struct carry_cut cut = {.note = note_row};
	const struct tr_frame *frame;
	struct carry c, other;

	/* A frame whose last event is behind its last row. */
	do
		CHECK_EQ(tr_reader_next(reader, &frame), TR_OK);
	while (frame->harts[0].events[frame->harts[0].nevents - 1].row !=
	       frame->harts[0].nrows);
	carry_create(&c, reader);
	carry_create(&other, reader);
	cut.user = &c;
	CHECK(carry_add(&c, &frame->harts[0]) && carry_retain(&c, &cut));
	struct tr_buffer saved = put_carry(&c);
	for (size_t at = 0; at < saved.size; at++) {
		CHECK_EQ(load_damaged(&other, saved.data, at), TR_E_CORRUPT);
		for (unsigned i = 0; i < 3; i++) {
			uint8_t was = saved.data[at];

			saved.data[at] =
			    (uint8_t)(was + (const unsigned[]){1, 255, draw(256)}[i]);
			load_damaged(&other, saved.data, saved.size);
			saved.data[at] = was;
		}
	}
	tr_buffer_free(&saved);
	carry_clear(&c);
	tr_reader_close(reader);
}

/* A saved row whose timing stalls a token that its block does not have. */
static void timing_of_another_row(int fd)
{
	struct tr_reader *reader = open_trace(fd);
	struct carry_cut cut = {.note = note_row};
	const struct tr_frame *frame;
	struct carry c, other;
	uint32_t row = 0;

	CHECK_EQ(tr_reader_next(reader, &frame), TR_OK);
	carry_create(&c, reader);
	carry_create(&other, reader);
	cut.user = &c;
	CHECK(carry_add(&c, &frame->harts[0]) && carry_retain(&c, &cut));
	while (row < c.nretained && c.retained[row].timing.nstalls == 0)
		row++;
	CHECK(row < c.nretained);
	struct retained *retained = &c.retained[row];
	struct tr_stall *last =
	    (struct tr_stall *)&retained->timing.stalls[retained->timing.nstalls - 1];
	last->token = retained->block.tokens;
	struct tr_buffer saved = put_carry(&c);
	CHECK_EQ(load_damaged(&other, saved.data, saved.size), TR_E_CORRUPT);
	tr_buffer_free(&saved);
	carry_clear(&c);
	tr_reader_close(reader);
}

int main(void)
{
	int fd = write_trace();

	know_trace(fd);
	for (unsigned i = 0; i < 5; i++)
		cuts(fd, i % 2);
	enters(fd);
	little_memory(fd);
	damage(fd);
	timing_of_another_row(fd);
	close(fd);
	return check_done();
}
