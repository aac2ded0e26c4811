/* SPDX-License-Identifier: Apache-2.0 */
/* Requests to an explorer. */
#ifndef TR_EXPLORE_ANSWER_H
#define TR_EXPLORE_ANSWER_H

#include "explore/explore.h"
#include "serve/serve.h"

/* Answers the paths "/run", "/names", "/overview", "/view", "/marks", "/regions",
 * "/region" and "/folded" (explore.h), with the arguments from, to, process, thread,
 * hart, root, width, since of "/names", and mark and nth of "/region".
 * Returns TR_OK, TR_END, TR_E_ARGUMENT, TR_E_NOMEM or TR_E_CORRUPT, as tr_serve_answers
 * says; `text` is the caller's. */
int tr_explore_answer(struct tr_explore *, const struct tr_serve_request *request,
		      struct tr_serve_text *text);
/* Opens an answer of a kind (tr_serve_text), which is written to the file that is
 * returned; NULL when out of memory. Closing it completes the text, which is the
 * caller's, or NULL if `status`, that of writing, or closing fails. Returns the status.
 */
FILE *tr_explore_answer_open(struct tr_serve_text *text, const char *kind);
int tr_explore_answer_close(struct tr_serve_text *text, FILE *file, int status);
/* Gets a number of a request, or leaves it if there is none. Returns false if it is no
 * number up to `most`. */
bool tr_explore_argument(const struct tr_serve_request *request, const char *name,
			 uint64_t most, uint64_t *value);
/* Gets the choice of a request. Returns false if an argument is no number, or too large.
 */
bool tr_explore_get_choice(const struct tr_serve_request *request,
			   struct tr_explore_choice *choice);
/* Makes a request of "/PATH?NAME=VALUE&...", which it changes, and which stays the
 * caller's; two zeros end it. */
struct tr_serve_request tr_explore_request(char *text);

/* Writes the page of a folder, with what it asks for. */
void tr_explore_page(const char *folder, FILE *file);

#endif
