/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the stream of a sampled run from a whole run of the hardware, so that the truth
 * is known: hart 0 has all of it at a cycle an instruction, and hart 1 has windows, as
 * tr-stream(5) has them.
 *
 *   cut-windows INTERVAL LENGTH OFFSET run.tr > sampled.tr
 *
 * The windows of LENGTH instructions begin at instructions OFFSET, OFFSET + INTERVAL, and
 * so on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/classes.h"
#include "stream/reader.h"
#include "stream/sp.h"
#include "stream/writer.h"

struct cut {
	const char *path;
	struct tr_reader *reader;
	struct tr_writer *writer;
	uint64_t interval, length, offset;
	uint32_t idle; /* classes of waiting, as bits */
	uint32_t width;
	/* Of the pass over the run: */
	uint64_t token; /* number of the next one */
	uint64_t cycle; /* of hart 0 */
	uint64_t sp;	/* before the next token */
	struct tr_context context;
	uint64_t skipped; /* tokens since the last window */
	bool is_inside;	  /* a window */
	bool has_begun;	  /* the first */
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "cut-windows: %s\n", what);
	exit(2);
}

static void check(int status)
{
	if (status)
		fail(tr_status_text((enum tr_status)status));
}

static void open_run(struct cut *c)
{
	if (tr_reader_open(&c->reader, c->path, 1))
		fail(c->reader ? tr_reader_message(c->reader) : "out of memory");
	c->token = c->skipped = 0;
	c->sp = 0;
	c->is_inside = c->has_begun = false;
}

static bool is_kept(const struct tr_event *event)
{
	return event->kind == TR_EV_TRAP || event->kind == TR_EV_XRET ||
	       event->kind == TR_EV_SATP || event->kind == TR_EV_PRIV ||
	       event->kind == TR_EV_HGATP ||
	       (event->kind == TR_EV_REG && event->u.reg.reg < 5);
}

static uint64_t idle_slots(const struct cut *c, const struct tr_token *token)
{
	uint64_t slots = 0;
	for (unsigned i = 0; i < token->nruns; i++)
		if (c->idle >> token->runs[i].class & 1)
			slots += token->runs[i].slots;
	return slots;
}

/* Hart 0: no event has cycles, a token has one and those of waiting. */
static void write_exact(struct cut *c, const struct tr_token *token)
{
	const uint64_t cycles = 1 + idle_slots(c, token) / c->width;
	check(tr_writer_token(c->writer, 0, token->pc, token->insn, token->bytes, cycles,
			      NULL, 0));
	c->cycle += cycles;
}

static void add_event(struct cut *c, struct tr_event event)
{
	check(tr_writer_event(c->writer, 1, &event));
}

static void begin_window(struct cut *c)
{
	const struct tr_context *x = &c->context;
	if (!c->has_begun) {
		check(tr_writer_begin(c->writer, 1, c->cycle, x));
	} else {
		add_event(c, (struct tr_event){.kind = TR_EV_GAP,
					       .must_understand = true,
					       .u.gap = {.tokens = c->skipped,
							 .reason = TR_GAP_UNTRACED}});
		add_event(c, (struct tr_event){.kind = TR_EV_SATP,
					       .must_understand = true,
					       .u.satp = {.satp = x->satp}});
		add_event(c, (struct tr_event){.kind = TR_EV_PRIV,
					       .must_understand = true,
					       .u.priv = {.priv = x->priv}});
		add_event(c, (struct tr_event){.kind = TR_EV_REG,
					       .must_understand = true,
					       .u.reg = {.reg = 4, .value = x->tp}});
	}
	add_event(c, (struct tr_event){.kind = TR_EV_REG,
				       .must_understand = true,
				       .u.reg = {.reg = 2, .value = c->sp}});
	c->has_begun = c->is_inside = true;
	c->skipped = 0;
}

/* Hart 1 */
static void write_window(struct cut *c, const struct tr_token *token)
{
	const uint64_t since = c->token - c->offset;
	if (c->token < c->offset || since % c->interval >= c->length) {
		c->is_inside = false;
		c->skipped++;
		return;
	}
	if (since % c->interval == 0)
		begin_window(c);
	check(tr_writer_token(c->writer, 1, token->pc, token->insn, token->bytes,
			      token->cycles, token->runs, token->nruns));
}

static void take_token(struct cut *c, unsigned pass, const struct tr_token *token)
{
	int64_t added;
	if (pass == 0)
		write_exact(c, token);
	else
		write_window(c, token);
	c->token++;
	if (tr_sp_adds(token->insn, &added))
		c->sp += (uint64_t)added;
}

static void take_event(struct cut *c, unsigned pass, const struct tr_event *event)
{
	struct tr_event copy = *event;
	if (event->kind == TR_EV_REG && event->u.reg.reg == 2)
		c->sp = event->u.reg.value;
	/* Time in which nothing was traced is the whole run's. */
	if (event->kind == TR_EV_GAP && pass == 0) {
		check(tr_writer_event(c->writer, 0, event));
		c->cycle += event->cycles;
	}
	if (!is_kept(event) || (pass == 1 && !c->is_inside))
		return;
	copy.token = 0;
	if (pass == 0 || event->kind != TR_EV_TRAP)
		copy.cycles = 0;
	if (pass == 0 && event->kind == TR_EV_TRAP)
		copy.u.trap.nruns = 0;
	check(tr_writer_event(c->writer, pass, &copy));
}

static void take_frame(struct cut *c, unsigned pass, const struct tr_frame *frame)
{
	static struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	struct tr_cursor cursor;
	uint32_t first, last;
	const struct tr_event *event;
	enum tr_step step;
	if (frame->nharts != 1)
		fail("the run has several harts");
	tr_cursor_init(&cursor, &frame->harts[0]);
	while ((step = tr_cursor_next(&cursor, &first, &last, &event)) != TR_STEP_END) {
		c->context = cursor.context;
		if (step == TR_STEP_EVENT) {
			take_event(c, pass, event);
			continue;
		}
		for (uint32_t i = first; i < last; i++) {
			const struct tr_row *row = &frame->harts[0].rows[i];
			const struct tr_block *block =
			    tr_reader_block(c->reader, row->block);
			tr_tokens(block, tr_reader_timing(c->reader, row->timing),
				  tokens);
			for (unsigned t = 0; t < block->tokens; t++)
				take_token(c, pass, &tokens[t]);
		}
	}
}

static void take_run(struct cut *c, unsigned pass)
{
	const struct tr_frame *frame;
	int status;
	while ((status = tr_reader_next(c->reader, &frame)) == TR_OK)
		take_frame(c, pass, frame);
	if (status != TR_END)
		fail(tr_reader_message(c->reader));
}

static void begin_stream(struct cut *c)
{
	struct tr_header *header = tr_header_copy(tr_reader_header(c->reader));
	struct tr_classes classes;
	if (!header || tr_classes_read(&classes, header))
		fail("the run has no classes");
	for (unsigned i = 1; i <= classes.count; i++)
		if (strcmp(classes.group_name[classes.group[i]], "idle") == 0)
			c->idle |= UINT32_C(1) << i;
	c->width = tr_header_commit_width(header);
	tr_header_remove(header, "counter");
	tr_header_remove(header, "probe");
	check(tr_header_set(header, "harts", "2"));
	check(tr_header_set(header, "sampled_hart", "1"));
	check(tr_header_set_u64(header, "sample_interval", c->interval));
	check(tr_header_set_u64(header, "sample_warm", 0));
	check(tr_header_set_u64(header, "sample_length", c->length));
	if (c->width > 1)
		check(tr_header_set(header, "commit_width.0", "1"));
	const struct tr_writer_options options = {.level = 1};
	check(tr_writer_open(&c->writer, STDOUT_FILENO, header, &options));
	tr_header_free(header);
	tr_classes_release(&classes);
}

int main(int argc, char **argv)
{
	static struct cut c;
	if (argc != 5)
		fail("usage: cut-windows INTERVAL LENGTH OFFSET run.tr > sampled.tr");
	c.interval = strtoull(argv[1], NULL, 10);
	c.length = strtoull(argv[2], NULL, 10);
	c.offset = strtoull(argv[3], NULL, 10);
	c.path = argv[4];
	open_run(&c);
	begin_stream(&c);
	take_run(&c, 0);
	tr_reader_close(c.reader);
	open_run(&c);
	take_run(&c, 1);
	struct tr_header *end = tr_header_new();
	check(end ? tr_header_set(end, "end", "exit") : TR_E_NOMEM);
	check(tr_writer_end(c.writer, end));
	tr_header_free(end);
	tr_reader_close(c.reader);
	tr_writer_close(c.writer);
	return 0;
}
