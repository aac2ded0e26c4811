/* SPDX-License-Identifier: Apache-2.0 */
/* Overlapping claims: each address belongs to the best claim there. */
#include "fixture.h"
#include "image/image_state.h"

/* Far enough apart that no claim ends in the tail of another. */
enum { STEP = 32, ADDRESSES = 64 * STEP, CLAIMS_MAX = 24 };

static bool is_better(const struct image_candidate *a, const struct image_candidate *b)
{
	uint32_t x = image_rank_source(a->rank), y = image_rank_source(b->rank);
	if (x != y)
		return x < y;
	if (a->low != b->low)
		return a->low > b->low;
	if (a->high != b->high)
		return a->high < b->high;
	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->entry != b->entry)
		return a->entry < b->entry;
	if (!a->name || !b->name)
		return !a->name && b->name;
	return tr_image_name_compare(a->name, b->name) < 0;
}

static const struct image_candidate *best_at(const struct image_candidates *claims,
					     uint64_t address)
{
	const struct image_candidate *best = NULL;
	for (size_t i = 0; i < claims->count; i++) {
		const struct image_candidate *claim = &claims->list[i];
		if (claim->low <= address && address < claim->high &&
		    (!best || is_better(claim, best)))
			best = claim;
	}
	return best;
}

static void fill(struct image_candidates *claims, uint64_t *random)
{
	static const char *const names[] = {"a", "_a", "b", "bb", NULL};
	claims->count = fixture_random(random) % CLAIMS_MAX;
	for (size_t i = 0; i < claims->count; i++) {
		uint64_t low = fixture_random(random) % (ADDRESSES / STEP - 1) * STEP;
		uint64_t room = (ADDRESSES - low) / STEP - 1;
		uint64_t size = (1 + fixture_random(random) % room) * STEP;
		claims->list[i] = (struct image_candidate){
		    .name = names[fixture_random(random) % 5],
		    .entry = fixture_random(random) % 2 ? low : 0,
		    .low = low,
		    .high = low + size,
		    .rank = (uint32_t)(fixture_random(random) % 64),
		};
	}
}

/* Aliases take the name of the symbol at their entry. */
static const char *name_of(const struct image_candidates *claims,
			   const struct image_candidate *claim)
{
	const struct image_candidate *entry = best_at(claims, claim->entry);
	return entry && entry->name && entry->entry == claim->entry ? entry->name
								    : claim->name;
}

static void check_random(uint64_t *random)
{
	struct image_candidate list[CLAIMS_MAX], copy[CLAIMS_MAX];
	struct image_candidates claims = {.list = list}, before = {.list = copy};
	struct tr_image image = {0};
	fill(&claims, random);
	memcpy(copy, list, sizeof(list));
	before.count = claims.count;
	CHECK_EQ(tr_image_ranges_make(&image, &claims), TR_OK);
	for (uint64_t address = 0; address < ADDRESSES; address += STEP) {
		const struct image_candidate *want = best_at(&before, address);
		const struct tr_function *is = tr_image_function_at(&image, address);
		if (!want || !want->name) {
			CHECK(is == NULL);
			continue;
		}
		if (!CHECK(is != NULL) || !is)
			continue;
		CHECK_STR(is->name, name_of(&before, want));
		CHECK_EQ(is->entry, want->entry);
		CHECK_EQ(is->from_dwarf, want->rank < IMAGE_RANK_FUNC);
	}
	free(image.functions);
}

/* Linux: the DWARF of an alias extends over the padding into the next function. */
static void check_tails(void)
{
	struct image_candidate list[] = {
	    {.name = "memmove", .entry = 0x100, .low = 0x100, .high = 0x180},
	    {.name = "__memmove", .entry = 0x100, .low = 0x100, .high = 0x182},
	    {.name = "__memset", .entry = 0x180, .low = 0x180, .high = 0x200, .rank = 32},
	    {.name = "far", .entry = 0x300, .low = 0x300, .high = 0x380},
	    {.name = "within", .entry = 0x36f, .low = 0x36f, .high = 0x400, .rank = 16},
	};
	struct image_candidates claims = {.list = list,
					  .count = sizeof(list) / sizeof(list[0])};
	struct tr_image image = {0};
	CHECK_EQ(tr_image_ranges_make(&image, &claims), TR_OK);
	CHECK_STR(tr_image_function_at(&image, 0x17f)->name, "memmove");
	CHECK_STR(tr_image_function_at(&image, 0x180)->name, "__memset");
	CHECK(tr_image_function_at(&image, 0x180)->is_entry);
	CHECK_STR(tr_image_function_at(&image, 0x37f)->name, "far");
	free(image.functions);
}

/* Returns the owner of the last claim's first address. */
static const char *owner_of_last(const struct image_candidate *list, size_t count)
{
	struct image_candidate copy[CLAIMS_MAX];
	struct image_candidates claims = {.list = copy, .count = count};
	struct tr_image image = {0};
	memcpy(copy, list, count * sizeof(*list));
	CHECK_EQ(tr_image_ranges_make(&image, &claims), TR_OK);
	const struct tr_function *f = tr_image_function_at(&image, list[count - 1].low);
	const char *name = f ? f->name : NULL;
	free(image.functions);
	return name;
}

/* A tail is at most 16 bytes of DWARF, possibly with something in between; it ends at a
 * symbol of a function that begins in it and extends beyond it. */
static void check_limits(void)
{
	enum { FUNC = IMAGE_RANK_FUNC, OPEN = IMAGE_RANK_OPEN, LABEL = IMAGE_RANK_LABEL };
	static const struct image_candidate
	    LONGEST[] = {{.name = "f", .entry = 0x100, .low = 0x100, .high = 0x190},
			 {.name = "g", .low = 0x180, .high = 0x200, .rank = FUNC}},
	    APART[] = {{.name = "f", .entry = 0x100, .low = 0x100, .high = 0x188},
		       {.name = "h", .entry = 0x140, .low = 0x140, .high = 0x150},
		       {.name = "g", .low = 0x180, .high = 0x200, .rank = OPEN}},
	    SYMBOL[] = {{.name = "f", .low = 0x100, .high = 0x188, .rank = FUNC},
			{.name = "g", .low = 0x180, .high = 0x200, .rank = OPEN}},
	    LOCAL[] = {{.name = "f", .entry = 0x100, .low = 0x100, .high = 0x188},
		       {.name = "g", .low = 0x180, .high = 0x200, .rank = LABEL}},
	    NAMELESS[] = {{.name = "f", .entry = 0x100, .low = 0x100, .high = 0x188},
			  {.low = 0x180, .high = 0x200, .rank = FUNC}},
	    NO_LONGER[] = {{.name = "f", .entry = 0x100, .low = 0x100, .high = 0x188},
			   {.name = "g", .low = 0x180, .high = 0x188, .rank = FUNC}},
	    SHORT[] = {{.name = "f", .entry = 0x180, .low = 0x180, .high = 0x188},
		       {.name = "g", .low = 0x180, .high = 0x200, .rank = FUNC}};
	CHECK_STR(owner_of_last(LONGEST, 2), "g");
	CHECK_STR(owner_of_last(APART, 3), "g");
	CHECK_STR(owner_of_last(SYMBOL, 2), "f");
	CHECK_STR(owner_of_last(LOCAL, 2), "f");
	CHECK_STR(owner_of_last(NAMELESS, 2), "f");
	CHECK_STR(owner_of_last(NO_LONGER, 2), "f");
	CHECK_STR(owner_of_last(SHORT, 2), "f");
}

/* The nops of a patchable function are only in its symbol: they are its entry, also for
 * its cold part. */
static void check_heads(void)
{
	enum { FUNC = IMAGE_RANK_FUNC };
	struct image_candidate list[] = {
	    {.name = "f", .entry = 0x108, .low = 0x108, .high = 0x140},
	    {.name = "f.isra.0",
	     .entry = 0x100,
	     .low = 0x100,
	     .high = 0x140,
	     .rank = FUNC},
	    {.name = "f", .entry = 0x108, .low = 0x400, .high = 0x420},
	    {.name = "g", .entry = 0x148, .low = 0x148, .high = 0x180},
	    {.name = "other", .entry = 0x140, .low = 0x140, .high = 0x178, .rank = FUNC},
	};
	struct image_candidates claims = {.list = list, .count = 5};
	struct tr_image image = {0};
	CHECK_EQ(tr_image_ranges_make(&image, &claims), TR_OK);
	if (CHECK_EQ(image.nfunctions, 4)) {
		const struct tr_function *f = image.functions;
		CHECK_STR(f[0].name, "f");
		CHECK_EQ(f[0].low, 0x100);
		CHECK_EQ(f[0].high, 0x140);
		CHECK_EQ(f[0].is_entry, 1);
		CHECK_STR(f[1].name, "other");
		CHECK_EQ(f[2].entry, 0x148);
		CHECK_EQ(f[3].low, 0x400);
		CHECK_EQ(f[3].entry, 0x100);
	}
	free(image.functions);
}

int main(void)
{
	check_tails();
	check_heads();
	check_limits();
	uint64_t random = 88172645463325252;
	for (int i = 0; i < 2000; i++)
		check_random(&random);
	return check_done();
}
