/* SPDX-License-Identifier: Apache-2.0 */
/* The machine as a debugger sees it: registers, memory, and the current task. */
#ifndef TRUTH_MACHINE_H
#define TRUTH_MACHINE_H

#include "image/image.h"
#include "model/model.h"
#include "run/boot.h"

#include "cfi.h"
#include "follow.h"
#include "names.h"

/* Register numbers; privileges as in the specification. */
enum {
	RA = 1,
	SP = 2,
	TP = 4,
	T0 = 5,
	T1 = 6,
	T2 = 7,
	S0 = 8,
	A0 = 10,
	A7 = 17,
	S2 = 18,
	T3 = 28
};
enum { PRIV_U = 0, PRIV_S = 1, PRIV_M = 3 };
enum { STATUS_SPP_SHIFT = 8, STATUS_MPP_SHIFT = 11 };

struct registers {
	uint64_t pc;
	uint64_t x[32];
};

enum { SEGMENTS = 8 }; /* executable ones of a file */

struct binary {
	struct tr_image *image;
	struct cfi cfi;
	struct names names;
	const char *name;
	struct segment {
		uint64_t offset, size; /* in the file */
		uint64_t address;      /* as linked */
	} segments[SEGMENTS];
	unsigned nsegments;
	const struct soc *soc; /* whose memory has its code; NULL: file only */
	uint64_t moved;	       /* physical address there minus that in the file */
};

/* Configuration of the machine, by soc-model's options and operands. */
struct machine_parts {
	char **images; /* ELF files, and the raw image of the kernel: FILE@ADDRESS */
	int count;
	struct boot boot;
	uint64_t ram;	/* in bytes; 0: the default */
	unsigned harts; /* 0: 1 */
	struct soc_features features;
	const char
	    *trace; /* of the run that the machine follows; NULL: it runs by itself */
};
/* Options for them, for getopt_long(). */
#define MACHINE_OPTIONS                                                                  \
	{"ram", required_argument, NULL, 'r'}, {"dtb", required_argument, NULL, 'd'},    \
	{                                                                                \
		"initrd", required_argument, NULL, 'i'                                   \
	}
/* Takes one of these options, or does nothing. */
void machine_option(struct machine_parts *parts, int option);
/* Takes the operands behind BINS and a stream as images. Returns false if there are none.
 */
bool machine_images(struct machine_parts *parts, int argc, char **argv);

struct machine {
	struct soc *soc;
	struct follow *follow; /* NULL: it runs by itself */
	unsigned hart;	       /* whose registers are meant */
	struct binary *binaries;
	size_t nbinaries;
	struct binary *firmware, *kernel;
};

/* Opens the files of bins.lst. Returns false, after a message on stderr, on failure. */
bool machine_open(struct machine *m, const char *bins);
void machine_close(struct machine *m);
/* Creates a model with the images in memory, which has not run yet. Ends the program with
 * a message on failure. */
void machine_reset(struct machine *m, const struct machine_parts *parts);

/* As soc_set_hooks(), soc_break_at_pc() and soc_run(), without a limit of cycles. A
 * machine that follows a trace has taken the traps before an instruction when it stops
 * there. */
void machine_set_hooks(struct machine *m, const struct soc_hooks *hooks);
bool machine_break_at_pc(struct machine *m, uint64_t pc);
enum soc_stop machine_run(struct machine *m, uint64_t instret);
/* Takes the traps before the next instruction, which may commit. */
void machine_take_traps(struct machine *m);

/* Returns the instructions of all harts so far. */
uint64_t machine_instret(const struct machine *m);
uint64_t machine_csr(const struct machine *m, unsigned csr);
void machine_registers(const struct machine *m, struct registers *registers);
/* Translates by the page tables of `satp` (0: off). */
bool machine_translate(const struct machine *m, uint64_t satp, uint64_t address,
		       uint64_t *physical);
/* Reads memory in address space `satp` (0: physical). */
bool machine_read(const struct machine *m, uint64_t satp, uint64_t address, void *data,
		  size_t size);
bool machine_read64(const struct machine *m, uint64_t satp, uint64_t address,
		    uint64_t *value);

/* Gets the address, as linked, of code at an offset in the file. Returns false if there
 * is none. */
bool binary_linked(const struct binary *binary, uint64_t offset, uint64_t *linked);
/* Returns the instruction bits at `pc`, as linked, 0 if there are none: from memory,
 * since a kernel patches its code, or else from the file. */
uint32_t binary_insn(const struct binary *binary, uint64_t pc);

#endif
