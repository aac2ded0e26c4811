/* SPDX-License-Identifier: Apache-2.0 */
/* Lives in a trace without probes, from tr-match: an address space is a life, its number
 * takes the pid's place, and a binary's notes tell its program. A thread is a value of
 * tp. A child that is forked between an entry and the stub's amoadd is not recognised. */
#ifndef SPACE_LIVES_H
#define SPACE_LIVES_H

#include "base/map.h"
#include "process_lives.h"
#include "stream/reader.h"

enum { SPACES = TASKS };
struct space_lives {
	struct process_life *lives[SPACES]; /* by space */
	bool is_unknown[SPACES];	    /* has run before its program was known */
	struct tr_map task_of;		    /* by space and tp */
	struct traced_task **tasks;
	size_t count;
};

/* Takes the notes of a frame. `programs` are the numbers of watched programs by that of
 * the binary, or SIZE_MAX. Returns NULL or a message. */
const char *take_space_notes(struct space_lives *spaces, struct process_lives *lives,
			     const struct tr_frame *frame, const size_t *programs,
			     size_t binaries);
/* Returns the task of a context in user mode; NULL if its program is not watched, or,
 * with *failed set, without memory. */
struct traced_task *find_space_task(struct space_lives *spaces,
				    const struct tr_context *context, bool *failed);
void end_space_lives(struct space_lives *spaces);
void free_space_lives(struct space_lives *spaces);

#endif
