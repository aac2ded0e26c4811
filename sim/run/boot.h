/* SPDX-License-Identifier: Apache-2.0 */
/* RAM, and what a boot loader hands to an operating system: a device tree, and an initial
 * RAM disk that the device tree tells of. */
#ifndef RUN_BOOT_H
#define RUN_BOOT_H

#include "cli/cli.h"
#include "model/load.h"

struct boot {
	const char *dtb, *initrd; /* operands of the options, FILE[@ADDRESS]; or NULL */
};

/* The operand of --ram: a number of bytes with k, M or G for powers of 1024. Ends the
 * program with a message if the machine cannot have so many. */
uint64_t boot_ram(const struct tr_cli *cli, const char *text);

/* FILE@ADDRESS: true, and `path` is the caller's to free. */
bool boot_split(const struct tr_cli *cli, const char *operand, char **path,
		uint64_t *address);

/* After everything else is loaded. What has no address goes above all that is there: the
 * initial RAM disk, then the device tree. Ends the program with a message if something is
 * wrong. */
void boot_load(const struct boot *boot, const struct tr_cli *cli,
	       struct soc_image *image);

#endif
