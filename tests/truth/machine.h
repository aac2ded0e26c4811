/* SPDX-License-Identifier: Apache-2.0 */
/* The machine as a debugger sees it: registers, memory, and whose turn it is. */
#ifndef TRUTH_MACHINE_H
#define TRUTH_MACHINE_H

#include "image/image.h"
#include "model/model.h"
#include "run/boot.h"

#include "cfi.h"
#include "names.h"

/* Registers by number; privileges as the specification numbers them. */
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

struct binary {
	struct tr_image *image;
	struct cfi cfi;
	struct names names;
	const char *name;
	const struct soc *soc; /* whose memory has its code; NULL: only the file */
	uint64_t moved;	       /* physical address there minus that in the file */
};

/* What the machine is made of, as soc-model's options and operands say it. */
struct machine_parts {
	char **images; /* ELF files, and the raw image of the kernel: FILE@ADDRESS */
	int count;
	struct boot boot;
	uint64_t ram; /* bytes, 0: as many as it has by itself */
};

struct machine {
	struct soc *soc;
	struct binary *binaries;
	size_t nbinaries;
	struct binary *firmware, *kernel;
};

/* Opens what bins.lst names. On failure false, after a message on stderr. */
bool machine_open(struct machine *m, const char *bins);
void machine_close(struct machine *m);
/* A new model with the images in memory. Ends the program with a message if that fails.
 */
void machine_reset(struct machine *m, const struct machine_parts *parts);

uint64_t machine_csr(const struct machine *m, unsigned csr);
void machine_registers(const struct machine *m, struct registers *registers);
/* By the page tables of `satp` (0: off) themselves. */
bool machine_translate(const struct machine *m, uint64_t satp, uint64_t address,
		       uint64_t *physical);
/* Memory as code of address space `satp` (0: physical) has it. */
bool machine_read(const struct machine *m, uint64_t satp, uint64_t address, void *data,
		  size_t size);
bool machine_read64(const struct machine *m, uint64_t satp, uint64_t address,
		    uint64_t *value);

/* The instruction bits at `pc`, as linked, 0 if there are none: those in memory, where a
 * kernel changes its own code, else those in the file. */
uint32_t binary_insn(const struct binary *binary, uint64_t pc);

#endif
