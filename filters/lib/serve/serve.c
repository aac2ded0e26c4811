/* SPDX-License-Identifier: Apache-2.0 */
/* The server: sockets, requests and answers. */
#include "serve/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
	MOST_CLIENTS = 32,
	CLIENT_SECONDS = 10,	 /* without a byte: the connection ends */
	CLIENT_BYTES = 16 << 10, /* of a request's head */
};

struct text {
	char *data;
	size_t size;
};

struct tr_serve {
	struct MHD_Daemon *daemon;
	pthread_mutex_t lock; /* of all that follows */
	struct text page, state, graph;
	uint64_t version;  /* of the graph; 0: none yet */
	uint64_t sent;	   /* latest version that a client got whole */
	uint64_t asked_ms; /* of the last request for the state; 0: none */
	uint64_t state_ms; /* of the state's publication */
	bool is_wanted;
	unsigned port;
	struct tr_serve_answers answers; /* .answer is NULL: "/live" */
};

static uint64_t read_clock_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Queues an answer, and releases it. */
static enum MHD_Result queue_answer(struct MHD_Connection *connection, unsigned status,
				    const char *kind, struct MHD_Response *response)
{
	static const char *const headers[][2] = {
	    {"Cache-Control", "no-store"},
	    {"X-Content-Type-Options", "nosniff"},
	    {"Referrer-Policy", "no-referrer"},
	    {"Content-Security-Policy",
	     "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
	     "connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; "
	     "form-action 'none'"},
	};
	if (!response)
		return MHD_NO;
	MHD_add_response_header(response, "Content-Type", kind);
	for (size_t i = 0; i < sizeof(headers) / sizeof(*headers); i++)
		MHD_add_response_header(response, headers[i][0], headers[i][1]);
	if (status == MHD_HTTP_METHOD_NOT_ALLOWED)
		MHD_add_response_header(response, "Allow", "GET, HEAD");
	enum MHD_Result result = MHD_queue_response(connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static enum MHD_Result refuse_request(struct MHD_Connection *connection, unsigned status,
				      const char *text)
{
	return queue_answer(connection, status, "text/plain; charset=utf-8",
			    MHD_create_response_from_buffer(strlen(text),
							    (void *)(uintptr_t)text,
							    MHD_RESPMEM_PERSISTENT));
}

/* Returns true if `host`, as in "localhost:8000", is this machine's own name: another
 * site's name may be made to point to the loopback address. */
static bool is_own(const char *host, unsigned port)
{
	static const char *const names[] = {"127.0.0.1", "localhost"};
	char own[40];
	for (unsigned i = 0; host && i < 2; i++) {
		snprintf(own, sizeof(own), "%s:%u", names[i], port);
		if (strcmp(host, own) == 0 || (port == 80 && strcmp(host, names[i]) == 0))
			return true;
	}
	return false;
}

/* Returns the state with the graph if its version is not `since`; NULL when out of
 * memory. The lock is held. */
static struct MHD_Response *make_live_response(struct tr_serve *serve, uint64_t since)
{
	const uint64_t now = read_clock_ms();
	const bool has_graph = serve->version != since && serve->graph.data;
	const size_t room = serve->state.size + (has_graph ? serve->graph.size : 4) + 100;
	char *json = malloc(room);
	if (!json)
		return NULL;
	/* The state's members, without its closing brace. */
	size_t size = serve->state.size ? serve->state.size - 1 : 0;
	if (size)
		memcpy(json, serve->state.data, size);
	size += (size_t)snprintf(
	    json + size, room - size,
	    "%s\"age\":%" PRIu64 ",\"version\":%" PRIu64 ",\"graph\":", size ? "," : "{",
	    size ? now - serve->state_ms : 0, serve->version);
	memcpy(json + size, has_graph ? serve->graph.data : "null",
	       has_graph ? serve->graph.size : 4);
	size += has_graph ? serve->graph.size : 4;
	json[size++] = '}';
	serve->asked_ms = now;
	serve->is_wanted = true;
	struct MHD_Response *response =
	    MHD_create_response_from_buffer(size, json, MHD_RESPMEM_MUST_FREE);
	if (!response)
		free(json);
	return response;
}

/* `*state` becomes the version that is sent. */
static enum MHD_Result send_live(struct tr_serve *serve,
				 struct MHD_Connection *connection, void **state)
{
	const char *since =
	    MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "since");
	uint64_t version = since ? strtoull(since, NULL, 10) : 0;
	pthread_mutex_lock(&serve->lock);
	struct MHD_Response *response = make_live_response(serve, version);
	*state = (void *)(uintptr_t)serve->version;
	pthread_mutex_unlock(&serve->lock);
	return queue_answer(connection, MHD_HTTP_OK, "application/json", response);
}

static const char *find_argument(const void *connection, const char *name)
{
	return MHD_lookup_connection_value((struct MHD_Connection *)(uintptr_t)connection,
					   MHD_GET_ARGUMENT_KIND, name);
}

/* Sends what `answers` has for a path. */
static enum MHD_Result send_answer(const struct tr_serve *serve,
				   struct MHD_Connection *connection, const char *url)
{
	const struct tr_serve_request request = {url, find_argument, connection};
	struct tr_serve_text text = {0};
	const int status = serve->answers.answer(serve->answers.context, &request, &text);
	if (status == TR_END)
		return refuse_request(connection, MHD_HTTP_NOT_FOUND, "no such path\n");
	if (status == TR_E_ARGUMENT)
		return refuse_request(connection, MHD_HTTP_BAD_REQUEST,
				      "a wrong argument\n");
	if (status)
		return refuse_request(connection, MHD_HTTP_INTERNAL_SERVER_ERROR,
				      "no answer\n");
	struct MHD_Response *response =
	    MHD_create_response_from_buffer(text.size, text.data, MHD_RESPMEM_MUST_FREE);
	if (!response)
		free(text.data);
	return queue_answer(connection, MHD_HTTP_OK, text.kind, response);
}

static enum MHD_Result handle_request(void *context, struct MHD_Connection *connection,
				      const char *url, const char *method,
				      const char *version, const char *upload,
				      size_t *upload_size, void **state)
{
	struct tr_serve *serve = context;
	(void)version, (void)upload, (void)upload_size;
	if (!is_own(MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
		    serve->port))
		return refuse_request(connection, MHD_HTTP_FORBIDDEN, "not this host\n");
	if (strcmp(method, "GET") != 0 && strcmp(method, "HEAD") != 0)
		return refuse_request(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
				      "only GET\n");
	if (serve->answers.answer && strcmp(url, "/") != 0)
		return send_answer(serve, connection, url);
	if (strcmp(url, "/live") == 0)
		return send_live(serve, connection, state);
	if (strcmp(url, "/") != 0)
		return refuse_request(connection, MHD_HTTP_NOT_FOUND,
				      "there are / and /live\n");
	return queue_answer(connection, MHD_HTTP_OK, "text/html; charset=utf-8",
			    MHD_create_response_from_buffer(serve->page.size,
							    serve->page.data,
							    MHD_RESPMEM_PERSISTENT));
}

/* An answer has been sent, or will not be. */
static void note_sent(void *context, struct MHD_Connection *connection, void **state,
		      enum MHD_RequestTerminationCode code)
{
	struct tr_serve *serve = context;
	uint64_t version = (uintptr_t)*state;
	(void)connection;
	pthread_mutex_lock(&serve->lock);
	if (code == MHD_REQUEST_TERMINATED_COMPLETED_OK && version > serve->sent)
		serve->sent = version;
	pthread_mutex_unlock(&serve->lock);
}

/* Returns a socket that listens, or -1 with errno set. */
static int listen_on(unsigned port, unsigned *chosen)
{
	struct sockaddr_in at = {.sin_family = AF_INET,
				 .sin_port = htons((uint16_t)port),
				 .sin_addr = {htonl(INADDR_LOOPBACK)}};
	socklen_t size = sizeof(at);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int)) != 0 ||
	    bind(fd, (struct sockaddr *)&at, size) != 0 || listen(fd, 16) != 0 ||
	    getsockname(fd, (struct sockaddr *)&at, &size) != 0) {
		int error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	*chosen = ntohs(at.sin_port);
	return fd;
}

/* Replaces a text by a copy. Returns a status. */
static int replace_text(struct text *text, const char *data, size_t size)
{
	char *copy = malloc(size ? size : 1);
	if (!copy)
		return TR_E_NOMEM;
	memcpy(copy, data, size);
	free(text->data);
	*text = (struct text){copy, size};
	return TR_OK;
}

/* Starts the thread. Signals are for the program's own. */
static struct MHD_Daemon *start_daemon(struct tr_serve *serve, int fd)
{
	sigset_t all, former;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &former);
	struct MHD_Daemon *daemon = MHD_start_daemon(
	    MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)serve->port, NULL,
	    NULL, handle_request, serve, MHD_OPTION_LISTEN_SOCKET, fd,
	    MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CLIENTS,
	    MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)CLIENT_SECONDS,
	    MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CLIENT_BYTES,
	    MHD_OPTION_NOTIFY_COMPLETED, note_sent, serve, MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &former, NULL);
	return daemon;
}

int tr_serve_start(struct tr_serve **out, unsigned port, const char *page, size_t size)
{
	const struct tr_serve_answers none = {0};
	return tr_serve_start_answers(out, port, page, size, &none);
}

int tr_serve_start_answers(struct tr_serve **out, unsigned port, const char *page,
			   size_t size, const struct tr_serve_answers *answers)
{
	struct tr_serve *serve = calloc(1, sizeof(*serve));
	*out = NULL;
	if (!serve)
		return TR_E_NOMEM;
	serve->answers = *answers;
	int status = replace_text(&serve->page, page, size);
	int fd = status ? -1 : listen_on(port, &serve->port);
	if (!status && fd < 0)
		status = TR_E_IO;
	if (!status) {
		pthread_mutex_init(&serve->lock, NULL);
		serve->daemon = start_daemon(serve, fd);
		if (serve->daemon) {
			*out = serve;
			return TR_OK;
		}
		pthread_mutex_destroy(&serve->lock);
		close(fd);
		status = TR_E_NOMEM;
	}
	int error = errno;
	free(serve->page.data);
	free(serve);
	errno = error;
	return status;
}

unsigned tr_serve_port(const struct tr_serve *serve)
{
	return serve->port;
}

int tr_serve_state(struct tr_serve *serve, const char *json, size_t size)
{
	pthread_mutex_lock(&serve->lock);
	int status = replace_text(&serve->state, json, size);
	serve->state_ms = read_clock_ms();
	pthread_mutex_unlock(&serve->lock);
	return status;
}

int tr_serve_graph(struct tr_serve *serve, const char *json, size_t size)
{
	pthread_mutex_lock(&serve->lock);
	int status = replace_text(&serve->graph, json, size);
	if (!status) {
		serve->version++;
		serve->is_wanted = false;
	}
	pthread_mutex_unlock(&serve->lock);
	return status;
}

bool tr_serve_wanted(struct tr_serve *serve)
{
	pthread_mutex_lock(&serve->lock);
	bool is_wanted = serve->is_wanted;
	pthread_mutex_unlock(&serve->lock);
	return is_wanted;
}

void tr_serve_linger(struct tr_serve *serve, unsigned milliseconds)
{
	const uint64_t start = read_clock_ms();
	bool waits = true;
	while (waits) {
		uint64_t now = read_clock_ms();
		pthread_mutex_lock(&serve->lock);
		waits = serve->sent != serve->version && serve->asked_ms &&
			serve->asked_ms + milliseconds > start &&
			now < start + milliseconds;
		pthread_mutex_unlock(&serve->lock);
		if (waits)
			nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
	}
}

void tr_serve_stop(struct tr_serve *serve)
{
	if (!serve)
		return;
	MHD_stop_daemon(serve->daemon);
	pthread_mutex_destroy(&serve->lock);
	free(serve->page.data);
	free(serve->state.data);
	free(serve->graph.data);
	free(serve);
}
