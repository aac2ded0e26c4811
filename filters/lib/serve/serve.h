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

/* Listens on `port` of 127.0.0.1, on a free one if it is 0, and begins to serve `page`,
 * which is copied. Returns TR_OK, TR_E_IO with errno set, or TR_E_NOMEM. */
int tr_serve_start(struct tr_serve **serve, unsigned port, const char *page, size_t size);
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
