/* SPDX-License-Identifier: Apache-2.0 */
/* Moves through a trace in both directions, from instruction to instruction and from one
 * breakpoint or watched access to the next. All harts are at the same moment: one of
 * them, the current one, is about to execute an instruction, which has not trapped. */
#ifndef REPLAY_TRAVEL_H
#define REPLAY_TRAVEL_H

#include "index.h"
#include "replay.h"

struct travel;

struct travel_options {
	struct soc *soc;
	struct tr_reader *reader;
	struct replay *replay;
	/* An index of the whole trace; or NULL: a temporary one is made on the way. */
	struct replay_index *index;
	const char *trace; /* path */
	/* Asked now and then while it moves: returns true to stop. */
	bool (*interrupted)(void *user);
	void *user;
};

/* Returns NULL if memory runs out. Nothing has been replayed yet. On another failure
 * travel_message() has the reason. */
struct travel *travel_new(const struct travel_options *options);
void travel_free(struct travel *t);

enum travel_stop {
	TRAVEL_THERE, /* where it was to go */
	TRAVEL_BREAK, /* before an instruction with a breakpoint */
	TRAVEL_WRITE, /* before a watched write; backwards: behind it */
	/* Before, or backwards behind, a watched write by no instruction: one of a
	 * device, or one in a part that is not traced. */
	TRAVEL_DEVICE,
	TRAVEL_UNTRACED,
	TRAVEL_START,	/* at the first instruction of the trace */
	TRAVEL_END,	/* behind the last one */
	TRAVEL_STOPPED, /* interrupted() */
	TRAVEL_FAILED,	/* travel_message() */
};
/* Goes to the hart's first instruction that commits in the cycle or later; forwards from
 * where it is, or from a place of the index. */
enum travel_stop travel_to_cycle(struct travel *t, unsigned hart, uint64_t cycle);
/* Execute one instruction of the hart, or undo the last one. */
enum travel_stop travel_step(struct travel *t, unsigned hart);
enum travel_stop travel_step_back(struct travel *t, unsigned hart);
/* Go to the next or the previous stop. */
enum travel_stop travel_run(struct travel *t);
enum travel_stop travel_run_back(struct travel *t);
const char *travel_message(const struct travel *t);

/* The current hart, and the cycle in which its instruction commits. */
unsigned travel_hart(const struct travel *t);
uint64_t travel_cycle(const struct travel *t);
/* After TRAVEL_WRITE, TRAVEL_DEVICE and TRAVEL_UNTRACED: the number of the watch. */
size_t travel_watch(const struct travel *t);

/* Breakpoints, by virtual address in any address space. Adding one again has no effect.
 * Returns false if there are too many. */
bool travel_add_break(struct travel *t, uint64_t pc);
void travel_remove_break(struct travel *t, uint64_t pc);
/* Writes of physical memory, distinguished by `number`; those of devices only if they
 * change it. Returns false if there are too many. */
bool travel_add_watch(struct travel *t, size_t number, uint64_t address, uint64_t size);
void travel_remove_watch(struct travel *t, size_t number);
/* Removes all breakpoints and watches. */
void travel_remove_all(struct travel *t);

#endif
