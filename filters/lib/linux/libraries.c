/* SPDX-License-Identifier: Apache-2.0 */
/* Finds shared libraries. */
#include "linux/libraries.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buffer.h"
#include "base/status.h"
#include "image/image.h"
#include "linux/target_path.h"

/* A file in the list, as the dynamic loader sees it. */
struct library {
	char *name;	   /* of the file in the target, without its folder */
	char *search_path; /* DT_RPATH or DT_RUNPATH, or NULL */
	bool is_inherited; /* it is DT_RPATH */
	size_t wanted_by;  /* index of what needed it first; its own, if nothing did */
};

struct tr_libraries {
	const char **sysroots;
	size_t nsysroots;
	struct tr_target_file *files;
	struct library *found;
	size_t count, files_capacity, found_capacity;
	bool has_musl; /* whose loader is the C library, too */
	char message[2048];
};

static const char *const default_sysroots[] = {"/usr/riscv64-linux-gnu",
					       "/usr/riscv64-linux-gnu/sys-root", ""};

/* Of the dynamic loaders of glibc (Debian, and as its authors have it) and musl. The last
 * one is for a folder that has nothing but libraries. */
static const char *const default_folders[] = {"/lib/riscv64-linux-gnu",
					      "/usr/lib/riscv64-linux-gnu",
					      "/lib64/lp64d",
					      "/usr/lib64/lp64d",
					      "/lib",
					      "/usr/lib",
					      "/usr/local/lib",
					      "/lib64",
					      "/usr/lib64",
					      ""};
enum { FOLDERS = sizeof(default_folders) / sizeof(default_folders[0]) };

static int fail_libraries(struct tr_libraries *l, int status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static int fail_libraries(struct tr_libraries *l, int status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(l->message, sizeof(l->message), format, args);
	va_end(args);
	return status;
}

struct tr_libraries *tr_libraries_open(const char *const *sysroots, size_t count)
{
	const size_t defaults = sizeof(default_sysroots) / sizeof(default_sysroots[0]);
	struct tr_libraries *l = calloc(1, sizeof(*l));
	if (!l)
		return NULL;
	l->sysroots = calloc(count + defaults, sizeof(*l->sysroots));
	if (!l->sysroots) {
		free(l);
		return NULL;
	}
	for (size_t i = 0; i < count; i++)
		l->sysroots[l->nsysroots++] = sysroots[i];
	for (size_t i = 0; i < defaults; i++)
		l->sysroots[l->nsysroots++] = default_sysroots[i];
	return l;
}

void tr_libraries_close(struct tr_libraries *l)
{
	if (!l)
		return;
	for (size_t i = 0; i < l->count; i++) {
		free(l->files[i].path);
		free(l->files[i].source);
		free(l->found[i].name);
		free(l->found[i].search_path);
	}
	free(l->files);
	free(l->found);
	free(l->sysroots);
	free(l);
}

const char *tr_libraries_message(const struct tr_libraries *l)
{
	return l->message;
}

const struct tr_target_file *tr_libraries_files(const struct tr_libraries *l,
						size_t *count)
{
	*count = l->count;
	return l->files;
}

/* Adds a file to the list. Returns TR_OK or TR_E_NOMEM. */
static int append_library(struct tr_libraries *l, const char *source, const char *path,
			  size_t wanted_by)
{
	if (!tr_grow(&l->files, &l->files_capacity, l->count + 1, sizeof(*l->files)) ||
	    !tr_grow(&l->found, &l->found_capacity, l->count + 1, sizeof(*l->found)))
		return TR_E_NOMEM;
	l->files[l->count] =
	    (struct tr_target_file){.path = strdup(path), .source = strdup(source)};
	l->found[l->count] = (struct library){.name = strdup(strrchr(path, '/') + 1),
					      .wanted_by = wanted_by};
	const struct tr_target_file *file = &l->files[l->count];
	const bool has_all = file->path && file->source && l->found[l->count].name;
	l->count++;
	return has_all ? TR_OK : TR_E_NOMEM;
}

bool tr_libraries_have(const struct tr_libraries *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->found[i].name, name) == 0)
			return true;
	return false;
}

/* Returns whether the list has a library of this name, or what stands for it: the loader
 * of musl takes itself for all parts of the C library. */
static bool has_library(const struct tr_libraries *l, const char *name)
{
	static const char *const of_musl[] = {"libc.",	"libpthread.", "librt.",  "libm.",
					      "libdl.", "libutil.",    "libxnet."};
	if (tr_libraries_have(l, name))
		return true;
	for (size_t i = 0; l->has_musl && i < sizeof(of_musl) / sizeof(of_musl[0]); i++)
		if (strncmp(name, of_musl[i], strlen(of_musl[i])) == 0)
			return true;
	return false;
}

/* Returns whether the file is for RV64. */
static bool is_for_target(const char *path)
{
	static const struct tr_image_options options = {.no_cache = true};
	struct tr_image *image = NULL;
	struct stat st;
	const bool is_good = stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
			     tr_image_open(&image, path, &options) == TR_OK &&
			     tr_image_xlen(image) == 64;
	tr_image_close(image);
	return is_good;
}

/* What is looked for. */
struct wanted {
	const char *name;
	size_t by; /* index of the file that needs it */
};

/* Takes the library if it is `path` here, and `folder`/`name` in the target. Returns
 * TR_OK, TR_END if it is not there, or TR_E_NOMEM. */
static int try_library(struct tr_libraries *l, const struct wanted *wanted,
		       const char *path, const char *folder)
{
	char target[PATH_MAX];
	if (!is_for_target(path) || !tr_target_path(target, folder, wanted->name))
		return TR_END;
	return append_library(l, path, target, wanted->by);
}

/* Looks for it in these folders, of which there are `count`, below each sysroot: in all
 * of one before those of the next. The last sysroot is the root of this machine. In the
 * target it is in `there`, or, if that is NULL, in the same folder. */
static int try_folders(struct tr_libraries *l, const struct wanted *wanted,
		       const char *const *folders, size_t count, const char *there)
{
	char path[PATH_MAX];
	int status = TR_END;
	for (size_t i = 0; i < l->nsysroots; i++)
		for (size_t k = 0; k < count && status == TR_END; k++)
			if (tr_sysroot_path(path, l->sysroots[i], folders[k],
					    wanted->name))
				status = try_library(l, wanted, path,
						     there	   ? there
						     : *folders[k] ? folders[k]
								   : "/lib");
	return status;
}

/* Replaces $ORIGIN and ${ORIGIN} at the start of a folder. Returns false if it is too
 * long. */
static bool expand_origin(char expanded[PATH_MAX], const char *folder, const char *file,
			  bool *has_origin)
{
	static const char *const words[] = {"$ORIGIN", "${ORIGIN}"};
	const char *slash = strrchr(file, '/');
	*has_origin = false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		const size_t size = strlen(words[i]);
		if (strncmp(folder, words[i], size) != 0)
			continue;
		*has_origin = true;
		return snprintf(expanded, PATH_MAX, "%.*s%s",
				slash ? (int)(slash - file) : 1, slash ? file : ".",
				folder + size) < PATH_MAX;
	}
	return snprintf(expanded, PATH_MAX, "%s", folder) < PATH_MAX;
}

/* Looks for it in one folder of the search path of the file `of`. */
static int try_folder(struct tr_libraries *l, const struct wanted *wanted,
		      const char *folder, size_t of)
{
	char here[PATH_MAX], there[PATH_MAX], path[PATH_MAX], source[PATH_MAX];
	bool has_origin;
	if (!realpath(l->files[of].source, source) ||
	    !expand_origin(here, folder, source, &has_origin) ||
	    !expand_origin(there, folder, l->files[of].path, &has_origin) ||
	    snprintf(path, sizeof(path), "%s/%s", here, wanted->name) >= PATH_MAX)
		return TR_END;
	const int status =
	    has_origin ? TR_END
		       : try_folders(l, wanted, (const char *const[]){there}, 1, there);
	return status == TR_END ? try_library(l, wanted, path, there) : status;
}

/* Looks for it in each folder of the search path of the file `of`. */
static int try_search_path(struct tr_libraries *l, const struct wanted *wanted, size_t of)
{
	const char *folders = l->found[of].search_path;
	int status = TR_END;
	while (folders && *folders && status == TR_END) {
		const size_t size = strcspn(folders, ":");
		char *folder = strndup(folders, size);
		if (!folder)
			return TR_E_NOMEM;
		if (size > 0)
			status = try_folder(l, wanted, folder, of);
		free(folder);
		folders += size + (folders[size] == ':');
	}
	return status;
}

/* Looks in the search path of what needs the library, and in those that it inherits. */
static int try_search_paths(struct tr_libraries *l, const struct wanted *wanted)
{
	const struct library *by = &l->found[wanted->by];
	if (by->search_path && !by->is_inherited)
		return try_search_path(l, wanted, wanted->by);
	for (size_t of = wanted->by;; of = l->found[of].wanted_by) {
		int status = TR_END;
		if (l->found[of].is_inherited)
			status = try_search_path(l, wanted, of);
		if (status != TR_END || l->found[of].wanted_by == of)
			return status;
	}
}

/* Says where the library is not. */
static int fail_missing(struct tr_libraries *l, const struct wanted *wanted)
{
	char places[1024] = "";
	size_t used = 0;
	const char *own = l->found[wanted->by].search_path;
	for (size_t i = 0; i < l->nsysroots && used < sizeof(places); i++)
		used += (size_t)snprintf(places + used, sizeof(places) - used, "%s%s",
					 i ? ", " : "",
					 *l->sysroots[i] ? l->sysroots[i] : "/");
	return fail_libraries(
	    l, TR_E_UNSUPPORTED,
	    "%s: needs %s for RV64, which is not in the library folders of %s%s%s%s; "
	    "--sysroot FOLDER names another root with libraries, or a folder of them",
	    l->files[wanted->by].source, wanted->name, places, own ? ", nor in " : "",
	    own ? own : "", own ? " (its own search path)" : "");
}

static int find_library(struct tr_libraries *l, const struct wanted *wanted)
{
	if (has_library(l, wanted->name))
		return TR_OK;
	const char *slash = strrchr(wanted->name, '/');
	if (slash) {
		const struct wanted within = {.name = slash + 1, .by = wanted->by};
		char folder[PATH_MAX];
		snprintf(folder, sizeof(folder), "%.*s/", (int)(slash - wanted->name),
			 wanted->name);
		int status = try_folder(l, &within, folder, wanted->by);
		return status == TR_END ? fail_missing(l, wanted) : status;
	}
	int status = try_search_paths(l, wanted);
	if (status == TR_END)
		status = try_folders(l, wanted, default_folders, FOLDERS, NULL);
	return status == TR_END ? fail_missing(l, wanted) : status;
}

/* Adds the dynamic loader, whose path is fixed. Where /lib is a link to /usr/lib, a root
 * that was unpacked from packages may not have the link, and a folder of libraries has
 * neither. */
static int find_interpreter(struct tr_libraries *l, const char *path, size_t by)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX], merged[PATH_MAX + sizeof("/usr")];
	if (!slash || *path != '/' || slash - path >= PATH_MAX)
		return fail_libraries(l, TR_E_UNSUPPORTED,
				      "%s: its dynamic loader, %s, has no absolute path",
				      l->files[by].source, path);
	const struct wanted wanted = {.name = slash + 1, .by = by};
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash - path), path);
	snprintf(merged, sizeof(merged), "/usr%s", folder);
	l->has_musl |= strncmp(wanted.name, "ld-musl-", 8) == 0;
	if (has_library(l, wanted.name))
		return TR_OK;
	const char *const folders[] = {folder, merged, ""};
	const int status = try_folders(l, &wanted, folders, 3, folder);
	return status == TR_END ? fail_missing(l, &wanted) : status;
}

/* Reads file `i` of the list, and adds what it needs to the end of the list. */
static int add_needs(struct tr_libraries *l, size_t i)
{
	static const struct tr_image_options options = {.no_cache = true};
	struct tr_image *image = NULL;
	int status = tr_image_open(&image, l->files[i].source, &options);
	if (status && image)
		fail_libraries(l, status, "%s", tr_image_message(image));
	else if (!status && tr_image_xlen(image) != 64)
		status = fail_libraries(l, TR_E_UNSUPPORTED, "%s: for RV32, not RV64",
					l->files[i].source);
	const char *search =
	    status ? NULL : tr_image_search_path(image, &l->found[i].is_inherited);
	if (search && !(l->found[i].search_path = strdup(search)))
		status = TR_E_NOMEM;
	const char *loader = status ? NULL : tr_image_interpreter(image);
	if (loader)
		status = find_interpreter(l, loader, i);
	for (size_t n = 0; !status && tr_image_need(image, n); n++)
		status = find_library(
		    l, &(struct wanted){.name = tr_image_need(image, n), .by = i});
	tr_image_close(image);
	return status;
}

/* Adds what the files from `next` on need. */
static int add_all_needs(struct tr_libraries *l, size_t next)
{
	int status = TR_OK;
	for (; next < l->count && !status; next++)
		status = add_needs(l, next);
	return status;
}

int tr_libraries_add(struct tr_libraries *l, const char *source, const char *path)
{
	const size_t next = l->count;
	*l->message = '\0';
	for (size_t i = 0; i < l->count; i++)
		if (strcmp(l->files[i].path, path) == 0)
			return TR_OK;
	int status = append_library(l, source, path, next);
	return status ? status : add_all_needs(l, next);
}

int tr_libraries_offer(struct tr_libraries *l, const char *name)
{
	const size_t next = l->count;
	int status = find_library(l, &(struct wanted){.name = name, .by = 0});
	if (!status)
		status = add_all_needs(l, next);
	return status == TR_E_NOMEM ? status : TR_OK;
}
