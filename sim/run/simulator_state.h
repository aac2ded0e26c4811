/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a run, shared by simulator*.c. */
#ifndef RUN_SIMULATOR_STATE_H
#define RUN_SIMULATOR_STATE_H

#include "boot.h"
#include "counting.h"
#include "identity.h"
#include "session.h"
#include "simulator.h"

struct settings {
	const struct simulator *simulator;
	struct tr_cli cli;
	struct trouble trouble;
	struct session_options session;
	struct counting counting;
	struct boot boot;
	uint64_t ram_size;
	struct soc_features features; /* --isa, --copy-unit, --disk */
	unsigned harts;
	const char *disk_path; /* --disk; NULL: none */
	struct soc_disk *disk;
	struct soc_disk_timing disk_timing;
	const char *ram, *isa, *harts_text; /* operands; NULL: not given */
	const char *resume;		    /* operand; NULL: start at reset */
	struct checkpoint from;		    /* with it */
	struct identity identity;
	char *argv; /* provenance */
	struct tr_header *keys;
	const char *trace;
	int fd; /* of the trace; -1: none */
	struct trace *stream;
	const char **elf; /* operands that are ELF files */
	size_t nelf;
	bool begins; /* an ELF file has its entry point at the reset address */
	struct {
		const char *path;
		uint64_t entry;
	} first; /* the ELF file at the reset address */
};

/* simulator_options.c: parses the options of all simulators with those of this one, and
 * the operands; what is wrong with a value is its trouble. */
void simulator_parse_options(struct settings *s);

/* simulator_load.c: loads programs or the checkpoint, and resolves the triggers. Returns
 * false on failure, with its trouble. */
bool simulator_load(struct settings *s, struct machine *machine);

#endif
