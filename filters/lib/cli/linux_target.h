/* SPDX-License-Identifier: Apache-2.0 */
/* A program for Linux that tr-profile profiles: what it needs in the target, the machine
 * that boots to it, and how it ends. */
#ifndef TR_LINUX_TARGET_H
#define TR_LINUX_TARGET_H

#include "cli/options.h"
#include "cli/profiled.h"

/* What the options say. */
struct tr_linux_options {
	bool is_on, on_hardware, on_model, has_jit;
	const char *kernel, *ram;
	const char *core; /* not NULL: one is chosen, the index `chosen_core` */
	unsigned chosen_core;
	const char *disk;	   /* file with its contents */
	const char *prepare;	   /* folder */
	struct tr_texts roots;	   /* folders for the target's root */
	struct tr_texts sysroots;  /* folders with libraries */
	struct tr_texts variables; /* "NAME=VALUE" */
};
extern const char *const tr_linux_cores[]; /* ends with NULL */
/* The rows of a table of options that set them, but for `sysroots`. */
/* clang-format off */
#define TR_LINUX_OPTIONS(o) \
	{"linux", .flag = &(o)->is_on, .excludes = "from", \
	 .help = "run a program for RV64 Linux, with its libraries, on a machine that has " \
		 "booted Linux"}, \
	{"root", .argument = "FOLDER", .texts = &(o)->roots, .needs = "linux", \
	 .help = "further files for the root of the target; may be repeated"}, \
	{"env", .argument = "NAME=VALUE", .texts = &(o)->variables, .needs = "linux", \
	 .help = "a variable of the program's environment; may be repeated"}, \
	{"hardware", .flag = &(o)->on_hardware, .needs = "linux", .excludes = "model", \
	 .help = "run it on the hardware, which is the default"}, \
	{"model", .flag = &(o)->on_model, .needs = "linux", \
	 .help = "run it on the functional model, an instruction a cycle"}, \
	{"core", .choice = {&(o)->chosen_core, tr_linux_cores}, .seen = &(o)->core, \
	 .needs = "linux", .excludes = "model", .help = "the core of the hardware"}, \
	{"ram", .argument = "SIZE", .text = &(o)->ram, .needs = "linux", \
	 .help = "bytes of memory, as in 512M; otherwise by the size of the files"}, \
	{"kernel", .argument = "FILE", .text = &(o)->kernel, .needs = "linux", \
	 .help = "another kernel: vmlinux, or an Image, whose vmlinux is for --bins"}, \
	{"disk", .argument = "FILE", .text = &(o)->disk, .needs = "linux", \
	 .help = "a disk with these contents, /dev/vda, and on /disk if it has ext2, ext3 " \
		 "or ext4; FILE is never changed"}, \
	{"jit", .flag = &(o)->has_jit, .needs = "linux", \
	 .help = "name the functions that it compiles at run time, by the perf map or " \
		 "jitdump that it writes"}, \
	{"prepare", .argument = "FOLDER", .text = &(o)->prepare, .needs = "linux", \
	 .help = "only write root.cpio, soc.dtb and bins.lst into FOLDER"}
/* clang-format on */

/* Dies if a file is a program for Linux, which the bare machine cannot run. */
void tr_linux_refuse_program(const struct tr_cli *cli, const char *path);

struct tr_linux_target;

/* Takes the program and its arguments, up to NULL, which must be one for Linux, and finds
 * its libraries. `programs` is
 * the folder of this program. Dies with a message if something is missing. The options,
 * the arguments and the folder must outlive the result. */
struct tr_linux_target *tr_linux_target_open(const struct tr_cli *cli,
					     const struct tr_linux_options *options,
					     char *const *arguments,
					     const char *programs);
void tr_linux_target_close(struct tr_linux_target *target);

/* Writes root.cpio, the initial RAM disk, soc.dtb, the device tree, and bins.lst, the
 * list of binaries for tr-match, into the folder; dies on failure. Standard input becomes
 * a file of the target if it is one here. */
void tr_linux_target_write(struct tr_linux_target *target, const char *folder);

/* Finds the kernel, and makes `profiled` the run on the hardware, or the model, that goes
 * on from the checkpoint in `folder`. Dies if there is no kernel. */
void tr_linux_target_offer(struct tr_linux_target *target, const char *folder,
			   struct tr_profiled *profiled);
/* Dies, after a message of the simulator, if it has no such core. */
void tr_linux_target_check(const struct tr_linux_target *target);
/* Makes this checkpoint, of the machine that has booted to the program. A cached one is
 * taken if there is one of the same contents; a note says which. With `dry_run` the
 * commands are printed instead. Dies on failure, and ends by a signal that ends it. */
void tr_linux_target_boot(struct tr_linux_target *target, const char *folder,
			  bool dry_run);

/* Begins to copy the console to standard output, and to console.txt in the folder, up to
 * the end of the program. Returns the descriptor to which the machine has to print. */
int tr_linux_target_listen(struct tr_linux_target *target, const char *folder);
/* Ends it. Returns the exit status of the program, or TR_EXIT_TROUBLE if the run ended
 * before; says so, or by which signal it ended. Dies if a write failed. */
int tr_linux_target_status(struct tr_linux_target *target);

#endif
