/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the counters of runs. */
#include "cli/counter_files.h"

#include <stdlib.h>
#include <string.h>

/* Returns "list" for "dir/list.csv". */
static char *short_run_name(const struct tr_counter_files *files, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash && slash[1] ? slash + 1 : path;
	size_t length = strlen(name);
	if (length > 4 && strcmp(name + length - 4, ".csv") == 0)
		length -= 4;
	char *copy = strcmp(path, "-") == 0 ? strdup("<stdin>") : strndup(name, length);
	tr_cli_need(files->cli, copy);
	return copy;
}

/* Names the runs by file name, or all by path if two names are equal. */
static void name_counter_runs(struct tr_counter_files *files, char **paths)
{
	bool twice = false;
	for (size_t i = 0; i < files->count; i++) {
		files->names[i] = short_run_name(files, paths[i]);
		for (size_t k = 0; k < i; k++)
			twice |= strcmp(files->names[i], files->names[k]) == 0;
	}
	for (size_t i = 0; i < files->count; i++)
		files->runs[i].name = twice ? paths[i] : files->names[i];
}

static void need_counter(const struct tr_counter_files *files, const char *path,
			 const struct tr_tma_run *of, enum tr_tma_event event)
{
	if (!of->has[event])
		tr_die(files->cli, "%s: there is no counter %s%s", path, files->prefix,
		       tr_tma_event_names[event]);
}

static void check_counter_run(const struct tr_counter_files *files, const char *path,
			      const struct tr_tma_run *of, const struct tr_tma_run *other)
{
	if (files->needs_frontend)
		need_counter(files, path, of, TR_TMA_ICACHE_BLOCKED);
	if (files->needs_frontend)
		need_counter(files, path, of, TR_TMA_FETCH_STALL);
	if (files->needs_slots) {
		need_counter(files, path, of, TR_TMA_DISPATCHED);
		need_counter(files, path, of, TR_TMA_BACKEND_STALL);
		for (enum tr_tma_event event = 0; event < TR_TMA_TABLE1; event++)
			need_counter(files, path, of, event);
	}
	if ((files->needs_frontend || files->needs_slots) && !of->has_classes)
		tr_die(files->cli, "%s: there are no counters %sclass.*", path,
		       files->prefix);
	if (!other || !of->has_classes)
		return;
	bool same = of->classes.count == other->classes.count;
	for (unsigned c = 1; same && c <= of->classes.count; c++)
		same = strcmp(of->classes.name[c], other->classes.name[c]) == 0;
	if (!same)
		tr_die(files->cli,
		       "%s: its classes differ from those of the files before it", path);
}

void tr_counter_files_read(struct tr_counter_files *files)
{
	char **paths = files->cli->argv + optind;
	const struct tr_tma_run *classes = NULL;
	char message[1024];
	if (optind == files->cli->argc)
		tr_die(files->cli, "no file of counters; try --help");
	files->count = (size_t)(files->cli->argc - optind);
	files->runs = calloc(files->count, sizeof(*files->runs));
	files->names = calloc(files->count, sizeof(*files->names));
	tr_cli_need(files->cli, files->runs);
	tr_cli_need(files->cli, files->names);
	name_counter_runs(files, paths);
	for (size_t i = 0; i < files->count; i++) {
		struct tr_tma_run *of = &files->runs[i].run;
		tr_cli_reads(files->cli, paths[i]);
		if (tr_tma_run_read(of, paths[i], files->prefix, message,
				    sizeof(message)))
			tr_die(files->cli, "%s", message);
		check_counter_run(files, paths[i], of, classes);
		if (of->has_classes && !classes)
			classes = of;
	}
}

void tr_counter_files_release(struct tr_counter_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		tr_tma_run_release(&files->runs[i].run);
		free(files->names[i]);
	}
	free(files->names);
	free(files->runs);
}
