/* SPDX-License-Identifier: Apache-2.0 */
/* The DPI side of trace_sink.sv.
 *
 * Sinks that write the same file are harts of one stream, whose header is written with
 * the first commit, when all sinks are known. A simulation that ends by itself, by Ctrl-C
 * or by a failed assertion leaves a complete stream; one that cannot write ends with a
 * message and exit status 2. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <svdpi.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "tr_trace.h"

/* A harness in C that is linked with the shared library does not have these. */
#pragma weak svGetArrayPtr
#pragma weak svGetArrElemPtr1
#pragma weak svLow
#pragma weak svSize

enum {
	TROUBLE = 2,
	MAX_SINKS = 64,
	MOST_HARTS = 64,
	COMMIT_WORDS = 7, /* and two more with flags and loads */
	MOST_WORDS = 9,
	RUN_WORDS = 3,
	MOST_COUNTERS = 4096,
	GRACE_S = 10
};

struct sink {
	struct stream *stream;
	unsigned nret;
	bool has_classes;
	int words; /* of a commit */
	int hart;  /* -1: not known yet */
};

struct stream {
	struct tr_trace *trace; /* NULL before the first commit */
	struct tr_trace_options options;
	char *file;			  /* NULL: TR_CAPTURE_FD */
	char *classes, *counters, *flags; /* NULL: none */
	unsigned sinks, ended_sinks;
	struct sink *harts[MOST_HARTS];
	uint64_t cycle; /* of the last call */
	bool ended;
};

static struct stream *streams[MAX_SINKS];
static unsigned nstreams;
static volatile sig_atomic_t interrupted;

/* The functions that SystemVerilog calls. */
void *tr_sink_open(const char *file, const char *start, const char *stop, unsigned xlen,
		   unsigned nret, unsigned lacks);
void tr_sink_classes(void *sink, const char *names);
void tr_sink_counters(void *sink, const char *names, unsigned count, unsigned period);
void tr_sink_marks(void *sink, const char *flags, unsigned count, svBit loads);
void tr_sink_sample(void *sink, unsigned hart, uint64_t cycle,
		    const svOpenArrayHandle values);
void tr_sink_lose(void *sink, const svOpenArrayHandle runs, unsigned count);
int tr_sink_cycle(void *sink, unsigned hart, uint64_t cycle,
		  const svOpenArrayHandle lanes);
void tr_sink_end(void *sink, uint64_t cycle);

static _Noreturn void exit_with_message(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static _Noreturn void exit_with_message(const char *format, ...)
{
	va_list args;
	fputs("trace_sink: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(TROUBLE);
}

static void exit_on_failure(struct stream *stream)
{
	stream->ended = true;
	exit_with_message("%s", tr_trace_message(stream->trace));
}

/* Writes the header, unless the stream has begun. */
static void begin_sink_stream(struct stream *stream)
{
	if (stream->trace || stream->ended)
		return;
	if (tr_trace_open(&stream->trace, &stream->options))
		exit_on_failure(stream);
}

static void end_sink_stream(struct stream *stream, const char *how)
{
	if (stream->ended)
		return;
	begin_sink_stream(stream);
	stream->ended = true;
	if (tr_trace_end(stream->trace, stream->cycle, how))
		exit_on_failure(stream);
	tr_trace_close(stream->trace);
}

static void end_all(const char *how)
{
	for (unsigned i = 0; i < nstreams; i++)
		end_sink_stream(streams[i], how);
}

/* A harness may exit without running the final blocks. */
static void at_exit(void)
{
	end_all("exit");
}

static void note_interrupt_signal(int number)
{
	if (interrupted && tr_interrupt_again(number)) {
		signal(number, SIG_DFL);
		raise(number);
	}
	if (!interrupted)
		tr_interrupt_again(number);
	interrupted = number;
}

/* abort() is how simulators report failed assertions. If the abort is due to corrupted
 * memory, the alarm ends the process. */
static void on_abort(int number)
{
	signal(number, SIG_DFL);
	alarm(GRACE_S);
	end_all("aborted");
	alarm(0);
}

/* Signals that the simulator itself handles are left to it. */
static void catch_end_signals(void)
{
	struct sigaction before;
	if (tr_interrupt_catch(note_interrupt_signal, true))
		exit_with_message("cannot handle signals: %s", strerror(errno));
	if (sigaction(SIGABRT, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		signal(SIGABRT, on_abort);
	if (atexit(at_exit))
		exit_with_message("cannot register the end of the trace");
}

/* Completes the streams, and ends the process as if nothing had handled the signal. */
static void exit_by_signal(void)
{
	const int number = interrupted;
	end_all("interrupted");
	fflush(NULL);
	signal(number, SIG_DFL);
	raise(number);
}

/* Parses cycle=N or pc=0xADDRESS. */
static void parse_trigger_option(struct tr_trace_trigger *trigger, const char *option,
				 const char *text)
{
	const char *end_sink_stream = NULL;
	if (!*text)
		return;
	if (!strncmp(text, "cycle=", 6)) {
		trigger->kind = TR_TRACE_AT_CYCLE;
		end_sink_stream = tr_parse_number(text + 6, &trigger->value);
	} else if (!strncmp(text, "pc=", 3)) {
		trigger->kind = TR_TRACE_AT_PC;
		end_sink_stream = tr_parse_address(text + 3, &trigger->value);
	}
	if (!end_sink_stream || *end_sink_stream)
		exit_with_message("+%s=%s: expected cycle=N or pc=0xADDRESS", option,
				  text);
}

/* Returns the descriptor that tr-capture expects the stream in, or -1. */
static int capture_fd(void)
{
	const char *text = getenv("TR_CAPTURE_FD");
	uint64_t fd;
	if (!text)
		return -1;
	const char *rest = tr_parse_number(text, &fd);
	if (!rest || *rest || fd > INT32_MAX || fcntl((int)fd, F_GETFD) < 0)
		exit_with_message("TR_CAPTURE_FD is %s, which is no open file descriptor",
				  text);
	return (int)fd;
}

static struct stream *find_stream(const char *file)
{
	for (unsigned i = 0; i < nstreams; i++)
		if (file && streams[i]->file ? !strcmp(file, streams[i]->file)
					     : file == streams[i]->file)
			return streams[i];
	if (nstreams == MAX_SINKS)
		exit_with_message("more than %d streams", MAX_SINKS);
	struct stream *stream = calloc(1, sizeof(*stream));
	if (!stream || (file && !(stream->file = strdup(file))))
		exit_with_message("out of memory");
	if (!nstreams)
		catch_end_signals();
	return streams[nstreams++] = stream;
}

/* Adds a sink to the stream. Its options must be those of the others. */
static void join_stream(struct stream *stream, const struct tr_trace_options *options)
{
	struct tr_trace_options *o = &stream->options;
	if (stream->trace)
		exit_with_message("a hart joins after the first commit of another");
	if (!stream->options.harts) {
		*o = *options;
		return;
	}
	o->harts++;
	if (o->xlen != options->xlen)
		exit_with_message("harts with XLEN %u and %u cannot share a file",
				  o->xlen, options->xlen);
	o->lacks |= options->lacks;
	if (options->commit_width > o->commit_width)
		o->commit_width = options->commit_width;
}

void *tr_sink_open(const char *file, const char *start, const char *stop, unsigned xlen,
		   unsigned nret, unsigned lacks)
{
	struct tr_trace_options options = {.fd = -1,
					   .xlen = xlen,
					   .harts = 1,
					   .commit_width = nret,
					   .lacks = lacks,
					   .source = "trace_sink"};
	/* "?" marks the file of the parameter, which tr-capture overrides. */
	if (*file == '?' && (options.fd = capture_fd()) >= 0)
		file = NULL;
	else if (*file == '?')
		file++;
	if (file && !*file)
		return NULL;
	parse_trigger_option(&options.start, "tr_start", start);
	parse_trigger_option(&options.stop, "tr_stop", stop);
	struct sink *sink = calloc(1, sizeof(*sink));
	if (!sink)
		exit_with_message("out of memory");
	sink->stream = find_stream(file);
	sink->nret = nret;
	sink->words = COMMIT_WORDS;
	sink->hart = -1;
	sink->stream->sinks++;
	options.path = sink->stream->file;
	join_stream(sink->stream, &options);
	return sink;
}

/* Takes names of a sink; `count` is the width of its port, 0: any. All harts of a stream
 * have the same names. */
static const char *take_names(char **kept, const char *names, const char *what,
			      unsigned count)
{
	unsigned found = 1;
	for (const char *c = names; *c; c++)
		found += *c == ',';
	if (count && found != count)
		exit_with_message("%u %s, but %u names: %s", count, what, found, names);
	if (*kept && strcmp(*kept, names) != 0)
		exit_with_message("harts with the %s %s and %s cannot share a file", what,
				  *kept, names);
	if (!*kept && !(*kept = strdup(names)))
		exit_with_message("out of memory");
	return *kept;
}

void tr_sink_classes(void *handle, const char *names)
{
	struct sink *sink = handle;
	struct stream *stream = sink->stream;
	stream->options.classes = take_names(&stream->classes, names, "classes", 0);
	sink->has_classes = true;
}

void tr_sink_counters(void *handle, const char *names, unsigned count, unsigned period)
{
	struct stream *stream = ((struct sink *)handle)->stream;
	stream->options.counters =
	    take_names(&stream->counters, names, "counters", count);
	stream->options.counter_period = period;
}

void tr_sink_marks(void *handle, const char *flags, unsigned count, svBit loads)
{
	struct sink *sink = handle;
	struct stream *stream = sink->stream;
	if (*flags)
		stream->options.flags = take_names(&stream->flags, flags, "flags", count);
	stream->options.tells_loads |= loads;
	sink->words = MOST_WORDS;
}

static void bind_hart(struct sink *sink, unsigned hart)
{
	struct stream *stream = sink->stream;
	if (hart >= MOST_HARTS)
		exit_with_message("hart_i is %u; it must be below %d", hart, MOST_HARTS);
	if (stream->harts[hart])
		exit_with_message(
		    "two sinks of one file have hart_i %u: connect it, or use two files",
		    hart);
	stream->harts[hart] = sink;
	sink->hart = (int)hart;
}

/* The layout of a commit, in words. */
static struct tr_trace_commit unpack_commit(const uint64_t *words, int count)
{
	const uint64_t flags = words[0];
	const bool has_marks = count == MOST_WORDS;
	return (struct tr_trace_commit){.trap = flags >> 1 & 1,
					.intr = flags >> 2 & 1,
					.priv = (uint8_t)(flags >> 3 & 3),
					.rd = (uint8_t)(flags >> 5 & 31),
					.has_cause = flags >> 10 & 1,
					.lost_to = (uint8_t)(flags >> 11 & 31),
					.pc = words[1],
					.next_pc = words[2],
					.insn = words[3],
					.rd_value = words[4],
					.satp = words[5],
					.cause = words[6],
					.load = has_marks && (flags >> 31 & 1),
					.load_cycles = flags >> 32,
					.flags = has_marks ? (uint32_t)words[7] : 0,
					.load_address = has_marks ? words[8] : 0};
}

/* Returns item `i`, of `count` words: in `all`, if items are an array of C, or copied one
 * by one. */
static const uint64_t *words_of(const svOpenArrayHandle items, const uint64_t *all,
				unsigned i, int count, uint64_t *room)
{
	if (all)
		return all + (size_t)count * i;
	for (int k = 0; k < count; k++) {
		const uint64_t *word =
		    svGetArrElemPtr1(items, svLow(items, 1) + count * (int)i + k);
		if (!word)
			exit_with_message(
			    "this simulator does not pass arrays of longint");
		room[k] = *word;
	}
	return room;
}

/* Slots lost before the first commit of the hart are not in the stream. */
void tr_sink_lose(void *handle, const svOpenArrayHandle runs, unsigned count)
{
	struct sink *sink = handle;
	struct stream *stream = sink->stream;
	const uint64_t *all = svGetArrayPtr(runs);
	uint64_t room[RUN_WORDS];
	if (stream->ended || sink->hart < 0)
		return;
	for (unsigned i = 0; i < count; i++) {
		const uint64_t *run = words_of(runs, all, i, RUN_WORDS, room);
		if (tr_trace_lose_slots(stream->trace, (unsigned)sink->hart, run[0],
					(unsigned)run[1], run[2]) == TR_TRACE_FAILED)
			exit_on_failure(stream);
	}
}

/* The stream begins with the next commit, if not before. */
static void begin_sink_hart(struct sink *sink, unsigned hart)
{
	if (sink->hart < 0)
		bind_hart(sink, hart);
	begin_sink_stream(sink->stream);
}

void tr_sink_sample(void *handle, unsigned hart, uint64_t cycle,
		    const svOpenArrayHandle values)
{
	struct sink *sink = handle;
	struct stream *stream = sink->stream;
	uint64_t room[MOST_COUNTERS];
	if (stream->ended)
		return;
	begin_sink_hart(sink, hart);
	const uint64_t *words =
	    words_of(values, svGetArrayPtr(values), 0, svSize(values, 1), room);
	if (tr_trace_sample_counters(stream->trace, (unsigned)sink->hart, cycle, words) ==
	    TR_TRACE_FAILED)
		exit_on_failure(stream);
}

static bool has_commit(const struct sink *sink, const svOpenArrayHandle lanes,
		       const uint64_t *all)
{
	uint64_t room[MOST_WORDS];
	for (unsigned i = 0; i < sink->nret; i++)
		if (words_of(lanes, all, i, sink->words, room)[0] & 1)
			return true;
	return false;
}

/* Passes on what a lane holds: a commit, or a lost slot. */
static int pass_lane(const struct sink *sink, uint64_t cycle, const uint64_t *words)
{
	struct tr_trace *trace = sink->stream->trace;
	const struct tr_trace_commit commit = unpack_commit(words, sink->words);
	if (words[0] & 1)
		return tr_trace_commit(trace, (unsigned)sink->hart, cycle, &commit);
	return sink->has_classes ? tr_trace_lose_slots(trace, (unsigned)sink->hart, cycle,
						       commit.lost_to, 1)
				 : TR_TRACE_OK;
}

int tr_sink_cycle(void *handle, unsigned hart, uint64_t cycle,
		  const svOpenArrayHandle lanes)
{
	struct sink *sink = handle;
	struct stream *stream = sink->stream;
	const uint64_t *all = svGetArrayPtr(lanes);
	uint64_t room[MOST_WORDS];
	if (interrupted)
		exit_by_signal();
	if (stream->ended)
		return 1;
	stream->cycle = cycle;
	if (!has_commit(sink, lanes, all))
		return 0;
	begin_sink_hart(sink, hart);
	for (unsigned i = 0; i < sink->nret; i++) {
		const int status =
		    pass_lane(sink, cycle, words_of(lanes, all, i, sink->words, room));
		if (status == TR_TRACE_FAILED)
			exit_on_failure(stream);
		if (status == TR_TRACE_STOPPED)
			return 1;
	}
	return 0;
}

/* A sink without commits is most likely connected to nothing: a simulator takes names
 * that it does not know for wires. */
static void report_silence(uint64_t cycle)
{
	if (cycle)
		fprintf(stderr,
			"trace_sink: no commit in %" PRIu64
			" cycles: valid_i was never 1; does RVFI need a macro or a "
			"parameter?\n",
			cycle);
	else
		fputs("trace_sink: no commit: clk_i had no rising edge\n", stderr);
}

void tr_sink_end(void *handle, uint64_t cycle)
{
	struct sink *sink = handle;
	if (sink->hart < 0)
		report_silence(cycle);
	if (cycle > sink->stream->cycle)
		sink->stream->cycle = cycle;
	if (++sink->stream->ended_sinks == sink->stream->sinks)
		end_sink_stream(sink->stream, "finish");
}
