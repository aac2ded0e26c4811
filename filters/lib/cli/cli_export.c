/* SPDX-License-Identifier: Apache-2.0 */
/* Output in the formats of export.h. */
#include "cli/cli_export.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void list_export_formats(const struct tr_cli *cli)
{
	struct tr_cli informing = *cli;
	FILE *out = tr_cli_information(&informing);
	const struct tr_export_format *const *formats = tr_export_formats();
	for (unsigned i = 0; formats[i]; i++)
		fprintf(out, "%-15s %s\n", formats[i]->name, formats[i]->summary);
	tr_cli_text_close(&informing, out);
	exit(TR_EXIT_OK);
}

const struct tr_export_format *tr_cli_export_format(const struct tr_cli *cli,
						    const char *name)
{
	const struct tr_export_format *format = tr_export_find(name);
	char near[128];
	if (strcmp(name, "help") == 0)
		list_export_formats(cli);
	if (format)
		return format;
	tr_export_near(name, near, sizeof(near));
	tr_die(cli, "--format: no such format: %s; %s%s", name,
	       *near ? "there is " : "--format help lists them", near);
}

static void open_export_output(struct tr_cli_export *out)
{
	bool is_stdout = !out->cli->output || strcmp(out->cli->output, "-") == 0;
	if (out->format->is_binary && is_stdout && isatty(STDOUT_FILENO))
		tr_die(out->cli,
		       "refusing to write binary to a terminal; use -o FILE or a pipe");
	out->file = tr_cli_text(out->cli);
}

static void check_export_status(struct tr_cli_export *out, int status)
{
	if (!status)
		return;
	tr_die(out->cli, "%s: --format %s: %s", out->name, out->format->name,
	       *out->message ? out->message : tr_status_text((enum tr_status)status));
}

static void prepare_export_message(struct tr_cli_export *out)
{
	out->export.message = out->message;
	out->export.size = sizeof(out->message);
	*out->message = '\0';
}

void tr_cli_export_begin(struct tr_cli_export *out)
{
	if (!out->format->begin)
		return;
	prepare_export_message(out);
	open_export_output(out);
	check_export_status(out,
			    out->format->begin(&out->export, &out->state, out->file));
}

void tr_cli_export_take(struct tr_cli_export *out, const struct tr_reader *reader,
			const struct tr_sframe *frame)
{
	if (out->format->take)
		check_export_status(out, out->format->take(&out->export, out->state,
							   reader, frame, out->file));
}

void tr_cli_export_step(struct tr_cli_export *out, const struct tr_profile_step *step)
{
	check_export_status(out, out->format->step(&out->export, out->state, step));
}

static void tell_left_out(const struct tr_cli_export *out)
{
	char text[400] = "";
	if (out->format->left_out)
		out->format->left_out(out->state, text, sizeof(text));
	if (*text)
		tr_warn(out->cli, "%s", text);
}

void tr_cli_export_write(struct tr_cli_export *out)
{
	prepare_export_message(out);
	if (!out->file)
		open_export_output(out);
	check_export_status(out, out->format->write(&out->export, out->state, out->file));
	tell_left_out(out);
	if (out->format->release)
		out->format->release(out->state);
	tr_cli_text_close(out->cli, out->file);
	out->file = NULL;
	out->state = NULL;
}
