/* SPDX-License-Identifier: Apache-2.0 */
/* Reference of the bench: the loop of the userspace paper (section V.C, V.D and its
 * pseudo-code), which processes token by token, with its caching; then a call stack per
 * program from function entry points; then cycles per stack. It is a careful but plain
 * implementation of the paper, so that the ratio shows the gain from working on blocks.
 *
 * paper-loop BINS.LST STREAM prints the sums. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "image/bins.h"
#include "image/image.h"
#include "stream/reader.h"

enum { BUFFER = 2048, DEPTH = 3, PAGE = 4096, MAX_STACK = 4096, NO_SITE = -1 };

struct token {
	uint64_t pc, insn, cycles, satp;
	uint8_t priv;
	int binary; /* a cached match, NO_SITE if none */
	uint64_t page;
};

struct site {
	uint64_t page;
	int binary;
	uint32_t next; /* with the same page offset and bits */
};

/* The call stack of a binary, by function names. */
struct tracker {
	const struct tr_image *image;
	const struct tr_function *stack[MAX_STACK];
	unsigned depth;
};

static struct token buffer[BUFFER];
static unsigned head, count;
static struct site *sites;
static size_t nsites, site_room;
static struct tr_map table; /* (page offset, bits) to its first site */
static struct tracker *trackers;
static struct tr_map stacks; /* hash of a stack to an index of cycles */
static uint64_t *stack_cycles;
static size_t nstacks, stack_room;
static uint64_t matched, missed, total_cycles;

static uint64_t table_key(uint64_t pc, uint64_t insn)
{
	return tr_mix(insn * PAGE + pc % PAGE);
}

static void add_site(int binary, uint64_t address, const uint8_t *code, uint64_t left)
{
	uint64_t insn = 0;
	unsigned bytes = tr_insn_length((unsigned)code[0] | (unsigned)code[1] << 8);
	if (bytes == 0 || bytes > left)
		return;
	for (unsigned i = 0; i < bytes; i++)
		insn |= (uint64_t)code[i] << 8 * i;
	uint64_t key = table_key(address, insn);
	if (!tr_grow(&sites, &site_room, nsites + 1, sizeof(*sites)))
		abort();
	sites[nsites] = (struct site){address / PAGE, binary, tr_map_get(&table, key)};
	tr_map_set(&table, key, (uint32_t)nsites++);
}

static void add_binary(int binary, const struct tr_image *image)
{
	trackers[binary].image = image;
	for (size_t i = 0; i < tr_image_code_count(image); i++) {
		const struct tr_code *code = tr_image_code(image, i);
		for (uint64_t o = 0; o + 2 <= code->size; o += 2)
			add_site(binary, code->address + o, code->data + o,
				 code->size - o);
	}
}

static struct token *at(unsigned i)
{
	return &buffer[(head + i) % BUFFER];
}

static int contains(const struct token *t, int binary, uint64_t page)
{
	for (uint32_t s = tr_map_get(&table, table_key(t->pc, t->insn)); s != TR_MAP_NONE;
	     s = sites[s].next)
		if (sites[s].binary == binary && sites[s].page == page)
			return 1;
	return 0;
}

/* Narrows the candidate sites of the head by the next tokens of its satp. */
static int match_head(struct token *t)
{
	const struct token *chain[DEPTH];
	unsigned n = 0, found = 0;
	for (unsigned i = 0; i < count && n < DEPTH; i++)
		if (at(i)->satp == t->satp && at(i)->priv == t->priv)
			chain[n++] = at(i);
	for (uint32_t s = tr_map_get(&table, table_key(t->pc, t->insn)); s != TR_MAP_NONE;
	     s = sites[s].next) {
		unsigned k = 0;
		while (k < n &&
		       contains(chain[k], sites[s].binary,
				sites[s].page + chain[k]->pc / PAGE - t->pc / PAGE))
			k++;
		if (k < n)
			continue;
		t->binary = sites[s].binary;
		t->page = sites[s].page;
		found++;
	}
	return found == 1;
}

static void propagate(const struct token *t)
{
	for (unsigned i = 0; i < count; i++) {
		struct token *other = at(i);
		if (other->satp != t->satp || other->priv != t->priv)
			continue;
		other->binary = t->binary;
		other->page = t->page + other->pc / PAGE - t->pc / PAGE;
	}
}

static void charge(const struct tracker *tracker, int binary, uint64_t cycles)
{
	uint64_t hash = (uint64_t)binary + 1;
	for (unsigned i = 0; i < tracker->depth; i++)
		hash = tr_mix(hash * 31 + tracker->stack[i]->entry);
	uint32_t i = tr_map_get(&stacks, hash);
	if (i == TR_MAP_NONE) {
		i = (uint32_t)nstacks++;
		if (!tr_grow(&stack_cycles, &stack_room, nstacks,
			     sizeof(*stack_cycles)) ||
		    !tr_map_set(&stacks, hash, i))
			abort();
		stack_cycles[i] = 0;
	}
	stack_cycles[i] += cycles;
}

/* A function's first address pushes a frame; any other pops to the frame of its name. */
static void unwind(const struct token *t)
{
	struct tracker *tracker = &trackers[t->binary];
	uint64_t address = t->page * PAGE + t->pc % PAGE;
	const struct tr_function *f = tr_image_function_at(tracker->image, address);
	if (f && address == f->entry && tracker->depth < MAX_STACK) {
		tracker->stack[tracker->depth++] = f;
	} else {
		while (tracker->depth && tracker->stack[tracker->depth - 1] != f)
			tracker->depth--;
	}
	charge(tracker, t->binary, t->cycles);
}

static void pop(void)
{
	struct token *t = at(0);
	total_cycles += t->cycles;
	int good = t->binary != NO_SITE && contains(t, t->binary, t->page);
	if (!good && (good = match_head(t)))
		propagate(t);
	if (good) {
		matched++;
		unwind(t);
	} else {
		missed++;
	}
	head = (head + 1) % BUFFER;
	count--;
}

static void push_row(const struct tr_reader *r, const struct tr_row *row,
		     const struct tr_context *context)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	const struct tr_block *block = tr_reader_block(r, row->block);
	tr_tokens(block, tr_reader_timing(r, row->timing), tokens);
	for (unsigned i = 0; i < block->tokens; i++) {
		if (count == BUFFER)
			pop();
		*at(count++) = (struct token){.pc = tokens[i].pc,
					      .insn = tokens[i].insn,
					      .cycles = tokens[i].cycles,
					      .satp = context->satp,
					      .priv = context->priv,
					      .binary = NO_SITE};
	}
}

static int read_stream(struct tr_reader *r)
{
	const struct tr_frame *frame;
	const struct tr_event *event;
	uint32_t first, last;
	int status;
	while ((status = tr_reader_next(r, &frame)) == TR_OK)
		for (uint32_t h = 0; h < frame->nharts; h++) {
			struct tr_cursor c;
			tr_cursor_init(&c, &frame->harts[h]);
			for (enum tr_step step;
			     (step = tr_cursor_next(&c, &first, &last, &event));)
				for (; step == TR_STEP_ROWS && first < last; first++)
					push_row(r, &frame->harts[h].rows[first],
						 &c.context);
		}
	while (count)
		pop();
	return status;
}

int main(int argc, char **argv)
{
	struct tr_bins bins;
	struct tr_reader *r;
	if (argc != 3 || tr_bins_read(&bins, argv[1]) || tr_reader_open(&r, argv[2], 1)) {
		fprintf(stderr, "usage: paper-loop BINS.LST STREAM\n");
		return 2;
	}
	trackers = calloc(bins.count, sizeof(*trackers));
	for (size_t i = 0; i < bins.count && trackers; i++) {
		struct tr_image *image;
		if (tr_image_open(&image, bins.bins[i].path,
				  &(struct tr_image_options){.functions = true}))
			return 2;
		add_binary((int)i, image);
	}
	if (!trackers || read_stream(r) != TR_END)
		return 2;
	printf("matched %" PRIu64 " missed %" PRIu64 " cycles %" PRIu64 " stacks %zu\n",
	       matched, missed, total_cycles, nstacks);
	return 0;
}
