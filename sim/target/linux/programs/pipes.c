/* SPDX-License-Identifier: Apache-2.0 */
/* Processes that wait for each other: ping-pong over pipes, poll, sockets that carry
 * file descriptors (their garbage collector is a worker of the kernel), TCP.
 *
 *     pipes [TURNS]
 */
#include <arpa/inet.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static unsigned turns = 20;

KEEP static void echo(int from, int to)
{
	unsigned value;

	while (read(from, &value, sizeof(value)) == sizeof(value)) {
		value += spin(100) | 1;
		CHECK(write(to, &value, sizeof(value)) == sizeof(value));
	}
	_exit(0);
}

KEEP static void ping_pong(void)
{
	int there[2], back[2];
	unsigned value = 0;
	pid_t child;

	CHECK(pipe(there) == 0 && pipe(back) == 0);
	child = fork();
	if (child == 0) {
		close(there[1]);
		echo(there[0], back[1]);
	}
	for (unsigned i = 0; i < turns; i++) {
		struct pollfd ready = {.fd = back[0], .events = POLLIN};

		CHECK(write(there[1], &value, sizeof(value)) == sizeof(value));
		CHECK(poll(&ready, 1, -1) == 1);
		CHECK(read(back[0], &value, sizeof(value)) == sizeof(value));
	}
	close(there[0]);
	close(there[1]);
	CHECK(waitpid(child, NULL, 0) == child);
	close(back[0]);
	close(back[1]);
}

/* One end of the pair is sent over the pair and never received. */
KEEP static void left_over(void)
{
	char byte = 0, room[CMSG_SPACE(sizeof(int))];
	struct iovec data = {.iov_base = &byte, .iov_len = 1};
	struct msghdr message = {.msg_iov = &data,
				 .msg_iovlen = 1,
				 .msg_control = room,
				 .msg_controllen = sizeof(room)};
	struct cmsghdr *header;
	int pair[2];

	CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair) == 0);
	memset(room, 0, sizeof(room));
	header = CMSG_FIRSTHDR(&message);
	header->cmsg_level = SOL_SOCKET;
	header->cmsg_type = SCM_RIGHTS;
	header->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(header), &pair[1], sizeof(int));
	CHECK(sendmsg(pair[0], &message, 0) == 1);
	close(pair[0]);
	close(pair[1]);
}

KEEP static void serve(int listener)
{
	char buffer[512];
	ssize_t n;
	int peer = accept(listener, NULL, NULL);

	CHECK(peer >= 0);
	while ((n = read(peer, buffer, sizeof(buffer))) > 0)
		CHECK(write(peer, buffer, (size_t)n) == n);
	_exit(0);
}

KEEP static void tcp(void)
{
	struct sockaddr_in address = {.sin_family = AF_INET,
				      .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t size = sizeof(address);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	int peer = socket(AF_INET, SOCK_STREAM, 0);
	char buffer[512] = {0};
	pid_t child;

	CHECK(bind(listener, (struct sockaddr *)&address, size) == 0);
	CHECK(listen(listener, 1) == 0);
	CHECK(getsockname(listener, (struct sockaddr *)&address, &size) == 0);
	child = fork();
	if (child == 0) {
		close(peer);
		serve(listener);
	}
	CHECK(connect(peer, (struct sockaddr *)&address, size) == 0);
	for (unsigned i = 0; i < turns; i++) {
		CHECK(write(peer, buffer, sizeof(buffer)) == sizeof(buffer));
		CHECK(recv(peer, buffer, sizeof(buffer), MSG_WAITALL) == sizeof(buffer));
	}
	shutdown(peer, SHUT_WR);
	CHECK(waitpid(child, NULL, 0) == child);
	close(peer);
	close(listener);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		turns = (unsigned)atoi(argv[1]);
	ping_pong();
	left_over();
	tcp();
	return 0;
}
