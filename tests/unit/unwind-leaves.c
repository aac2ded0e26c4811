/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined calls and lines are nodes on top of their function's, with its call sites. */
#include "unwind-parts.h"
#include "unwind/unwind_leaves.h"

static struct unwind_status status;

static bool find_function(void *user, uint32_t binary, uint64_t address,
			  struct tr_function *function)
{
	(void)user;
	*function = (struct tr_function){
	    .name = "main", .entry = 0x1000, .low = 0x1000, .high = 0x2000};
	return !binary && address >= 0x1000 && address < 0x2000;
}

/* At 0x1100: call 2, inlined into call 1, on line 9. */
static void find_place(void *user, uint32_t binary, uint64_t address,
		       struct tr_source_place *place)
{
	const bool is_inlined = address >= 0x1100;
	(void)user;
	(void)binary;
	*place = (struct tr_source_place){.low = is_inlined ? 0x1100 : 0x1000,
					  .high = is_inlined ? 0x2000 : 0x1100,
					  .call = is_inlined ? 2 : 0,
					  .line = is_inlined ? 9 : 0};
}

static const char *find_call(void *user, uint32_t binary, uint32_t call, uint32_t *around)
{
	static const char *const names[] = {"", "outer", "inner"};
	(void)user;
	(void)binary;
	*around = call - 1;
	return names[call];
}

static const char *find_line(void *user, uint32_t binary, uint32_t line, uint32_t *number)
{
	(void)user;
	(void)binary;
	*number = line;
	return "main.c";
}

static const struct tr_unwind_source source = {
    .function = find_function, .place = find_place, .call = find_call, .line = find_line};

static void places(struct tr_leaves *leaves, struct tr_nodes *nodes, uint32_t main_sym)
{
	struct tr_source_place place;
	const uint32_t root = tr_nodes_on(nodes, 0, main_sym);
	CHECK_EQ(tr_leaves_at(leaves, 0, 0x1000, &place), 0);
	CHECK_EQ(place.high, 0x1100);
	CHECK_EQ(tr_leaves_node(leaves, root, 0), root);
	const uint32_t leaf = tr_leaves_at(leaves, 0, 0x1100, &place);
	CHECK(leaf);
	CHECK_EQ(tr_leaves_at(leaves, 0, 0x1180, &place), leaf);
	CHECK_EQ(nodes_written(nodes, tr_leaves_node(leaves, root, leaf)), 4);
	CHECK_EMITTED("func main prog 1000 0\nnode 0 on 0\n"
		      "func outer (inlined) prog 0 6\nnode 1 on 1\n"
		      "func inner (inlined) prog 0 6\nnode 2 on 2\n"
		      "func main.c:9 prog 0 7\nnode 3 on 3\n");
	/* What is called from the line is above the inlined call. */
	const uint32_t calls = tr_leaves_calls(leaves, leaf);
	CHECK_EQ(nodes_written(nodes, tr_leaves_node(leaves, root, calls)), 3);
	CHECK_EQ(tr_leaves_calls(leaves, calls), calls);
	CHECK_EQ(tr_leaves_calls(leaves, 0), 0);
	/* A number that is no binary's. */
	CHECK_EQ(tr_leaves_at(leaves, 3, 0x1100, &place), 0);
	CHECK_EQ(place.high, UINT64_MAX);
}

static void sites(struct tr_leaves *leaves)
{
	struct tr_source_place place;
	const uint32_t leaf = tr_leaves_at(leaves, 0, 0x1100, &place);
	const uint32_t site = tr_leaves_site(leaves, leaf, 7);
	CHECK(site != leaf);
	CHECK_EQ(tr_leaves_site(leaves, leaf, 7), site);
	CHECK(tr_leaves_site(leaves, leaf, 8) != site);
	CHECK_EQ(tr_leaves_spot(leaves, site), 7);
	CHECK_EQ(tr_leaves_spot(leaves, leaf), TR_NO_SPOT);
	CHECK_EQ(tr_leaves_spot(leaves, 0), TR_NO_SPOT);
	CHECK_EQ(tr_leaves_spot(leaves, tr_leaves_site(leaves, 0, 0)), 0);
}

int main(void)
{
	struct tr_names *names = tr_names_new(&part_sink, &part_options, &status);
	struct tr_nodes *nodes = tr_nodes_new(names, &part_sink, &status);
	struct tr_leaves *leaves =
	    tr_leaves_new(&source, &part_options, names, nodes, &status);
	struct tr_leaves *none = tr_leaves_new(&(struct tr_unwind_source){.user = NULL},
					       &part_options, names, nodes, &status);
	struct tr_function function;
	if (!CHECK(leaves) || !CHECK(none))
		return check_done();
	emitted[0] = '\0';
	find_function(NULL, 0, 0x1000, &function);
	const uint32_t sym = tr_names_function(names, 0, &function);
	places(leaves, nodes, sym);
	sites(leaves);
	CHECK(tr_leaves_in(leaves, 0, 0x1100, sym));
	CHECK(!tr_leaves_in(leaves, 0, 0x1100, SYM_UNKNOWN));
	CHECK(!tr_leaves_in(leaves, 0, 0x2100, sym));
	CHECK(!tr_leaves_in(leaves, TR_NOTE_UNKNOWN, 0x1100, sym));
	CHECK(!tr_leaves_in(none, 0, 0x1100, sym));
	CHECK_EQ(status.first, TR_OK);
	tr_leaves_free(leaves);
	tr_leaves_free(none);
	tr_leaves_free(NULL);
	tr_nodes_free(nodes);
	tr_names_free(names);
	return check_done();
}
