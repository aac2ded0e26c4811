/* SPDX-License-Identifier: Apache-2.0 */
#include "debug.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gdb.h"

/* Instructions between places of the temporary index: replayed before an answer when
 * going back. */
enum { EVERY = 2 << 20 };

struct debug {
	const struct debug_options *o;
	struct travel *travel;
	struct gdb_link *link;
	struct gdb *gdb;
	char *message;
};

__attribute__((format(printf, 2, 3))) static bool fail_debugging(struct debug *d,
								 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(d->message, DEBUG_MESSAGE, format, args);
	va_end(args);
	return false;
}

static bool has_client_interrupted(void *user)
{
	const struct debug *d = user;

	return d->link->fd >= 0 && gdb_interrupted(d->link);
}

static bool start_debugging(struct debug *d)
{
	struct travel_options options = {.soc = d->o->soc,
					 .reader = d->o->reader,
					 .replay = d->o->replay,
					 .index = d->o->index,
					 .trace = d->o->trace,
					 .interrupted = has_client_interrupted,
					 .user = d};

	d->travel = travel_new(&options);
	d->link = calloc(1, sizeof(*d->link));
	if (!d->travel || !d->link)
		return fail_debugging(d, "out of memory");
	if (travel_message(d->travel))
		return fail_debugging(d, "%s", travel_message(d->travel));
	d->link->fd = d->link->listens = -1;
	switch (travel_to_cycle(d->travel, d->o->hart, d->o->cycle)) {
	case TRAVEL_THERE:
		break;
	case TRAVEL_FAILED:
		return fail_debugging(d, "%s", travel_message(d->travel));
	default:
		return fail_debugging(d, "%s: the trace ends before cycle %" PRIu64,
				      d->o->trace, d->o->cycle);
	}
	d->gdb = gdb_new(d->link, d->travel, d->o->soc);
	return d->gdb ? true : fail_debugging(d, "out of memory");
}

static bool serve_gdb_clients(struct debug *d)
{
	unsigned port;

	if (!gdb_listen(d->link, d->o->port, &port))
		return fail_debugging(d, "port %u: %s", d->o->port, strerror(errno));
	fprintf(d->o->out, "target remote 127.0.0.1:%u\n", port);
	fflush(d->o->out);
	for (bool over = false; !over;) {
		if (!gdb_accept(d->link))
			return fail_debugging(d, "%s", strerror(errno));
		over = gdb_serve(d->gdb);
		if (d->link->is_stranger)
			tr_warn(d->o->cli,
				"note: --gdb: a client that is not gdb was refused");
	}
	if (travel_message(d->travel))
		return fail_debugging(d, "%s", travel_message(d->travel));
	return true;
}

bool debug_replay(const struct debug_options *options, char *message)
{
	struct debug d = {.o = options, .message = message};
	bool done = start_debugging(&d) && serve_gdb_clients(&d);

	gdb_free(d.gdb);
	if (d.link)
		gdb_close(d.link);
	free(d.link);
	travel_free(d.travel);
	return done;
}
