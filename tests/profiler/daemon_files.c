/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are damaged: those of prof-extract, counters of processes, and no place for
 * them. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "copied_file.h"
#include "daemon_cases.h"
#include "daemon_runs.h"

/* --- the files of prof-extract */

enum { VERSION_AT = 16 };

static long file_size(const char *path)
{
	struct stat about;

	CHECK(stat(path, &about) == 0);
	return about.st_size;
}

static bool is_global; /* the mode of the daemon */

enum damage { EMPTY, CUT, VERSION, FOREIGN, REMOVED, IN_PLACE, DAMAGES };

/* `foreign` is what takes the place of the file. */
static void damage_file(const char *good, const char *foreign, const char *bad,
			enum damage damage)
{
	switch (damage) {
	case EMPTY:
		copy_file(good, bad, 0, -1);
		break;
	case CUT:
		copy_file(good, bad, file_size(good) / 2, -1);
		break;
	case VERSION:
		/* injected.o has none, and no version, but a checksum. */
		copy_file(good, bad, -1,
			  strstr(good, ".o") ? file_size(good) / 2 : VERSION_AT);
		break;
	case FOREIGN:
		copy_file(foreign, bad, -1, -1);
		break;
	case REMOVED:
		CHECK(unlink(bad) == 0);
		break;
	default:
		/* While the daemon may have it mapped. */
		CHECK(truncate(bad, 0) == 0);
	}
}

/* prof-extract writes this file last: files are read again when it is another one. */
static void renew_data(const char *damaged)
{
	if (strcmp(damaged, "data.bin") != 0)
		copy_file(FOLDER VICTIM "/data.bin", COPIED VICTIM "/data.bin", -1, -1);
	if (strcmp(damaged, "datag.bin") != 0)
		copy_file(FOLDER VICTIM "/datag.bin", COPIED VICTIM "/datag.bin", -1, -1);
}

/* The daemon knows the files. */
static void run_whole_victim(void)
{
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);
	struct prof_span span;

	await_turns(0, 300);
	AWAIT(read_log(is_global ? 0 : victim, &span) > 0 && span.samples > 0);
	if (is_global)
		end_victim(victim, 0, 1);
	else
		finish_victim(victim, 0, 1);
	/* Nothing that was read of it is used again. */
	usleep(3 * PERIOD);
}

/* The victim runs with a damaged file, and there is one line. */
static void run_damaged(pid_t other)
{
	struct prof_span span;
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	expect_line("/tmp/copied/bin/daemon_victim/");
	await_turns(0, 300);
	CHECK(read_log(is_global ? 0 : other, &span) > 100);
	end_victim(victim, 0, 1);
}

/* Each file is damaged while the other program runs. */
static void damage_files(const char *const *names, unsigned count)
{
	char good[PATH_ROOM], foreign[PATH_ROOM], bad[PATH_ROOM];
	pid_t other = start_victim(OTHER, "plain", 1, 0, 0);

	for (unsigned i = 0; i < count; i++)
		for (enum damage damage = 0; damage < DAMAGES; damage++) {
			name_extracted(good, FOLDER, VICTIM, names[i]);
			name_extracted(foreign, FOLDER, OTHER, names[i]);
			name_extracted(bad, COPIED, VICTIM, names[i]);
			run_whole_victim();
			damage_file(good, foreign, bad, damage);
			if (damage != IN_PLACE)
				renew_data(names[i]);
			run_damaged(other);
			copy_file(good, bad, -1, -1);
			renew_data("");
		}
	run_whole_victim();
	if (is_global)
		end_victim(other, 1, 1);
	else
		finish_victim(other, 1, 1);
}

void try_extracted(void)
{
	static const char *const process[] = {"data.bin", "funcs.bin", "injected.o",
					      "shmem.dat"};
	static const char *const global[] = {"datag.bin", "funcsg.bin"};

	copy_extracted(VICTIM);
	copy_extracted(OTHER);
	write_config(COPIED, "");
	start_daemon();
	damage_files(process, 4);
	end_daemon();
	is_global = true;
	write_config(COPIED, "mode = global\n");
	start_daemon();
	damage_files(global, 2);
	end_daemon();
	is_global = false;
	CHECK(unlink(counts_path(0)) == 0);
}

/* --- counters of processes */

static void cut(const char *path)
{
	CHECK(truncate(path, 8192) == 0);
}

static void empty(const char *path)
{
	CHECK(truncate(path, 0) == 0);
}

static void overwrite(const char *path)
{
	int file = open(path, O_RDWR);
	char bytes[4096];

	memset(bytes, 0xff, sizeof(bytes));
	CHECK(file >= 0 &&
	      pwrite(file, bytes, sizeof(bytes), 0) == (ssize_t)sizeof(bytes));
	close(file);
}

static void replace(const char *path)
{
	copy_file(FOLDER OTHER "/shmem.dat", path, -1, -1);
}

static void delete (const char *path)
{
	CHECK(unlink(path) == 0);
}

static void make_fifo(const char *path)
{
	CHECK(unlink(path) == 0 && mkfifo(path, 0600) == 0);
}

static void make_link(const char *path)
{
	CHECK(unlink(path) == 0 && symlink("/bin/busybox", path) == 0);
}

static void make_folder(const char *path)
{
	CHECK(unlink(path) == 0 && mkdir(path, 0700) == 0);
}

static const struct {
	void (*damage)(const char *path);
	/* It is killed: its own counters are gone. If the daemon had no time to see it,
	 * there is no line. */
	bool ends_program;
	unsigned lines, global_lines;
} damages[] = {
    {cut, false, 1, 2},	      {empty, true, 0, 2},	  {overwrite, false, 0, 1},
    {replace, false, 0, 1},   {delete, false, 0, 0},	  {make_fifo, false, 0, 1},
    {make_link, false, 0, 0}, {make_folder, false, 0, 1},
};

static void remove_any(const char *path)
{
	if (unlink(path) < 0)
		rmdir(path);
}

void try_counters(void)
{
	struct prof_span span;

	write_config(FOLDER, "");
	start_daemon();
	pid_t other = start_victim(OTHER, "plain", 1, 0, 0);

	for (unsigned i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

		await_turns(0, 300);
		CHECK(read_log(victim, &span) > 0);
		damages[i].damage(counts_path(victim));
		if (damages[i].ends_program)
			take_any_lines();
		else if (damages[i].lines)
			expect_line("cut while in use; its log ends");
		CHECK(read_log(other, &span) > 100);
		if (damages[i].ends_program) {
			CHECK(end_run(victim) == SIGNALLED + SIGBUS);
		} else {
			await_turns(0, board[0].turns + 300);
			end_victim(victim, 0, 1);
		}
		usleep(3 * PERIOD);
		remove_any(counts_path(victim));
		CHECK(count_files() == 1);
		expect_no_lines();
	}
	finish_victim(other, 1, 1);
	end_daemon();
}

/* The same with the counters of all processes of a user: there is a line of the log, and
 * one of the next program, unless it can have a new file. */
void try_global_counters(void)
{
	struct prof_span span;

	for (unsigned i = 0; i < sizeof(damages) / sizeof(*damages); i++) {
		write_config(FOLDER, "mode = global\n");
		start_daemon();
		pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

		await_turns(0, 300);
		CHECK(read_log(0, &span) > 0);
		damages[i].damage(counts_path(0));
		usleep(3 * PERIOD);
		pid_t other = start_victim(OTHER, "plain", 1, 0, 0);

		await_turns(1, 300);
		usleep(3 * PERIOD);
		take_lines(damages[i].global_lines);
		if (damages[i].ends_program) {
			CHECK(end_run(victim) == SIGNALLED + SIGBUS);
		} else {
			await_turns(0, board[0].turns + 300);
			end_victim(victim, 0, 1);
		}
		end_victim(other, 1, 1);
		end_daemon();
		remove_any(counts_path(0));
	}
}
