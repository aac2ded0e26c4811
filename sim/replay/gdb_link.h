/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of gdb's remote serial protocol over TCP, on the loopback address only. */
#ifndef REPLAY_GDB_LINK_H
#define REPLAY_GDB_LINK_H

#include <stdbool.h>
#include <stddef.h>

enum { GDB_PACKET = 1 << 14 }; /* most characters in a packet */

struct gdb_link {
	int listens, fd; /* -1: none */
	bool no_ack;
	bool is_known;	  /* the client has sent a packet */
	bool is_stranger; /* it has sent something else, or nothing at all */
	char in[GDB_PACKET];
	size_t size, used;	     /* of `in` */
	char packet[GDB_PACKET + 1]; /* the last one, as text */
	char out[2 * GDB_PACKET];
};

/* Listens on `port` of 127.0.0.1, on a free one if it is 0, which *chosen gets. Returns
 * false with errno set. */
bool gdb_listen(struct gdb_link *link, unsigned port, unsigned *chosen);
/* Waits for a client. Returns false with errno set. */
bool gdb_accept(struct gdb_link *link);
/* Ends the connection with the client. */
void gdb_hang_up(struct gdb_link *link);
void gdb_close(struct gdb_link *link);

/* Waits for a packet, which is then in link->packet; for the first one some seconds.
 * Returns false if the client has gone or, with link->is_stranger set, if what it sends
 * is not the protocol. */
bool gdb_receive(struct gdb_link *link);
/* Answers with a packet. Returns false if the client has gone. */
bool gdb_send(struct gdb_link *link, const char *text);
/* Returns whether the client has asked to stop, or has gone. */
bool gdb_interrupted(struct gdb_link *link);

#endif
