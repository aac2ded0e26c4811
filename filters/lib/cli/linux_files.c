/* SPDX-License-Identifier: Apache-2.0 */
/* The initial RAM disk and the device tree. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/buffer.h"
#include "cli/linux_target_internal.h"
#include "linux/archive.h"
#include "linux/device_tree.h"

/* What the first process of sim/target/linux/first reads. */
#define ORDER_PATH "/.first"
#define INPUT_PATH "/.input"
enum { ORDER_BYTES = 1 << 18, ORDER_TEXTS = 1 << 13 };

/* Bytes of memory without --ram: enough for most programs. Each MiB costs 19,000
 * instructions at boot. The files are in memory twice while the kernel unpacks them. */
#define RAM_LEAST	 (UINT64_C(256) << 20)
#define RAM_BESIDE_FILES (UINT64_C(128) << 20)
enum { RAM_TIMES_FILES = 3 };

static const char kernel_arguments[] = "quiet panic=-1 console=ttyS0 console=hvc0";

/* Adds a text with its end. */
static void add_text(struct tr_buffer *order, const char *text)
{
	tr_buffer_add(order, text, strlen(text) + 1);
}

/* Returns whether one of --env is this variable. */
static bool has_variable(const struct tr_linux_target *t, const char *variable)
{
	const size_t size = strcspn(variable, "=") + 1;
	for (size_t i = 0; i < t->options->variables.count; i++)
		if (strncmp(t->options->variables.text[i], variable, size) == 0)
			return true;
	return false;
}

/* Makes what the first process reads. */
static void make_order(struct tr_linux_target *t, bool has_input, struct tr_buffer *order)
{
	const bool is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
	const char *const defaults[] = {"PATH=/bin:/usr/bin:/sbin:/usr/sbin", "HOME=/",
					is_terminal ? "TERM=linux" : "TERM=dumb"};
	char number[24];
	size_t count = 0;
	while (t->arguments[count])
		count++;
	struct tr_buffer rest = {.size = 0};
	add_text(&rest, has_input ? INPUT_PATH : "");
	add_text(&rest, t->has_file_system ? is_terminal ? "1d" : "0d"
			: is_terminal	   ? "1"
					   : "0");
	snprintf(number, sizeof(number), "%zu", count);
	add_text(&rest, number);
	add_text(&rest, t->program);
	for (size_t i = 1; i < count; i++)
		add_text(&rest, t->arguments[i]);
	for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++, count++)
		if (!has_variable(t, defaults[i]))
			add_text(&rest, defaults[i]);
	for (size_t i = 0; i < t->options->variables.count; i++, count++)
		add_text(&rest, t->options->variables.text[i]);
	tr_linux_require(t, !rest.failed);
	const XXH128_hash_t hash = XXH3_128bits(rest.data, rest.size);
	snprintf(t->mark, sizeof(t->mark), "%016" PRIx64 "%016" PRIx64,
		 (uint64_t)hash.high64, (uint64_t)hash.low64);
	add_text(order, t->mark);
	tr_buffer_add(order, rest.data, rest.size);
	tr_buffer_free(&rest);
	tr_linux_require(t, !order->failed);
	if (order->size > ORDER_BYTES || count + 8 > ORDER_TEXTS)
		tr_die(t->cli,
		       "the arguments and the environment have %zu bytes; at most "
		       "%d, in %d words",
		       order->size, ORDER_BYTES, ORDER_TEXTS);
}

/* Dies with the archive's message if a call failed. */
static void check_archive(const struct tr_linux_target *t,
			  const struct tr_archive *archive, int status)
{
	if (status)
		tr_die(t->cli, "%s", tr_archive_message(archive));
}

/* Whether standard input has an end: a file, a pipe or /dev/null, but no terminal. */
static bool has_end(const struct stat *st)
{
	return S_ISREG(st->st_mode) || S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode) ||
	       (S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3));
}

/* Says what is waited for, if nothing comes for a while. */
static void await_input(const struct tr_linux_target *t, bool *is_told)
{
	enum { PATIENCE = 2000 /* milliseconds */ };
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	if (*is_told || poll(&input, 1, PATIENCE) != 0)
		return;
	*is_told = true;
	tr_warn(t->cli, "note: waiting for the end of standard input, which the program "
			"reads as a file; </dev/null is an empty one");
}

/* Reads standard input to its end, if it has one. Returns whether it has. */
static bool read_input(const struct tr_linux_target *t, struct tr_buffer *input)
{
	static const char too_large[] = "has 4 GiB or more, which cpio does not have";
	struct stat st;
	bool is_told = false;
	if (t->is_tried || fstat(STDIN_FILENO, &st) < 0 || !has_end(&st))
		return false;
	if (S_ISREG(st.st_mode) && st.st_size > (off_t)UINT32_MAX)
		tr_die(t->cli, "<stdin>: %s", too_large);
	for (;;) {
		uint8_t *room = tr_buffer_room(input, 1 << 16);
		tr_cli_need(t->cli, room);
		await_input(t, &is_told);
		const ssize_t size = read(STDIN_FILENO, room, 1 << 16);
		if (size < 0 && errno != EINTR)
			tr_die(t->cli, "<stdin>: %s", strerror(errno));
		if (size == 0)
			return true;
		input->size += size > 0 ? (size_t)size : 0;
		if (input->size > UINT32_MAX)
			tr_die(t->cli, "<stdin>: %s", too_large);
	}
}

/* Adds the first process, and what it reads. */
static void add_first(struct tr_linux_target *t, struct tr_archive *a)
{
	struct tr_buffer order = {.size = 0}, input = {.size = 0};
	const bool has_input = read_input(t, &input);
	make_order(t, has_input, &order);
	check_archive(t, a, tr_archive_file(a, "/init", 0755, t->first));
	check_archive(t, a,
		      tr_archive_bytes(a, ORDER_PATH, 0600, order.data, order.size));
	if (has_input)
		check_archive(
		    t, a, tr_archive_bytes(a, INPUT_PATH, 0600, input.data, input.size));
	tr_buffer_free(&order);
	tr_buffer_free(&input);
}

/* Adds folders and devices that programs expect. */
static void add_system(struct tr_linux_target *t, struct tr_archive *a)
{
	static const struct {
		const char *path;
		unsigned mode, major, minor;
	} nodes[] = {{"/dev/console", 0600, 5, 1}, {"/dev/tty", 0666, 5, 0},
		     {"/dev/null", 0666, 1, 3},	   {"/dev/zero", 0666, 1, 5},
		     {"/dev/full", 0666, 1, 7},	   {"/dev/random", 0444, 1, 8},
		     {"/dev/urandom", 0444, 1, 9}};
	static const char *const folders[] = {"/dev", "/etc", "/proc", "/sys"};
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		check_archive(t, a, tr_archive_folder(a, folders[i], 0755));
	check_archive(t, a, tr_archive_folder(a, "/tmp", 01777));
	for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
		check_archive(t, a,
			      tr_archive_node(a, nodes[i].path, S_IFCHR | nodes[i].mode,
					      nodes[i].major, nodes[i].minor));
	if (t->options->disk)
		check_archive(t, a,
			      tr_archive_node(a, "/dev/vda", S_IFBLK | 0660, 254, 0));
	if (t->has_file_system)
		check_archive(t, a, tr_archive_folder(a, "/disk", 0755));
	if (!t->has_busybox)
		return;
	check_archive(t, a, tr_archive_file(a, "/bin/busybox", 0755, t->busybox));
	check_archive(t, a, tr_archive_link(a, "/bin/sh", "busybox"));
}

/* Chooses the size of the memory, a power of two, by that of the files. */
static void choose_ram_for(struct tr_linux_target *t, uint64_t size)
{
	const uint64_t least = RAM_BESIDE_FILES + RAM_TIMES_FILES * size;
	if (!t->options->ram)
		for (t->ram = RAM_LEAST; t->ram < least;)
			t->ram *= 2;
	else if (t->ram < 2 * size)
		tr_die(t->cli,
		       "--ram %s: the files of the target have %" PRIu64
		       " MiB, which the kernel has in memory twice",
		       t->options->ram, size >> 20);
}

/* Writes the initial RAM disk. Returns its size. */
static uint64_t write_root(struct tr_linux_target *t, const char *path)
{
	size_t count;
	const struct tr_target_file *files = tr_libraries_files(t->libraries, &count);
	struct tr_archive *a = tr_archive_create(path);
	if (!a)
		tr_die(t->cli, "%s: %s", path, strerror(errno));
	t->archive = a;
	add_first(t, a);
	check_archive(t, a, tr_archive_file(a, t->program, 0755, files[0].source));
	for (size_t i = 0; i < t->options->roots.count; i++)
		check_archive(t, a, tr_archive_tree(a, t->options->roots.text[i]));
	add_system(t, a);
	for (size_t i = 1; i < count; i++)
		check_archive(t, a,
			      tr_archive_file(a, files[i].path, 0755, files[i].source));
	check_archive(t, a, tr_archive_end(a));
	const uint64_t size = tr_archive_size(a);
	tr_archive_close(a);
	t->archive = NULL;
	return size;
}

void tr_linux_choose_ram(struct tr_linux_target *t)
{
	tr_linux_find_system(t);
	t->is_tried = true;
	choose_ram_for(t, write_root(t, "/dev/null"));
	t->is_tried = false;
}

/* Writes a line of the list of binaries, with the absolute path. The list cannot have all
 * characters; without the line the code has no names. */
static void list_binary(const struct tr_linux_target *t, FILE *file, const char *path,
			const char *role)
{
	char full[PATH_MAX];
	const char *absolute = realpath(path, full) ? full : path;
	if (strpbrk(absolute, "\"\n"))
		tr_warn(t->cli,
			"note: not in bins.lst, because of a character in its name: %s",
			absolute);
	else
		fprintf(file, "\"%s\" %s\n", absolute, role);
}

/* Writes the list of binaries for tr-match. */
static void write_list(const struct tr_linux_target *t, const char *path)
{
	size_t count;
	const struct tr_target_file *files = tr_libraries_files(t->libraries, &count);
	FILE *file = fopen(path, "we");
	if (!file)
		tr_die(t->cli, "%s: %s", path, strerror(errno));
	list_binary(t, file, t->firmware, "firmware");
	if (*t->kernel && !t->is_raw_kernel)
		list_binary(t, file, t->kernel, "kernel");
	list_binary(t, file, t->first, "user");
	for (size_t i = 0; i < count; i++)
		list_binary(t, file, files[i].source, i ? "user optional" : "user");
	if (t->has_busybox)
		list_binary(t, file, t->busybox, "user optional");
	const bool is_bad = ferror(file);
	if (fclose(file) != 0 || is_bad)
		tr_die(t->cli, "%s: %s", path, strerror(errno));
}

void tr_linux_target_write(struct tr_linux_target *t, const char *folder)
{
	char path[PATH_MAX];
	tr_linux_find_system(t);
	choose_ram_for(t, write_root(t, tr_linux_path_in(t, folder, "root.cpio", path)));
	write_list(t, tr_linux_path_in(t, folder, "bins.lst", path));
	tr_linux_path_in(t, folder, "soc.dtb", path);
	const int status = tr_device_tree_write(path, t->ram, kernel_arguments);
	if (status == TR_E_IO)
		tr_die(t->cli, "%s: %s", path, strerror(errno));
	tr_cli_check(t->cli, status);
}
