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

#include "daemon_cases.h"
#include "daemon_runs.h"

#define DAMAGED "/tmp/damaged"

/* --- the files of prof-extract */

static const char *const extracted[] = {"data.bin",  "injected.o", "shmem.dat",
					"funcs.bin", "datag.bin",  "funcsg.bin"};
enum { EXTRACTED = sizeof(extracted) / sizeof(*extracted), VERSION_AT = 16 };

/* Copies a file, of which `size` bytes at most and with a wrong one at `flip`, if they
 * are not negative, as prof-extract does: the new file replaces the old one. */
static void copy_file(const char *from, const char *to, long size, long flip)
{
	static char bytes[1 << 20];
	FILE *in = fopen(from, "r"), *out = fopen("/tmp/copy", "w");

	CHECK(in && out);
	size_t whole = fread(bytes, 1, sizeof(bytes), in);

	if (flip >= 0)
		bytes[(size_t)flip % whole] ^= 0x10;
	if (size < 0 || (size_t)size > whole)
		size = (long)whole;
	CHECK(fwrite(bytes, 1, (size_t)size, out) == (size_t)size);
	fclose(in);
	CHECK(fclose(out) == 0 && rename("/tmp/copy", to) == 0);
}

static void name_extracted(char path[PATH_ROOM], const char *folder, const char *program,
			   const char *file)
{
	snprintf(path, PATH_ROOM, "%s%s/%s", folder, program, file);
}

static void copy_program(const char *program)
{
	char from[PATH_ROOM], to[PATH_ROOM];

	mkdir(DAMAGED, 0755);
	mkdir(DAMAGED "/bin", 0755);
	name_extracted(to, DAMAGED, program, "");
	mkdir(to, 0755);
	for (unsigned i = 0; i < EXTRACTED; i++) {
		name_extracted(from, FOLDER, program, extracted[i]);
		name_extracted(to, DAMAGED, program, extracted[i]);
		copy_file(from, to, -1, -1);
	}
	copy_file(FOLDER "/shmemg.dat", DAMAGED "/shmemg.dat", -1, -1);
}

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
		copy_file(FOLDER VICTIM "/data.bin", DAMAGED VICTIM "/data.bin", -1, -1);
	if (strcmp(damaged, "datag.bin") != 0)
		copy_file(FOLDER VICTIM "/datag.bin", DAMAGED VICTIM "/datag.bin", -1,
			  -1);
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
}

/* The victim runs with a damaged file, and there is one line. */
static void run_damaged(pid_t other)
{
	struct prof_span span;
	pid_t victim = start_victim(VICTIM, "plain", 0, 0, 0);

	expect_line("/tmp/damaged/bin/daemon_victim/");
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
			if (i >= 2 && damage == IN_PLACE)
				continue;
			name_extracted(good, FOLDER, VICTIM, names[i]);
			name_extracted(foreign, FOLDER, OTHER, names[i]);
			name_extracted(bad, DAMAGED, VICTIM, names[i]);
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

	copy_program(VICTIM);
	copy_program(OTHER);
	write_config(DAMAGED, "");
	start_daemon();
	damage_files(process, 4);
	end_daemon();
	is_global = true;
	write_config(DAMAGED, "mode = global\n");
	start_daemon();
	damage_files(global, 2);
	end_daemon();
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
	unsigned lines;
} damages[] = {
    {cut, false, 1},	   {empty, true, 0},	    {overwrite, false, 0},
    {replace, false, 0},   {delete, false, 0},	    {make_fifo, false, 0},
    {make_link, false, 0}, {make_folder, false, 0},
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
