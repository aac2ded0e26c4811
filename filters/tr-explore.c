/* SPDX-License-Identifier: Apache-2.0 */
/* tr-explore: a page in the browser over the folder of tr-profile. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "cli/growing_file.h"
#include "cli/options.h"
#include "explore/explore_answer.h"
#include "explore/explore_code.h"

static const char usage[] =
    "usage: tr-explore [OPTION...] FOLDER\n"
    "Show the run that tr-profile leaves in a folder, or is still writing, on one page "
    "in\n"
    "the browser: flame graph, functions and time, which filter each other.\n";

enum {
	MOST_PORT = 65535,
	LOOK_NS = 200000000,	     /* between two looks at the folder */
	MOST_ANNOTATION = 256 << 20, /* bytes of annotate.html */
};

struct run {
	struct tr_cli cli;
	const char *folder, *query;
	char stacks[PATH_MAX], index[PATH_MAX], slices[PATH_MAX];
	unsigned port;
	struct tr_serve *serve;
	pthread_mutex_t lock; /* of `explore`, which the server's thread asks */
	pthread_mutex_t turn; /* who holds it has `lock` next: the server gets its turn */
	struct tr_explore *explore; /* NULL: no stacks yet */
	struct tr_explore_code *code;
	struct tr_growing_file *growing;
	int file; /* the stacks, or -1 */
	struct tr_explore_stamp stamp;
	bool has_grown; /* what is in the index came through a pipe */
	uint64_t size;	/* then: of that */
};

static struct run run;
static volatile sig_atomic_t is_interrupted;

static void note_signal(int number)
{
	(void)number;
	is_interrupted = 1;
	if (run.growing)
		tr_growing_file_stop(run.growing);
}

/* Sets the path of a file of the folder. */
static void name_file(char path[PATH_MAX], const char *name)
{
	if ((size_t)snprintf(path, PATH_MAX, "%s/%s", run.folder, name) >= PATH_MAX)
		tr_die(&run.cli, "%s: the path is too long", run.folder);
}

static void parse_arguments(int argc, char **argv)
{
	const struct tr_option options[] = {
	    {"port", .argument = "PORT", .range = {&run.port, 0, MOST_PORT},
	     .excludes = "query",
	     .help = "the port of 127.0.0.1 to serve the page on (a free one)"},
	    {"query", .argument = "PATH", .text = &run.query,
	     .help = "print the answer to a request of the page, such as "
		     "'/view?from=0&to=1000000', instead of serving it"},
	    {0}};
	tr_cli_init(&run.cli, TR_CLI_PLAIN, "tr-explore", usage, argc, argv);
	tr_options_parse(&run.cli, options, NULL);
	if (optind == argc)
		tr_die(&run.cli, "no folder; try --help");
	run.folder = argv[optind++];
	if (optind < argc)
		tr_die(&run.cli, "%s: more than one folder", argv[optind]);
	name_file(run.stacks, "stacks.tr");
	name_file(run.index, "explore.sqlite");
	name_file(run.slices, "annotate.slices");
}

/* ------------------------------------------------------------ answers */

/* Before there are stacks, all that can be told is that. */
static int answer_nothing(const struct tr_serve_request *request,
			  struct tr_serve_text *text)
{
	static const char waiting[] = "{\"done\":false,\"end\":0}\n";
	if (strcmp(request->path, "/run") != 0)
		return TR_END;
	*text = (struct tr_serve_text){strdup(waiting), sizeof(waiting) - 1,
				       "application/json"};
	return text->data ? TR_OK : TR_E_NOMEM;
}

/* Reads a page that tr-profile has left in the folder. Returns a status. */
static int read_annotation(struct tr_serve_text *text)
{
	char path[PATH_MAX + 16];
	struct stat st;
	snprintf(path, sizeof(path), "%s/annotate.html", run.folder);
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return TR_END;
	int status = TR_END;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= MOST_ANNOTATION) {
		*text = (struct tr_serve_text){malloc((size_t)st.st_size + 1),
					       (size_t)st.st_size,
					       "text/html; charset=utf-8"};
		status = text->data ? TR_OK : TR_E_NOMEM;
	}
	for (size_t done = 0; !status && done < text->size;) {
		const ssize_t got = read(fd, text->data + done, text->size - done);
		done += got > 0 ? (size_t)got : 0;
		status = got > 0 ? TR_OK : TR_E_IO;
	}
	if (status && text->data) {
		free(text->data);
		text->data = NULL;
	}
	close(fd);
	return status;
}

/* Answers from the index, which is there. */
static int answer_from_index(const struct tr_serve_request *request,
			     struct tr_serve_text *text)
{
	if (strcmp(request->path, "/code") == 0)
		return tr_explore_code_answer(run.code, run.explore, request, text);
	return tr_explore_answer(run.explore, request, text);
}

static int answer(void *context, const struct tr_serve_request *request,
		  struct tr_serve_text *text)
{
	(void)context;
	if (strcmp(request->path, "/annotate.html") == 0)
		return read_annotation(text);
	pthread_mutex_lock(&run.turn);
	pthread_mutex_lock(&run.lock);
	pthread_mutex_unlock(&run.turn);
	const int status = run.explore ? answer_from_index(request, text)
				       : answer_nothing(request, text);
	pthread_mutex_unlock(&run.lock);
	return status;
}

static void lock_index(void)
{
	pthread_mutex_lock(&run.turn);
	pthread_mutex_lock(&run.lock);
	pthread_mutex_unlock(&run.turn);
}

static void replace_index(struct tr_explore *explore)
{
	lock_index();
	struct tr_explore *former = run.explore;
	run.explore = explore;
	pthread_mutex_unlock(&run.lock);
	tr_explore_free(former);
}

static void start_server(void)
{
	const struct tr_serve_answers answers = {answer, NULL};
	char *page = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&page, &size);
	tr_cli_need(&run.cli, memory);
	tr_explore_page(run.folder, memory);
	tr_cli_check(&run.cli, fclose(memory) ? TR_E_NOMEM : TR_OK);
	const int status =
	    tr_serve_start_answers(&run.serve, run.port, page, size, &answers);
	free(page);
	if (status == TR_E_IO)
		tr_die(&run.cli, "--port %u: %s", run.port, strerror(errno));
	tr_cli_check(&run.cli, status);
	tr_warn(&run.cli, "serving http://127.0.0.1:%u/", tr_serve_port(run.serve));
}

/* Ends without a trace of the interruption. */
static _Noreturn void end_interrupted(void)
{
	tr_serve_stop(run.serve);
	exit(TR_EXIT_OK);
}

static void pause_shortly(void)
{
	nanosleep(&(struct timespec){.tv_nsec = LOOK_NS}, NULL);
	if (is_interrupted)
		end_interrupted();
}

/* ------------------------------------------------------------ the index */

/* Dies with the reader's message, in which a pipe has the name of the file. */
static _Noreturn void die_on_stream(const struct tr_reader *reader)
{
	const char *message = tr_reader_message(reader);
	const char *rest =
	    strncmp(message, "/dev/fd/", 8) == 0 ? strchr(message + 8, ':') : NULL;
	if (is_interrupted)
		end_interrupted();
	tr_die(&run.cli, "%s%s", rest ? run.stacks : "", rest ? rest : message);
}

/* Opens the stacks, as a pipe if tr-profile may add to them. */
static struct tr_reader *open_stream(void)
{
	char path[40];
	run.growing = tr_is_profiling(run.folder)
			  ? tr_growing_file_open(run.folder, run.file)
			  : NULL;
	snprintf(path, sizeof(path), "/dev/fd/%d",
		 run.growing ? tr_growing_file_pipe(run.growing) : run.file);
	struct tr_reader *reader = NULL;
	int status = tr_reader_open(&reader, run.growing ? path : run.stacks, 2);
	if (!status)
		status = tr_reader_expect(reader, TR_CONTENT_STACKS);
	if (status && reader)
		die_on_stream(reader);
	tr_cli_check(&run.cli, status);
	tr_cli_not_sampled(&run.cli, run.stacks, tr_reader_header(reader));
	return reader;
}

/* A profile whose rows the index takes. */
struct build {
	struct tr_reader *reader;
	struct tr_profile *profile;
	struct tr_explore *explore;
	bool is_shown;
};

static bool take_frame(void *context, const struct tr_sframe *frame)
{
	struct build *b = context;
	char message[128];
	lock_index();
	int status = tr_explore_announce(b->explore, frame);
	tr_cli_check(&run.cli, status);
	status = tr_profile_take(b->profile, b->reader, frame, message, sizeof(message));
	if (status)
		tr_die(&run.cli, "%s: %s", run.stacks, message);
	status = tr_explore_frame(b->explore);
	pthread_mutex_unlock(&run.lock);
	tr_cli_check(&run.cli, status);
	if (!b->is_shown && !run.query)
		replace_index(b->explore);
	b->is_shown = true;
	if (is_interrupted)
		end_interrupted();
	return true;
}

static struct tr_profile *new_profile(const struct build *b)
{
	const struct tr_header *header = tr_reader_header(b->reader);
	struct tr_classes classes = {0};
	const int status = tr_classes_read(&classes, header);
	if (status == TR_E_CORRUPT)
		tr_die(&run.cli, "%s: invalid names of classes in the header: %s",
		       run.stacks, tr_header_get(header, "classes"));
	const struct tr_profile_options options = {
	    .by = TR_BY_PROCESS,
	    .classes = classes.count,
	    .commit_width = classes.count ? tr_header_commit_width(header) : 1,
	    .to = {.cycle = UINT64_MAX},
	    .may_lack_groups = true};
	tr_classes_release(&classes);
	struct tr_profile *profile = tr_profile_new(&options);
	tr_cli_need(&run.cli, profile);
	return profile;
}

/* Reads the stream into a new index. */
static struct tr_explore *build_index(void)
{
	struct build b = {.reader = open_stream(), .explore = tr_explore_new()};
	const struct tr_cli_frames take = {.stacks = take_frame, .context = &b};
	tr_cli_need(&run.cli, b.explore);
	b.profile = new_profile(&b);
	tr_cli_check(&run.cli, tr_explore_begin(b.explore, b.profile, b.reader));
	if (tr_cli_each_frame(&run.cli, b.reader, &take) != TR_END)
		die_on_stream(b.reader);
	tr_cli_tell_cut_off(&run.cli, run.stacks, tr_reader_end(b.reader));
	lock_index();
	tr_cli_check(&run.cli, tr_profile_finish(b.profile, false));
	tr_cli_check(
	    &run.cli,
	    tr_explore_finish(b.explore, tr_header_cut_off(tr_reader_end(b.reader))));
	pthread_mutex_unlock(&run.lock);
	tr_profile_free(b.profile);
	tr_reader_close(b.reader);
	run.has_grown = run.growing != NULL;
	run.size = run.growing ? tr_growing_file_size(run.growing) : 0;
	tr_growing_file_close(run.growing);
	run.growing = NULL;
	return b.explore;
}

static void get_stamp(struct tr_explore_stamp *stamp)
{
	if (tr_explore_stamp(run.file, stamp))
		tr_die(&run.cli, "%s: %s", run.stacks, strerror(errno));
}

/* Keeps an index of a file that did not change while it was read, or only grew, and was
 * read to its end. */
static void save_index(struct tr_explore *explore)
{
	const struct tr_explore_stamp before = run.stamp;
	char message[400];
	get_stamp(&run.stamp);
	if (run.has_grown ? run.size != run.stamp.size
			  : memcmp(&before, &run.stamp, sizeof(before)) != 0)
		return;
	lock_index();
	const int status =
	    tr_explore_save(explore, run.index, &run.stamp, message, sizeof(message));
	pthread_mutex_unlock(&run.lock);
	if (status == TR_E_IO)
		tr_warn(&run.cli, "note: %s: %s; the index is not kept", run.index,
			message);
	else
		tr_cli_check(&run.cli, status);
}

/* Loads the index of the stacks, or builds it. */
static void make_index(void)
{
	struct tr_explore *explore = tr_explore_new();
	char message[400];
	tr_cli_need(&run.cli, explore);
	get_stamp(&run.stamp);
	const int status =
	    tr_explore_load(explore, run.index, &run.stamp, message, sizeof(message));
	if (status == TR_OK) {
		replace_index(explore);
		return;
	}
	tr_explore_free(explore);
	if (status == TR_E_CORRUPT || status == TR_E_IO)
		tr_die(&run.cli, "%s: %s", run.index, message);
	if (status != TR_END)
		tr_cli_check(&run.cli, status);
	explore = build_index();
	if (run.explore != explore)
		replace_index(explore);
	save_index(explore);
}

/* ------------------------------------------------------------ the folder */

/* Opens the stacks, for which it waits while tr-profile may still write them. */
static void open_stacks(void)
{
	struct stat st;
	if (stat(run.folder, &st) == 0 && !S_ISDIR(st.st_mode))
		tr_die(&run.cli, "%s: not a folder of tr-profile", run.folder);
	while ((run.file = open(run.stacks, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0) {
		if (errno != ENOENT || !tr_is_profiling(run.folder))
			tr_die(&run.cli, "%s: %s", run.stacks, strerror(errno));
		pause_shortly();
	}
	if (fstat(run.file, &st) < 0)
		tr_die(&run.cli, "%s: %s", run.stacks, strerror(errno));
	if (!S_ISREG(st.st_mode))
		tr_die(&run.cli, "%s: not a regular file", run.stacks);
}

/* Returns once the path is another file, or the file has changed. */
static void wait_for_change(void)
{
	struct stat file, path;
	for (;;) {
		pause_shortly();
		if (stat(run.stacks, &path) < 0 || fstat(run.file, &file) < 0)
			continue;
		if (path.st_ino != file.st_ino || path.st_dev != file.st_dev ||
		    (uint64_t)path.st_size != run.stamp.size ||
		    (uint64_t)path.st_mtim.tv_sec != run.stamp.seconds ||
		    (uint64_t)path.st_mtim.tv_nsec != run.stamp.nanoseconds)
			return;
	}
}

static void print_answer(void)
{
	const size_t size = strlen(run.query);
	char *query = calloc(size + 2, 1);
	struct tr_serve_text text;
	tr_cli_need(&run.cli, query);
	memcpy(query, run.query, size);
	const struct tr_serve_request request = tr_explore_request(query);
	const int status = answer_from_index(&request, &text);
	if (status == TR_END)
		tr_die(&run.cli, "--query %s: no such path", run.query);
	if (status == TR_E_ARGUMENT)
		tr_die(&run.cli, "--query %s: a wrong argument", run.query);
	if (status)
		tr_die(&run.cli, "%s: %s", run.index,
		       tr_status_text((enum tr_status)status));
	FILE *file = tr_cli_text(&run.cli);
	fwrite(text.data, 1, text.size, file);
	tr_cli_text_close(&run.cli, file);
	free(text.data);
	free(query);
}

int main(int argc, char **argv)
{
	parse_arguments(argc, argv);
	pthread_mutex_init(&run.lock, NULL);
	pthread_mutex_init(&run.turn, NULL);
	run.code = tr_explore_code_new(run.slices);
	tr_cli_need(&run.cli, run.code);
	if (run.query) {
		open_stacks();
		make_index();
		print_answer();
		tr_explore_free(run.explore);
		tr_explore_code_free(run.code);
		close(run.file);
		return TR_EXIT_OK;
	}
	if (!tr_is_profiling(run.folder) && access(run.stacks, R_OK) != 0)
		tr_die(&run.cli, "%s: %s", run.stacks, strerror(errno));
	if (tr_interrupt_catch(note_signal, false))
		tr_die(&run.cli, "signals: %s", strerror(errno));
	start_server();
	for (;;) {
		open_stacks();
		make_index();
		wait_for_change();
		close(run.file);
	}
}
