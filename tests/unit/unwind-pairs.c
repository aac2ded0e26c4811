/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks are classified in the space in which they run, by the code that the notes say is
 * there, and pairs that are freed stay valid for the harts that ran them last. */
#include "unwind-parts.h"
#include "unwind/unwind_pairs.h"

/* c.fsdsp, or cm.popretz {ra}, 16. */
enum { POPRETZ = 0xbc42, NOP = 0x0001 };

static struct unwind_status status;
static struct tr_names *names;
static struct tr_nodes *nodes;
static struct tr_spaces *spaces;
static struct tr_leaves *leaves;
static struct tr_isa *isa;
static struct tr_binaries *binaries;
static struct tr_pairs all;
static struct tr_pairs *const pairs = &all;

static const uint8_t code[][8] = {
    {0x13, 0x01, 0x01, 0xfe, 0x67, 0x80, 0x00, 0x00}, /* addi sp, sp, -32; ret */
    {NOP, 0x00, POPRETZ & 0xff, POPRETZ >> 8},
    {NOP, 0x00, NOP, 0x00}};
static const struct tr_block blocks[] = {
    {.pc = 0x10f8, .code = code[0], .tokens = 2, .bytes = 8},
    {.pc = 0x1000, .code = code[1], .tokens = 2, .bytes = 4},
    {.pc = 0x1800, .code = code[2], .tokens = 2, .bytes = 4},
    {.pc = 0x10fe, .code = code[2], .tokens = 2, .bytes = 4}};
enum { BLOCKS = sizeof(blocks) / sizeof(blocks[0]) };

static const struct tr_block *block_of(void *user, uint32_t id)
{
	(void)user;
	return &blocks[id];
}

/* f at 0x1000 and g at 0x1100, in files 0 and 1. */
static bool function_of(void *user, uint32_t binary, uint64_t address,
			struct tr_function *function)
{
	const bool is_g = address >= 0x1100;
	(void)user;
	*function = (struct tr_function){.name = is_g ? "g" : "f",
					 .entry = is_g ? 0x1100 : 0x1000,
					 .low = is_g ? 0x1100 : 0x1000,
					 .high = is_g ? 0x1200 : 0x1100};
	return binary < 2 && address >= 0x1000 && address < 0x1200;
}

static const struct tr_unwind_source source = {.block = block_of,
					       .function = function_of};

static void begin_pairs(void)
{
	static const struct tr_unwind_options options = {
	    .programs = part_programs, .nprograms = 3, .xlen = 64, .has_traps = true};
	names = tr_names_new(&part_sink, &options, &status);
	nodes = tr_nodes_new(names, &part_sink, &status);
	leaves = tr_leaves_new(&source, &options, names, nodes, &status);
	isa = tr_isa_new(&source, &options, &status);
	spaces = tr_spaces_new(&status);
	binaries = tr_binaries_new(&options);
	tr_pairs_init(pairs,
		      &(struct pair_parts){.source = &source,
					   .binaries = binaries,
					   .names = names,
					   .leaves = leaves,
					   .isa = isa,
					   .spaces = spaces,
					   .status = &status},
		      &options);
}

static void end_pairs(void)
{
	tr_pairs_release(pairs);
	tr_binaries_free(binaries);
	tr_spaces_free(spaces);
	tr_isa_free(isa);
	tr_leaves_free(leaves);
	tr_nodes_free(nodes);
	tr_names_free(names);
	status.first = TR_OK;
}

static void feed_frame(const struct tr_frame *frame)
{
	tr_isa_frame(isa, frame, BLOCKS);
	tr_pairs_frame(pairs, frame, BLOCKS);
}

static const char *name_of(uint32_t sym)
{
	return tr_names_text(names, sym);
}

static void classified(void)
{
	const struct tr_note notes[] = {
	    {.address = 0x10f8, .space = 1, .block = 0, .binary = 0},
	    {.address = 0x1000, .space = 2, .block = 0, .binary = 1},
	    {.address = 0x10fe, .space = 1, .block = 3, .binary = 0}};
	begin_pairs();
	feed_frame(&(struct tr_frame){.notes = notes, .nnotes = 3});
	const struct pair *p = tr_pairs_find(pairs, 1, 0);
	CHECK_STR(name_of(p->sym), "f");
	CHECK_EQ(p->entry, false);
	CHECK_EQ(p->sp, -32);
	CHECK_EQ(p->flow, TR_FLOW_RETURN);
	CHECK_EQ(p->bytes, 8);
	CHECK_EQ(pair_next_pc(p), 0x1100);
	CHECK_EQ(p->nsegments, 0);
	/* The same block at the entry of f, in another space and file. */
	const struct pair *other = tr_pairs_find(pairs, 2, 0);
	CHECK(other != p);
	CHECK(other->entry);
	CHECK(other->sym != p->sym);
	CHECK_EQ(pairs_find(pairs, 2, 0), other);
	CHECK_EQ(pairs_find(pairs, 1, 0), p);
	/* A block that goes on into the next function. */
	p = tr_pairs_find(pairs, 1, 3);
	CHECK_EQ(p->nsegments, 1);
	CHECK_EQ(p->segments[0].pc, 0x1100);
	CHECK(p->segments[0].moves && p->segments[0].entry);
	CHECK_STR(name_of(p->last_sym), "g");
	/* Without a note. */
	CHECK_EQ(tr_pairs_find(pairs, 1, 2)->sym, SYM_UNKNOWN);
	CHECK_EQ(status.first, TR_OK);
	end_pairs();
}

static void located(void)
{
	const struct tr_note notes[] = {
	    {.address = 0x1000, .space = 1, .block = 2, .binary = 1}};
	struct place place = {.pc = 0x1900};
	begin_pairs();
	feed_frame(&(struct tr_frame){.notes = notes, .nnotes = 1});
	const struct pair *unknown = tr_pairs_find(pairs, 1, 0);
	CHECK(tr_pairs_locate(pairs, unknown, 1, &place));
	CHECK_EQ(place.address, 0x1100);
	CHECK_EQ(place.binary, 1);
	CHECK(place.entry);
	CHECK_STR(name_of(place.sym), "g");
	CHECK(!tr_pairs_locate(pairs, unknown, 2, &place));
	place.pc = 0x9000;
	CHECK(!tr_pairs_locate(pairs, unknown, 1, &place));
	end_pairs();
}

/* The last pair of a hart is copied when its space ends, or all do. */
static void pinned(void)
{
	const struct tr_context user = {.satp = 5, .space = 1, .priv = TR_PRIV_U};
	const struct tr_context next = {.satp = 5, .space = 2, .priv = TR_PRIV_U};
	const struct pair *last;
	struct pair copy;
	begin_pairs();
	feed_frame(&(struct tr_frame){.number = 0});
	last = tr_pairs_find(pairs, 1, 0);
	tr_pairs_pin(pairs, &last, &copy);
	tr_pairs_see(pairs, &user);
	CHECK(last != &copy);
	tr_pairs_see(pairs, &next);
	CHECK_EQ(last, &copy);
	CHECK_EQ(last->pc, 0x10f8);
	last = tr_pairs_find(pairs, 1, 2);
	tr_pairs_generation(pairs);
	CHECK_EQ(last, &copy);
	CHECK_EQ(last->pc, 0x1800);
	end_pairs();
}

static void wrong_notes(void)
{
	const struct tr_note wrong[] = {{.block = BLOCKS}, {.binary = 3}};
	for (unsigned i = 0; i < 2; i++) {
		begin_pairs();
		feed_frame(&(struct tr_frame){.notes = &wrong[i], .nnotes = 1});
		CHECK_EQ(status.first, TR_E_CORRUPT);
		end_pairs();
	}
}

/* What an encoding is that has two meanings is shown by where control goes after it, if
 * not by the first frame then by a later one. */
static void vague(void)
{
	const struct tr_row rows[] = {{.block = 1, .tokens = 2},
				      {.block = 2, .tokens = 2}};
	const struct tr_hart_frame part = {.rows = rows, .nrows = 2};
	const struct tr_hart_frame short_part = {.rows = rows, .nrows = 1};
	begin_pairs();
	feed_frame(&(struct tr_frame){.harts = &short_part, .nharts = 1});
	const struct pair *p = tr_pairs_find(pairs, 1, 1);
	CHECK(p->is_vague);
	CHECK(p->flow != TR_FLOW_RETURN);
	CHECK(!tr_isa_look(isa)); /* again */
	feed_frame(&(struct tr_frame){.harts = &part, .nharts = 1, .number = 1});
	CHECK(!p->is_vague);
	CHECK_EQ(p->flow, TR_FLOW_RETURN);
	CHECK(tr_isa_of(isa, 0) & TR_ISA_ZCMP);
	end_pairs();
}

int main(void)
{
	classified();
	located();
	pinned();
	wrong_notes();
	vague();
	tr_isa_free(NULL);
	return check_done();
}
