/* SPDX-License-Identifier: Apache-2.0 */
/* Who runs, and what is counted for whom. A life is an address space of a process, from
 * exec, or from fork, to the next exec or the end; threads and vfork children live in
 * that of another process.
 *
 * Executions are of the entry's first instruction: `before` with the instruction of the
 * file, `late` those of them after any replaced entry of this life was executed, and
 * `entered` with another instruction, the jump to a stub. Of these, `open` were left
 * before the stub's amoadd: the process died, or a signal handler jumped away.
 * `inherited` are the amoadds of a child whose entry its parent executed, before the
 * fork. The counter therefore is entered - open + inherited, from the moment on at which
 * entries are replaced; an instruction that was executed before is not counted then.
 *
 * If entries are restored while a thread is between entry and amoadd, it executes the
 * entry once more, with the instruction of the file, and whoever restored it has counted:
 * neither `before` nor `open`. */
#ifndef PROCESS_LIVES_H
#define PROCESS_LIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "watched_programs.h"

struct entry_counts {
	uint64_t before, late, entered, open, inherited;
	uint64_t counted; /* amoadds of its stub so far: kept by follow_log.c */
};

/* A program at one place, and what the blocks of the trace have of it. */
struct placed_program {
	const struct watched_program *program;
	uint64_t bias;
	/* By block: 0 not looked at, 1 nothing, or else where its marks begin. */
	uint32_t *marks_of;
	size_t blocks;
	uint64_t generation;
	struct block_mark *marks;
	size_t mark_count, mark_room;
};
struct block_mark {
	uint32_t entry; /* MARK_COUNTS: a stub's amoadd; MARK_END: no more */
	uint16_t token; /* of the block */
	bool is_replaced;
};
#define MARK_END    UINT32_MAX
#define MARK_COUNTS (UINT32_MAX - 1)

struct process_life {
	uint32_t pid;
	uint32_t number; /* of this pid's lives, from 1 */
	struct placed_program *placed;
	struct entry_counts *counts; /* by entry */
	bool is_replaced;	     /* it has executed a replaced entry */
	bool has_begun; /* it has executed an instruction: kept by follow_log.c */
};

struct open_entry {
	uint32_t entry;
	bool is_inherited;
};

enum { TASKS = 1 << 16, OPEN_ENTRIES = 64 };
struct traced_task {
	struct process_life *life; /* NULL: its program is not watched */
	uint64_t stopped_at;	   /* epc of the first trap since it last committed */
	bool is_stopped, was_elsewhere; /* there were traps at other places since */
	uint32_t open_count;
	struct open_entry open[OPEN_ENTRIES]; /* the latest is last */
};

struct process_lives {
	struct watched_programs watched;
	struct traced_task *tasks[TASKS]; /* by pid */
	uint32_t numbers[TASKS];	  /* of lives of a pid */
	struct process_life **lives;
	size_t count;
	struct placed_program **placed;
	size_t placed_count;
	uint64_t orphans; /* amoadds of stubs without an entry */
};

/* All return false without memory, or for a pid that is too large. */
bool start_task_life(struct process_lives *all, uint64_t pid, uint64_t tgid,
		     size_t program, uint64_t code);
bool fork_task_life(struct process_lives *all, uint64_t parent, uint64_t child,
		    uint64_t tgid, bool shares);
/* Returns the life of an address space whose program is at a bias, NULL without memory.
 */
struct process_life *start_space_life(struct process_lives *all, uint32_t space,
				      size_t program, uint64_t bias);
/* What is open in a life that ends is never counted. */
void abandon_open_entries(struct traced_task *task);
/* Counts a mark. *counted is the entry whose counter the stub increments there, or
 * MARK_END. Returns false if too many entries are open. */
bool count_block_mark(struct process_lives *all, struct traced_task *task,
		      struct block_mark mark, uint32_t *counted);
/* Counts what a block has. */
bool count_block_marks(struct process_lives *all, struct traced_task *task,
		       const struct block_mark *marks);
/* Ends all lives: what is open then remains so. */
void end_task_lives(struct process_lives *all);
void free_process_lives(struct process_lives *all);

#endif
