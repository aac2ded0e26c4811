/* SPDX-License-Identifier: Apache-2.0 */
/* Tries prof-daemon on daemon_victim, on the target. Prints a line for each case.
 *
 *     daemon_check CASE...
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon_cases.h"
#include "daemon_runs.h"

/* A program that begins while the daemon is there has all its calls counted, one that is
 * there before it those since then; both have logs. */
static void try_plain(void)
{
	struct prof_span span;
	pid_t before = start_victim(VICTIM, "plain", 1, 0, 0), victim;

	await_turns(1, 100);
	write_config(FOLDER, "");
	start_daemon();
	victim = start_victim(VICTIM, "plain", 0, 0, 0);
	await_turns(0, 1000);
	AWAIT(read_log(victim, &span) > 100 && span.samples > 0);
	CHECK(span.period == 500000 && span.all_samples >= span.samples);
	CHECK(read_log(before, &span) > 100);
	CHECK(read_calls(before, "victim_turn") < board[1].turns);
	finish_victim(victim, 0, 1);
	end_victim(before, 1, 1);
	AWAIT(count_files() == 0);
	end_daemon();
}

static const struct {
	const char *name;
	void (*try)(void);
} cases[] = {
    {"plain", try_plain},
    {"extracted", try_extracted},
    {"counters", try_counters},
    {"global-counters", try_global_counters},
    {"kills", try_kills},
    {"signals", try_signals},
    {"refused", try_refused},
    {"ends", try_ends},
    {"execs", try_execs},
    {"forks", try_forks},
    {"late-forks", try_late_forks},
    {"debugger", try_debugger},
    {"beside", try_beside},
    {"reuse", try_reuse},
    {"sums", try_sums},
    {"full", try_full},
    {"few-files", try_few_files},
    {"no-memory", try_no_memory},
    {"clock", try_clock},
    {"stopped", try_stopped},
    {"thousand", try_thousand},
    {"flood", try_flood},
    {"overflow", try_overflow},
    {"reload", try_reload},
    {"mistakes", try_mistakes},
    {"reader", try_reader},
    {"printed", try_printed},
};

static void try_case(const char *name)
{
	for (unsigned c = 0; c < sizeof(cases) / sizeof(*cases); c++)
		if (strcmp(name, cases[c].name) == 0) {
			cases[c].try();
			CHECK(count_files() == 0 && read_registered() == 0);
			printf("%s: as specified\n", name);
			fflush(stdout);
			return;
		}
	fprintf(stderr, "no case: %s\n", name);
	exit(1);
}

int main(int argc, char **argv)
{
	start_test();
	for (int i = 1; i < argc; i++)
		try_case(argv[i]);
	unlink(DAEMON_ERRORS);
	return 0;
}
