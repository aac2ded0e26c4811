/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of instructions in place of a stream of stacks: it is matched and unwound in a
 * thread of this process, which hands over the stacks in memory. The result is that of
 * tr-match and tr-unwind in a pipe. All functions die on failure, with the messages of
 * these programs. */
#ifndef TR_CLI_CHAIN_H
#define TR_CLI_CHAIN_H

#include <pthread.h>

#include "cli/cli_unwind.h"
#include "stream/link.h"
#include "unwind/stacks_sink.h"

struct tr_cli_chain {
	struct tr_cli_unwind unwinding;
	struct tr_link *link;
	struct tr_writer *writer;
	struct tr_stacks_sink *sink;
	struct tr_reader *stacks;
	struct tr_unwind_totals totals;
	pthread_t thread;
};

/* Entries of a table of options. */
/* clang-format off */
#define TR_CLI_CHAIN_OPTIONS(c) \
	TR_CLI_MATCH_OPTIONS(&(c)->unwinding.match), \
	TR_CLI_UNWIND_PATH(&(c)->unwinding)
/* clang-format on */

/* Call before the options are parsed. */
void tr_cli_chain_init(struct tr_cli_chain *c, const struct tr_cli *cli);
/* Returns true if binaries are named, so that the input is a trace. Dies of options that
 * need them. */
bool tr_cli_chain_is_wanted(const struct tr_cli_chain *c);
/* Opens the trace at `path` ("-" is standard input) and the binaries, and starts the
 * thread. Returns a reader of the stacks, which is the caller's. A trace that is damaged
 * ends the program when the thread gets there. */
struct tr_reader *tr_cli_chain_start(struct tr_cli_chain *c, const char *path);
/* Call at the end of the stacks: ends the thread, and warns of what was not found. */
void tr_cli_chain_finish(struct tr_cli_chain *c);
/* Call after the reader was closed; also if nothing was started. */
void tr_cli_chain_release(struct tr_cli_chain *c);

#endif
