/* SPDX-License-Identifier: Apache-2.0 */
/* Shows a profile in a browser while it is made. All functions die on failure, or do
 * nothing if the first argument is NULL. The profile is only read. */
#ifndef TR_CLI_SERVE_H
#define TR_CLI_SERVE_H

#include "cli/cli.h"
#include "profile/profile.h"
#include "stream/classes.h"

struct tr_cli_serve_options {
	unsigned port;
	uint64_t expect; /* cycles of the whole run; 0: not known */
	bool instructions;
	const char *title, *unit, *other_unit;
	const struct tr_classes *classes; /* NULL: colours do not show lost cycles */
};

struct tr_cli_serve;

/* Starts to serve, and prints the address. `options` are copied. */
struct tr_cli_serve *tr_cli_serve_start(const struct tr_cli *cli,
					const struct tr_reader *reader,
					const struct tr_cli_serve_options *options);
/* Call for each frame of the stream, after the profile has taken it. */
void tr_cli_serve_take(struct tr_cli_serve *serve, const struct tr_profile *profile,
		       const struct tr_sframe *frame);
/* Shows the complete profile; waits for a client that watches, at most two seconds, and
 * ends. */
void tr_cli_serve_end(struct tr_cli_serve *serve, const struct tr_profile *profile);

#endif
