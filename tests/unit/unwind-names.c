/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols are numbered once and emitted once; threads are told apart by their keys. */
#include "unwind-parts.h"
#include "unwind/unwind_names.h"

static struct unwind_status status;
static const struct tr_function MAIN = {
    .name = "main", .entry = 0x1100, .low = 0x1100, .high = 0x1200};
static const struct tr_function COPY = {
    .name = "setjmp (copy.c:3)", .entry = 0x1200, .low = 0x1200, .high = 0x1300};

static void symbols(struct tr_names *names)
{
	const uint32_t sym = tr_names_function(names, 0, &MAIN);
	CHECK(sym >= SYM_FIXED);
	CHECK_EQ(tr_names_function(names, 0, &MAIN), sym);
	CHECK(tr_names_function(names, 1, &MAIN) != sym);
	CHECK_STR(tr_names_text(names, sym), "main");
	CHECK_EQ(tr_names_kind(names, sym), TR_FRAME_FUNCTION);
	CHECK_EMITTED("");
	CHECK_EQ(tr_names_func(names, sym), 0);
	CHECK_EQ(tr_names_func(names, sym), 0);
	CHECK_EMITTED("func main prog 1100 0\n");
}

static void roles(struct tr_names *names)
{
	const struct tr_function bounds = {.name = "0x1300",
					   .entry = 0x1300,
					   .low = 0x1300,
					   .high = 0x1400,
					   .is_nameless = true};
	CHECK_EQ(names_role(names, tr_names_function(names, 0, &MAIN)), ROLE_PLAIN);
	CHECK_EQ(names_role(names, tr_names_function(names, 0, &COPY)), ROLE_SETJMP);
	CHECK_EQ(names_role(names, tr_names_function(names, 0, &bounds)), ROLE_NAMELESS);
	CHECK(names_is_blank(names, SYM_UNKNOWN));
	CHECK(names_is_blank(names, tr_names_nameless(names, 2)));
	CHECK(!names_is_blank(names, SYM_TRAP));
}

/* A kernel is a program even if it is linked as a library is. */
static void programs(struct tr_names *names)
{
	CHECK_STR(tr_names_text(names, tr_names_program(names, 0)), "prog");
	CHECK_EQ(tr_names_program(names, 1), SYM_UNKNOWN);
	CHECK_STR(tr_names_text(names, tr_names_program(names, 2)), "kernel");
	CHECK_EQ(tr_names_program(names, 3), SYM_UNKNOWN);
	CHECK_EQ(tr_names_program(names, TR_NOTE_UNKNOWN), SYM_UNKNOWN);
}

static void causes(struct tr_names *names)
{
	const uint64_t timer = TR_CAUSE_INTERRUPT | 7;
	CHECK_STR(tr_names_text(names, tr_names_trap(names, 8)), "[ecall]");
	CHECK_STR(tr_names_text(names, tr_names_trap(names, 14)), "[exception]");
	CHECK_STR(tr_names_text(names, tr_names_trap(names, timer)), "[timer interrupt]");
	CHECK_EQ(tr_names_trap(names, TRAP_CAUSES), SYM_TRAP);
	CHECK_STR(tr_names_text(names, tr_names_trap(names, TR_CAUSE_INTERRUPT | 99)),
		  "[interrupt]");
	CHECK_STR(tr_names_text(names, tr_names_gap(names, TR_GAP_LOST)), "[lost]");
	CHECK_STR(tr_names_text(names, tr_names_gap(names, 200)), "[gap]");
}

static uint32_t thread_of(struct tr_names *names, uint64_t tp, uint64_t satp,
			  uint32_t ordinal, uint32_t sym, bool want_new)
{
	const struct thread_name key = {tp, {satp, 0}, ordinal, sym};
	bool is_new = !want_new;
	const uint32_t id = tr_names_thread(names, &key, &is_new);
	CHECK_EQ(is_new, want_new);
	return id;
}

static void threads(struct tr_names *names)
{
	const uint32_t main_sym = tr_names_function(names, 0, &MAIN);
	CHECK(!tr_names_has_space(names, (struct tr_space_id){.satp = 5}));
	CHECK_EQ(thread_of(names, 0, 5, 0, main_sym, true), 1);
	CHECK(tr_names_has_space(names, (struct tr_space_id){.satp = 5}));
	CHECK_EQ(thread_of(names, 0, 5, 0, main_sym, false), 1);
	CHECK_EQ(thread_of(names, 0, 5, 1, main_sym, true), 2);
	/* With tp, satp tells nothing apart. */
	CHECK_EQ(thread_of(names, 0xff00, 5, 0, main_sym, true), 3);
	CHECK_EQ(thread_of(names, 0xff00, 6, 0, main_sym, false), 3);
	CHECK_EQ(thread_of(names, 0xff00, 6, 0, SYM_UNKNOWN, true), 4);
	CHECK_EMITTED("thread 0 5 'main'\nthread 0 5 'main'\nthread ff00 5 'main'\n"
		      "thread ff00 6 ''\n");
}

/* Beyond the limit, thread 0 stands for the rest. */
static void many_threads(struct tr_names *names)
{
	struct tr_unwind_totals totals = {0};
	uint32_t id = 1;
	for (uint64_t tp = 1; id; tp++, emitted[0] = '\0')
		id = tr_names_thread(names, &(struct thread_name){.tp = tp << 12},
				     &(bool){false});
	tr_names_add_totals(names, &totals);
	CHECK_EQ(totals.threads_refused, 1);
}

int main(void)
{
	struct tr_names *names = tr_names_new(&part_sink, &part_options, &status);
	if (!CHECK(names))
		return check_done();
	CHECK_EMITTED("thread 0 0 ''\n");
	symbols(names);
	roles(names);
	programs(names);
	causes(names);
	threads(names);
	many_threads(names);
	CHECK_EQ(status.first, TR_OK);
	tr_names_free(names);
	tr_names_free(NULL);
	return check_done();
}
