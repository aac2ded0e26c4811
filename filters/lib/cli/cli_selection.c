/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses a part of a run, by a profile of its stacks. */
#include "cli/cli_selection.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/near.h"
#include "cli/fold_checks.h"
#include "unwind/stacks_sink.h"

static bool has_late_bound(const struct tr_cli_selection *s)
{
	const struct tr_profile_bound *from = &s->stacks.window.from,
				      *to = &s->stacks.window.to;
	return tr_profile_bound_is_late(from) || tr_profile_bound_is_late(to);
}

static bool selects_stacks(const struct tr_cli_selection *s)
{
	return s->stacks.nfocus || s->process || s->thread;
}

bool tr_cli_selects(const struct tr_cli_selection *s)
{
	return s->stacks.window.from_text || s->stacks.window.to_text ||
	       selects_stacks(s);
}

void tr_cli_selection_check(struct tr_cli_selection *s, const struct tr_cli *cli)
{
	s->stacks.cli = cli;
	tr_stack_options_finish(&s->stacks);
}

/* ------------------------------------------------------------ the stacks */

/* The first pass: what unwinds, and where the stacks go. */
struct stacks_pass {
	struct tr_cli_unwind unwinding;
	struct tr_stacks_sink *sink;
	struct tr_writer *writer;
	FILE *file;
};

static void check_file(const struct tr_cli *cli, int status)
{
	if (status == TR_E_IO)
		tr_die(cli, "temporary file: %s", strerror(errno));
	tr_cli_check(cli, status);
}

static bool put_stacks(void *context, const struct tr_frame *frame)
{
	struct stacks_pass *pass = context;
	const struct tr_cli *cli = pass->unwinding.cli;
	check_file(cli, tr_stacks_sink_begin(pass->sink, frame));
	check_file(cli, tr_cli_unwind_frame(&pass->unwinding, frame));
	check_file(cli, tr_stacks_sink_end(pass->sink, frame));
	return true;
}

static void open_stacks(struct stacks_pass *pass, const struct tr_cli_unwind *as,
			const char *path)
{
	const struct tr_writer_options quick = {.level = 1, .threads = 1};
	struct tr_cli_unwind *u = &pass->unwinding;
	*u = (struct tr_cli_unwind){.cli = as->cli, .is_quiet = true, .paths = as->paths};
	u->names.functions = true;
	tr_cli_unwind_open(u, path);
	u->paths = (struct tr_texts){0}; /* of `as`, which frees them */
	struct tr_header *header = tr_header_copy(tr_reader_header(u->reader));
	tr_cli_need(u->cli, header);
	tr_cli_check(u->cli, tr_header_set(header, "content", "stacks"));
	pass->file = tmpfile();
	check_file(u->cli, pass->file ? TR_OK : TR_E_IO);
	check_file(u->cli,
		   tr_writer_open(&pass->writer, fileno(pass->file), header, &quick));
	tr_header_free(header);
	pass->sink = tr_stacks_sink_new(tr_reader_probes(u->reader), pass->writer);
	tr_cli_need(u->cli, pass->sink);
	const struct tr_unwind_sink sink = tr_stacks_sink_calls(pass->sink);
	tr_cli_unwind_start(u, &sink, false);
}

/* Unwinds the stream into a temporary file, which it returns. */
static FILE *write_stacks(const struct tr_cli_unwind *as, const char *path)
{
	struct stacks_pass pass = {0};
	const struct tr_cli_frames take = {
	    .rows = put_stacks, .context = &pass, .is_ahead = true};
	struct tr_unwind_totals totals;
	open_stacks(&pass, as, path);
	struct tr_reader *reader = pass.unwinding.reader;
	if (tr_cli_each_frame(as->cli, reader, &take) != TR_END)
		tr_die(as->cli, "%s", tr_reader_message(reader));
	check_file(as->cli, tr_cli_unwind_finish(&pass.unwinding));
	tr_cli_unwind_totals(&pass.unwinding, &totals);
	struct tr_header *end = tr_header_copy(tr_reader_end(reader));
	tr_cli_need(as->cli, end);
	if (tr_header_cut_off(end)) /* the second pass warns of that */
		tr_cli_check(as->cli, tr_header_set(end, "end", "limit"));
	check_file(as->cli, tr_writer_end(pass.writer, end));
	tr_header_free(end);
	tr_writer_close(pass.writer);
	tr_stacks_sink_free(pass.sink);
	tr_cli_unwind_release(&pass.unwinding);
	return pass.file;
}

/* ------------------------------------------------------------ what is chosen */

/* A row is chosen by its group, a process, or its thread, or if neither is given. */
struct chooser {
	struct tr_cli_selection *options;
	struct tr_cli_stacks in;
	struct tr_near near;
	bool found;
};

static int choose_row(void *context, const struct tr_profile_step *step)
{
	struct chooser *c = context;
	const struct tr_cli_selection *o = c->options;
	uint32_t key = o->thread ? step->thread : o->process ? step->group : 0;
	if (step->is_gap)
		return TR_OK;
	if (o->stacks.nfocus &&
	    step->node != tr_profile_node_of(c->in.profile, step->raw))
		key = TR_SELECTION_NEVER;
	return tr_selection_add(o->selection, step->hart, key, step->instructions,
				step->cycles);
}

/* Returns true if a label is the wanted one, or begins with it, up to its number. */
static bool is_label(const char *label, const char *wanted)
{
	const size_t length = strlen(wanted);
	return strncmp(label, wanted, length) == 0 && strchr("#[", label[length]);
}

static bool is_chosen(void *context, uint32_t key)
{
	struct chooser *c = context;
	const struct tr_cli_selection *o = c->options;
	if (!o->thread && !o->process)
		return true;
	const char *label = o->thread ? tr_profile_thread_label(c->in.profile, key)
				      : tr_profile_label(c->in.profile, key);
	const bool is_one = is_label(label, o->thread ? o->thread : o->process);
	c->found |= is_one;
	tr_near_offer(&c->near, label);
	return is_one;
}

static void report_no_label(const struct chooser *c)
{
	const struct tr_cli_selection *o = c->options;
	char text[256];
	tr_near_text(&c->near, text, sizeof(text));
	tr_die(c->in.cli, "%s: --%s %s: none has this name%s%s", c->in.name,
	       o->thread ? "thread" : "process", o->thread ? o->thread : o->process,
	       *text ? "; there is " : "", text);
}

/* Reads the stacks. */
static void choose_stacks(struct chooser *c, FILE *file)
{
	struct tr_cli_selection *o = c->options;
	char path[40];
	snprintf(path, sizeof(path), "/dev/fd/%d", fileno(file));
	c->in.reader = tr_cli_reader_of(c->in.cli, path, TR_CONTENT_STACKS);
	const struct tr_profile_options options = {.by = o->process  ? TR_BY_PROCESS
							 : o->thread ? TR_BY_THREAD
								     : TR_BY_JOINED,
						   .commit_width =
						       tr_cli_stacks_width(&c->in),
						   .from = o->stacks.window.from,
						   .to = o->stacks.window.to,
						   .focus = o->stacks.focus,
						   .nfocus = o->stacks.nfocus};
	c->in.profile = tr_profile_new(&options);
	tr_cli_need(c->in.cli, c->in.profile);
	if (o->selection)
		tr_profile_observe_rows(c->in.profile, choose_row, c);
	tr_cli_stacks_take(&c->in);
	tr_fold_check(&o->stacks, &c->in);
}

static void take_window(struct tr_cli_selection *o, const struct chooser *c)
{
	const struct tr_profile_window window = tr_profile_window(c->in.profile);
	o->from = window.from;
	o->to = window.to;
}

/* The stream is read twice, which is refused for standard input and for pipes. */
static void require_second_reading(const struct tr_cli *cli, const char *path)
{
	static const char need[] = "is read once: functions, triggers, --focus, "
				   "--process and --thread need a file";
	struct stat file;
	if (strcmp(path, "-") == 0)
		tr_die(cli, "standard input %s", need);
	if (stat(path, &file) == 0 && (S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode)))
		tr_die(cli, "%s: a pipe %s", path, need);
}

void tr_cli_select(struct tr_cli_selection *o, const struct tr_cli_unwind *as,
		   const char *path)
{
	o->from = o->stacks.window.from.cycle;
	o->to = o->stacks.window.to.cycle;
	if (!has_late_bound(o) && !selects_stacks(o))
		return;
	require_second_reading(as->cli, path);
	struct chooser c = {.options = o};
	c.in.cli = as->cli;
	c.in.name = path;
	if (selects_stacks(o)) {
		o->selection = tr_selection_new();
		tr_cli_need(as->cli, o->selection);
	}
	FILE *file = write_stacks(as, path);
	choose_stacks(&c, file);
	take_window(o, &c);
	if (o->process || o->thread)
		tr_near_init(&c.near, o->thread ? o->thread : o->process);
	if (o->selection)
		tr_selection_choose(o->selection, is_chosen, &c);
	if ((o->process || o->thread) && !c.found)
		report_no_label(&c);
	tr_profile_free(c.in.profile);
	tr_reader_close(c.in.reader);
	fclose(file);
}

void tr_cli_selection_text(const struct tr_cli_selection *o,
			   const struct tr_cli_selected *selected, char *text,
			   size_t size)
{
	char window[120] = "", late[100] = "";
	*text = '\0';
	if (!tr_cli_selects(o))
		return;
	if (o->to != UINT64_MAX)
		snprintf(window, sizeof(window),
			 ", of instructions that commit in cycles %" PRIu64
			 " to %" PRIu64,
			 o->from, o->to);
	else if (o->from)
		snprintf(window, sizeof(window),
			 ", of instructions that commit from cycle %" PRIu64 " on",
			 o->from);
	if (selected->left_out)
		snprintf(late, sizeof(late),
			 "; without %" PRIu64
			 " more, before it was known which function ran",
			 selected->left_out);
	snprintf(text, size, "Only %" PRIu64 " of %" PRIu64 " cycles%s%s%s.",
		 selected->cycles, selected->of, window,
		 o->selection ? ", on the stacks that were chosen" : "", late);
}

char *tr_cli_selection_title(const struct tr_cli_selection *o, const struct tr_cli *cli,
			     const char *title)
{
	const struct tr_cli_window *window = &o->stacks.window;
	const struct {
		const char *option, *value;
	} given[] = {{"process", o->process},
		     {"thread", o->thread},
		     {"from", window->from_text},
		     {"to", window->to_text}};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	tr_cli_need(cli, out);
	fputs(title, out);
	for (size_t i = 0; i < sizeof(given) / sizeof(given[0]); i++)
		if (given[i].value)
			fprintf(out, ", --%s %s", given[i].option, given[i].value);
	for (unsigned i = 0; i < o->stacks.nfocus; i++)
		fprintf(out, ", --focus %s", o->stacks.focus_text[i]);
	const bool is_bad = ferror(out);
	tr_cli_need(cli, fclose(out) == 0 && !is_bad ? text : NULL);
	return text;
}

void tr_cli_selection_release(struct tr_cli_selection *o)
{
	tr_selection_free(o->selection);
	tr_stack_options_release(&o->stacks);
}
