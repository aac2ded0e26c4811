/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/profiled.h"

#include <elf.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "image/bins.h"

enum tr_operand tr_operand(const char *word)
{
	struct stat st;
	unsigned char head[20] = {0};
	if (stat(word, &st) < 0 || !S_ISREG(st.st_mode))
		return TR_OPERAND_NONE;
	FILE *file = fopen(word, "re");
	if (!file)
		return TR_OPERAND_NONE;
	size_t size = fread(head, 1, sizeof(head), file);
	fclose(file);
	if (size == sizeof(head) && memcmp(head, ELFMAG, SELFMAG) == 0)
		return (head[18] | head[19] << 8) == EM_RISCV ? TR_OPERAND_IMAGE
							      : TR_OPERAND_PROGRAM;
	return memcmp(head, "#!", 2) == 0 ? TR_OPERAND_PROGRAM : TR_OPERAND_OTHER;
}

static void require_memory(const struct tr_cli *cli, bool has_memory)
{
	tr_cli_check(cli, has_memory ? TR_OK : TR_E_NOMEM);
}

void tr_profiled_image(struct tr_profiled *profiled, const struct tr_cli *cli,
		       const char *path)
{
	struct tr_words *places = &profiled->places;
	require_memory(cli, tr_words_add(&profiled->images, path));
	for (size_t i = 1; i < places->count; i += 2)
		if (strcmp(places->word[i], path) == 0)
			return;
	require_memory(cli, tr_words_add(places, "--bins") && tr_words_add(places, path));
}

/* Remembers a kernel as boot loaders take it, by the second magic number of its header
 * (Linux, Documentation/riscv/boot-image-header.rst). */
static void offer_kernel(struct tr_profiled *profiled, const char *path)
{
	unsigned char head[60] = {0};
	FILE *file = fopen(path, "re");
	if (file && fread(head, 1, sizeof(head), file) == sizeof(head) &&
	    memcmp(head + 56, "RSC\x05", 4) == 0)
		snprintf(profiled->kernel, sizeof(profiled->kernel), "%s", path);
	if (file)
		fclose(file);
}

/* Takes a word as an image if it names one in `folder`. */
static void offer_image(struct tr_profiled *profiled, const struct tr_cli *cli,
			const char *folder, const char *word)
{
	char path[PATH_MAX];
	const char *name =
	    *word == '-' && strchr(word, '=') ? strchr(word, '=') + 1 : word;
	int size = snprintf(path, sizeof(path), "%s%s", *name == '/' ? "" : folder, name);
	if (size >= PATH_MAX)
		return;
	if (tr_operand(path) != TR_OPERAND_IMAGE && strchr(name, '@'))
		*strrchr(path, '@') = '\0';
	if (tr_operand(path) == TR_OPERAND_IMAGE)
		tr_profiled_image(profiled, cli, path);
	else if (tr_operand(path) == TR_OPERAND_OTHER)
		offer_kernel(profiled, path);
}

/* Returns whether a command is one of this project's simulators. */
static bool is_simulator(const char *command)
{
	const char *slash = strrchr(command, '/');
	const char *name = slash ? slash + 1 : command;
	return strcmp(name, "soc-sim") == 0 || strcmp(name, "soc-model") == 0;
}

bool tr_profiled_can_be_sampled(const struct tr_profiled *profiled)
{
	return profiled->kind == TR_PROFILED_COMMAND && !profiled->format &&
	       is_simulator(profiled->command.word[0]);
}

/* Sets `path` to where a file is that a word names, which may have an address. Returns
 * whether there is one. */
static bool find_file(const char *folder, const char *word, char path[PATH_MAX])
{
	const char *at = strrchr(word, '@');
	const int size =
	    snprintf(path, PATH_MAX, "%s%s", *word == '/' ? "" : folder, word);
	if (size >= PATH_MAX)
		return false;
	if (tr_operand(path) != TR_OPERAND_NONE || !at)
		return tr_operand(path) != TR_OPERAND_NONE;
	char *end = path + size - strlen(at);
	*end = '\0';
	const bool found = tr_operand(path) != TR_OPERAND_NONE;
	*end = '@';
	return found;
}

static bool has_resume_option(const struct tr_profiled *profiled)
{
	for (size_t i = 0; i < profiled->loaded.count; i++)
		if (strcmp(profiled->loaded.word[i], "--resume") == 0)
			return true;
	return false;
}

/* Takes a word of a simulator's command line that names a file to load: an operand, or
 * the value of --dtb, --initrd or --resume, which `before` may be. */
static void offer_loaded(struct tr_profiled *profiled, const struct tr_cli *cli,
			 const char *folder, const char *before, const char *word)
{
	static const char *const options[] = {"--dtb", "--initrd", "--resume"};
	char path[PATH_MAX];
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const size_t size = strlen(options[i]);
		const char *value = strcmp(before, options[i]) == 0 ? word : NULL;
		if (strncmp(word, options[i], size) == 0 && word[size] == '=')
			value = word + size + 1;
		if (!value)
			continue;
		if (find_file(folder, value, path))
			require_memory(cli, tr_words_add(&profiled->loaded, options[i]) &&
						tr_words_add(&profiled->loaded, path));
		return;
	}
	if (*word == '-' || has_resume_option(profiled) ||
	    !find_file(folder, word, path) ||
	    (!strchr(word, '@') && tr_operand(path) != TR_OPERAND_IMAGE))
		return;
	require_memory(cli, tr_words_add(&profiled->loaded, path));
	if (tr_operand(path) == TR_OPERAND_NONE)
		*strrchr(path, '@') = '\0';
	offer_kernel(profiled, path);
}

static bool is_vmlinux(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	return strcmp(name, "vmlinux") == 0 || strcmp(name, "vmlinux.elf") == 0;
}

/* Returns whether the binaries have the kernel. What is wrong in a list, tr-match says.
 */
static bool has_vmlinux(const struct tr_words *places)
{
	struct tr_bins bins = {.count = 0};
	bool has = false;
	for (size_t i = 0; i < places->count; i += 2)
		if (strcmp(places->word[i], "--bins") == 0)
			tr_bins_add(&bins, places->word[i + 1]);
	for (size_t i = 0; i < bins.count; i++)
		has |= is_vmlinux(bins.bins[i].path);
	tr_bins_release(&bins);
	return has;
}

enum tr_profiled_names tr_profiled_names(const struct tr_profiled *profiled)
{
	for (size_t i = 0; i < profiled->loaded.count; i++)
		if (is_vmlinux(profiled->loaded.word[i]))
			return TR_PROFILED_NAMES;
	return (has_resume_option(profiled) || *profiled->kernel) &&
		       profiled->loaded.count && has_vmlinux(&profiled->places)
		   ? TR_PROFILED_NAMES_BY_MATCH
		   : TR_PROFILED_NO_NAMES;
}

const char *tr_profiled_nameless(const struct tr_profiled *profiled)
{
	return *profiled->kernel && !has_vmlinux(&profiled->places) ? profiled->kernel
								    : NULL;
}

const char *tr_profiled_lost(const struct tr_profiled *profiled)
{
	const bool is_trace = profiled->kind == TR_PROFILED_ROWS;
	return is_trace && *profiled->lost && has_vmlinux(&profiled->places)
		   ? profiled->lost
		   : NULL;
}

void tr_profiled_command(struct tr_profiled *profiled, const struct tr_cli *cli,
			 char *const *words)
{
	profiled->kind = TR_PROFILED_COMMAND;
	require_memory(cli, tr_words_add_all(&profiled->command, words));
	for (size_t i = 1; i < profiled->command.count; i++)
		offer_image(profiled, cli, "", profiled->command.word[i]);
	for (size_t i = 1;
	     i < profiled->command.count && is_simulator(profiled->command.word[0]); i++)
		offer_loaded(profiled, cli, "", profiled->command.word[i - 1],
			     profiled->command.word[i]);
}

/* Takes the images on a command line that is recorded in the header. */
static void offer_line(struct tr_profiled *profiled, const struct tr_cli *cli,
		       const char *folder, const char *recorded)
{
	struct tr_words words = {0};
	require_memory(cli, tr_words_split(&words, recorded));
	for (size_t i = 0; i < words.count; i++)
		offer_image(profiled, cli, folder, words.word[i]);
	tr_words_free(&words);
}

static void offer_provenance(struct tr_profiled *profiled, const struct tr_cli *cli,
			     const char *folder, const struct tr_header *header)
{
	for (size_t i = 0; i < tr_header_count(header); i++)
		if (strcmp(tr_header_key(header, i), "pg") == 0)
			offer_line(profiled, cli, folder, tr_header_value(header, i));
}

/* Takes the list of binaries that --linux leaves beside the trace of a program. */
static void offer_list(struct tr_profiled *profiled, const struct tr_cli *cli,
		       const char *folder)
{
	char path[PATH_MAX];
	if (snprintf(path, sizeof(path), "%sbins.lst", folder) < PATH_MAX &&
	    tr_operand(path) == TR_OPERAND_OTHER)
		require_memory(cli, tr_words_add(&profiled->places, "--bins") &&
					tr_words_add(&profiled->places, path));
}

/* Takes the files that the simulator loaded, from the header: its line comes first, but
 * behind those of the run that wrote its checkpoint. */
static void take_loaded(struct tr_profiled *profiled, const struct tr_cli *cli,
			const char *folder, const struct tr_header *header)
{
	const char *recorded = "";
	for (size_t i = 0; i < tr_header_count(header); i++) {
		const char *value = tr_header_value(header, i);
		if (strcmp(tr_header_key(header, i), "pg") == 0 &&
		    (strncmp(value, "soc-sim\t", 8) == 0 ||
		     strncmp(value, "soc-model\t", 10) == 0))
			recorded = value;
	}
	struct tr_words words = {0};
	require_memory(cli, tr_words_split(&words, recorded));
	for (size_t i = 1; i < words.count && is_simulator(words.word[0]); i++)
		offer_loaded(profiled, cli, folder, words.word[i - 1], words.word[i]);
	tr_words_free(&words);
}

/* Takes the checkpoint that the run began with from beside the trace, where --linux
 * leaves it: the path on the command line is that from where the run was made. */
static void offer_checkpoint(struct tr_profiled *profiled, const struct tr_cli *cli,
			     const char *folder, const struct tr_header *header)
{
	const char *name = tr_header_get(header, "resumed");
	char path[PATH_MAX];
	if (!name || !*name || strchr(name, '/'))
		return;
	if (find_file(folder, name, path))
		require_memory(cli, tr_words_add(&profiled->loaded, "--resume") &&
					tr_words_add(&profiled->loaded, path));
	else
		snprintf(profiled->lost, sizeof(profiled->lost), "%s%s", folder, name);
}

void tr_profiled_file(struct tr_profiled *profiled, const struct tr_cli *cli,
		      const char *path)
{
	struct tr_reader *reader = NULL;
	char folder[PATH_MAX] = "";
	const char *slash = strrchr(path, '/');
	profiled->kind = TR_PROFILED_LOG;
	profiled->file = path;
	if (profiled->format || strcmp(path, "-") == 0)
		return;
	if (slash && slash - path + 1 < PATH_MAX)
		memcpy(folder, path, (size_t)(slash - path + 1));
	if (tr_reader_open(&reader, path, 1) == TR_OK) {
		const struct tr_header *header = tr_reader_header(reader);
		profiled->is_sampled = tr_header_get(header, "sampled_hart") != NULL;
		bool has_stacks = tr_header_content(header) == TR_CONTENT_STACKS;
		profiled->kind = has_stacks ? TR_PROFILED_STACKS : TR_PROFILED_ROWS;
		take_loaded(profiled, cli, "", header);
		if (profiled->loaded.count == 0)
			take_loaded(profiled, cli, folder, header);
		if (profiled->loaded.count == 0)
			offer_checkpoint(profiled, cli, folder, header);
		if (profiled->places.count == 0 &&
		    (has_resume_option(profiled) || *profiled->lost))
			offer_list(profiled, cli, folder);
		if (profiled->places.count == 0)
			offer_provenance(profiled, cli, "", header);
		if (profiled->places.count == 0 && *folder)
			offer_provenance(profiled, cli, folder, header);
	}
	tr_reader_close(reader);
}
