/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a profile in a format of export.h. All functions die on failure, with the name
 * of the input or output. */
#ifndef TR_CLI_EXPORT_H
#define TR_CLI_EXPORT_H

#include "cli/cli.h"
#include "export/export.h"

struct tr_cli_export {
	const struct tr_cli *cli; /* also names the output */
	const char *name;	  /* of the input, for messages: "<stdin>" */
	const struct tr_export_format *format;
	struct tr_export export;
	void *state;
	FILE *file;
	char message[200];
};

/* Returns the format that the option --format names. "help" lists the formats and exits
 * 0; an unknown name is a usage error with suggestions. */
const struct tr_export_format *tr_cli_export_format(const struct tr_cli *cli,
						    const char *name);

/* Formats in order of time: opens the output and begins; does nothing for those of
 * sums. */
void tr_cli_export_begin(struct tr_cli_export *out);
/* Formats in order of time: takes a frame of the stream. */
void tr_cli_export_take(struct tr_cli_export *out, const struct tr_reader *reader,
			const struct tr_sframe *frame);
/* Formats with step(): takes a step of the profile. */
void tr_cli_export_step(struct tr_cli_export *out, const struct tr_profile_step *step);
/* Writes the rest, for a format of sums all, and closes the output. Prints what the
 * format leaves out. */
void tr_cli_export_write(struct tr_cli_export *out);

#endif
