/* SPDX-License-Identifier: Apache-2.0 */
/* Stores of a replay to one physical page, of TR_MARK_PAGE bytes, each of which is a mark
 * (tr-marks(5)): for software that cannot have the instruction. */
#ifndef REPLAY_PAGE_MARKS_H
#define REPLAY_PAGE_MARKS_H

#include "stream/marks.h"
#include "watch.h"

struct page_marks;

/* A store that is a mark: of kind POINT, BEGIN and END at these bytes of the page. */
enum { PAGE_MARKS_POINT = 0, PAGE_MARKS_BEGIN = 8, PAGE_MARKS_END = 16 };
struct page_mark {
	unsigned hart, token; /* token of the row, from 0 */
	uint64_t row;	      /* among all of the hart's in the trace, from 0 */
	enum tr_mark_kind kind;
	uint64_t number; /* that was stored */
};

/* Calls `hit` for each mark, before the row of its store has been followed. Call before
 * the first frame; the replay remains the caller's, and nothing else may watch accesses
 * of it. Returns NULL if memory runs out. */
struct page_marks *page_marks_new(struct replay *replay, uint64_t page,
				  void (*hit)(void *user, const struct page_mark *mark),
				  void *user);
/* Call before the replay is freed; accepts NULL. */
void page_marks_free(struct page_marks *p);

/* Returns how many writes to the page were no marks: to other bytes of it, by copies of a
 * copy unit, or by devices. */
uint64_t page_marks_others(const struct page_marks *p);

#endif
