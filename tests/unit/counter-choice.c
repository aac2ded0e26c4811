/* SPDX-License-Identifier: Apache-2.0 */
/* Names of counters as in hardware: each can be selected as listed, and duplicates are
 * detected. */
#include "../../sim/run/choice.h"
#include "check.h"

enum { N = 5 };

static const struct machine_counter list[N] = {
    {.label = "gen_way[0].hit", .point = "gen_way[0].hit"},
    {.label = "gen_way[1].hit", .point = "gen_way[1].hit"},
    {.label = "state.a", .point = "state", .histogram = true},
    {.label = "state.a", .point = "state", .histogram = true},
    {.label = "gen_way[2].queue=1", .point = "gen_way[2].queue", .histogram = true},
};

/* Returns the selected counters as bits; 0 if there is a message. */
static unsigned chosen(const char *text)
{
	bool marked[N] = {false};
	char message[256];
	unsigned bits = 0;

	if (!choice_parse(text, list, N, marked, message, sizeof(message)))
		return 0;
	for (unsigned i = 0; i < N; i++)
		bits |= (unsigned)marked[i] << i;
	return bits;
}

int main(void)
{
	const size_t both[] = {0, 2, 3}, one[] = {0, 1, 2, 4};

	CHECK_EQ(chosen("gen_way[1].hit"), 2);
	CHECK_EQ(chosen("gen_way[2].queue"), 16);
	CHECK_EQ(chosen("gen_way[2].queue=1"), 16);
	CHECK_EQ(chosen("gen_way\\[0\\].hit"), 1);
	CHECK_EQ(chosen("*.hit"), 3);
	CHECK_EQ(chosen("gen_way[3].hit"), 0);
	CHECK_EQ(chosen("all"), 31);
	CHECK_STR(choice_twice(list, both, 3), "state.a");
	CHECK(!choice_twice(list, one, 4));
	CHECK(!choice_twice(list, one, 0));
	return check_done();
}
