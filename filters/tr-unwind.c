/* SPDX-License-Identifier: Apache-2.0 */
/* tr-unwind: turns the rows of a matched stream into call stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "cli/options.h"
#include "cli/unwound.h"
#include "stream/kernel_tasks.h"
#include "unwind/symbols.h"
#include "unwind/task_names.h"
#include "unwind/unwind.h"

static const char USAGE[] =
    "usage: tr-unwind [options] [STREAM]\n"
    "Convert a stream from tr-match into one of call stacks, for tr-fold.\n";

struct state {
	struct tr_cli cli;
	struct tr_image_options names; /* what to read from the binaries */
	struct tr_folders folders;     /* where to search for them */
	struct tr_reader *reader;
	const char *input; /* for messages */
	struct tr_symbols *symbols;
	struct tr_output out;
	struct tr_unwind *unwind;
	struct tr_header *header;	      /* NULL once it was written */
	uint32_t harts[TR_MAX_HARTS], nharts; /* seen so far */
	struct tr_task_names *tasks;	      /* NULL: no probe tells of any */
	struct {
		uint32_t hart, process;
	} processes[TR_MAX_HARTS];    /* of the rows that come */
	struct tr_unwind_where where; /* of the next row */
	uint32_t nprocesses;
};

static void take_path(void *context, const struct tr_option *option, const char *folder)
{
	struct state *s = context;
	(void)option;
	if (!tr_folders_add(&s->folders, folder))
		tr_cli_check(&s->cli, TR_E_NOMEM);
}

static void parse_args(struct state *s, int argc, char **argv)
{
	const struct tr_option options[] = {
	    {"addresses", .flag = &s->names.scopes,
	     .help = "also count instructions, cycles and taken branches by address, for "
		     "tr-fold --format pprof, callgrind, autofdo"},
	    {"inline", .flag = &s->names.calls,
	     .help = "show inlined calls, as \"f (inlined)\""},
	    {"lines", .flag = &s->names.lines,
	     .help = "show source lines, as \"f.c:12\" on top"},
	    {"path", .argument = "FOLDER", .take = take_path,
	     .help = "also search this folder for binaries; may be repeated"},
	    {0}};
	s->names.functions = true;
	tr_cli_init(&s->cli, TR_CLI_STREAM, "tr-unwind", USAGE, argc, argv);
	tr_cli_promise(&s->cli);
	tr_options_parse(&s->cli, options, s);
}

/* Prints what is to be said of a binary that was opened. */
static void warn_of_image(const struct state *s, const struct tr_image *image)
{
	const char *warning = tr_image_warning(image);
	tr_cli_protect_input(&s->cli, s->cli.output, tr_image_path(image));
	if (*warning)
		tr_warn(&s->cli, "%s", warning);
	if (tr_image_places_failed(image))
		tr_die(&s->cli, "cannot read what --%s asks for",
		       s->names.lines ? "lines" : "inline");
}

static const struct tr_block *get_block(void *user, uint32_t id)
{
	const struct state *s = user;
	return tr_reader_block(s->reader, id);
}

static const struct tr_timing *get_timing(void *user, uint32_t id)
{
	const struct state *s = user;
	return tr_reader_timing(s->reader, id);
}

/* Opens a binary when its code first runs, if it is of a sysroot. */
static const struct tr_image *image_of(const struct state *s, uint32_t binary)
{
	const struct tr_image *image = tr_symbols_image(s->symbols, binary);
	if (image)
		return image;
	if (tr_symbols_need(s->symbols, binary))
		tr_die(&s->cli, "%s", tr_symbols_message(s->symbols));
	image = tr_symbols_image(s->symbols, binary);
	warn_of_image(s, image);
	return image;
}

static bool get_function(void *user, uint32_t binary, uint64_t address,
			 struct tr_function *function)
{
	const struct tr_function *found =
	    tr_image_function_at(image_of(user, binary), address);
	if (found)
		*function = *found;
	return found;
}

static unsigned get_isa(void *user, uint32_t binary)
{
	return tr_image_isa(image_of(user, binary));
}

static const uint8_t *get_code(void *user, uint32_t binary, uint64_t address,
			       unsigned bytes)
{
	return tr_image_bytes(image_of(user, binary), address, bytes);
}

static void narrow_source_place(struct tr_source_place *place,
				const struct tr_stretch *stretch)
{
	if (stretch->low > place->low)
		place->low = stretch->low;
	if (stretch->high < place->high)
		place->high = stretch->high;
}

static void get_place(void *user, uint32_t binary, uint64_t address,
		      struct tr_source_place *place)
{
	const struct tr_image *image = image_of(user, binary);
	struct tr_stretch call = tr_image_call_at(image, address);
	struct tr_stretch line = tr_image_line_at(image, address);
	*place = (struct tr_source_place){
	    .high = UINT64_MAX, .call = call.item, .line = line.item};
	narrow_source_place(place, &call);
	narrow_source_place(place, &line);
}

static const char *get_call(void *user, uint32_t binary, uint32_t call, uint32_t *around)
{
	return tr_image_call(image_of(user, binary), call, around);
}

static const char *get_line(void *user, uint32_t binary, uint32_t line, uint32_t *number)
{
	return tr_image_line(image_of(user, binary), line, number);
}

static void get_source(void *user, uint32_t binary, uint64_t address,
		       struct tr_source_spot *spot)
{
	const struct tr_image *image = image_of(user, binary);
	struct tr_stretch scope = tr_image_scope_at(image, address);
	struct tr_stretch line = tr_image_spot_at(image, address);
	*spot = (struct tr_source_spot){
	    .low = scope.low > line.low ? scope.low : line.low,
	    .high = scope.high < line.high ? scope.high : line.high,
	    .scope = scope.item};
	if (line.item)
		spot->line = tr_image_spot(image, line.item, &spot->discriminator);
}

static void get_scope(void *user, uint32_t binary, uint32_t item, struct tr_scope *scope,
		      char text[3][TR_SCOPE_NAME], uint32_t *around)
{
	struct tr_scope_text of;
	tr_image_scope(image_of(user, binary), item, &of);
	tr_image_name_copy(text[0], TR_SCOPE_NAME, of.name, of.name_size);
	tr_image_name_copy(text[1], TR_SCOPE_NAME, of.linkage, of.linkage_size);
	tr_image_name_copy(text[2], TR_SCOPE_NAME, of.file, of.file_size);
	scope->line = of.line;
	scope->call_line = of.call_line;
	scope->call_discriminator = of.call_discriminator;
	*around = of.around;
}

static int writer_put_scope(void *user, const struct tr_scope *scope)
{
	const struct state *s = user;
	return tr_writer_scope(s->out.writer, scope);
}

static int writer_put_span(void *user, const struct tr_span *span,
			   const struct tr_spot *spots)
{
	const struct state *s = user;
	return tr_writer_span(s->out.writer, span, spots);
}

static int writer_put_site(void *user, uint32_t spot)
{
	const struct state *s = user;
	return tr_writer_site(s->out.writer, spot);
}

static int writer_put_count(void *user, const struct tr_span_count *count,
			    const struct tr_span_stall *stalls)
{
	const struct state *s = user;
	return tr_writer_count(s->out.writer, count, stalls);
}

static int writer_put_branch(void *user, const struct tr_branch *branch)
{
	const struct state *s = user;
	return tr_writer_branch(s->out.writer, branch);
}

static int writer_put_func(void *user, const struct tr_func *func)
{
	const struct state *s = user;
	return tr_writer_func(s->out.writer, func);
}

static int writer_put_node(void *user, const struct tr_node *node)
{
	const struct state *s = user;
	return tr_writer_node(s->out.writer, node);
}

static int writer_put_thread(void *user, const struct tr_thread *thread)
{
	const struct state *s = user;
	return s->tasks ? tr_task_names_thread(s->tasks, thread)
			: tr_writer_thread(s->out.writer, thread);
}

static int writer_put_thread_name(void *user, const struct tr_sname *name)
{
	const struct state *s = user;
	return s->tasks ? tr_task_names_rename(s->tasks, name)
			: tr_writer_thread_name(s->out.writer, name);
}

/* Returns the process of a hart's rows. */
static uint32_t *process_of(struct state *s, uint32_t hart)
{
	uint32_t i = 0;
	while (i < s->nprocesses && s->processes[i].hart != hart)
		i++;
	if (i == s->nprocesses)
		s->processes[s->nprocesses++].hart = hart;
	return &s->processes[i].process;
}

static int writer_put_context(void *user, uint32_t hart,
			      const struct tr_scontext *context)
{
	struct state *s = user;
	*process_of(s, hart) = context->process;
	return tr_writer_scontext(s->out.writer, hart, context);
}

static void take_where(void *user, uint32_t hart, const struct tr_unwind_where *where)
{
	struct state *s = user;
	(void)hart;
	s->where = *where;
}

static int writer_put_srow(void *user, uint32_t hart, const struct tr_srow *row,
			   const struct tr_class_cycles *classes)
{
	struct state *s = user;
	return tr_writer_srow(s->out.writer, hart, row, classes);
}

/* The same, on the thread of the task that a probe has named. */
static int writer_put_task_srow(void *user, uint32_t hart, const struct tr_srow *row,
				const struct tr_class_cycles *classes)
{
	struct state *s = user;
	struct tr_srow named = *row;
	int status =
	    tr_task_names_row(s->tasks, hart, *process_of(s, hart), &s->where, &named);
	return status ? status : tr_writer_srow(s->out.writer, hart, &named, classes);
}

static uint8_t find_bin_role(const struct tr_header *header, uint32_t n)
{
	static const char *const roles[] = {[TR_UNWIND_FIRMWARE] = "firmware",
					    [TR_UNWIND_KERNEL] = "kernel",
					    [TR_UNWIND_USER] = "user"};
	char key[40];
	snprintf(key, sizeof(key), "bin.%u.role", n);
	const char *role = tr_header_get(header, key);
	for (uint8_t i = TR_UNWIND_FIRMWARE; role && i <= TR_UNWIND_USER; i++)
		if (strcmp(role, roles[i]) == 0)
			return i;
	return TR_UNWIND_ANY;
}

/* Properties of each binary, for tr_unwind_new(). */
struct binaries {
	uint32_t count;
	bool *libraries;
	uint8_t *roles;
	uint64_t *entries;
};

static struct binaries describe_binaries(const struct state *s,
					 const struct tr_header *header)
{
	const uint32_t count = tr_symbols_count(s->symbols);
	const struct binaries b = {.count = count,
				   .libraries = calloc(count + 1UL, sizeof(*b.libraries)),
				   .roles = calloc(count + 1UL, sizeof(*b.roles)),
				   .entries = calloc(count + 1UL, sizeof(*b.entries))};
	tr_cli_need(&s->cli, b.libraries);
	tr_cli_need(&s->cli, b.roles);
	tr_cli_need(&s->cli, b.entries);
	for (uint32_t i = 0; i < count; i++) {
		b.libraries[i] = tr_symbols_is_library(s->symbols, i);
		b.roles[i] = find_bin_role(header, i);
		b.entries[i] = tr_symbols_entry(s->symbols, i);
	}
	return b;
}

static void open_unwind(struct state *s, const struct tr_header *header)
{
	bool has_places = s->names.calls || s->names.lines;
	const struct tr_unwind_source source = {.user = s,
						.block = get_block,
						.timing = get_timing,
						.function = get_function,
						.isa = get_isa,
						.code = get_code,
						.place = has_places ? get_place : NULL,
						.call = get_call,
						.line = get_line,
						.source = get_source,
						.scope = get_scope};
	const struct tr_unwind_sink sink = {.user = s,
					    .put_scope = writer_put_scope,
					    .put_span = writer_put_span,
					    .site = writer_put_site,
					    .count = writer_put_count,
					    .branch = writer_put_branch,
					    .func = writer_put_func,
					    .node = writer_put_node,
					    .thread = writer_put_thread,
					    .thread_name = writer_put_thread_name,
					    .scontext = writer_put_context,
					    .srow = s->tasks ? writer_put_task_srow
							     : writer_put_srow,
					    .where = s->tasks ? take_where : NULL};
	struct binaries binaries = describe_binaries(s, header);
	const struct tr_unwind_options options = {
	    .programs = tr_symbols_programs(s->symbols),
	    .libraries = binaries.libraries,
	    .roles = binaries.roles,
	    .has_traps = !tr_header_lacks(header, "traps"),
	    .entries = binaries.entries,
	    .has_priv = !tr_header_lacks(header, "priv"),
	    .has_satp = !tr_header_lacks(header, "satp"),
	    .nprograms = binaries.count,
	    .xlen = tr_header_xlen(header),
	    .isa = tr_header_isa(header),
	    .has_sp = tr_header_watches_sp(header),
	    .has_tp = tr_header_watches_tp(header),
	    .commit_width =
		tr_header_get(header, "classes") ? tr_header_commit_width(header) : 1,
	    .addresses = s->names.scopes};
	tr_cli_check(&s->cli, tr_unwind_new(&s->unwind, &source, &sink, &options));
	free(binaries.libraries);
	free(binaries.roles);
	free(binaries.entries);
}

/* Checks that the requested information exists, as far as the binaries were compiled with
 * it. Those of a sysroot are not yet open. */
static void check_debug_info(const struct state *s)
{
	bool has_dwarf = false, has_lines = false;
	for (uint32_t i = 0; i < tr_symbols_count(s->symbols); i++) {
		const struct tr_image *image = tr_symbols_image(s->symbols, i);
		has_dwarf |= !image || tr_image_has_dwarf(image);
		has_lines |= !image || tr_image_has_lines(image);
	}
	if (s->names.lines && !has_lines)
		tr_die(&s->cli, "--lines: no binary has source lines; compile with -g");
	if (s->names.calls && !has_dwarf)
		tr_die(&s->cli, "--inline: no binary has DWARF; compile with -g");
}

static void open_unwind_input(struct state *s)
{
	const char *path = tr_cli_input(&s->cli, NULL);
	s->input = strcmp(path, "-") == 0 ? "<stdin>" : path;
	s->reader = tr_cli_reader_of(&s->cli, path, TR_CONTENT_ROWS);
	struct tr_header *header = s->header =
	    tr_header_copy(tr_reader_header(s->reader));
	tr_cli_need(&s->cli, header);
	int status = tr_symbols_open(&s->symbols, header, &s->names, &s->folders);
	if (status == TR_E_ARGUMENT)
		tr_die(&s->cli, "%s: %s", s->input, tr_symbols_message(s->symbols));
	tr_cli_need(&s->cli, s->symbols);
	if (status)
		tr_die(&s->cli, "%s", tr_symbols_message(s->symbols));
	for (uint32_t i = 0; i < tr_symbols_count(s->symbols); i++)
		if (tr_symbols_image(s->symbols, i))
			warn_of_image(s, tr_symbols_image(s->symbols, i));
	check_debug_info(s);
	tr_cli_check(&s->cli, tr_header_set(header, "content", "stacks"));
	if (s->names.scopes)
		tr_cli_check(&s->cli, tr_header_set(header, "addresses", "yes"));
	tr_cli_writer(&s->out, &s->cli, header);
	if (tr_kernel_tasks_possible(tr_reader_probes(s->reader))) {
		s->tasks = tr_task_names_new(tr_reader_probes(s->reader), s->out.writer);
		tr_cli_need(&s->cli, s->tasks);
	}
	open_unwind(s, header);
	tr_header_free(header);
	s->header = NULL;
}

/* Time starts where the trace begins, not at 0. */
static void begin_harts(struct state *s, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		uint32_t known = 0;
		while (known < s->nharts && s->harts[known] != frame->harts[i].hart)
			known++;
		if (known < s->nharts)
			continue;
		s->harts[s->nharts++] = frame->harts[i].hart;
		tr_cli_wrote(&s->out,
			     tr_writer_stacks_begin(s->out.writer, frame->harts[i].hart,
						    frame->harts[i].start_cycle));
	}
}

/* Copies an event whose cycle places it among the stacks. */
static void copy_stacks_event(struct state *s, uint32_t hart,
			      const struct tr_event *event)
{
	if (event->kind == TR_EV_COUNTERS)
		tr_cli_wrote(&s->out,
			     tr_writer_sample(s->out.writer, hart, &event->u.counters));
	else if (event->kind == TR_EV_PROBE)
		tr_cli_wrote(&s->out,
			     tr_writer_hit(s->out.writer, hart, &event->u.probe));
}

/* Copies samples of counters and hits of probes. */
static void copy_stacks_events(struct state *s, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++)
		for (uint32_t e = 0; e < frame->harts[i].nevents; e++)
			copy_stacks_event(s, frame->harts[i].hart,
					  &frame->harts[i].events[e]);
}

static bool unwind_frame(void *context, const struct tr_frame *frame)
{
	struct state *s = context;
	begin_harts(s, frame);
	if (s->tasks)
		tr_cli_wrote(&s->out, tr_task_names_frame(s->tasks, frame));
	int status = tr_unwind_frame(s->unwind, frame, tr_reader_block_count(s->reader),
				     tr_reader_timing_count(s->reader));
	if (status == TR_E_CORRUPT)
		tr_die(&s->cli,
		       "%s: frame %" PRIu64
		       ": a note refers to an unknown block or binary",
		       s->input, frame->number);
	tr_cli_wrote(&s->out, status);
	copy_stacks_events(s, frame);
	tr_cli_wrote(&s->out, tr_writer_stacks_flush(s->out.writer));
	return true;
}

static void check_sum(const struct state *s, const char *what, uint64_t in, uint64_t out)
{
	uint64_t end = tr_header_get_u64(tr_reader_end(s->reader), what, in);
	if (in != out || in != end)
		tr_die(&s->cli,
		       "%s: %" PRIu64 " %s in the rows, %" PRIu64
		       " by the end record, but %" PRIu64 " charged",
		       s->input, in, what, end, out);
}

static void finish_unwound_stream(struct state *s)
{
	struct tr_unwind_totals totals;
	tr_cli_wrote(&s->out, tr_unwind_finish(s->unwind));
	tr_unwind_totals(s->unwind, &totals);
	check_sum(s, "instructions", totals.instructions, totals.out_instructions);
	check_sum(s, "cycles", totals.cycles, totals.out_cycles);
	struct tr_header *end = tr_header_copy(tr_reader_end(s->reader));
	tr_cli_need(&s->cli, end);
	tr_unwound_add_totals(end, &totals);
	tr_cli_finish(&s->out, end);
	tr_header_free(end);
	tr_cli_tell_cut_off(&s->cli, s->input, tr_reader_end(s->reader));
	tr_unwound_report(&s->cli, &totals,
			  tr_header_watches_sp(tr_reader_header(s->reader)));
}

static void unwind_stream(struct state *s)
{
	const struct tr_cli_frames take = {
	    .rows = unwind_frame, .context = s, .is_ahead = true};
	if (tr_cli_each_frame(&s->cli, s->reader, &take) != TR_END)
		tr_cli_bad_input(&s->out, s->reader);
	finish_unwound_stream(s);
}

int main(int argc, char **argv)
{
	struct state s = {0};
	parse_args(&s, argc, argv);
	open_unwind_input(&s);
	unwind_stream(&s);
	tr_unwind_free(s.unwind);
	tr_task_names_free(s.tasks);
	tr_symbols_close(s.symbols);
	tr_folders_release(&s.folders);
	tr_reader_close(s.reader);
	return TR_EXIT_OK;
}
