/* SPDX-License-Identifier: Apache-2.0 */
/* What a filter does when it is asked to end, by SIGINT, SIGTERM or SIGHUP.
 *
 * One whose input is a pipe reads on: in a pipe of filters all get the signal, the
 * simulator ends its stream in good order, and the result is written. Any other, or a
 * further request, ends as the signal would; a text that is half written is emptied
 * before, since nothing in it would tell that it is not whole.
 */
#ifndef TR_CLI_SIGNALS_H
#define TR_CLI_SIGNALS_H

#include "cli/cli.h"

/* From now on `fd` is a text that is written; nothing if it is no regular file. */
void tr_cli_guard_text(const struct tr_cli *cli, int fd);
/* It is whole. */
void tr_cli_text_done(void);
/* It will not be: cuts it where it began. Async-signal-safe. */
void tr_cli_drop_text(void);

#endif
