/* SPDX-License-Identifier: Apache-2.0 */
/* Frames of a trace as they are matched in this process, with two or more threads in one
 * of its own, which is AHEAD frames ahead at most. */
#ifndef TR_CLI_MATCHED_H
#define TR_CLI_MATCHED_H

#include "cli/cli_match.h"

/* Passes each frame of the matcher, which is open, to take->rows, as tr_cli_each_frame()
 * does, whose status it returns. Each frame is valid until the next one, and the last
 * one, which is returned in *last, until tr_match_release_frame(). Dies as tr_cli_match.h
 * says. */
int tr_cli_each_matched(struct tr_cli_match *m, const struct tr_cli_frames *take,
			const struct tr_frame **last);

#endif
