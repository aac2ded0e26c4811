/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/profile_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/jit_files.h"

const char *tr_profile_folder_name(const struct tr_cli *cli,
				   const struct tr_profiled *profiled)
{
	static char text[PATH_MAX];
	const struct tr_words *images = &profiled->images;
	const char *path = profiled->file  ? profiled->file
			   : images->count ? images->word[images->count - 1]
					   : profiled->command.word[0];
	const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
	const char *dot = strrchr(name, '.');
	int size = dot && dot != name ? (int)(dot - name) : (int)strlen(name);
	if (strcmp(path, "-") == 0) {
		name = "stdin";
		size = (int)strlen(name);
	}
	const char *shown = cli->output ? cli->output : name;
	const char *here = *shown == '-' ? "./" : "";
	int length = cli->output ? snprintf(text, sizeof(text), "%s%s", here, cli->output)
				 : snprintf(text, sizeof(text), "%s%.*s-profile", here,
					    size, name);
	if (length >= PATH_MAX)
		tr_die(cli, "%s: the path is too long", shown);
	return text;
}

static const char *path_of(const struct tr_cli *cli, const char *folder, const char *name,
			   char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		tr_die(cli, "%s: the path is too long", folder);
	return path;
}

static int folder_lock = -1;

/* Locks the folder itself, as long as the descriptor is open. File systems without locks
 * do without. */
static void lock_profile_folder(const struct tr_cli *cli, const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		tr_die(cli, "%s: another tr-profile writes into this folder", folder);
	folder_lock = fd;
}

void tr_profile_folder_release(void)
{
	if (folder_lock >= 0)
		close(folder_lock);
	folder_lock = -1;
}

/* Returns whether the file is the input. */
static bool is_input(const char *path, const char *input)
{
	struct stat file, other;
	if (!input || stat(path, &file) < 0)
		return false;
	return (strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &other)
					: stat(input, &other)) == 0 &&
	       file.st_dev == other.st_dev && file.st_ino == other.st_ino;
}

static void remove_profile_file(const struct tr_cli *cli, const char *path)
{
	if (unlink(path) < 0 && errno != ENOENT)
		tr_die(cli, "%s: %s", path, strerror(errno));
}

/* Removes the streams of an earlier run. Returns whether its trace is the input. */
static bool drop_streams(const struct tr_cli *cli, const char *folder,
			 const struct tr_profiled *profiled)
{
	const char *input = profiled->kind == TR_PROFILED_COMMAND ? NULL : profiled->file;
	const bool writes_trace =
	    profiled->kind == TR_PROFILED_COMMAND || profiled->kind == TR_PROFILED_LOG;
	char trace[PATH_MAX], stacks[PATH_MAX];
	path_of(cli, folder, "trace.tr", trace);
	path_of(cli, folder, "stacks.tr", stacks);
	const bool from_trace = is_input(trace, input),
		   from_stacks = is_input(stacks, input);
	if ((from_trace && writes_trace) ||
	    (from_stacks && profiled->kind != TR_PROFILED_STACKS))
		tr_die(cli, "%s: this is the input; choose another folder",
		       from_trace ? trace : stacks);
	if (!from_stacks && !from_trace)
		remove_profile_file(cli, trace);
	if (!from_stacks)
		remove_profile_file(cli, stacks);
	return from_trace;
}

void tr_profile_folder_take(const struct tr_cli *cli, const char *folder,
			    const struct tr_profiled *profiled)
{
	static const char *const results[] = {
	    "flame.svg",      "functions.txt", "classes.svg",
	    "classes.txt",    "timeline.svg",  "timeline.perfetto",
	    "stacks.folded",  "summary.txt",   "root.cpio",
	    "soc.dtb",	      "annotate.html", "annotate.slices",
	    "explore.sqlite", "bars.csv",      NULL};
	static const char *const of_trace[] = {"console.txt", "start.checkpoint",
					       "bins.lst", NULL};
	char path[PATH_MAX];
	struct stat st;
	if (mkdir(folder, 0777) < 0 &&
	    (errno != EEXIST || (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))))
		tr_die(cli, "%s: %s", folder, strerror(errno));
	lock_profile_folder(cli, folder);
	const bool from_trace = drop_streams(cli, folder, profiled);
	for (const char *const *name = results; *name; name++)
		remove_profile_file(cli, path_of(cli, folder, *name, path));
	if (!from_trace)
		tr_jit_files_remove(folder);
	for (const char *const *name = of_trace; *name && !from_trace; name++)
		remove_profile_file(cli, path_of(cli, folder, *name, path));
}

/* Prints what was found out about the trace. */
static void show_findings(const struct tr_cli *cli, const char *folder)
{
	char path[PATH_MAX];
	FILE *file = fopen(path_of(cli, folder, "summary.txt", path), "re");
	char line[1000];
	bool inside = false;
	while (file && fgets(line, sizeof(line), file)) {
		inside |= strcmp(line, "findings\n") == 0;
		if (inside)
			fputs(line, stdout);
	}
	if (file)
		fclose(file);
}

static void show_files(const struct tr_cli *cli, const char *folder)
{
	static const struct {
		const char *name, *what;
	} files[] = {
	    {"flame.svg", "flame graph; open it in a browser"},
	    {"functions.txt", "cycles and calls of each function"},
	    {"bars.csv", "estimated cycles of functions and stacks, with their errors"},
	    {"classes.svg", "flame graph coloured by classes of lost cycles"},
	    {"classes.txt", "classes of lost cycles of each function"},
	    {"annotate.html", "cost of each instruction and source line"},
	    {"timeline.svg", "what ran when; open it in a browser"},
	    {"timeline.perfetto", "calls over time, for the viewer of Perfetto"},
	    {"stacks.folded", "stacks as folded text"},
	    {"stacks.tr", "stacks over time, for tr-fold and tr-report"},
	    {"console.txt", "what the program printed"},
	    {"start.checkpoint", "the machine at the start of the program, for soc-sim"},
	    {"bins.lst", "the binaries, for --bins"},
	    {"trace.tr", "the trace, for tr-profile with other binaries"},
	    {"summary.txt", "what is in the trace"},
	};
	char path[PATH_MAX];
	struct stat st;
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (stat(path_of(cli, folder, files[i].name, path), &st) == 0 &&
		    st.st_size > 0)
			printf("%s/%-18s %s\n", folder, files[i].name, files[i].what);
}

void tr_profile_folder_show(const struct tr_cli *cli, const char *folder)
{
	show_findings(cli, folder);
	show_files(cli, folder);
}
