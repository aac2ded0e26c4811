/* SPDX-License-Identifier: Apache-2.0 */
#include "difference.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "lane.h"

void difference_create(struct replay *r, const struct tr_reader *reader)
{
	r->difference = (struct difference){.reader = reader};
}

void difference_forget(struct replay *r)
{
	r->difference.exists = false;
}

void replay_fail(struct lane *l, uint64_t instret, const char *format, ...)
{
	struct difference *d = &lane_replay(l)->difference;
	char why[REPLAY_MESSAGE / 2];
	uint64_t byte;
	uint32_t record;
	va_list args;

	if (d->exists && d->instret <= instret)
		return;
	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	tr_reader_place(d->reader, &record, &byte);
	snprintf(d->message, sizeof(d->message),
		 "record %" PRIu32 ", byte %" PRIu64 ": hart %u, cycle %" PRIu64
		 ", instruction %" PRIu64 ": %s",
		 record, byte, lane_hart(l), carry_cycle_at(lane_carry(l), instret),
		 instret + 1, why);
	d->exists = true;
	d->instret = instret;
	soc_request_stop(lane_soc(l));
}

void replay_fail_frame(struct replay *r, unsigned hart, const char *format, ...)
{
	struct difference *d = &r->difference;
	char why[REPLAY_MESSAGE / 2];
	uint64_t byte;
	uint32_t record;
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	tr_reader_place(d->reader, &record, &byte);
	snprintf(d->message, sizeof(d->message),
		 "record %" PRIu32 ", byte %" PRIu64 ": hart %u: %s", record, byte, hart,
		 why);
	d->exists = true;
}

void replay_fail_trace(struct replay *r, const char *message)
{
	snprintf(r->difference.message, sizeof(r->difference.message), "%s", message);
	r->difference.exists = true;
}

const char *replay_message(const struct replay *r)
{
	return r->difference.message;
}
