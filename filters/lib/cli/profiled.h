/* SPDX-License-Identifier: Apache-2.0 */
/* What tr-profile profiles: the operands of its command line, and the binaries that they
 * name. */
#ifndef TR_PROFILED_H
#define TR_PROFILED_H

#include <limits.h>
#include <stdbool.h>

#include "base/words.h"
#include "cli/cli.h"

enum tr_profiled_kind {
	TR_PROFILED_COMMAND, /* a simulator */
	TR_PROFILED_LOG,     /* a file that tr-capture reads */
	TR_PROFILED_ROWS,    /* a trace stream */
	TR_PROFILED_STACKS   /* a stream of stacks */
};

/* All zero at first, but for the options. */
struct tr_profiled {
	const char *format; /* of a log, if an option gives it */
	enum tr_profiled_kind kind;
	struct tr_words command; /* of TR_PROFILED_COMMAND */
	const char *file;	 /* of the others; "-": standard input */
	struct tr_words places;	 /* "--bins", FILE and "--sysroot", FOLDER, as for
				  * tr-match */
	struct tr_words images;	 /* ELF files on the command line */
	/* Files that the simulator loaded, for tr-replay: its operands, --dtb,
	 * --initrd and --resume; only if it is soc-sim or soc-model. */
	struct tr_words loaded;
	/* The trace or the stacks are, or will be, of a sampled run: tr-stream(5). */
	bool is_sampled;
	/* A Linux kernel without symbols that a word names (Image), or "". */
	char kernel[PATH_MAX];
	/* The checkpoint that a trace began from, if it was not found, or "". */
	char lost[PATH_MAX];
};

/* What a word on the command line is. */
enum tr_operand {
	TR_OPERAND_NONE,    /* no regular file, or one that cannot be read */
	TR_OPERAND_IMAGE,   /* an ELF file for RISC-V */
	TR_OPERAND_PROGRAM, /* another ELF file, or a script */
	TR_OPERAND_OTHER
};
enum tr_operand tr_operand(const char *word);

/* Whether a replay with linux.probes can find the names of processes. */
enum tr_profiled_names {
	TR_PROFILED_NO_NAMES,
	TR_PROFILED_NAMES, /* vmlinux was loaded */
	/* tr-match finds vmlinux: what was loaded is the kernel without symbols, or a
	 * checkpoint. */
	TR_PROFILED_NAMES_BY_MATCH,
};
enum tr_profiled_names tr_profiled_names(const struct tr_profiled *profiled);
/* Returns the kernel without symbols, if the binaries have no vmlinux; NULL otherwise. */
const char *tr_profiled_nameless(const struct tr_profiled *profiled);
/* Returns true for a command that tr-sample takes: soc-sim, or soc-model in its place. */
bool tr_profiled_can_be_sampled(const struct tr_profiled *profiled);
/* Returns the checkpoint without which the names of Linux are not known; NULL if there
 * are none, or it is there. */
const char *tr_profiled_lost(const struct tr_profiled *profiled);

/* Dies when out of memory. */
void tr_profiled_image(struct tr_profiled *profiled, const struct tr_cli *cli,
		       const char *path);
/* Takes the words up to NULL as a command, and the ELF files for RISC-V among them, such
 * as "vmlinux", "Image@0x80200000" or "--kernel=vmlinux", as images. */
void tr_profiled_command(struct tr_profiled *profiled, const struct tr_cli *cli,
			 char *const *words);
/* Takes a file: finds out what it is, unless the format is given. Without other places,
 * that is bins.lst beside the trace of a run from a checkpoint, if there is one; or else
 * those of the images are taken from the command line in a stream's header, and looked
 * for in the working directory or else in the folder of the file. If what the simulator
 * loaded is in neither, a checkpoint that the run began with counts in that folder. */
void tr_profiled_file(struct tr_profiled *profiled, const struct tr_cli *cli,
		      const char *path);

#endif
