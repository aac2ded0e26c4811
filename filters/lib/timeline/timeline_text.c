/* SPDX-License-Identifier: Apache-2.0 */
/* What all writers of timelines say. */
#include "timeline/timeline_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "flame/flame.h"

__extension__ typedef unsigned __int128 u128;

#define NS_PER_S UINT64_C(1000000000)

struct tr_timeline_clock tr_timeline_clock(const struct tr_header *header, uint64_t hz)
{
	const char *precision = tr_header_get(header, "precision");
	const bool counted = precision && strstr(precision, "instruction");
	return (struct tr_timeline_clock){.hz = counted ? 0 : hz,
					  .is_instructions = counted};
}

uint64_t tr_timeline_ns(const struct tr_timeline_clock *clock, uint64_t cycle)
{
	return clock->hz ? (uint64_t)((u128)cycle * NS_PER_S / clock->hz) : cycle;
}

void tr_timeline_clock_text(const struct tr_timeline_clock *clock, char *text,
			    size_t size)
{
	char number[28];
	if (clock->hz)
		snprintf(text, size, "a cycle is %.6g ns: the clock is %s Hz",
			 (double)NS_PER_S / (double)clock->hz,
			 tr_flame_number(clock->hz, number));
	else if (clock->is_instructions)
		snprintf(text, size,
			 "an instruction counts as a cycle, and is shown as 1 ns");
	else
		snprintf(text, size, "a cycle is shown as 1 ns: the clock is not known");
}

/* Writes "12 calls shorter than 20 cycles and 3 too deep are", or one of the two. */
static void left_out_calls(const struct tr_timeline_sums *s, char *text, size_t size)
{
	char number[3][28], deep[96] = "";
	const bool both = s->short_calls && s->deep_calls;
	*text = '\0';
	if (s->deep_calls)
		snprintf(deep, sizeof(deep), "%s%s %stoo deep", both ? " and " : "",
			 tr_flame_number(s->deep_calls, number[0]),
			 both		      ? ""
			 : s->deep_calls == 1 ? "call "
					      : "calls ");
	if (s->short_calls)
		snprintf(
		    text, size, "%s call%s shorter than %s%s cycle%s%s",
		    tr_flame_number(s->short_calls, number[1]), tr_plural(s->short_calls),
		    s->grows ? "a minimum that grew to " : "",
		    tr_flame_number(s->minimum, number[2]), tr_plural(s->minimum), deep);
	else
		snprintf(text, size, "%s", deep);
}

void tr_timeline_left_out_text(const struct tr_timeline_sums *s, char *text, size_t size)
{
	char number[3][28], calls[224];
	*text = '\0';
	/* Calls that took no cycle are no loss. */
	if ((!s->short_calls || s->minimum <= 1) && !s->deep_calls)
		return;
	left_out_calls(s, calls, sizeof(calls));
	const uint64_t left_out = s->short_calls + s->deep_calls;
	const bool is_one = left_out == 1;
	snprintf(text, size,
		 "%s %s left out, of %s; %s %s of %s cycles are in the frames below %s",
		 calls, is_one ? "is" : "are",
		 tr_flame_number(s->slices + left_out, number[0]),
		 is_one ? "its" : "their",
		 tr_flame_number(s->short_own + s->deep_own, number[1]),
		 tr_flame_number(s->cycles, number[2]), is_one ? "it" : "them");
}

/* Returns the length of the UTF-8 character at `text`, 0 if it is none. */
static size_t utf8_char_length(const unsigned char *c)
{
	const size_t length = c[0] < 0x80   ? 1
			      : c[0] < 0xc2 ? 0
			      : c[0] < 0xe0 ? 2
			      : c[0] < 0xf0 ? 3
			      : c[0] < 0xf5 ? 4
					    : 0;
	for (size_t i = 1; i < length; i++)
		if ((c[i] & 0xc0) != 0x80)
			return 0;
	if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f) ||
	    (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f))
		return 0;
	return length;
}

char *tr_timeline_utf8(const char *name, char *text, size_t size)
{
	size_t used = 0;
	while (*name) {
		const size_t length = utf8_char_length((const unsigned char *)name);
		const size_t bytes = length ? length : 1;
		if (used + bytes >= size)
			break;
		memcpy(text + used, length ? name : "?", bytes);
		used += bytes;
		name += bytes;
	}
	text[used] = '\0';
	return text;
}
