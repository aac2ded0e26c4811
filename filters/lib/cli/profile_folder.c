/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/profile_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* Locks the folder itself. The descriptor stays open until the process ends. File systems
 * without locks do without. */
static void lock_profile_folder(const struct tr_cli *cli, const char *folder)
{
	int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK)
		tr_die(cli, "%s: another tr-profile writes into this folder", folder);
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

/* Removes the streams of an earlier run. */
static void drop_streams(const struct tr_cli *cli, const char *folder,
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
}

void tr_profile_folder_take(const struct tr_cli *cli, const char *folder,
			    const struct tr_profiled *profiled)
{
	static const char *const names[] = {
	    "flame.svg",    "functions.txt",	 "classes.svg",	  "classes.txt",
	    "timeline.svg", "timeline.perfetto", "stacks.folded", "summary.txt",
	    "console.txt",  "start.checkpoint",	 "root.cpio",	  "soc.dtb",
	    "bins.lst",	    "annotate.html"};
	char path[PATH_MAX];
	struct stat st;
	if (mkdir(folder, 0777) < 0 &&
	    (errno != EEXIST || (stat(folder, &st) == 0 && !S_ISDIR(st.st_mode))))
		tr_die(cli, "%s: %s", folder, strerror(errno));
	lock_profile_folder(cli, folder);
	drop_streams(cli, folder, profiled);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		remove_profile_file(cli, path_of(cli, folder, names[i], path));
}
