/* SPDX-License-Identifier: Apache-2.0 */
/* tr-explore beside a tr-profile: it follows the run from the beginning, and serves the
 * page over the folder until Ctrl-C. */
#ifndef TR_PROFILE_SERVER_H
#define TR_PROFILE_SERVER_H

#include <sys/types.h>

#include "cli/cli.h"

/* Starts it, from the folder `programs`, over the folder `output`. Signals of the
 * terminal do not reach it; it ends with this process. Returns its process. Dies on
 * failure. */
pid_t tr_profile_server_start(const struct tr_cli *cli, const char *programs,
			      const char *output);
/* Waits for an interruption, with which it ends, or for its end. Returns its exit status.
 */
int tr_profile_server_wait(pid_t server);
/* Ends it at once. */
void tr_profile_server_stop(pid_t server);

#endif
