/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/linux_target_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/shared_files.h"
#include "image/bins.h"
#include "soc.h"

const char *const tr_linux_cores[] = {"inorder", "ooo", NULL};

/* A folder that no root has. */
#define PROGRAM_FOLDER "/program"

/* Returns why the bare machine cannot run a program, or NULL. The highest half of the
 * addresses is a kernel's. */
static const char *find_linux_reason(const struct tr_image *image)
{
	const uint64_t entry = tr_image_entry(image);
	if (tr_image_has_interpreter(image))
		return "is dynamically linked";
	if (entry >> 63)
		return NULL;
	if (tr_image_is_pie(image))
		return "is position-independent";
	return entry < SOC_RAM_BASE ? "has addresses outside the memory" : NULL;
}

void tr_linux_refuse_program(const struct tr_cli *cli, const char *path)
{
	static const struct tr_image_options options = {.no_cache = true};
	struct tr_image *image = NULL;
	const char *reason = NULL;
	if (tr_image_open(&image, path, &options) == TR_OK && tr_image_xlen(image) == 64)
		reason = find_linux_reason(image);
	if (reason)
		tr_die(cli,
		       "%s: is a Linux program: use --linux (it %s, so it cannot run on "
		       "the bare machine)",
		       path, reason);
	tr_image_close(image);
}

/* Dies if a file is for the bare machine, or is a kernel. Other reasons why it cannot be
 * a program, tr_libraries_add() tells. */
static void refuse_bare_program(const struct tr_cli *cli, const char *path)
{
	static const struct tr_image_options options = {.no_cache = true};
	struct tr_image *image = NULL;
	uint64_t entry = 0;
	if (tr_image_open(&image, path, &options) == TR_OK && !tr_image_is_pie(image) &&
	    !tr_image_has_interpreter(image))
		entry = tr_image_entry(image);
	tr_image_close(image);
	if (entry >> 63)
		tr_die(cli, "%s: is a kernel, and no program for Linux", path);
	if (entry >= SOC_RAM_BASE)
		tr_die(cli,
		       "%s: is a program for the bare machine: use no --linux (it begins "
		       "at 0x%" PRIx64 ", in the memory)",
		       path, entry);
}

void tr_linux_require(const struct tr_linux_target *t, bool is_good)
{
	tr_cli_check(t->cli, is_good ? TR_OK : TR_E_NOMEM);
}

static void require_file(const struct tr_cli *cli, const char *path)
{
	if (access(path, R_OK) < 0)
		tr_die(cli, "%s: %s", path, strerror(errno));
	if (tr_operand(path) == TR_OPERAND_NONE)
		tr_die(cli, "%s: not a regular file", path);
}

/* A stream records the path of the program. */
static void refuse_control_characters(const struct tr_cli *cli, const char *path)
{
	for (const char *c = path; *c; c++)
		if ((unsigned char)*c < ' ' || *c == '\x7f')
			tr_die(cli,
			       "%s: a path with a control character, which a stream "
			       "cannot record",
			       path);
}

/* Adds the files of the target's root that are programs or libraries, so that what they
 * need is there, too. What is missing may not be needed. */
static void add_root_programs(struct tr_linux_target *t, const char *root)
{
	struct tr_bins bins = {.count = 0};
	if (access(root, R_OK) < 0)
		tr_die(t->cli, "%s: %s", root, strerror(errno));
	const int status = tr_bins_add_sysroot(&bins, root);
	if (status == TR_E_IO)
		tr_die(t->cli, "%s", bins.message);
	if (status != TR_E_CORRUPT) /* it may have none */
		tr_cli_check(t->cli, status);
	for (size_t i = 0; i < bins.count; i++) {
		const char *path = bins.bins[i].path + strlen(root);
		char target[PATH_MAX];
		snprintf(target, sizeof(target), "/%s", path + strspn(path, "/"));
		if (tr_libraries_add(t->libraries, bins.bins[i].path, target) != TR_OK)
			tr_warn(t->cli, "note: %s", tr_libraries_message(t->libraries));
	}
	tr_bins_release(&bins);
}

static void find_libraries(struct tr_linux_target *t)
{
	const struct tr_linux_options *o = t->options;
	const size_t count = o->roots.count + o->sysroots.count;
	const char **folders = calloc(count + 1, sizeof(*folders));
	tr_cli_need(t->cli, folders);
	for (size_t i = 0; i < count; i++)
		folders[i] = i < o->roots.count ? o->roots.text[i]
						: o->sysroots.text[i - o->roots.count];
	t->libraries = tr_libraries_open(folders, count);
	tr_cli_need(t->cli, t->libraries);
	free(folders);
	const char *program = t->arguments[0], *slash = strrchr(program, '/');
	tr_linux_require(t, snprintf(t->program, sizeof(t->program), PROGRAM_FOLDER "/%s",
				     slash ? slash + 1 : program) < PATH_MAX);
	const int status = tr_libraries_add(t->libraries, program, t->program);
	if (status && status != TR_E_NOMEM)
		tr_die(t->cli, "%s", tr_libraries_message(t->libraries));
	tr_cli_check(t->cli, status);
	/* glibc opens it when a thread ends by pthread_exit() or is cancelled. */
	if (tr_libraries_have(t->libraries, "libc.so.6"))
		tr_cli_check(t->cli, tr_libraries_offer(t->libraries, "libgcc_s.so.1"));
	for (size_t i = 0; i < o->roots.count; i++)
		add_root_programs(t, o->roots.text[i]);
}

/* Parses a size; k, M and G are powers of 1024, as for the simulators. */
static uint64_t parse_ram(const struct tr_cli *cli, const char *text)
{
	static const char suffixes[] = "kMG";
	char *end;
	errno = 0;
	uint64_t size = strtoull(text, &end, 10);
	const char *suffix = *end ? strchr(suffixes, *end) : NULL;
	const unsigned shift = suffix ? 10 * (unsigned)(suffix - suffixes + 1) : 0;
	if (end == text || *text == '-' || errno || (*end && (!suffix || end[1])) ||
	    size > UINT64_MAX >> shift || (size << shift) % 4096 ||
	    size << shift < (16 << 20) || size << shift > UINT64_C(1) << 38)
		tr_die(cli,
		       "--ram %s: not a size from 16M to 256G, in multiples of 4096 "
		       "bytes",
		       text);
	return size << shift;
}

/* Returns why a file cannot be a disk, or NULL; sets whether it has a file system that is
 * to be mounted: ext2, ext3 or ext4. */
static const char *look_at_disk(struct tr_linux_target *t, int fd)
{
	enum { SECTOR = 512, EXT_MAGIC_AT = 1024 + 56 };
	static const uint8_t magic[2] = {0x53, 0xef};
	uint8_t found[sizeof(magic)];
	struct stat st;
	if (fd < 0 || fstat(fd, &st) != 0)
		return strerror(errno);
	if (!S_ISREG(st.st_mode))
		return "not a regular file, as a disk must be";
	if (st.st_size == 0 || st.st_size % SECTOR)
		return "its size is not one or more sectors of 512 bytes, as that of a "
		       "disk";
	t->has_file_system =
	    pread(fd, found, sizeof(found), EXT_MAGIC_AT) == sizeof(found) &&
	    memcmp(found, magic, sizeof(magic)) == 0;
	return NULL;
}

static void check_disk(struct tr_linux_target *t)
{
	const struct tr_linux_options *o = t->options;
	if (!o->disk)
		return;
	const int fd = open(o->disk, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const char *why = look_at_disk(t, fd);
	if (why)
		tr_die(t->cli, "--disk %s: %s", o->disk, why);
	close(fd);
	if (!t->has_file_system)
		tr_warn(t->cli,
			"note: %s: neither ext2, ext3 nor ext4: it is /dev/vda, and not "
			"mounted",
			o->disk);
}

struct tr_linux_target *tr_linux_target_open(const struct tr_cli *cli,
					     const struct tr_linux_options *options,
					     char *const *arguments, const char *programs)
{
	struct tr_linux_target *t = calloc(1, sizeof(*t));
	tr_cli_need(cli, t);
	t->cli = cli;
	t->options = options;
	t->arguments = arguments;
	t->programs = programs;
	if (!arguments[0])
		tr_die(cli, "--linux: no program; see --help");
	require_file(cli, arguments[0]);
	refuse_control_characters(cli, arguments[0]);
	refuse_bare_program(cli, arguments[0]);
	for (size_t i = 0; i < options->variables.count; i++)
		if (strcspn(options->variables.text[i], "=") == 0 ||
		    !strchr(options->variables.text[i], '='))
			tr_die(cli, "--env %s: not NAME=VALUE",
			       options->variables.text[i]);
	check_disk(t);
	find_libraries(t);
	if (options->ram)
		t->ram = parse_ram(cli, options->ram);
	return t;
}

void tr_linux_target_close(struct tr_linux_target *t)
{
	if (t)
		tr_libraries_close(t->libraries);
	free(t);
}

/* Dies if a file is not a kernel that the firmware can start: an ELF file at addresses of
 * a kernel or in the memory, or an Image, by the second magic number of its header
 * (Linux, Documentation/riscv/boot-image-header.rst). */
static void require_kernel(const struct tr_cli *cli, const char *path, bool is_raw)
{
	static const struct tr_image_options options = {.no_cache = true};
	unsigned char head[60] = {0};
	struct tr_image *image = NULL;
	if (is_raw) {
		FILE *file = fopen(path, "re");
		const bool is_image = file && fread(head, 1, 60, file) == 60 &&
				      memcmp(head + 56, "RSC\x05", 4) == 0;
		if (file)
			fclose(file);
		if (!is_image)
			tr_die(cli,
			       "--kernel %s: neither a vmlinux for RISC-V nor an Image, "
			       "which is not compressed",
			       path);
	} else if (tr_image_open(&image, path, &options) == TR_OK &&
		   tr_image_entry(image) < SOC_RAM_BASE) {
		tr_die(cli, "--kernel %s: is no kernel: it begins at 0x%" PRIx64, path,
		       tr_image_entry(image));
	}
	tr_image_close(image);
}

void tr_linux_find_system(struct tr_linux_target *t)
{
	if (!tr_shared_linux("firmware.elf", "target", t->firmware) ||
	    !tr_shared_linux("first.elf", "target", t->first))
		tr_die(t->cli, "the firmware is missing: `make target` in the clone "
			       "builds it, and `make install` installs it");
	t->has_busybox = tr_shared_linux("busybox", "linux", t->busybox);
	const char *kernel = t->options->kernel;
	if (kernel)
		require_file(t->cli, kernel);
	else if (!tr_shared_linux("vmlinux", "linux-gc", t->kernel))
		*t->kernel = '\0';
	if (kernel && snprintf(t->kernel, PATH_MAX, "%s", kernel) >= PATH_MAX)
		tr_die(t->cli, "%s: the path is too long", kernel);
	t->is_raw_kernel = *t->kernel && tr_operand(t->kernel) != TR_OPERAND_IMAGE;
	if (kernel)
		require_kernel(t->cli, kernel, t->is_raw_kernel);
}

static void add_place(const struct tr_linux_target *t, struct tr_profiled *profiled,
		      const char *option, const char *path)
{
	tr_linux_require(t, tr_words_add(&profiled->places, option) &&
				tr_words_add(&profiled->places, path));
}

/* Adds the binaries that always run. */
static void offer_places(const struct tr_linux_target *t, struct tr_profiled *profiled)
{
	add_place(t, profiled, "--bins", t->firmware);
	if (t->is_raw_kernel)
		snprintf(profiled->kernel, sizeof(profiled->kernel), "%s", t->kernel);
	else
		add_place(t, profiled, "--bins", t->kernel);
	add_place(t, profiled, "--bins", t->first);
	add_place(t, profiled, "--bins", t->arguments[0]);
}

const char *tr_linux_path_in(const struct tr_linux_target *t, const char *folder,
			     const char *name, char path[PATH_MAX])
{
	if (snprintf(path, PATH_MAX, "%s/%s", folder, name) >= PATH_MAX)
		tr_die(t->cli, "%s: the path is too long", folder);
	return path;
}

void tr_linux_target_offer(struct tr_linux_target *t, const char *folder,
			   struct tr_profiled *profiled)
{
	char checkpoint[PATH_MAX];
	tr_linux_path_in(t, folder, "start.checkpoint", checkpoint);
	tr_linux_find_system(t);
	if (!*t->kernel)
		tr_die(t->cli, "no Linux kernel: the package tr-profiler-linux has one, "
			       "`make linux-kernel` in the clone builds one, once; or "
			       "--kernel FILE");
	offer_places(t, profiled);
	profiled->kind = TR_PROFILED_COMMAND;
	const unsigned chosen = t->options->chosen_core;
	char *const core[] = {
	    "--core", (char *)(t->options->core ? tr_linux_cores[chosen] : NULL), NULL};
	char *const resume[] = {"--resume", checkpoint, NULL};
	char *const disk[] = {"--disk", (char *)t->options->disk, NULL};
	const char *simulator = t->options->on_model ? "soc-model" : "soc-sim";
	tr_linux_require(t,
			 tr_words_add(&profiled->command, simulator) &&
			     (!core[1] || tr_words_add_all(&profiled->command, core)) &&
			     tr_words_add_all(&profiled->command, resume) &&
			     (!disk[1] || tr_words_add_all(&profiled->command, disk)) &&
			     tr_words_add_all(&profiled->loaded, resume));
}
