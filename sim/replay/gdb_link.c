/* SPDX-License-Identifier: Apache-2.0 */
#include "gdb_link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/number.h"

enum {
	INTERRUPT = 3,
	ACKS = 1 << 16,	    /* characters outside of packets before it hangs up */
	PATIENCE = 1000 * 5 /* ms for the first packet, a packet's end, and for the client
			     * to read */
};

bool gdb_listen(struct gdb_link *link, unsigned port, unsigned *chosen)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((in_port_t)port),
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(at);
	int one = 1;

	link->fd = -1;
	link->listens = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (link->listens < 0 ||
	    setsockopt(link->listens, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
	    bind(link->listens, (struct sockaddr *)&at, size) != 0 ||
	    listen(link->listens, 1) != 0 ||
	    getsockname(link->listens, (struct sockaddr *)&at, &size) != 0)
		return false;
	*chosen = ntohs(at.sin_port);
	return true;
}

bool gdb_accept(struct gdb_link *link)
{
	int one = 1;

	do
		link->fd = accept4(link->listens, NULL, NULL, SOCK_CLOEXEC);
	while (link->fd < 0 && (errno == EINTR || errno == ECONNABORTED));
	link->size = link->used = 0;
	link->no_ack = link->is_known = link->is_stranger = false;
	if (link->fd >= 0)
		setsockopt(link->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return link->fd >= 0;
}

void gdb_hang_up(struct gdb_link *link)
{
	if (link->fd >= 0)
		close(link->fd);
	link->fd = -1;
}

void gdb_close(struct gdb_link *link)
{
	gdb_hang_up(link);
	if (link->listens >= 0)
		close(link->listens);
	link->listens = -1;
}

static bool wait_for(struct gdb_link *link, short events, int timeout)
{
	struct pollfd poll_fd = {.fd = link->fd, .events = events};
	int n;

	do
		n = poll(&poll_fd, 1, timeout);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

/* Reads more, and waits for it at most so long; -1: for ever. A client that keeps silent
 * then is a stranger, unlike one that has gone. */
static bool receive_more(struct gdb_link *link, int timeout)
{
	ssize_t n;

	if (!wait_for(link, POLLIN, timeout)) {
		link->is_stranger |= timeout > 0;
		return false;
	}
	do
		n = recv(link->fd, link->in, sizeof(link->in), MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	link->used = 0;
	link->size = n > 0 ? (size_t)n : 0;
	return n > 0;
}

/* Returns the next character, or -1. */
static int receive_char(struct gdb_link *link, int timeout)
{
	if (link->used == link->size && !receive_more(link, timeout))
		return -1;
	return (unsigned char)link->in[link->used++];
}

static bool send_bytes(struct gdb_link *link, const char *data, size_t size)
{
	while (size) {
		ssize_t n = -1;

		if (wait_for(link, POLLOUT, PATIENCE))
			n = send(link->fd, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
		if (n <= 0 && errno != EINTR)
			return false;
		data += n > 0 ? n : 0;
		size -= n > 0 ? (size_t)n : 0;
	}
	return true;
}

/* Reads what follows a dollar sign. Returns 1, 0 if the checksum is wrong, or -1. */
static int receive_body(struct gdb_link *link)
{
	unsigned sum = 0;
	size_t n = 0;
	int c;

	while ((c = receive_char(link, PATIENCE)) != '#') {
		link->is_stranger |= n == GDB_PACKET;
		if (c < 0 || n == GDB_PACKET)
			return -1;
		sum += (unsigned)c;
		link->packet[n++] = (char)(c ? c : 1); /* no packet has a zero */
	}
	link->packet[n] = 0;
	int high = tr_hex_digit(receive_char(link, PATIENCE));
	int low = tr_hex_digit(receive_char(link, PATIENCE));
	return link->no_ack ||
	       (high >= 0 && low >= 0 && (unsigned)(high << 4 | low) == (sum & 0xff));
}

bool gdb_receive(struct gdb_link *link)
{
	for (unsigned acks = 0; acks < ACKS; acks++) {
		int c = receive_char(link, link->is_known ? -1 : PATIENCE);

		if (c == '+' || c == '-' || c == INTERRUPT)
			continue;
		if (c != '$') {
			link->is_stranger |= c >= 0;
			return false;
		}
		int good = receive_body(link);
		if (good < 0 || (!link->no_ack && !send_bytes(link, good ? "+" : "-", 1)))
			return false;
		link->is_known |= good;
		if (good)
			return true;
	}
	link->is_stranger = true;
	return false;
}

bool gdb_send(struct gdb_link *link, const char *text)
{
	unsigned sum = 0;

	for (const char *c = text; *c; c++)
		sum += (unsigned char)*c;
	int n = snprintf(link->out, sizeof(link->out), "$%s#%02x", text, sum & 0xff);
	return n > 0 && (size_t)n < sizeof(link->out) &&
	       send_bytes(link, link->out, (size_t)n);
}

bool gdb_interrupted(struct gdb_link *link)
{
	while (link->used < link->size && link->in[link->used] == '+')
		link->used++;
	if (link->used == link->size) {
		if (!wait_for(link, POLLIN, 0))
			return false;
		if (!receive_more(link, 0))
			return true;
	}
	if (link->in[link->used] != INTERRUPT)
		return false;
	link->used++;
	return true;
}
