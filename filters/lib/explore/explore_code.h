/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of a function in a part of the run, from what tr-annotate --slices
 * leaves in the folder. */
#ifndef TR_EXPLORE_CODE_H
#define TR_EXPLORE_CODE_H

#include "explore/explore.h"
#include "serve/serve.h"

struct tr_explore_code;

/* Remembers the file, which need not exist; the path stays the caller's. Returns NULL
 * when out of memory; tr_explore_code_free() accepts NULL. */
struct tr_explore_code *tr_explore_code_new(const char *path);
void tr_explore_code_free(struct tr_explore_code *);

/* Answers the path "/code", with the arguments func, a number of the answer "names",
 * from, to, hart, process and thread. The file is read again once it has changed. The
 * answer is that of tr_slices_show() and `is_by_context`, which is 0 if a process or a
 * thread is chosen but the file does not tell them, or not as the index numbers them:
 * then it is of all. Or it has a `none` that says why there are no instructions. Returns
 * as tr_explore_answer(). */
int tr_explore_code_answer(struct tr_explore_code *, struct tr_explore *,
			   const struct tr_serve_request *request,
			   struct tr_serve_text *text);

#endif
