/* SPDX-License-Identifier: Apache-2.0 */
/* Serves a page and a state that changes, by HTTP, on the loopback address only.
 *
 * Paths are "/" (the page) and "/live?since=N": a JSON object with the members of the
 * state, "age", the milliseconds since it was published, "version", which counts the
 * graphs, and "graph", which is null if its version is N. Requests are answered by a
 * thread of the server, from copies: the publisher never waits for a client. A request is
 * refused if it names another host, so that no other site of the browser can read the
 * profile. */
#ifndef TR_SERVE_H
#define TR_SERVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct tr_serve;

/* A request for a path other than "/". `argument` returns the value of an argument, as of
 * "?name=value", or NULL. */
struct tr_serve_request {
	const char *path;
	const char *(*argument)(const void *of, const char *name);
	const void *of;
};
/* An answer: its text, which is malloc'd, and its media type. */
struct tr_serve_text {
	char *data;
	size_t size;
	const char *kind;
};
/* Answers requests in the server's thread. Returns TR_OK and the text, which becomes the
 * server's; TR_END: there is no such path; TR_E_ARGUMENT: a wrong argument; or another
 * error, which the client is told as that of the server. */
struct tr_serve_answers {
	int (*answer)(void *context, const struct tr_serve_request *request,
		      struct tr_serve_text *text);
	void *context;
};

/* Listens on `port` of 127.0.0.1, on a free one if it is 0, and begins to serve `page`,
 * which is copied. Returns TR_OK, TR_E_IO with errno set, or TR_E_NOMEM. */
int tr_serve_start(struct tr_serve **serve, unsigned port, const char *page, size_t size);
/* The same, with answers in place of the path "/live". */
int tr_serve_start_answers(struct tr_serve **serve, unsigned port, const char *page,
			   size_t size, const struct tr_serve_answers *answers);
/* Returns the port. */
unsigned tr_serve_port(const struct tr_serve *serve);
/* Publish the state, a JSON object of at least one member, and the graph, any JSON; both
 * are copied. Return TR_OK or TR_E_NOMEM, which leaves the former one. */
int tr_serve_state(struct tr_serve *serve, const char *json, size_t size);
int tr_serve_graph(struct tr_serve *serve, const char *json, size_t size);
/* Returns true if a client asked since the last graph was published. */
bool tr_serve_wanted(struct tr_serve *serve);
/* Waits, at most `milliseconds`, until a client has got the last graph; does not if none
 * asked in that time before. */
void tr_serve_linger(struct tr_serve *serve, unsigned milliseconds);
/* Ends all connections; accepts NULL. */
void tr_serve_stop(struct tr_serve *serve);

#endif
