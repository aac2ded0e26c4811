/* SPDX-License-Identifier: Apache-2.0 */
/* Paths are written once, below what is on them, and under the root that a hold gets. */
#include "unwind-parts.h"
#include "unwind/unwind_nodes.h"

static struct unwind_status status;
static struct tr_names *names;
static struct tr_nodes *nodes;
static uint32_t prog, kernel, foo, bar;

static void begin_nodes(void)
{
	const struct tr_function functions[] = {
	    {.name = "foo", .entry = 0x1000, .low = 0x1000, .high = 0x1100},
	    {.name = "bar", .entry = 0x1100, .low = 0x1100, .high = 0x1200}};
	names = tr_names_new(&part_sink, &part_options, &status);
	nodes = tr_nodes_new(names, &part_sink, &status);
	CHECK(nodes);
	prog = tr_names_program(names, 0);
	kernel = tr_names_program(names, 2);
	foo = tr_names_function(names, 0, &functions[0]);
	bar = tr_names_function(names, 0, &functions[1]);
	emitted[0] = '\0';
}

static void end_nodes(void)
{
	CHECK_EQ(status.first, TR_OK);
	tr_nodes_free(nodes);
	tr_names_free(names);
}

static uint32_t path_of(uint32_t root, uint32_t first, uint32_t second)
{
	return tr_nodes_on(nodes, tr_nodes_on(nodes, root, first), second);
}

static void written_once(void)
{
	begin_nodes();
	const uint32_t root = tr_nodes_on(nodes, 0, prog);
	const uint32_t node = path_of(root, foo, bar);
	CHECK_EQ(path_of(root, foo, bar), node);
	CHECK(path_of(root, bar, foo) != node);
	CHECK_EQ(tr_nodes_sym(nodes, node), bar);
	CHECK_EQ(tr_nodes_parent(nodes, tr_nodes_parent(nodes, node)), root);
	CHECK_EQ(tr_nodes_depth(nodes, node), tr_nodes_depth(nodes, root) + 2);
	CHECK_EMITTED("");
	CHECK_EQ(nodes_written(nodes, node), 3);
	CHECK_EQ(nodes_written(nodes, node), 3);
	CHECK_EQ(tr_nodes_write_root(nodes, node), 1);
	CHECK_EMITTED("func prog prog 0 1\nnode 0 on 0\nfunc foo prog 1000 0\n"
		      "node 1 on 1\nfunc bar prog 1100 0\nnode 2 on 2\n");
	end_nodes();
}

/* A call site is of the node above it, and no node of its own. */
static void call_sites(void)
{
	begin_nodes();
	const uint32_t root = tr_nodes_on(nodes, 0, prog);
	const uint32_t site = tr_nodes_on(nodes, root, SYM_SITE | 7);
	CHECK_EQ(tr_nodes_depth(nodes, site), tr_nodes_depth(nodes, root));
	CHECK_EQ(nodes_written(nodes, tr_nodes_on(nodes, site, foo)), 2);
	CHECK_EQ(nodes_written(nodes, site), 1);
	CHECK_EMITTED("func prog prog 0 1\nnode 0 on 0\nfunc foo prog 1000 0\n"
		      "node 1 on 1\nsite 7\n");
	end_nodes();
}

/* What ran on an unknown root is written under the root that it turns out to have. */
static void held_roots(void)
{
	begin_nodes();
	const uint32_t hold = tr_nodes_hold(nodes);
	const uint32_t node = path_of(tr_nodes_held_node(nodes, hold), foo, bar);
	const uint32_t root = tr_nodes_on(nodes, 0, prog);
	CHECK(nodes_are_held(nodes));
	CHECK(!tr_nodes_has_root(nodes, node));
	CHECK(tr_nodes_is_open(nodes, TR_HELD | hold));
	CHECK(!tr_nodes_is_open(nodes, 3));
	tr_nodes_release(nodes, hold, &(struct hold){root, 5, 6});
	CHECK(!nodes_are_held(nodes));
	CHECK(tr_nodes_has_root(nodes, node));
	CHECK_EQ(tr_nodes_final(nodes, node), path_of(root, foo, bar));
	CHECK_EQ(nodes_thread(nodes, TR_HELD | hold), 5);
	CHECK_EQ(nodes_process(nodes, TR_HELD | hold), 6);
	CHECK_EQ(nodes_thread(nodes, 3), 3);
	CHECK_EQ(tr_nodes_write_root(nodes, node), 1);
	CHECK_EQ(nodes_written(nodes, node), 3);
	end_nodes();
}

/* A hold that is released to another one is open as long as that is. */
static void chained_holds(void)
{
	begin_nodes();
	const uint32_t first = tr_nodes_hold(nodes), second = tr_nodes_hold(nodes);
	const uint32_t top = tr_nodes_on(nodes, tr_nodes_held_node(nodes, first), foo);
	tr_nodes_release(nodes, first,
			 &(struct hold){tr_nodes_held_node(nodes, second),
					TR_HELD | second, TR_HELD | second});
	CHECK(tr_nodes_is_open(nodes, TR_HELD | first));
	CHECK(!tr_nodes_has_root(nodes, top));
	/* The second refers to the first, which must not become a circle. */
	tr_nodes_release(
	    nodes, second,
	    &(struct hold){tr_nodes_on(nodes, 0, kernel), TR_HELD | first, 4});
	CHECK(!tr_nodes_is_open(nodes, TR_HELD | first));
	CHECK_EQ(nodes_thread(nodes, TR_HELD | first), 0);
	CHECK_EQ(nodes_process(nodes, TR_HELD | first), 4);
	CHECK_EQ(tr_nodes_final(nodes, top),
		 tr_nodes_on(nodes, tr_nodes_on(nodes, 0, kernel), foo));
	/* All are released: the numbers are free again. */
	CHECK_EQ(tr_nodes_hold(nodes), 0);
	end_nodes();
}

/* Nodes of released holds are used again, however many holds there are. */
static void dead_nodes(void)
{
	enum { HOLDS = 1 << 16 };
	begin_nodes();
	for (uint32_t i = 0; i < HOLDS; i++) {
		if (tr_nodes_have_dead(nodes))
			tr_nodes_drop_dead(nodes);
		const uint32_t hold = tr_nodes_hold(nodes);
		tr_nodes_on(nodes, tr_nodes_held_node(nodes, hold), foo);
		CHECK(!tr_nodes_have_dead(nodes));
		tr_nodes_release(nodes, hold,
				 &(struct hold){tr_nodes_on(nodes, 0, prog), 0, 0});
	}
	CHECK(tr_nodes_count(nodes) < HOLDS / 2);
	CHECK_EQ(tr_nodes_sym(nodes, tr_nodes_on(nodes, 0, prog)), prog);
	end_nodes();
}

/* Deeper paths stay at the limit. */
static void deep_paths(void)
{
	enum { DEEP = 20000 };
	struct tr_unwind_totals totals = {0};
	begin_nodes();
	uint32_t node = tr_nodes_on(nodes, 0, prog), top = 0;
	for (unsigned i = 0; i < DEEP && node != top; i++) {
		top = node;
		node = tr_nodes_on(nodes, node, i % 2 ? foo : bar);
	}
	CHECK_EQ(node, top);
	tr_nodes_add_totals(nodes, &totals);
	CHECK_EQ(totals.depth_refused, 1);
	CHECK_EQ(totals.nodes, 0);
	end_nodes();
}

int main(void)
{
	written_once();
	call_sites();
	held_roots();
	chained_holds();
	dead_nodes();
	deep_paths();
	tr_nodes_free(NULL);
	return check_done();
}
