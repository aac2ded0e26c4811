/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up blocks in binaries, sums the results by privilege and, for lost code, by
 * address space, and prints them. */
#include "info/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "base/table.h"
#include "image/patch.h"
#include "text/text_names.h"

enum { PAGE = 4096, LARGE_PAGE = 1 << 21, CERTAIN = 16 /* bytes */ };

struct tr_coverage_block {
	uint64_t pc;
	uint64_t ran[TR_COVERAGE_PRIVS]; /* instructions */
	bool lost;			 /* in no binary */
	bool is_short;			 /* its code may be in another binary by chance */
};

static int compare_names(const void *left, const void *right)
{
	const struct tr_image *const *a = left, *const *b = right;
	return strcmp(tr_image_name(*a), tr_image_name(*b));
}

/* Labels binaries of the same name by their paths. Returns a status. */
static int label_images(struct tr_coverage *c)
{
	const struct tr_image **sorted = calloc(c->count + 1, sizeof(*sorted));
	if (!sorted)
		return TR_E_NOMEM;
	for (size_t i = 0; i < c->count; i++)
		sorted[i] = c->images[i];
	qsort(sorted, c->count, sizeof(*sorted), compare_names);
	for (size_t i = 0; i < c->count; i++) {
		const struct tr_image *image = c->images[i];
		const struct tr_image **at =
		    bsearch(&image, sorted, c->count, sizeof(*sorted), compare_names);
		bool twin =
		    (at > sorted && compare_names(at, at - 1) == 0) ||
		    (at + 1 < sorted + c->count && compare_names(at, at + 1) == 0);
		c->labels[i] = twin ? tr_image_path(image) : tr_image_name(image);
	}
	free(sorted);
	return TR_OK;
}

int tr_coverage_init(struct tr_coverage *c, struct tr_image **images,
		     const struct tr_bins *bins)
{
	*c = (struct tr_coverage){.images = images,
				  .bins = bins->bins,
				  .count = bins->count,
				  .words = (bins->count + 63) / 64,
				  .generation = UINT64_MAX};
	c->covers = calloc(bins->count + 1, sizeof(*c->covers));
	c->misfits = calloc(bins->count + 1, sizeof(*c->misfits));
	c->moves = calloc(bins->count + 1, sizeof(*c->moves));
	c->labels = calloc(bins->count + 1, sizeof(*c->labels));
	if (!c->moves || !c->covers || !c->misfits || !c->labels)
		return TR_E_NOMEM;
	return label_images(c);
}

bool tr_coverage_floats(const struct tr_coverage *c, size_t i)
{
	return tr_image_is_pie(c->images[i]) && !c->bins[i].has_base;
}

bool tr_coverage_role_allows(enum tr_role role, unsigned priv)
{
	static const unsigned privs[] = {[TR_ROLE_FIRMWARE] = TR_PRIV_M,
					 [TR_ROLE_KERNEL] = TR_PRIV_S,
					 [TR_ROLE_USER] = TR_PRIV_U};
	return role == TR_ROLE_ANY || privs[role] == priv;
}

static bool same_code(const struct tr_image *image, uint64_t address,
		      const struct tr_block *block, bool may_be_patched)
{
	const uint8_t *code = tr_image_bytes(image, address, tr_block_reach(block));
	if (!code || block->no_bits || memcmp(code, block->code, block->bytes) == 0)
		return code;
	return may_be_patched && tr_patch_of(block->code, code, block->bytes).other == 0;
}

/* Returns true if the image has the block at an offset. A kernel is relocated by large
 * pages; a new offset needs a sufficiently long block. */
static bool holds_moved(const struct tr_image *image, struct tr_cover_moves *moves,
			const struct tr_block *block)
{
	const struct tr_code *first = tr_image_code(image, 0);
	const struct tr_code *last = tr_image_code(image, tr_image_code_count(image) - 1);
	uint64_t size = last->address + last->size - first->address;
	for (unsigned i = 0; i < moves->count; i++)
		if (same_code(image, block->pc - moves->bias[i], block, true))
			return true;
	if (block->no_bits || block->bytes < CERTAIN || moves->count == TR_COVERAGE_MOVES)
		return false;
	for (uint64_t into = (block->pc - first->address) % LARGE_PAGE; into < size;
	     into += LARGE_PAGE)
		if (same_code(image, first->address + into, block, false)) {
			moves->bias[moves->count++] = block->pc - first->address - into;
			return true;
		}
	return false;
}

/* Returns true if binary `i` has the block: at the given base; else at its link address,
 * or at the physical load address, where it runs before translation is on. */
static bool binary_holds_block(const struct tr_coverage *c, size_t i,
			       const struct tr_block *block)
{
	const struct tr_image *image = c->images[i];
	const struct tr_bin *bin = &c->bins[i];
	const bool may_be_patched = tr_coverage_role_allows(bin->role, TR_PRIV_S);
	if (tr_image_code_count(image) == 0 ||
	    (tr_image_is_module(image) && !bin->has_base))
		return false;
	const struct tr_code *first = tr_image_code(image, 0);
	if (bin->has_base)
		return same_code(image,
				 block->pc - (bin->base - first->address / PAGE * PAGE),
				 block, may_be_patched);
	if (same_code(image, block->pc, block, may_be_patched))
		return true;
	for (size_t k = 0; k < tr_image_code_count(image); k++) {
		uint64_t delta = (uint64_t)tr_image_code(image, k)->load_delta;
		if (delta && same_code(image, block->pc - delta, block, may_be_patched))
			return true;
	}
	return bin->role == TR_ROLE_KERNEL && holds_moved(image, &c->moves[i], block);
}

static void add_cover(struct tr_cover *cover, unsigned priv, uint64_t ran)
{
	cover->blocks[priv]++;
	cover->instructions[priv] += ran;
}

static bool is_block_in_binary(const struct tr_coverage *c, size_t id, size_t binary)
{
	return c->found[id * c->words + binary / 64] >> binary % 64 & 1;
}

/* Accounts for a block at one privilege: the binaries that contain it, and whether their
 * roles allow it. */
static void fold_priv(struct tr_coverage *c, size_t id, unsigned priv)
{
	const struct tr_coverage_block *block = &c->blocks[id];
	uint64_t ran = block->ran[priv];
	bool found = false, fits = false;
	add_cover(&c->all, priv, ran);
	for (size_t i = 0; i < c->count; i++) {
		if (!is_block_in_binary(c, id, i))
			continue;
		add_cover(&c->covers[i], priv, ran);
		found = true;
		fits |= tr_coverage_role_allows(c->bins[i].role, priv);
	}
	if (fits)
		add_cover(&c->fits, priv, ran);
	for (size_t i = 0; i < c->count && found && !fits; i++)
		if (is_block_in_binary(c, id, i) &&
		    !(block->is_short && tr_coverage_floats(c, i)))
			add_cover(&c->misfits[i], priv, ran);
	if (found)
		return;
	if (c->lost.blocks[priv] == 0)
		c->lost_pc[priv] = block->pc;
	add_cover(&c->lost, priv, ran);
}

static void fold_generation(struct tr_coverage *c)
{
	for (size_t id = 0; id < c->nblocks; id++)
		for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
			if (c->blocks[id].ran[priv])
				fold_priv(c, id, priv);
	c->nblocks = 0;
}

/* Only user code is separated by address space: kernels are the same in all of them. */
static struct tr_space_id covered_space(const struct tr_context *context)
{
	static const struct tr_space_id all = {.satp = 0};
	return tr_mode_is_user(tr_mode_of(context->priv)) ? tr_space_of(context) : all;
}

static struct tr_cover_space *append_cover_space(struct tr_coverage *c, uint8_t priv,
						 struct tr_space_id id)
{
	bool others = c->nspaces == TR_COVERAGE_SPACES;
	if (c->nspaces > TR_COVERAGE_SPACES)
		return &c->spaces[TR_COVERAGE_SPACES];
	if (!tr_grow(&c->spaces, &c->space_room, c->nspaces + 1, sizeof(*c->spaces)))
		return NULL;
	struct tr_cover_space *space = &c->spaces[c->nspaces++];
	*space = (struct tr_cover_space){.priv = priv, .id = id, .others = others};
	return space;
}

/* Returns the space of a context, valid until the next call; NULL when out of memory. */
static struct tr_cover_space *find_cover_space(struct tr_coverage *c,
					       const struct tr_context *context)
{
	uint8_t priv = tr_mode_of(context->priv).nominal;
	const struct tr_space_id id = covered_space(context);
	uint64_t content[2] = {tr_space_hash(id), priv};
	uint64_t key = XXH64(content, sizeof(content), 0);
	for (;; key++) {
		uint32_t i = tr_map_get(&c->space_index, key);
		if (i == TR_MAP_NONE)
			break;
		if (c->spaces[i].priv == priv && tr_space_equals(c->spaces[i].id, id))
			return &c->spaces[i];
	}
	struct tr_cover_space *space = append_cover_space(c, priv, id);
	if (!space || space->others)
		return space;
	return tr_map_set(&c->space_index, key, (uint32_t)(c->nspaces - 1)) ? space
									    : NULL;
}

static int compare_spaces(const void *left, const void *right)
{
	const struct tr_cover_space *a = left, *b = right;
	if (a->lost != b->lost)
		return a->lost < b->lost ? 1 : -1;
	if (a->others != b->others)
		return a->others ? 1 : -1;
	if (a->priv != b->priv)
		return a->priv < b->priv ? 1 : -1;
	if (a->id.satp != b->id.satp)
		return a->id.satp < b->id.satp ? -1 : 1;
	return (a->id.hgatp > b->id.hgatp) - (a->id.hgatp < b->id.hgatp);
}

/* Sorts by lost instructions, in descending order. */
static void sort_spaces(struct tr_coverage *c)
{
	if (c->nspaces)
		qsort(c->spaces, c->nspaces, sizeof(*c->spaces), compare_spaces);
}

void tr_coverage_finish(struct tr_coverage *c)
{
	fold_generation(c);
	sort_spaces(c);
}

static int add_blocks(struct tr_coverage *c, const struct tr_reader *reader)
{
	size_t count = tr_reader_block_count(reader);
	if (!tr_grow(&c->blocks, &c->block_room, count, sizeof(*c->blocks)) ||
	    !tr_grow(&c->found, &c->found_room, count * c->words + 1, sizeof(*c->found)))
		return TR_E_NOMEM;
	for (; c->nblocks < count; c->nblocks++) {
		const struct tr_block *block =
		    tr_reader_block(reader, (uint32_t)c->nblocks);
		uint64_t *found = &c->found[c->nblocks * c->words];
		bool lost = true;
		memset(found, 0, c->words * sizeof(*found));
		for (size_t i = 0; i < c->count; i++)
			if (binary_holds_block(c, i, block)) {
				found[i / 64] |= UINT64_C(1) << i % 64;
				lost = false;
			}
		c->blocks[c->nblocks] = (struct tr_coverage_block){
		    .pc = block->pc, .lost = lost, .is_short = block->bytes < CERTAIN};
	}
	return TR_OK;
}

static void cover_row(struct tr_coverage *c, const struct tr_reader *reader,
		      struct tr_cover_space *space, unsigned priv, uint32_t id)
{
	struct tr_coverage_block *block = &c->blocks[id];
	const struct tr_block *ran = tr_reader_block(reader, id);
	uint64_t tokens = ran->tokens;
	block->ran[priv] += tokens;
	space->instructions += tokens;
	if (!block->lost)
		return;
	if (space->lost == 0) {
		unsigned known = ran->no_bits ? 0 : ran->bytes;
		space->lost_pc = block->pc;
		space->lost_bytes =
		    (uint8_t)(known < TR_COVERAGE_CODE ? known : TR_COVERAGE_CODE);
		memcpy(space->lost_code, ran->code, space->lost_bytes);
	}
	space->lost += tokens;
}

static int cover_hart_frame(struct tr_coverage *c, const struct tr_reader *reader,
			    const struct tr_hart_frame *hart)
{
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	tr_cursor_init(&cursor, hart);
	while ((step = tr_cursor_next(&cursor, &first, &last, &event))) {
		if (step != TR_STEP_ROWS)
			continue;
		struct tr_cover_space *space = find_cover_space(c, &cursor.context);
		if (!space)
			return TR_E_NOMEM;
		for (uint32_t i = first; i < last; i++)
			cover_row(c, reader, space,
				  tr_mode_of(cursor.context.priv).nominal,
				  hart->rows[i].block);
	}
	return TR_OK;
}

int tr_coverage_add(struct tr_coverage *c, const struct tr_reader *reader,
		    const struct tr_frame *frame)
{
	if (c->generation != frame->generation)
		fold_generation(c);
	c->generation = frame->generation;
	int status = add_blocks(c, reader);
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		status = cover_hart_frame(c, reader, &frame->harts[i]);
	return status;
}

void tr_coverage_release(struct tr_coverage *c)
{
	free(c->labels);
	free(c->moves);
	free(c->covers);
	free(c->misfits);
	free(c->blocks);
	free(c->found);
	free(c->spaces);
	tr_map_free(&c->space_index);
	*c = (struct tr_coverage){0};
}

/* A row of the table: a binary's code at one privilege. */
struct line {
	const char *name; /* NULL: in none */
	unsigned priv;
	size_t order;
	uint64_t blocks, instructions;
};

bool tr_coverage_any(const struct tr_cover *cover)
{
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
		if (cover->blocks[priv])
			return true;
	return false;
}

/* Orders by privilege, highest first, then by quality of the candidate. */
static int compare_cover_lines(const void *left, const void *right)
{
	const struct line *a = left, *b = right;
	if (a->priv != b->priv)
		return a->priv < b->priv ? 1 : -1;
	if (a->instructions != b->instructions)
		return a->instructions < b->instructions ? 1 : -1;
	return (a->order > b->order) - (a->order < b->order);
}

static void add_cover_lines(struct line *lines, size_t *count,
			    const struct tr_cover *cover, const char *name, size_t order)
{
	for (unsigned priv = 0; priv < TR_COVERAGE_PRIVS; priv++)
		if (cover->blocks[priv])
			lines[(*count)++] =
			    (struct line){.name = name,
					  .priv = priv,
					  .order = order,
					  .blocks = cover->blocks[priv],
					  .instructions = cover->instructions[priv]};
}

/* Returns true if code of this privilege may be in a binary of the list that has no
 * address to look at. */
static bool has_unplaced(const struct tr_coverage *c, unsigned priv)
{
	size_t i = 0;
	while (i < c->count &&
	       !(tr_coverage_role_allows(c->bins[i].role, priv) && !c->bins[i].has_base &&
		 (tr_image_is_pie(c->images[i]) || tr_image_is_module(c->images[i]))))
		i++;
	return i < c->count;
}

static int add_coverage_row(struct tr_table *table, const struct tr_coverage *c,
			    const struct line *line)
{
	char room[TR_NAME_ROOM];
	bool lost = line->order == c->count;
	int status = tr_table_cell(table, "%s", tr_priv_name(line->priv, room));
	if (!status)
		status = tr_table_cell(table, "%" PRIu64, line->blocks);
	if (!status)
		status = tr_table_cell(table, "%" PRIu64, line->instructions);
	if (!status)
		status = tr_table_cell(table, "%.3f %%",
				       100.0 * (double)line->instructions /
					   (double)c->all.instructions[line->priv]);
	if (status)
		return status;
	if (!lost)
		return tr_table_cell(table, "%s", line->name) |
		       tr_table_cell(table, "%s", line->name) | tr_table_cell(table, "-");
	return tr_table_cell(table, "(none %s), the first at 0x%" PRIx64,
			     has_unplaced(c, line->priv) ? "with a fixed address"
							 : "of them",
			     c->lost_pc[line->priv]) |
	       tr_table_cell(table, "-") |
	       tr_table_cell(table, "0x%" PRIx64, c->lost_pc[line->priv]);
}

int tr_coverage_report(const struct tr_coverage *c, struct tr_report *report)
{
	static const char *const headings[] = {
	    "<priv", "blocks", "instructions", "share", "<in", "<", "<", NULL};
	static const char *const keys[] = {
	    "privilege", "blocks", "instructions",	"instructions_percent",
	    "",		 "binary", "first_lost_address"};
	struct line *lines = calloc((c->count + 1) * TR_COVERAGE_PRIVS, sizeof(*lines));
	struct tr_table *table = lines ? tr_table_new(headings) : NULL;
	size_t count = 0;
	int status = table ? tr_table_keys(table, keys, NULL) : TR_E_NOMEM;
	for (size_t i = 0; i < c->count && !status; i++)
		add_cover_lines(lines, &count, &c->covers[i], c->labels[i], i);
	if (!status)
		add_cover_lines(lines, &count, &c->lost, NULL, c->count);
	if (count)
		qsort(lines, count, sizeof(*lines), compare_cover_lines);
	for (size_t i = 0; i < count && !status; i++)
		status = add_coverage_row(table, c, &lines[i]);
	int written = tr_report_table(report, "binaries", table);
	free(lines);
	return status ? status : written;
}
