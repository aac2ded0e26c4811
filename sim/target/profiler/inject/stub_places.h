/* SPDX-License-Identifier: Apache-2.0 */
/* Where the parts of the stubs may be in a process, and where its threads are in code
 * that comes or goes. */
#ifndef STUB_PLACES_H
#define STUB_PLACES_H

#include <stdbool.h>
#include <stdint.h>

#include "process_maps.h"
#include "run/trouble.h"
#include "stubs/stubs.h"
#include "threads.h"
#include "tracee.h"

/* Chooses places for the areas and `counters_size` bytes of counters; places->bias is
 * set. What is above the program is below its heap. If there is no room and the process
 * is `fresh`, the heap must first begin at *new_break; else that is 0. Returns false with
 * the trouble set. */
bool choose_stub_places(const struct tr_stubs *stubs, uint64_t counters_size,
			const struct process_maps *maps, uint64_t start_brk, bool fresh,
			struct tr_stubs_places *places, uint64_t *new_break,
			struct trouble *trouble);

/* A thread that is stopped, and where it goes. */
struct thread_move {
	pid_t thread;
	struct tracee_registers registers;
	struct tr_stubs_move move;
};

typedef struct tr_stubs_move stub_mover(const struct tr_stubs *stubs,
					const struct tr_stubs_places *places,
					uint64_t pc);

/* Reads where the threads of a process are. Returns as many as it has, in a list that the
 * caller frees, with the number in *count; NULL with the trouble set. */
struct thread_move *plan_thread_moves(const struct traced_threads *threads, pid_t process,
				      const struct tr_stubs *stubs,
				      const struct tr_stubs_places *places,
				      stub_mover *mover, size_t *count,
				      struct trouble *trouble);

/* Begins calls of the process's first thread, if it still runs, or another one. */
bool begin_planned_calls(struct tracee_calls *calls, const struct thread_move *moves,
			 size_t count, pid_t process, int memory,
			 const struct process_maps *maps, struct trouble *trouble);

enum stack_search { STACK_CLEAR, STACK_REFERS, STACK_UNREADABLE };

/* Looks for words on the stack of a thread, from sp to the end of the mapping, that are
 * places which would have to be moved: a signal handler may return there. They are not
 * told from data. Sets the trouble, unless it returns STACK_CLEAR. */
enum stack_search search_stack(const struct thread_move *thread, int memory,
			       const struct process_maps *maps,
			       const struct tr_stubs *stubs,
			       const struct tr_stubs_places *places, stub_mover *mover,
			       struct trouble *trouble);

#endif
