/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses places for stubs, and finds what refers to code that comes or goes. */
#include "stub_places.h"

#include <stdlib.h>

enum { PAGE = 4096, BELOW = 0, ABOVE = 1, STACK_PART = 16384 };
/* The kernel's frame for a signal: bytes before its context, up to the pc, and all; more
 * are possible, as of vector registers. */
enum { FRAME_INFO = 128, FRAME_PC = 304, FRAME_SIZE = 1088, FRAME_MORE = 65536 };
/* An auipc reaches a page less than 2 GiB. */
static const uint64_t REACH = (UINT64_C(1) << 31) - PAGE;

static uint64_t round_to_page(uint64_t value)
{
	return (value + PAGE - 1) / PAGE * PAGE;
}

static bool place_below(const struct tr_stubs_area *area, const struct process_maps *maps,
			struct tr_stubs_places *places)
{
	return find_free_place(maps, area->lowest + places->bias,
			       area->highest + places->bias, area->size, true,
			       &places->areas[BELOW]);
}

static bool place_above(const struct tr_stubs_area *area, const struct process_maps *maps,
			uint64_t start_brk, bool fresh, struct tr_stubs_places *places,
			uint64_t *new_break)
{
	uint64_t lowest = area->lowest + places->bias,
		 highest = area->highest + places->bias;
	uint64_t heap = round_to_page(start_brk);
	uint64_t below_heap =
	    start_brk && start_brk >= area->size && start_brk - area->size < highest
		? start_brk - area->size
		: highest;

	if (lowest <= below_heap && find_free_place(maps, lowest, below_heap, area->size,
						    false, &places->areas[ABOVE]))
		return true;
	if (!fresh || !start_brk)
		return false;
	places->areas[ABOVE] = heap > lowest ? heap : round_to_page(lowest);
	*new_break = places->areas[ABOVE] + area->size;
	return places->areas[ABOVE] <= highest;
}

/* Of a static PIE, the stack is within reach: its counters are below the stubs, so that
 * the stack can grow. */
static bool place_counters(const struct tr_stubs *stubs, uint64_t size,
			   const struct process_maps *maps,
			   struct tr_stubs_places *places)
{
	uint64_t first = UINT64_MAX, end = 0;
	const struct process_map *stack = name_process_map(maps, "[stack]");

	for (unsigned i = 0; i < TR_STUBS_AREAS; i++) {
		const struct tr_stubs_area *area = &stubs->areas[i];

		if (!area->size)
			continue;
		if (places->areas[i] < first)
			first = places->areas[i];
		if (places->areas[i] + area->size > end)
			end = places->areas[i] + area->size;
	}
	uint64_t top = stack && stack->start < first + REACH ? first : first + REACH;

	return top > size && find_free_place(maps, end > REACH ? end - REACH : PAGE,
					     top - size, size, true, &places->counters);
}

bool choose_stub_places(const struct tr_stubs *stubs, uint64_t counters_size,
			const struct process_maps *maps, uint64_t start_brk, bool fresh,
			struct tr_stubs_places *places, uint64_t *new_break,
			struct trouble *trouble)
{
	*new_break = 0;
	if (stubs->areas[BELOW].size && !place_below(&stubs->areas[BELOW], maps, places))
		return tell_trouble(trouble, "no room for stubs below the program");
	if (stubs->areas[ABOVE].size &&
	    !place_above(&stubs->areas[ABOVE], maps, start_brk, fresh, places, new_break))
		return tell_trouble(trouble, "no room for stubs above the program");
	return place_counters(stubs, counters_size, maps, places) ||
	       tell_trouble(trouble, "no room for counters within reach");
}

/* --- threads */

struct thread_move *plan_thread_moves(const struct traced_threads *threads, pid_t process,
				      const struct tr_stubs *stubs,
				      const struct tr_stubs_places *places,
				      stub_mover *mover, size_t *count,
				      struct trouble *trouble)
{
	const struct traced_thread *thread;
	size_t thread_count = 0;

	for (thread = first_process_thread(threads, process); thread;
	     thread = next_process_thread(thread))
		thread_count++;
	struct thread_move *moves = malloc((thread_count + 1) * sizeof(*moves));

	*count = 0;
	if (!moves) {
		tell_no_memory(trouble);
		return NULL;
	}
	for (thread = first_process_thread(threads, process); thread;
	     thread = next_process_thread(thread)) {
		struct thread_move *move = &moves[*count];

		move->thread = thread->id;
		if (!get_tracee_registers(move->thread, &move->registers, trouble)) {
			free(moves);
			return NULL;
		}
		move->move = mover(stubs, places, move->registers.pc);
		++*count;
	}
	return moves;
}

bool begin_planned_calls(struct tracee_calls *calls, const struct thread_move *moves,
			 size_t count, pid_t process, int memory,
			 const struct process_maps *maps, struct trouble *trouble)
{
	uint64_t *stacks = malloc(count * sizeof(*stacks));
	pid_t thread = moves[0].thread;

	if (!stacks)
		return tell_no_memory(trouble);
	for (size_t i = 0; i < count; i++) {
		stacks[i] = moves[i].registers.x[TRACEE_SP - 1];
		if (moves[i].thread == process)
			thread = process;
	}
	bool begun =
	    begin_tracee_calls(calls, thread, memory, maps, stacks, count, trouble);

	free(stacks);
	return begun;
}

/* Addresses that may have to be moved: from the first entry to the end of the last, or in
 * an area. Most words are none. */
static bool may_be_place(const struct tr_stubs *stubs,
			 const struct tr_stubs_places *places, uint64_t word)
{
	const struct tr_stubs_function *first = stubs->functions;
	const struct tr_stubs_function *last =
	    &stubs->functions[stubs->function_count - 1];

	if (word - places->bias - first->start <= last->start + last->size - first->start)
		return true;
	for (unsigned i = 0; i < TR_STUBS_AREAS; i++)
		if (word - places->areas[i] < stubs->areas[i].size)
			return true;
	return false;
}

/* Tells whether a word at `at` is the pc in a frame of the kernel for a signal (struct
 * rt_sigframe), which lies above sp. Old words in holes of other frames are none. */
static bool is_frame_pc(int memory, uint64_t at, uint64_t sp)
{
	struct {
		uint64_t flags, link, stack, stack_flags, stack_size, mask[17], pc, ra,
		    sp;
	} context; /* the beginning of struct ucontext */
	uint64_t place = at - FRAME_PC;
	struct trouble ignored = {{0}};

	if (place < sp || place % 16 != 0 ||
	    !read_tracee_memory(memory, place + FRAME_INFO, &context, sizeof(context),
				&ignored))
		return false;
	return context.flags == 0 && context.link == 0 &&
	       (context.sp - place - FRAME_SIZE < FRAME_MORE ||
		place - context.stack < context.stack_size);
}

enum stack_search search_stack(const struct thread_move *thread, int memory,
			       const struct process_maps *maps,
			       const struct tr_stubs *stubs,
			       const struct tr_stubs_places *places, stub_mover *mover,
			       struct trouble *trouble)
{
	uint64_t sp = (thread->registers.x[TRACEE_SP - 1] + 7) & ~UINT64_C(7);
	const struct process_map *stack = find_process_map(maps, sp);
	uint64_t words[STACK_PART / 8];

	if (!stubs->function_count || !stack)
		return STACK_CLEAR;
	for (uint64_t at = sp; at < stack->end; at += STACK_PART) {
		uint64_t left = stack->end - at;
		size_t size = left < STACK_PART ? (size_t)left : STACK_PART;

		if (!read_tracee_memory(memory, at, words, size, trouble))
			return STACK_UNREADABLE;
		for (size_t i = 0; i < size / 8; i++) {
			if (may_be_place(stubs, places, words[i]) &&
			    mover(stubs, places, words[i]).moves &&
			    is_frame_pc(memory, at + 8 * i, sp)) {
				tell_trouble(trouble,
					     "a signal handler returns to 0x%llx",
					     (unsigned long long)words[i]);
				return STACK_REFERS;
			}
		}
	}
	return STACK_CLEAR;
}
