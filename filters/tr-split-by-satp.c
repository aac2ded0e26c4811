/* SPDX-License-Identifier: Apache-2.0 */
/* tr-split-by-satp: splits a trace stream by address space, without losing a cycle. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buffer.h"
#include "base/map.h"
#include "base/number.h"
#include "cli/cli_accesses.h"
#include "cli/cli_report.h"
#include "info/usage.h"
#include "stream/part.h"
#include "stream/sp.h"

static const char usage_text[] =
    "usage: tr-split-by-satp -d DIR | --satp V | --priv P | --list [FILE]\n"
    "Split a trace stream by address space; gaps replace the rest.\n";

/* Concurrent writers: each may hold a frame and a dictionary. For more address spaces the
 * file is read again. */
enum { MAX_OUTPUTS = 16 };

struct output {
	struct tr_cli cli; /* copy with the file name of this output */
	struct tr_output out;
	struct tr_part *part;
	char *path;
};

/* An address space that is or was copied. */
struct copied_space {
	struct tr_space_id id;
	unsigned pass, output; /* of which it is or was the part */
};

struct split {
	struct tr_cli cli;
	const char *input, *directory;
	bool list;
	uint64_t *satps; /* requested; none: all */
	size_t nsatps, satp_room;
	unsigned privs; /* one bit for each requested privilege */

	struct tr_reader *reader;
	const struct tr_frame *frame;
	struct tr_usage usage; /* for --list */
	struct tr_part_source harts[TR_MAX_HARTS];
	uint32_t nharts;

	struct output outputs[MAX_OUTPUTS];
	unsigned noutputs;
	struct tr_sp_sums sp;
	struct tr_accesses *accesses; /* of the frame */
	struct copied_space *spaces;
	size_t nspaces, space_room;
	struct tr_map space_index; /* from tr_space_hash(), or above, to spaces */
	unsigned pass;
	bool more;   /* an address space is left for another pass */
	bool found;  /* rows of a requested context */
	bool warned; /* about counters */
};

static void require_success(const struct split *split, int status)
{
	tr_cli_check(&split->cli, status);
}

static void take_satp(void *context, const struct tr_option *option, const char *text)
{
	struct split *split = context;
	uint64_t satp;
	const char *end = tr_parse_number(text, &satp);
	if (!end || *end)
		tr_die(&split->cli, "--%s: not a number: %s", option->name, text);
	require_success(split, tr_grow(&split->satps, &split->satp_room,
				       split->nsatps + 1, sizeof(*split->satps))
				   ? TR_OK
				   : TR_E_NOMEM);
	split->satps[split->nsatps++] = satp;
}

static void take_privs(void *context, const struct tr_option *option, const char *text)
{
	struct split *split = context;
	static const char names[] = "usxmUSXM";
	for (const char *at = text;; at += 2) {
		const char *found = *at ? strchr(names, *at) : NULL;
		if (!found || (*found | 0x20) == 'x' || (at[1] && at[1] != ','))
			tr_die(&split->cli, "--%s: not of m, s and u: %s", option->name,
			       text);
		split->privs |= 1U << ((found - names) % 4);
		if (at[1] == '\0')
			return;
	}
}

static void parse_args(struct split *split)
{
	struct tr_cli *cli = &split->cli;
	const struct tr_option options[] = {
	    {"directory", 'd', .argument = "DIR", .text = &split->directory,
	     .excludes = "output",
	     .help = "one stream per satp: DIR/satp-8000000000080123.tr"},
	    {"satp", .argument = "V", .take = take_satp,
	     .help = "only this satp; may be repeated"},
	    {"priv", .argument = "P", .take = take_privs,
	     .help = "only these privileges, as in \"m,s,u\""},
	    {"list", .flag = &split->list, .excludes = "directory satp priv",
	     .help = "show all contexts with instructions and cycles"},
	    {0}};
	tr_options_parse(cli, options, split);
	bool select = split->nsatps || split->privs;
	if (!split->directory && !select && !split->list)
		tr_die(cli, "one of -d, --satp, --priv and --list is needed; try --help");
	if (!split->privs)
		split->privs = ~0U;
	split->input = tr_cli_input(cli, NULL);
}

/* Records what is kept in the key split.satp, unless everything is. Returns a status. */
static int name_satps(const struct split *split, struct tr_header *header)
{
	char *text = NULL;
	size_t size;
	FILE *out = split->nsatps ? open_memstream(&text, &size) : NULL;
	if (!out)
		return split->nsatps ? TR_E_NOMEM : TR_OK;
	for (size_t i = 0; i < split->nsatps; i++)
		fprintf(out, "%s0x%" PRIx64, i ? "," : "", split->satps[i]);
	int status =
	    fclose(out) == 0 ? tr_header_set(header, "split.satp", text) : TR_E_NOMEM;
	free(text);
	return status;
}

/* Counters are of a hart; their increase cannot be assigned to an address space. */
static void leave_out_counters(struct split *split)
{
	if (!split->warned)
		tr_warn(&split->cli,
			"%s: counters are of a hart, not of an address space: left out",
			split->input);
	split->warned = true;
}

/* Names the file and the header of an address space's part. */
static void name_space(struct split *split, struct output *output,
		       struct tr_header *header, struct tr_space_id id)
{
	char value[32], guest[32] = "";
	if (id.hgatp)
		snprintf(guest, sizeof(guest), "-hgatp-%016" PRIx64, id.hgatp);
	if (asprintf(&output->path, "%s/satp-%016" PRIx64 "%s.tr", split->directory,
		     id.satp, guest) < 0)
		require_success(split, TR_E_NOMEM);
	output->cli.output = output->path;
	snprintf(value, sizeof(value), "0x%" PRIx64, id.satp);
	require_success(split, tr_header_set(header, "split.satp", value));
	if (!id.hgatp)
		return;
	snprintf(value, sizeof(value), "0x%" PRIx64, id.hgatp);
	require_success(split, tr_header_set(header, "split.hgatp", value));
}

static struct output *open_space_output(struct split *split, struct tr_space_id id)
{
	struct output *output = &split->outputs[split->noutputs++];
	struct tr_header *header = tr_header_copy(tr_reader_header(split->reader));
	*output = (struct output){.cli = split->cli};
	tr_cli_need(&split->cli, header);
	tr_header_remove(header, "counters.");
	tr_header_remove(header, "counter.");
	if (split->directory)
		name_space(split, output, header, id);
	else
		require_success(split, name_satps(split, header));
	tr_cli_writer(&output->out, &output->cli, header);
	tr_header_free(header);
	output->part = tr_part_new(output->out.writer);
	tr_cli_need(&split->cli, output->part);
	return output;
}

/* Returns the copied space, NULL if there is none. *key is its key, or the one to insert
 * it with. */
static struct copied_space *find_copied_space(const struct split *split,
					      struct tr_space_id id, uint64_t *key)
{
	for (*key = tr_space_hash(id);; ++*key) {
		uint32_t i = tr_map_get(&split->space_index, *key);
		if (i == TR_MAP_NONE)
			return NULL;
		if (tr_space_equals(split->spaces[i].id, id))
			return &split->spaces[i];
	}
}

static struct output *output_of_space(struct split *split, struct tr_space_id id)
{
	uint64_t key;
	const struct copied_space *known = find_copied_space(split, id, &key);
	if (known)
		return known->pass == split->pass ? &split->outputs[known->output] : NULL;
	if (split->noutputs == MAX_OUTPUTS) {
		if (tr_reader_size(split->reader) == 0 || strcmp(split->input, "-") == 0)
			tr_die(&split->cli,
			       "more than %d address spaces: give a file, not a pipe",
			       MAX_OUTPUTS);
		split->more = true;
		return NULL;
	}
	bool good = tr_grow(&split->spaces, &split->space_room, split->nspaces + 1,
			    sizeof(*split->spaces)) &&
		    tr_map_set(&split->space_index, key, (uint32_t)split->nspaces);
	require_success(split, good ? TR_OK : TR_E_NOMEM);
	split->spaces[split->nspaces++] = (struct copied_space){
	    .id = id, .pass = split->pass, .output = split->noutputs};
	return open_space_output(split, id);
}

/* Returns the output of a context; NULL if it has none in this pass. */
static struct output *output_of(struct split *split, const struct tr_context *context)
{
	bool wanted = split->nsatps == 0;
	if (!(split->privs >> tr_mode_of(context->priv).nominal & 1))
		return NULL;
	for (size_t i = 0; i < split->nsatps && !wanted; i++)
		wanted = split->satps[i] == context->satp;
	if (!wanted)
		return NULL;
	return split->directory ? output_of_space(split, tr_space_of(context))
				: &split->outputs[0];
}

static void copy_rows_to_space(struct split *split, struct tr_part_source *source,
			       const struct tr_cursor *cursor, uint32_t first,
			       uint32_t last)
{
	struct tr_part_rows rows = {.rows = &cursor->hart->rows[first],
				    .count = last - first,
				    .accesses = split->accesses,
				    .part =
					(uint32_t)(cursor->hart - split->frame->harts),
				    .first = first,
				    .cycles = cursor->next_cycle - cursor->cycle};
	for (uint32_t i = 0; i < rows.count; i++) {
		rows.tokens += rows.rows[i].tokens;
		rows.sp += (uint64_t)split->sp.sums[rows.rows[i].block];
	}
	struct output *output = output_of(split, &cursor->context);
	split->found |= output != NULL;
	if (output)
		tr_cli_wrote(&output->out,
			     tr_part_rows(output->part, source, split->reader,
					  split->frame->generation, &rows));
	tr_part_source_rows(source, &rows);
}

/* An event goes to the context that it ends, which owns its cycles, and to the one that
 * it begins. */
static void copy_event_to_spaces(struct split *split, struct tr_part_source *source,
				 const struct tr_event *event)
{
	if (event->kind == TR_EV_COUNTERS) {
		leave_out_counters(split);
		return;
	}
	struct tr_context after = source->context;
	tr_context_apply(&after, event);
	if (event->token && !tr_event_is_of_token(event->kind))
		tr_die(&split->cli, "%s: events inside rows cannot be split",
		       split->input);
	struct output *from = output_of(split, &source->context);
	struct output *to = output_of(split, &after);
	if (from)
		tr_cli_wrote(&from->out, tr_part_event(from->part, source, event, false));
	if (to && to != from)
		tr_cli_wrote(&to->out, tr_part_event(to->part, source, event, true));
	tr_part_source_event(source, event);
}

static struct tr_part_source *source_of(struct split *split,
					const struct tr_hart_frame *hart)
{
	for (uint32_t i = 0; i < split->nharts; i++)
		if (split->harts[i].hart == hart->hart)
			return &split->harts[i];
	tr_part_source_begin(&split->harts[split->nharts], hart,
			     tr_header_xlen(tr_reader_header(split->reader)));
	return &split->harts[split->nharts++];
}

static bool split_frame(void *context, const struct tr_frame *frame)
{
	struct split *split = context;
	if (frame->nnotes)
		tr_die(&split->cli, "%s: tr-match has run: split before it",
		       split->input);
	split->frame = frame;
	if (!split->accesses)
		split->accesses = tr_accesses_new();
	tr_cli_need(&split->cli, split->accesses);
	tr_cli_accesses_frame(&split->cli, split->input, split->accesses, frame);
	require_success(split,
			tr_sp_sums_update(&split->sp, split->reader, frame->generation));
	for (uint32_t i = 0; i < frame->nharts; i++) {
		const struct tr_hart_frame *hart = &frame->harts[i];
		struct tr_part_source *source = source_of(split, hart);
		struct tr_cursor cursor;
		enum tr_step step;
		uint32_t first, last;
		const struct tr_event *event;
		tr_cursor_init(&cursor, hart);
		while ((step = tr_cursor_next(&cursor, &first, &last, &event))) {
			if (step == TR_STEP_ROWS)
				copy_rows_to_space(split, source, &cursor, first, last);
			else
				copy_event_to_spaces(split, source, event);
		}
	}
	for (unsigned i = 0; i < split->noutputs && split->nharts > 1; i++)
		tr_cli_wrote(&split->outputs[i].out,
			     tr_part_end_frame(split->outputs[i].part, split->harts,
					       split->nharts));
	return true;
}

static void finish_space_output(const struct split *split, struct output *output)
{
	for (uint32_t i = 0; i < split->nharts; i++)
		tr_cli_wrote(&output->out,
			     tr_part_catch_up(output->part, &split->harts[i]));
	tr_cli_finish(&output->out, tr_reader_end(split->reader));
	tr_part_free(output->part);
	free(output->path);
}

/* Copies the first address spaces that are not done yet. */
static void run_pass(struct split *split)
{
	const struct tr_cli_frames take = {
	    .rows = split_frame, .context = split, .is_ahead = true};
	split->nharts = 0;
	split->more = false;
	if (!split->directory)
		open_space_output(split, (struct tr_space_id){.satp = 0});
	int status = tr_cli_each_frame(&split->cli, split->reader, &take);
	for (unsigned i = 0; i < split->noutputs && status < 0; i++)
		tr_cli_wrote(&split->outputs[i].out,
			     tr_writer_drain(split->outputs[i].out.writer));
	if (status < 0)
		tr_die(&split->cli, "%s", tr_reader_message(split->reader));
	for (unsigned i = 0; i < split->noutputs; i++)
		finish_space_output(split, &split->outputs[i]);
	split->noutputs = 0;
	split->pass++;
}

static void split_stream(struct split *split)
{
	if (split->directory && mkdir(split->directory, 0777) != 0 && errno != EEXIST)
		tr_die(&split->cli, "%s: %s", split->directory, strerror(errno));
	for (;;) {
		run_pass(split);
		if (!split->more)
			break;
		tr_reader_close(split->reader);
		split->reader =
		    tr_cli_reader_of(&split->cli, split->input, TR_CONTENT_ROWS);
	}
	tr_cli_tell_cut_off(&split->cli, split->input, tr_reader_end(split->reader));
}

static bool list_frame(void *context, const struct tr_frame *frame)
{
	struct split *split = context;
	require_success(split, tr_usage_add(&split->usage, split->reader, frame));
	return true;
}

static void list_contexts(struct split *split)
{
	const struct tr_cli_frames take = {.rows = list_frame, .context = split};
	if (tr_cli_each_frame(&split->cli, split->reader, &take) < 0)
		tr_die(&split->cli, "%s", tr_reader_message(split->reader));
	tr_cli_tell_cut_off(&split->cli, split->input, tr_reader_end(split->reader));
	struct tr_cli_report out =
	    tr_cli_report_open(&split->cli, TR_REPORT_TEXT, "tr-split-by-satp", true);
	tr_usage_sort(&split->usage);
	require_success(split, tr_usage_report(&split->usage, out.report));
	require_success(split, tr_usage_report_gaps(&split->usage, out.report));
	tr_cli_report_close(&out);
	tr_usage_release(&split->usage);
}

int main(int argc, char **argv)
{
	static struct split split;
	tr_cli_init(&split.cli, TR_CLI_STREAM, "tr-split-by-satp", usage_text, argc,
		    argv);
	parse_args(&split);
	if (!split.list && !split.directory)
		tr_cli_promise(&split.cli);
	split.reader = tr_cli_reader_of(&split.cli, split.input, TR_CONTENT_ROWS);
	if (split.list)
		list_contexts(&split);
	else
		split_stream(&split);
	tr_reader_close(split.reader);
	tr_map_free(&split.space_index);
	free(split.spaces);
	tr_sp_sums_release(&split.sp);
	tr_accesses_free(split.accesses);
	free(split.satps);
	if (split.list || split.found)
		return TR_EXIT_OK;
	tr_warn(&split.cli,
		"%s: no instruction is of that address space or privilege; try --list",
		split.input);
	return TR_EXIT_NO;
}
