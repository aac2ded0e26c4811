/* SPDX-License-Identifier: Apache-2.0 */
/* Reaction of filters to SIGINT, SIGTERM and SIGHUP.
 *
 * A filter that reads a pipe reads to the end: in a pipeline all filters get the signal,
 * the simulator completes its stream, and the result is written. Other filters, and any
 * on a further signal, end by the signal's default action; a partially written text is
 * removed first, since it could pass for a complete one. */
#ifndef TR_CLI_SIGNALS_H
#define TR_CLI_SIGNALS_H

#include "cli/cli.h"

/* Starts to guard the text output `fd`; does nothing if it is not a regular file. */
void tr_cli_guard_text(const struct tr_cli *cli, int fd);
/* The text is complete. */
void tr_cli_text_done(void);
/* Truncates the text to its initial size. Async-signal-safe. */
void tr_cli_drop_text(void);

#endif
