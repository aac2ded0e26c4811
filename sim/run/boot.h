/* SPDX-License-Identifier: Apache-2.0 */
/* Memory size, device tree and initial RAM disk: the work of a boot loader. The device
 * tree gives the location of the initial RAM disk. */
#ifndef RUN_BOOT_H
#define RUN_BOOT_H

#include "cli/cli.h"
#include "model/load.h"

struct boot {
	const char *dtb, *initrd; /* operands of the options, FILE[@ADDRESS]; or NULL */
};

/* Returns the operand of --ram in bytes; k, M and G are powers of 1024. Ends the program
 * with a message if the machine cannot have this size. */
uint64_t boot_ram(const struct tr_cli *cli, const char *text);

/* Returns whether the operand is FILE@ADDRESS. If so, the caller must free `*path`. */
bool boot_split(const struct tr_cli *cli, const char *operand, char **path,
		uint64_t *address);

/* Loads the files, after everything else is loaded. Files without an address are placed
 * above everything loaded: first the initial RAM disk, then the device tree. Ends the
 * program with a message on failure. */
void boot_load(const struct boot *boot, const struct tr_cli *cli,
	       struct soc_image *image);

#endif
