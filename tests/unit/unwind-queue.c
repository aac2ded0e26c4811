/* SPDX-License-Identifier: Apache-2.0 */
/* Rows are emitted in order of time: at once, or when no root before them is unknown. */
#include "unwind-parts.h"
#include "unwind/unwind_queue.h"

static struct unwind_status status;
static struct tr_names *names;
static struct tr_nodes *nodes;
static struct row_queue all;
static struct row_queue *const queue = &all;
static uint32_t prog;

static int emit_row(void *user, uint32_t hart, const struct tr_srow *row,
		    const struct tr_class_cycles *classes)
{
	(void)user;
	emit_text("row h%u n%u t%u %" PRIu64, hart, row->node, row->thread, row->cycles);
	for (unsigned i = 0; i < row->nclasses; i++)
		emit_text(" %u:%" PRIu64, classes[i].class, classes[i].cycles);
	return emit_text("\n");
}

static int emit_context(void *user, uint32_t hart, const struct tr_scontext *context)
{
	(void)user;
	return emit_text("context h%u p%u\n", hart, context->process);
}

static void emit_where(void *user, uint32_t hart, const struct tr_unwind_where *where)
{
	(void)user;
	(void)hart;
	emit_text("at %" PRIx64 "\n", where->sp);
}

static struct tr_unwind_sink queue_sink = {.func = emit_func,
					   .node = emit_node,
					   .thread = emit_thread,
					   .scontext = emit_context,
					   .srow = emit_row};

static void begin_queue(void)
{
	names = tr_names_new(&queue_sink, &part_options, &status);
	nodes = tr_nodes_new(names, &queue_sink, &status);
	tr_queue_init(queue, &queue_sink, nodes, NULL, &status);
	prog = tr_nodes_on(nodes, 0, tr_names_program(names, 0));
	tr_nodes_write(nodes, prog);
	emitted[0] = '\0';
}

static void end_queue(void)
{
	CHECK_EQ(status.first, TR_OK);
	CHECK_EQ(tr_queue_length(queue), 0);
	tr_queue_release(queue);
	tr_nodes_free(nodes);
	tr_names_free(names);
}

static void put_row(uint32_t hart, uint32_t node, uint32_t thread, uint64_t cycles)
{
	const struct tr_class_cycles class = {.cycles = cycles / 2, .class = 3};
	struct tr_srow row = {.node = node,
			      .thread = thread,
			      .cycles = cycles,
			      .instructions = 1,
			      .nclasses = cycles % 2 == 0};
	tr_queue_row(queue, hart, &row, &(struct tr_unwind_where){.sp = 0x40}, &class,
		     false);
}

static void at_once(void)
{
	struct tr_unwind_totals totals = {0};
	begin_queue();
	CHECK(!queue_is_watched(queue));
	tr_queue_context(queue, 0, &(struct tr_scontext){.process = 4});
	put_row(0, prog, 2, 10);
	put_row(1, prog, 2, 5);
	CHECK_EMITTED("context h0 p4\nrow h0 n1 t2 10 3:5\nrow h1 n1 t2 5\n");
	tr_queue_add_totals(queue, &totals);
	CHECK_EQ(totals.out_cycles, 15);
	CHECK_EQ(totals.out_instructions, 2);
	end_queue();
}

/* Later rows wait too, even those of known roots, and each waits only for what is before
 * it. */
static void in_order(void)
{
	begin_queue();
	const uint32_t first = tr_nodes_hold(nodes), second = tr_nodes_hold(nodes);
	put_row(0, tr_nodes_held_node(nodes, first), TR_HELD | first, 10);
	put_row(1, prog, 2, 20);
	tr_queue_context(queue, 0, &(struct tr_scontext){.process = TR_HELD | second});
	put_row(0, tr_nodes_held_node(nodes, second), TR_HELD | second, 31);
	CHECK_EQ(tr_queue_length(queue), 4);
	CHECK_EMITTED("");
	tr_queue_resolve(queue, first, &(struct hold){prog, 7, 8});
	CHECK_EMITTED("row h0 n1 t7 10 3:5\nrow h1 n1 t2 20 3:10\n");
	CHECK_EQ(tr_queue_length(queue), 2);
	put_row(1, prog, 2, 40);
	tr_queue_resolve(queue, second, &(struct hold){prog, 9, 6});
	CHECK_EMITTED("context h0 p6\nrow h0 n1 t9 31\nrow h1 n1 t2 40 3:20\n");
	put_row(1, prog, 2, 1);
	CHECK_EMITTED("row h1 n1 t2 1\n");
	end_queue();
}

/* The memory of rows that were written is used again: each of many holds is resolved when
 * the next one has begun. */
static void for_ever(void)
{
	enum { HOLDS = 1 << 14 };
	begin_queue();
	uint32_t before = tr_nodes_hold(nodes);
	for (uint32_t i = 0; i < HOLDS; i++) {
		const uint32_t hold = tr_nodes_hold(nodes);
		char want[80];
		put_row(0, tr_nodes_held_node(nodes, before), TR_HELD | before, 2 * i);
		put_row(0, tr_nodes_held_node(nodes, hold), TR_HELD | hold, 4 * i + 6);
		tr_queue_resolve(queue, before, &(struct hold){prog, i, 0});
		snprintf(want, sizeof(want),
			 "row h0 n1 t%u %u 3:%u\nrow h0 n1 t%u %u 3:%u\n", i, 4 * i + 2,
			 2 * i + 1, i, 2 * i, i);
		if (i)
			CHECK_STR(emitted, want);
		emitted[0] = '\0';
		before = hold;
	}
	CHECK(queue->capacity < HOLDS / 16);
	CHECK(queue->classes_capacity < HOLDS / 16);
	tr_queue_resolve(queue, before, &(struct hold){prog, 0, 0});
	emitted[0] = '\0';
	end_queue();
}

static void watched(void)
{
	queue_sink.where = emit_where;
	begin_queue();
	CHECK(queue_is_watched(queue));
	put_row(0, prog, 2, 1);
	CHECK_EMITTED("at 40\nrow h0 n1 t2 1\n");
	end_queue();
	queue_sink.where = NULL;
}

/* A row that begins a stack is at the root. */
static void begins(void)
{
	begin_queue();
	struct tr_srow row = {.node = tr_nodes_on(nodes, prog, SYM_TRAP), .fresh = true};
	tr_queue_row(queue, 0, &row, &(struct tr_unwind_where){0}, NULL, true);
	CHECK_EMITTED("row h0 n1 t0 0\n");
	end_queue();
}

int main(void)
{
	at_once();
	in_order();
	for_ever();
	watched();
	begins();
	return check_done();
}
