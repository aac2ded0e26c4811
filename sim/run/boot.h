/* SPDX-License-Identifier: Apache-2.0 */
/* Memory size, device tree and initial RAM disk: the work of a boot loader. The device
 * tree gives the location of the initial RAM disk, and of the disk. */
#ifndef RUN_BOOT_H
#define RUN_BOOT_H

#include "model/load.h"
#include "trouble.h"

struct boot {
	const char *dtb, *initrd; /* operands of the options, FILE[@ADDRESS]; or NULL */
	bool has_disk;		  /* the device tree is to have it */
};

/* Sets *size to the operand of --ram in bytes; k, M and G are powers of 1024. Fails if
 * the machine cannot have this size. Here and below, false is a failure with its trouble.
 */
bool boot_ram(const char *text, uint64_t *size, struct trouble *trouble);

/* Sets *path to the file of an operand FILE or FILE@ADDRESS, which the caller must free,
 * and *placed to whether there is an address. */
bool boot_split(const char *operand, char **path, uint64_t *address, bool *placed,
		struct trouble *trouble);

/* Loads the files, after everything else is loaded. Files without an address are placed
 * above everything loaded: first the initial RAM disk, then the device tree. */
bool boot_load(const struct boot *boot, struct soc_image *image, struct trouble *trouble);

#endif
