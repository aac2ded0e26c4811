/* SPDX-License-Identifier: Apache-2.0 */
/* prof-log: prints what a process, or all processes, did in the last span of time, as a
 * scheduler reads it. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include "base/csv.h"
#include "base/status.h"
#include "command_line.h"
#include "prof.h"

static const char log_usage[] =
    "usage: prof-log [--csv] [-n COUNT] [--every MS] [--top N] PID | FILE | --global\n"
    "Print the calls and the time of functions in the last span, by what the daemon "
    "wrote.\n";

enum {
	NS_PER_MS = 1000000,
	DEFAULT_MS = 1000,
	FIRST_LOG_MS = 3000, /* for a program that begins */
	RETRY_MS = 20,
	CELL = 64,
	FIXED_LINES = 6, /* of a screen: head, what is no function, the cursor */
	USUAL_HEIGHT = 24,
	USUAL_WIDTH = 80
};
static const double NS_PER_S = 1e9;
#define ROW_FORMAT "%5s %11s %7s %6s %11s %11s  "

/* What the command line asks for. */
struct log_request {
	bool csv, global;
	const char *count_text, *every_text, *top_text;
	const char *operand; /* NULL: global */
	uint64_t count;	     /* of tables; 0: no end */
	uint64_t every_ms;
	uint64_t top; /* 0: all functions */
};

struct log_print {
	const struct prof_command *command;
	const struct log_request *request;
	struct prof_log *log;
	struct prof_span span;
	bool screen; /* on a terminal: each table replaces the one before */
	int status;
};

/* A line of the table: a function, or what is none. */
struct log_row {
	uint64_t calls, samples;
	const char *name;
	uint32_t index;
	bool is_function, has_calls;
};

/* --- cells */

struct log_cells {
	char index[CELL], calls[CELL], samples[CELL], percent[CELL], rate[CELL],
	    cycles[CELL];
	const char *counts; /* what calls are */
};

static void set_number(char cell[CELL], bool known, uint64_t value)
{
	if (known)
		snprintf(cell, CELL, "%" PRIu64, value);
	else
		*cell = '\0';
}

static void set_fraction(char cell[CELL], bool known, int digits, double value)
{
	if (known)
		snprintf(cell, CELL, "%.*f", digits, value);
	else
		*cell = '\0';
}

static double divide(uint64_t part, uint64_t whole)
{
	return whole ? (double)part / (double)whole : 0;
}

static void fill_cells(const struct log_print *print, const struct log_row *row,
		       struct log_cells *cells)
{
	const struct prof_span *span = &print->span;
	const bool loops = row->is_function && prof_is_loop(print->log, row->index);
	const uint64_t all =
	    prof_is_global(print->log) ? span->all_samples : span->samples;
	const bool has_calls = row->has_calls && span->counted;
	double cycles = 0;
	const bool has_cycles =
	    row->is_function && prof_estimate_cycles(print->log, row->index, &cycles);
	set_number(cells->index, row->is_function, row->index);
	set_number(cells->calls, has_calls, row->calls);
	set_number(cells->samples, true, row->samples);
	set_fraction(cells->percent, all != 0, 2, 100 * divide(row->samples, all));
	set_fraction(cells->rate, has_calls && span->length, 1,
		     NS_PER_S * divide(row->calls, span->length));
	set_fraction(cells->cycles, has_cycles, 1, cycles);
	cells->counts = !row->is_function ? "" : loops ? "entries" : "calls";
}

/* --- CSV */

static void put_csv_row(const struct log_print *print, const struct log_row *row,
			FILE *out)
{
	struct log_cells cells;
	fill_cells(print, row, &cells);
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",%s,%s,%s,%s,%s,%s,%s,", print->span.time,
		print->span.length, cells.index, cells.calls, cells.counts, cells.samples,
		cells.percent, cells.rate, cells.cycles);
	if (tr_csv_put(out, row->name) != TR_OK)
		prof_end_with(print->command, "%s", strerror(ENOMEM));
	putc('\n', out);
}

/* Lost samples are part of no percentage. */
static void put_csv_lost(const struct log_print *print, FILE *out)
{
	fprintf(out, "%" PRIu64 ",%" PRIu64 ",,,,%" PRIu64 ",,,,[lost]\n",
		print->span.time, print->span.length, print->span.lost_samples);
}

/* --- text */

/* Names are whatever is in the file: no control characters for the terminal. */
static void put_text(const char *text, FILE *out)
{
	for (; *text; text++)
		putc((unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text, out);
}

static const char *or_dash(const char *cell)
{
	return *cell ? cell : "-";
}

static void put_text_row(const struct log_print *print, const struct log_row *row,
			 FILE *out)
{
	struct log_cells cells;
	fill_cells(print, row, &cells);
	fprintf(out, ROW_FORMAT, or_dash(cells.index), or_dash(cells.calls),
		cells.samples, or_dash(cells.percent), or_dash(cells.rate),
		or_dash(cells.cycles));
	put_text(row->name, out);
	fputs(row->is_function && prof_is_loop(print->log, row->index) ? " (entries)\n"
								       : "\n",
	      out);
}

static double read_age(const struct prof_span *span)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / NS_PER_S -
	       (double)span->time / NS_PER_S;
}

static void put_head(const struct log_print *print, FILE *out)
{
	const struct prof_span *span = &print->span;
	const bool global = prof_is_global(print->log);
	if (global)
		fputs("all processes", out);
	else
		fprintf(out, "process %ld", (long)prof_get_process(print->log));
	fprintf(out, ": %.3f s until %.1f s ago, %" PRIu64 " samples, %" PRIu64 " lost",
		(double)span->length / NS_PER_S, read_age(span),
		global ? span->all_samples : span->samples, span->lost_samples);
	fputs(global ? "" : ", ", out);
	put_text(prof_get_program(print->log), out);
	putc('\n', out);
	fprintf(out, ROW_FORMAT "%s\n", "index", "calls", "samples", "%", "calls/s",
		"cycles/call", "name");
}

/* --- tables */

static int compare_rows(const void *a, const void *b)
{
	const struct log_row *x = a, *y = b;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	if (x->calls != y->calls)
		return x->calls > y->calls ? -1 : 1;
	const int order = strcmp(x->name, y->name);
	if (order)
		return order;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Returns the functions, sorted, which the caller frees. */
static struct log_row *sort_functions(const struct log_print *print, uint32_t count)
{
	struct log_row *rows = calloc((size_t)count + 1, sizeof(*rows));
	if (!rows)
		prof_end_with(print->command, "%s", strerror(ENOMEM));
	for (uint32_t i = 0; i < count; i++)
		rows[i] = (struct log_row){.calls = prof_get_calls(print->log, i),
					   .samples = prof_get_samples(print->log, i),
					   .name = prof_get_name(print->log, i),
					   .index = i,
					   .is_function = true,
					   .has_calls = true};
	qsort(rows, count, sizeof(*rows), compare_rows);
	return rows;
}

static uint64_t rest_of(uint64_t whole, uint64_t part)
{
	return whole > part ? whole - part : 0;
}

/* Prints `shown` functions, and what is none of them, so that the percentages add up. In
 * a table for people, functions that did nothing are left out. */
static void put_rows(const struct log_print *print, uint32_t shown, FILE *out)
{
	void (*put)(const struct log_print *, const struct log_row *, FILE *) =
	    print->request->csv ? put_csv_row : put_text_row;
	const uint32_t count = prof_count_functions(print->log);
	struct log_row *rows = sort_functions(print, count);
	struct log_row hidden = {.has_calls = true, .name = "[more functions]"};
	uint64_t samples = 0;
	for (uint32_t i = 0; i < count; i++) {
		samples += rows[i].samples;
		if (i < shown) {
			if (print->request->csv || rows[i].calls || rows[i].samples)
				put(print, &rows[i], out);
		} else {
			hidden.calls += rows[i].calls;
			hidden.samples += rows[i].samples;
		}
	}
	free(rows);
	const struct prof_span *span = &print->span;
	const struct log_row other = {.samples = rest_of(span->samples, samples),
				      .name = "[kernel and other]"};
	const struct log_row others = {.samples =
					   rest_of(span->all_samples, span->samples),
				       .name = "[other processes]"};
	if (shown < count)
		put(print, &hidden, out);
	put(print, &other, out);
	if (prof_is_global(print->log))
		put(print, &others, out);
	if (print->request->csv)
		put_csv_lost(print, out);
}

/* --- the screen */

/* Prints a text from the upper left corner on, cut at the width, over what is there. */
static void show_screen(const char *text, unsigned width)
{
	fputs("\033[H", stdout);
	for (size_t length; *text; text += length + (text[length] == '\n')) {
		length = strcspn(text, "\n");
		size_t fits = length < width ? length : width;
		while (fits < length && ((unsigned char)text[fits] & 0xc0) == 0x80)
			fits--;
		fwrite(text, 1, fits, stdout);
		fputs("\033[K\n", stdout);
	}
	fputs("\033[J", stdout);
}

/* As many functions as fit, but those that are asked for at most. */
static void print_screen(const struct log_print *print, uint32_t shown)
{
	struct winsize window = {0};
	char *text = NULL;
	size_t size;
	ioctl(STDOUT_FILENO, TIOCGWINSZ, &window);
	const uint32_t height = window.ws_row ? window.ws_row : USUAL_HEIGHT;
	const uint32_t fits = height > FIXED_LINES ? height - FIXED_LINES : 1;
	FILE *out = open_memstream(&text, &size);
	if (!out)
		prof_end_with(print->command, "%s", strerror(ENOMEM));
	put_head(print, out);
	put_rows(print, shown < fits ? shown : fits, out);
	if (fclose(out) != 0)
		prof_end_with(print->command, "%s", strerror(ENOMEM));
	show_screen(text, window.ws_col ? window.ws_col : USUAL_WIDTH);
	free(text);
}

static void print_table(const struct log_print *print, bool first)
{
	const uint32_t count = prof_count_functions(print->log);
	const uint64_t top = print->request->top;
	const uint32_t shown = top && top < count ? (uint32_t)top : count;
	if (print->screen) {
		print_screen(print, shown);
		return;
	}
	if (print->request->csv && first)
		puts("time,span,index,calls,counts,samples,percent,calls_per_second,"
		     "cycles_per_call,name");
	if (!print->request->csv) {
		fputs(first ? "" : "\n", stdout);
		put_head(print, stdout);
	}
	put_rows(print, shown, stdout);
}

/* --- logs */

/* The operand is a file unless it is a number. */
static bool is_file_name(const char *operand)
{
	return operand && (!*operand || operand[strspn(operand, "0123456789")]);
}

static struct prof_log *open_operand(const struct log_print *print,
				     struct prof_error *error)
{
	const char *operand = print->request->operand;
	if (!operand)
		return prof_open_global(error);
	if (is_file_name(operand))
		return prof_open_file(operand, error);
	errno = 0;
	const unsigned long pid = strtoul(operand, NULL, 10);
	if (errno || pid > INT32_MAX)
		prof_end_with(print->command, "%s: not a process", operand);
	return pid ? prof_open_process((pid_t)pid, error) : prof_open_global(error);
}

static void open_request(struct log_print *print)
{
	struct prof_error error;
	prof_close_log(print->log);
	print->log = open_operand(print, &error);
	if (!print->log)
		prof_end_with(print->command, "%s", error.text);
}

/* A process that the shell has just started may not execute its program yet, and then has
 * a log within a snapshot period. Waits for that if the kernel knows a daemon. */
static void await_first_log(const struct log_print *print)
{
	const struct timespec retry = {.tv_nsec = RETRY_MS * NS_PER_MS};
	const char *operand = print->request->operand;
	const pid_t pid = operand && !is_file_name(operand) ? (pid_t)atol(operand) : 0;
	if (pid <= 0 || access("/proc/profiler/daemon", F_OK) != 0)
		return;
	for (int ms = 0; ms < FIRST_LOG_MS; ms += RETRY_MS) {
		struct prof_error error;
		struct prof_span span;
		struct prof_log *log = open_operand(print, &error);
		const bool has_span =
		    log && prof_read_span(log, &span) != PROF_READ_EMPTY;
		prof_close_log(log);
		if (has_span || (kill(pid, 0) < 0 && errno == ESRCH))
			return;
		nanosleep(&retry, NULL);
	}
}

/* Says that the process has ended. If it was to be followed to its end, this is no
 * trouble. */
static void say_ended(struct log_print *print, bool is_complete)
{
	prof_warn_user(print->command, "process %ld has ended",
		       (long)prof_get_process(print->log));
	if (!is_complete)
		print->status = PROF_EXIT_TROUBLE;
}

static void warn_log(struct log_print *print, const char *what)
{
	if (is_file_name(print->request->operand))
		prof_warn_user(print->command, "%s: %s", print->request->operand, what);
	else if (prof_is_global(print->log))
		prof_warn_user(print->command, "all processes: %s", what);
	else
		prof_warn_user(print->command, "process %ld: %s",
			       (long)prof_get_process(print->log), what);
	print->status = PROF_EXIT_TROUBLE;
}

/* Reads a span, of the program that the process executes now. Returns false if there is
 * none, with a message. */
static bool read_log(struct log_print *print, bool is_complete)
{
	static const char *const reasons[] = {
	    [PROF_READ_TORN] = "no whole span could be read",
	    [PROF_READ_EMPTY] = "no daemon has written a log yet",
	    [PROF_READ_GONE] = "the file was removed",
	    [PROF_READ_DAMAGED] = "the file was cut or overwritten",
	};
	enum prof_read result = prof_read_span(print->log, &print->span);
	if (result == PROF_READ_GONE && prof_is_alive(print->log)) {
		await_first_log(print);
		open_request(print);
		result = prof_read_span(print->log, &print->span);
	}
	if (result == PROF_READ_GONE && !prof_is_alive(print->log))
		say_ended(print, is_complete);
	else if (result != PROF_READ_WHOLE)
		warn_log(print, reasons[result]);
	return result == PROF_READ_WHOLE;
}

static void add_ms(struct timespec *time, uint64_t ms)
{
	const uint64_t ns = (uint64_t)time->tv_nsec + ms % 1000 * NS_PER_MS;
	time->tv_sec += (time_t)(ms / 1000 + ns / 1000000000);
	time->tv_nsec = (long)(ns % 1000000000);
}

/* Waits until the next table is due; one that is late moves those behind it. */
static void await_next(struct timespec *due, uint64_t ms)
{
	struct timespec now;
	add_ms(due, ms);
	clock_gettime(CLOCK_MONOTONIC, &now);
	if (now.tv_sec > due->tv_sec ||
	    (now.tv_sec == due->tv_sec && now.tv_nsec > due->tv_nsec))
		*due = now;
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, due, NULL) == EINTR)
		;
}

/* A file that is named may be of a process that has ended. */
static bool has_ended(const struct log_print *print)
{
	return !is_file_name(print->request->operand) && !prof_is_alive(print->log);
}

static void print_tables(struct log_print *print)
{
	const struct log_request *request = print->request;
	struct timespec due;
	clock_gettime(CLOCK_MONOTONIC, &due);
	if (print->screen)
		fputs("\033[2J", stdout);
	for (uint64_t done = 0;;) {
		const bool is_complete = done && request->count == 0;
		if (done && has_ended(print)) {
			say_ended(print, is_complete);
			return;
		}
		if (!read_log(print, is_complete))
			return;
		print_table(print, done == 0);
		if (++done == request->count)
			return;
		prof_finish_output(print->command);
		await_next(&due, request->every_ms);
	}
}

/* --- the command line */

/* Returns a number from 1 to `most`, or `standard` without a text. */
static uint64_t parse_number(const struct prof_command *command, const char *option,
			     const char *text, uint64_t most, uint64_t standard)
{
	if (!text)
		return standard;
	errno = 0;
	const unsigned long long value = strtoull(text, NULL, 10);
	if (!*text || text[strspn(text, "0123456789")] || errno || value == 0 ||
	    value > most)
		prof_end_with(command, "%s: a number from 1 to %" PRIu64 " is expected",
			      option, most);
	return value;
}

static void parse_request(const struct prof_command *command, struct log_request *request,
			  int argc, char **argv)
{
	prof_parse_options(command, argc, argv);
	request->count = parse_number(command, "-n", request->count_text, UINT32_MAX,
				      request->every_text ? 0 : 1);
	request->every_ms =
	    parse_number(command, "--every", request->every_text, INT32_MAX, DEFAULT_MS);
	request->top = parse_number(command, "--top", request->top_text, UINT32_MAX, 0);
	if (argc - optind != (request->global ? 0 : 1))
		prof_end_with(command, "one process or file is expected, or --global");
	request->operand = argv[optind];
}

int main(int argc, char **argv)
{
	struct log_request request = {0};
	const struct prof_option options[] = {
	    {"global", .flag = &request.global, .help = "of all profiled processes"},
	    {"count", 'n', "COUNT", .text = &request.count_text,
	     .help = "print COUNT tables (1; with --every: no end)"},
	    {"every", .argument = "MS", .text = &request.every_text,
	     .help = "print one every MS ms (1000); on a terminal over the last"},
	    {"top", .argument = "N", .text = &request.top_text,
	     .help = "print the N functions with most samples"},
	    {"csv", .flag = &request.csv, .help = "print as CSV"},
	    {0}};
	const struct prof_command command = {"prof-log", log_usage, options,
					     .in_order = false};
	parse_request(&command, &request, argc, argv);
	struct log_print print = {
	    .command = &command, .request = &request, .status = PROF_EXIT_DONE};
	print.screen = !request.csv && request.count != 1 && isatty(STDOUT_FILENO);
	await_first_log(&print);
	open_request(&print);
	print_tables(&print);
	prof_close_log(print.log);
	prof_finish_output(&command);
	return print.status;
}
