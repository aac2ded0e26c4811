/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and ends a trace, and passes tokens and events to the stream writer. */
#include "trace_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output.h"

enum { FILE_LEVEL = 3 };

int tr_trace_fail(struct tr_trace *t, const char *format, ...)
{
	va_list args;
	if (t->state == TRACE_FAILED)
		return TR_TRACE_FAILED;
	t->state = TRACE_FAILED;
	va_start(args, format);
	vsnprintf(t->message, sizeof(t->message), format, args);
	va_end(args);
	return TR_TRACE_FAILED;
}

/* Turns a status of the library into one of this interface. */
static int map_library_status(struct tr_trace *t, int status)
{
	if (!status)
		return TR_TRACE_OK;
	const char *path = t->options.path ? t->options.path : "the trace's pipe";
	const char *reason =
	    status == TR_E_IO ? strerror(errno) : tr_status_text((enum tr_status)status);
	return tr_trace_fail(t, "cannot write %s: %s", path, reason);
}

/* Blocks SIGPIPE, unless a regular file is written. Returns true if it was neither
 * blocked nor pending. */
static bool block_pipe(const struct tr_trace *t, sigset_t *pipe, sigset_t *before)
{
	sigset_t pending;
	if (t->is_file)
		return false;
	sigemptyset(pipe);
	sigaddset(pipe, SIGPIPE);
	return sigpending(&pending) == 0 && !sigismember(&pending, SIGPIPE) &&
	       pthread_sigmask(SIG_BLOCK, pipe, before) == 0;
}

/* Discards the SIGPIPE of a write since block_pipe(). */
static void unblock_pipe(const sigset_t *pipe, const sigset_t *before)
{
	const struct timespec now = {0};
	const int error = errno;
	while (sigtimedwait(pipe, NULL, &now) < 0 && errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, before, NULL);
	errno = error;
}

static int flush_lane(struct tr_trace *t, unsigned hart)
{
	struct trace_lane *lane = t->lanes[hart];
	struct tr_batch batch = {.tokens = lane->tokens,
				 .stalls = lane->stalls,
				 .runs = lane->runs,
				 .count = lane->count,
				 .nstalls = lane->nstalls};
	lane->count = lane->nstalls = lane->nruns = 0;
	return tr_writer_tokens(t->writer, hart, &batch);
}

/* Passes the held token on; the next one is at `next`, 0: elsewhere. */
static int pass_held_token(struct tr_trace *t, unsigned hart, uint64_t next)
{
	enum { GUESSED_BYTES = 4 };
	struct trace_lane *lane = t->lanes[hart];
	const uint64_t bytes = (next - lane->held_pc) & t->mask;
	const bool follows = bytes == 2 || bytes == 4;
	int status = TR_OK;
	lane->held = false;
	if (!tr_lengths_fits(&lane->plain, lane->held_pc))
		status = tr_lengths_put(&lane->plain, t->writer, hart);
	bool is_full =
	    tr_lengths_add(&lane->plain, lane->held_pc,
			   follows ? (unsigned)bytes : GUESSED_BYTES, lane->held_cycles);
	is_full |= tr_lengths_classify(&lane->plain, lane->held_runs, lane->held_nruns);
	if (!status && (is_full || !follows))
		status = tr_lengths_put(&lane->plain, t->writer, hart);
	return status;
}

/* Passes on what is held of a hart, before an event. */
static int release_all(struct tr_trace *t, unsigned hart)
{
	struct trace_lane *lane = t->lanes[hart];
	int status = lane->held ? pass_held_token(t, hart, 0) : TR_OK;
	if (!status)
		status = tr_lengths_put(&lane->plain, t->writer, hart);
	return status;
}

/* All of them, because frames should end at the same cycle for all harts. */
int tr_trace_flush(struct tr_trace *t)
{
	sigset_t pipe, before;
	const bool blocked = block_pipe(t, &pipe, &before);
	int status = TR_OK;
	for (unsigned i = 0; i < TR_MAX_HARTS && !status; i++)
		if (t->lanes[i] && t->lanes[i]->count)
			status = flush_lane(t, i);
	status = map_library_status(t, status);
	if (blocked)
		unblock_pipe(&pipe, &before);
	return status;
}

int tr_trace_plain(struct tr_trace *t, unsigned hart, uint64_t pc, uint64_t cycles,
		   uint64_t next_pc)
{
	struct trace_lane *lane = t->lanes[hart];
	sigset_t pipe, before;
	const bool blocked = block_pipe(t, &pipe, &before);
	int status = lane->held ? pass_held_token(t, hart, pc) : TR_OK;
	lane->held = true;
	lane->held_pc = pc;
	lane->held_cycles = cycles;
	lane->held_nruns = tr_runs_move(&lane->slots.lost, lane->held_runs);
	if (next_pc && !status)
		status = pass_held_token(t, hart, next_pc);
	status = map_library_status(t, status);
	if (blocked)
		unblock_pipe(&pipe, &before);
	return status;
}

int tr_trace_pass_plain(struct tr_trace *t, unsigned hart, uint64_t pc)
{
	sigset_t pipe, before;
	if (!t->lanes[hart]->held)
		return TR_TRACE_OK;
	const bool blocked = block_pipe(t, &pipe, &before);
	const int status = map_library_status(t, pass_held_token(t, hart, pc));
	if (blocked)
		unblock_pipe(&pipe, &before);
	return status;
}

int tr_trace_put(struct tr_trace *t, unsigned hart, const struct tr_event *event)
{
	sigset_t pipe, before;
	if (tr_trace_flush(t))
		return TR_TRACE_FAILED;
	const bool blocked = block_pipe(t, &pipe, &before);
	int status = release_all(t, hart);
	if (!status)
		status = tr_writer_event(t->writer, hart, event);
	status = map_library_status(t, status);
	if (blocked)
		unblock_pipe(&pipe, &before);
	return status;
}

/* Returns what is missing, as words separated by commas, in `text`; NULL for nothing. */
static const char *name_lacks(char *text, size_t size,
			      const struct tr_trace_options *options)
{
	const unsigned lacks = options->lacks;
	snprintf(text, size, "%s%s%s%s%s%s", options->classes ? "" : ",classes",
		 lacks & TR_TRACE_NO_INSN ? ",insn" : "",
		 lacks & TR_TRACE_NO_PRIV ? ",priv" : "",
		 lacks & TR_TRACE_NO_SATP ? ",satp" : "",
		 lacks & TR_TRACE_NO_REGS ? ",tp" : "",
		 lacks & TR_TRACE_NO_TRAPS ? ",traps" : "");
	return *text ? text + 1 : NULL;
}

static int set_option_keys(struct tr_header *header,
			   const struct tr_trace_options *options)
{
	char lacks[64];
	const bool timeless = options->lacks & TR_TRACE_NO_TIME;
	const char *const keys[][2] = {
	    {"content", "rows"},
	    {"source", options->source ? options->source : "trace"},
	    {"precision", timeless ? "instructions" : "cycles"},
	    {"cannot_supply", name_lacks(lacks, sizeof(lacks), options)},
	    {"classes", options->classes},
	    {"watch", options->lacks & TR_TRACE_NO_REGS ? NULL : "2,4"}};
	const unsigned width = options->commit_width ? options->commit_width : 1;
	int status = tr_header_set_u64(header, "xlen", options->xlen);
	if (!status)
		status = tr_header_set_u64(header, "harts", options->harts);
	if (!status)
		status = tr_header_set_u64(header, "commit_width", width);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]) && !status; i++)
		if (keys[i][1])
			status = tr_header_set(header, keys[i][0], keys[i][1]);
	return status;
}

static int begin_stream(struct tr_trace *t)
{
	struct stat st;
	struct tr_writer_options how = {.threads = 1, .marks_breaks = true};
	struct tr_header *header = tr_header_new();
	sigset_t pipe, before;
	t->is_file = fstat(t->fd, &st) == 0 && S_ISREG(st.st_mode);
	how.level = t->is_file ? FILE_LEVEL : 0;
	const bool blocked = block_pipe(t, &pipe, &before);
	int status = header ? set_option_keys(header, &t->options) : TR_E_NOMEM;
	if (!status && tr_trace_name_more(t, header))
		status = TR_E_ARGUMENT;
	if (!status)
		status = tr_writer_open(&t->writer, t->fd, header, &how);
	status = map_library_status(t, status);
	if (blocked)
		unblock_pipe(&pipe, &before);
	tr_header_free(header);
	return status;
}

static int open_output_file(struct tr_trace *t)
{
	t->fd = t->options.fd;
	if (t->options.path) {
		t->fd = tr_output_open(t->options.path);
		t->owns_fd = t->fd >= 0;
		if (t->fd < 0)
			return tr_trace_fail(t, "cannot open %s: %s", t->options.path,
					     tr_output_problem(errno));
	}
	if (isatty(t->fd))
		return tr_trace_fail(t, "a trace is not written to a terminal");
	return begin_stream(t);
}

static bool copy_text(const char **to, const char *from)
{
	return !from || (*to = strdup(from));
}

/* Copies the options, whose strings the caller may free. */
static bool copy_options(struct tr_trace *t, const struct tr_trace_options *options)
{
	t->options = *options;
	t->options.source = t->options.path = t->options.classes = NULL;
	t->options.counters = t->options.flags = NULL;
	return copy_text(&t->options.path, options->path) &&
	       copy_text(&t->options.source, options->source) &&
	       copy_text(&t->options.classes, options->classes) &&
	       copy_text(&t->options.counters, options->counters) &&
	       copy_text(&t->options.flags, options->flags);
}

/* Returns TR_TRACE_OK or TR_TRACE_FAILED. */
static int check_class_names(struct tr_trace *t)
{
	if (!t->options.classes)
		return TR_TRACE_OK;
	const int status = tr_classes_parse(&t->classes, t->options.classes);
	if (status == TR_E_NOMEM)
		return tr_trace_fail(t, "out of memory");
	if (status || !tr_name_good(t->options.classes) ||
	    strpbrk(t->options.classes, " \t/*=\""))
		return tr_trace_fail(
		    t,
		    "classes \"%s\": not 1 to %d different names, separated by commas, "
		    "without blanks, semicolons, quotes, slashes, * and =",
		    t->options.classes, TR_MAX_CLASSES - 1);
	return TR_TRACE_OK;
}

int tr_trace_open(struct tr_trace **trace, const struct tr_trace_options *options)
{
	struct tr_trace *t = *trace = calloc(1, sizeof(*t));
	if (!t)
		return TR_TRACE_FAILED;
	t->fd = -1;
	t->mask = options->xlen == 32 ? UINT32_MAX : UINT64_MAX;
	t->width = options->commit_width ? options->commit_width : 1;
	t->state = options->start.kind == TR_TRACE_NEVER ? TRACE_RUNS : TRACE_WAITS;
	if (!copy_options(t, options))
		return tr_trace_fail(t, "out of memory");
	if (options->xlen != 32 && options->xlen != 64)
		return tr_trace_fail(t, "XLEN is 32 or 64, not %u", options->xlen);
	if (options->harts < 1 || options->harts > TR_MAX_HARTS)
		return tr_trace_fail(t, "1 to %d harts, not %u", TR_MAX_HARTS,
				     options->harts);
	if (options->commit_width > TR_MAX_COMMIT_WIDTH)
		return tr_trace_fail(t, "at most %d commits in a cycle, not %u",
				     TR_MAX_COMMIT_WIDTH, options->commit_width);
	return check_class_names(t) ? TR_TRACE_FAILED : open_output_file(t);
}

/* What was taken for interrupts, but never returned, cannot follow; nor does a handler
 * begin where control only went on. */
static int put_breaks(struct tr_trace *t, unsigned hart)
{
	const struct trace_lane *lane = t->lanes[hart];
	const struct tr_break *const sums[] = {&lane->false_intr, &lane->wrong_next};
	for (unsigned i = 0; i < 2; i++) {
		const struct tr_event event = {.kind = TR_EV_BREAK, .u.broken = *sums[i]};
		if (sums[i]->count && tr_trace_put(t, hart, &event))
			return TR_TRACE_FAILED;
	}
	for (uint32_t i = 0; i < lane->unreported.nhandlers; i++) {
		struct tr_event event = {.kind = TR_EV_BREAK};
		event.u.broken = tr_continuity_rest(&lane->unreported, i);
		if (event.u.broken.count && tr_trace_put(t, hart, &event))
			return TR_TRACE_FAILED;
	}
	return TR_TRACE_OK;
}

/* The cycles between a hart's last commit and the end. */
static int put_final_gap(struct tr_trace *t, unsigned hart, uint64_t cycle)
{
	struct trace_lane *lane = t->lanes[hart];
	struct tr_event gap = {.kind = TR_EV_GAP, .u.gap = {.reason = TR_GAP_END}};
	if (lane->trapped && tr_trace_put(t, hart, &lane->trap))
		return TR_TRACE_FAILED;
	lane->trapped = false;
	if ((!cycle || lane->sample.cycle <= cycle) && tr_trace_put_sample(t, hart, true))
		return TR_TRACE_FAILED;
	if (put_breaks(t, hart))
		return TR_TRACE_FAILED;
	if (cycle <= lane->cycle || cycle - lane->cycle >= TR_MAX_CYCLES)
		return TR_TRACE_OK;
	gap.cycles = cycle - lane->cycle;
	return tr_trace_put(t, hart, &gap);
}

static int write_end(struct tr_trace *t, const char *how)
{
	struct tr_header *end = tr_header_new();
	int status = end ? tr_header_set(end, "end", how) : TR_E_NOMEM;
	for (unsigned i = 0; i < t->nlanes && !status; i++)
		if (t->lanes[i])
			status = release_all(t, i);
	if (!status && t->state == TRACE_WAITS)
		status = tr_header_set(end, "trigger", "never met");
	if (!status)
		status = tr_writer_end(t->writer, end);
	tr_header_free(end);
	return map_library_status(t, status);
}

int tr_trace_end(struct tr_trace *t, uint64_t cycle, const char *how)
{
	sigset_t pipe, before;
	if (t->state == TRACE_ENDED || t->state == TRACE_FAILED)
		return t->state == TRACE_ENDED ? TR_TRACE_OK : TR_TRACE_FAILED;
	if (tr_trace_flush(t))
		return TR_TRACE_FAILED;
	for (unsigned i = 0; i < t->nlanes; i++)
		if (t->lanes[i] && t->lanes[i]->begun && put_final_gap(t, i, cycle))
			return TR_TRACE_FAILED;
	const bool blocked = block_pipe(t, &pipe, &before);
	const int status = write_end(t, how);
	if (blocked)
		unblock_pipe(&pipe, &before);
	if (!status)
		t->state = TRACE_ENDED;
	return status;
}

void tr_trace_close(struct tr_trace *t)
{
	if (!t)
		return;
	tr_writer_close(t->writer);
	if (t->owns_fd)
		close(t->fd);
	for (unsigned i = 0; i < t->nlanes; i++) {
		if (t->lanes[i])
			free(t->lanes[i]->sample.values);
		free(t->lanes[i]);
	}
	const char *const texts[] = {t->options.path, t->options.source,
				     t->options.classes, t->options.counters,
				     t->options.flags};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		free((void *)(uintptr_t)texts[i]);
	tr_classes_release(&t->classes);
	tr_buffer_free(&t->hit);
	free(t);
}

const char *tr_trace_message(const struct tr_trace *t)
{
	return t ? t->message : "out of memory";
}
