/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that begin with a function in common are called after the next one, once their
 * rows show in which they stay. */
#include "unwind-parts.h"
#include "unwind/unwind_shells.h"

static struct unwind_status status;

static int emit_thread_name(void *user, const struct tr_sname *name)
{
	(void)user;
	return emit_text("thread %u '%s'\n", name->thread, name->name);
}

static uint32_t add_function(struct tr_names *names, const char *name, uint64_t entry)
{
	const struct tr_function function = {
	    .name = name, .entry = entry, .low = entry, .high = entry + 0x100};
	return tr_names_function(names, 0, &function);
}

static void run_row(struct shells *shells, uint32_t thread, uint32_t node, bool fresh)
{
	const struct tr_srow row = {.node = node, .cycles = 100, .fresh = fresh};
	tr_shells_row(shells, thread, &row);
}

int main(void)
{
	const struct tr_unwind_sink sink = {.func = emit_func,
					    .node = emit_node,
					    .thread = emit_thread,
					    .thread_name = emit_thread_name};
	struct tr_names *names = tr_names_new(&sink, &part_options, &status);
	struct tr_nodes *nodes = tr_nodes_new(names, &sink, &status);
	struct shells *shells = tr_shells_new(names, nodes, &sink, &status);
	if (!CHECK(shells))
		return check_done();
	emitted[0] = '\0';
	const uint32_t start = add_function(names, "start", 0x1000);
	const uint32_t root = tr_nodes_on(nodes, 0, tr_names_program(names, 0));
	const uint32_t base = tr_nodes_on(nodes, root, start);
	const uint32_t net = tr_nodes_on(nodes, base, add_function(names, "net", 0x1100));
	const uint32_t disk =
	    tr_nodes_on(nodes, base, add_function(names, "disk", 0x1200));

	/* One that is called after its program needs no other name. */
	CHECK(!tr_shells_wait(shells));
	tr_shells_thread(shells, 1, tr_names_program(names, 0));
	CHECK(!tr_shells_wait(shells));
	tr_shells_thread(shells, 2, start);
	tr_shells_thread(shells, 3, start);
	CHECK(tr_shells_wait(shells));
	run_row(shells, 2, net, true);
	tr_shells_name(shells);
	CHECK_EMITTED("");
	run_row(shells, 1, disk, true);
	run_row(shells, 3, disk, true);
	tr_shells_name(shells);
	CHECK_EMITTED("thread 2 'net'\nthread 3 'disk'\n");
	tr_shells_name(shells);
	CHECK_EMITTED("");
	/* Called more than once, so the thread does not stay there. */
	run_row(shells, 3, disk, true);
	tr_shells_name(shells);
	CHECK_EMITTED("thread 2 'start'\nthread 3 'start'\n");
	/* Rows beyond the first ones do not count. */
	for (unsigned i = 0; i < 300; i++) {
		run_row(shells, 2, net, false);
		run_row(shells, 3, disk, false);
	}
	CHECK(!tr_shells_wait(shells));
	CHECK_EQ(status.first, TR_OK);
	tr_shells_free(shells);
	tr_shells_free(NULL);
	tr_nodes_free(nodes);
	tr_names_free(names);
	return check_done();
}
