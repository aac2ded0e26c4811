/* SPDX-License-Identifier: Apache-2.0 */
/* The boot to a program for Linux, and its console. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/stages.h"
#include "base/utf8.h"
#include "cli/linux_console.h"
#include "cli/linux_target_internal.h"

/* The model boots Debian's kernel in 1 G instructions. */
#define BOOT_LIMIT   "20G"
#define KERNEL_PLACE "@0x80200000" /* of a kernel without ELF header */

/* --- commands */

static void add_word(const struct tr_linux_target *t, struct tr_words *words,
		     const char *word)
{
	tr_linux_require(t, tr_words_add(words, word));
}

static void add_option(const struct tr_linux_target *t, struct tr_words *words,
		       const char *option, const char *value)
{
	if (!value)
		return;
	add_word(t, words, option);
	add_word(t, words, value);
}

/* Adds the words of the command that only writes the files. */
static void add_prepare_words(const struct tr_linux_target *t, const char *folder,
			      struct tr_words *words)
{
	const struct tr_linux_options *o = t->options;
	add_word(t, words, "tr-profile");
	add_word(t, words, "--linux");
	for (size_t i = 0; i < o->roots.count; i++)
		add_option(t, words, "--root", o->roots.text[i]);
	for (size_t i = 0; i < o->sysroots.count; i++)
		add_option(t, words, "--sysroot", o->sysroots.text[i]);
	for (size_t i = 0; i < o->variables.count; i++)
		add_option(t, words, "--env", o->variables.text[i]);
	add_option(t, words, "--ram", o->ram);
	add_option(t, words, "--kernel", o->kernel);
	add_option(t, words, "--disk", o->disk);
	add_option(t, words, "--prepare", folder);
	tr_linux_require(t, tr_words_add_all(words, t->arguments));
}

static void format_ram(const struct tr_linux_target *t, char text[24])
{
	snprintf(text, 24, "%" PRIu64, t->ram);
}

/* Adds the words of the command that boots, and writes the checkpoint. */
static void add_boot_words(const struct tr_linux_target *t, const char *folder,
			   struct tr_words *words)
{
	char path[PATH_MAX], ram[24];
	format_ram(t, ram);
	add_word(t, words, "soc-model");
	add_option(t, words, "--isa", "rv64gc");
	add_option(t, words, "--ram", ram);
	add_option(t, words, "--max-instructions", BOOT_LIMIT);
	add_option(t, words, "--dtb", tr_linux_path_in(t, folder, "soc.dtb", path));
	add_option(t, words, "--initrd", tr_linux_path_in(t, folder, "root.cpio", path));
	add_option(t, words, "--disk", t->options->disk);
	add_option(t, words, "--checkpoint",
		   tr_linux_path_in(t, folder, "start.checkpoint", path));
	if (snprintf(path, sizeof(path), "exec=%s", t->arguments[0]) >= PATH_MAX)
		tr_die(t->cli, "%s: the path is too long", t->arguments[0]);
	add_option(t, words, "--checkpoint-at", path);
	add_word(t, words, "--checkpoint-warm");
	add_word(t, words, t->firmware);
	if (snprintf(path, sizeof(path), "%s%s", t->kernel,
		     t->is_raw_kernel ? KERNEL_PLACE : "") >= PATH_MAX)
		tr_die(t->cli, "%s: the path is too long", t->kernel);
	add_word(t, words, path);
}

/* Prints a command, and where its output goes, if that is not NULL. */
static void print_command(const struct tr_words *words, const char *output)
{
	for (size_t i = 0; i < words->count; i++) {
		fputs(i ? " " : "", stdout);
		tr_word_print(words->word[i], stdout);
	}
	if (output) {
		fputs(" < /dev/null > ", stdout);
		tr_word_print(output, stdout);
	}
	putchar('\n');
}

/* --- boot */

/* Computes the key of the cached checkpoint. */
static void find_key(struct tr_linux_target *t, const char *folder)
{
	char root[PATH_MAX], tree[PATH_MAX], model[PATH_MAX], ram[24];
	format_ram(t, ram);
	tr_linux_path_in(t, folder, "root.cpio", root);
	tr_linux_path_in(t, folder, "soc.dtb", tree);
	tr_linux_path_in(t, t->programs, "soc-model", model);
	const char *texts[] = {TR_VERSION, ram, NULL}, *failed;
	const char *files[] = {root, tree, t->kernel, t->firmware, t->arguments[0],
			       NULL, NULL, NULL};
	size_t count = 5;
	if (access(model, R_OK) == 0)
		files[count++] = model;
	if (t->options->disk)
		files[count++] = t->options->disk;
	if (!tr_checkpoint_key(&t->key, texts, files, &failed))
		tr_die(t->cli, "%s: %s", failed, strerror(errno));
}

/* Dies with the last line of the console, or with that of our first process. What else
 * has failed, the model has said. */
static _Noreturn void fail_boot(const struct tr_linux_target *t, const char *console,
				int status)
{
	FILE *file = fopen(console, "re");
	char line[500] = "", last[500] = "";
	bool is_ours = false;
	while (file && !is_ours && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\r\n\x1e")] = '\0';
		is_ours = strncmp(line, "init: ", strlen("init: ")) == 0;
		if (*line)
			tr_utf8_clean(last, sizeof(last) - 1, line, strlen(line), ';');
	}
	if (file)
		fclose(file);
	tr_die(t->cli,
	       "%s: no checkpoint at the start of this program: soc-model ended with %s "
	       "%d; the console of Linux, in %s, %s%s",
	       t->arguments[0], WIFSIGNALED(status) ? "signal" : "status",
	       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), console,
	       is_ours ? "says: "
	       : *last ? "ends with: "
		       : "is empty",
	       last);
}

/* Ends by the signal that has interrupted a command, if one has. */
static void end_if_interrupted(const struct tr_linux_target *t,
			       const struct tr_stages_end *end)
{
	if (!end->signal)
		return;
	tr_warn(t->cli, "interrupted");
	signal(end->signal, SIG_DFL);
	raise(end->signal);
	exit(TR_EXIT_TROUBLE);
}

/* Runs the command, whose console goes to a file. */
static void run_boot(struct tr_linux_target *t, const char *folder)
{
	char console[PATH_MAX];
	struct tr_words words = {0};
	struct tr_stages_end end = {0};
	size_t failed;
	add_boot_words(t, folder, &words);
	tr_linux_path_in(t, folder, "console.txt", console);
	struct tr_stages stages = {
	    .command = {words.word},
	    .count = 1,
	    .folder = *t->programs ? t->programs : NULL,
	    .input = open("/dev/null", O_RDONLY | O_CLOEXEC),
	    .output = open(console, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
	if (stages.input < 0 || stages.output < 0)
		tr_die(t->cli, "%s: %s", console, strerror(errno));
	if (tr_stages_run(&stages, &end, &failed))
		tr_die(t->cli, "%s: %s", words.word[0], strerror(errno));
	close(stages.input);
	close(stages.output);
	tr_words_free(&words);
	end_if_interrupted(t, &end);
	if (end.status[0])
		fail_boot(t, console, end.status[0]);
}

static void print_commands(struct tr_linux_target *t, const char *folder)
{
	char console[PATH_MAX];
	struct tr_words words = {0};
	add_prepare_words(t, folder, &words);
	print_command(&words, NULL);
	tr_words_free(&words);
	tr_linux_choose_ram(t);
	add_boot_words(t, folder, &words);
	print_command(&words, tr_linux_path_in(t, folder, "console.txt", console));
	tr_words_free(&words);
}

void tr_linux_target_boot(struct tr_linux_target *t, const char *folder, bool dry_run)
{
	char checkpoint[PATH_MAX], path[PATH_MAX];
	if (dry_run) {
		print_commands(t, folder);
		return;
	}
	tr_linux_target_write(t, folder);
	find_key(t, folder);
	tr_linux_path_in(t, folder, "start.checkpoint", checkpoint);
	if (tr_checkpoint_fetch(&t->key, checkpoint)) {
		tr_warn(t->cli,
			"note: going on from the cached checkpoint of Linux at the "
			"start of this program");
	} else {
		tr_warn(t->cli, "note: booting Linux to the start of this program");
		run_boot(t, folder);
		if (!tr_checkpoint_store(&t->key, checkpoint, TR_CHECKPOINTS_BYTES))
			tr_warn(t->cli,
				"note: this checkpoint is not in the cache, which "
				"takes 1 GiB, and has to be writable: the next run "
				"boots again");
	}
	unlink(tr_linux_path_in(t, folder, "root.cpio", path));
	unlink(tr_linux_path_in(t, folder, "soc.dtb", path));
}

void tr_linux_target_check(const struct tr_linux_target *t)
{
	const char *core = tr_linux_cores[t->options->chosen_core];
	char *command[] = {"soc-sim", "--core", (char *)core, "--version", NULL};
	struct tr_stages_end end = {0};
	size_t failed;
	if (!t->options->core)
		return;
	struct tr_stages stages = {.command = {command},
				   .count = 1,
				   .folder = *t->programs ? t->programs : NULL,
				   .output = open("/dev/null", O_WRONLY | O_CLOEXEC)};
	if (stages.output < 0 || tr_stages_run(&stages, &end, &failed))
		tr_die(t->cli, "soc-sim: %s", strerror(errno));
	close(stages.output);
	end_if_interrupted(t, &end);
	if (WIFSIGNALED(end.status[0]))
		tr_die(t->cli, "soc-sim: killed by signal %d", WTERMSIG(end.status[0]));
	/* What else is wrong it has said. */
	if (end.status[0])
		exit(TR_EXIT_TROUBLE);
}

/* --- console */

int tr_linux_target_listen(struct tr_linux_target *t, const char *folder)
{
	char path[PATH_MAX];
	tr_linux_path_in(t, folder, "console.txt", path);
	t->console = tr_linux_console_start(t->mark, path);
	if (!t->console)
		tr_die(t->cli, "%s: %s", path, strerror(errno));
	return tr_linux_console_input(t->console);
}

int tr_linux_target_status(struct tr_linux_target *t)
{
	enum { BY_SIGNAL = 128 };
	int error;
	const int status = tr_linux_console_finish(t->console, &error);
	t->console = NULL;
	if (error && error != EPIPE)
		tr_die(t->cli, "what the program printed: %s", strerror(error));
	if (status < 0)
		tr_warn(t->cli,
			"%s: the run ended before the program, which has no exit "
			"status",
			t->arguments[0]);
	else if (status > BY_SIGNAL && status < BY_SIGNAL + NSIG)
		tr_warn(t->cli, "note: %s: exit status %d, as after signal %d: %s",
			t->arguments[0], status, status - BY_SIGNAL,
			strsignal(status - BY_SIGNAL));
	return status < 0 ? TR_EXIT_TROUBLE : status;
}
