/* SPDX-License-Identifier: Apache-2.0 */
/* What stands where when the firmware enters the next stage; also for linker
 * scripts and assembler, so plain numbers. */
#ifndef BOOT_H
#define BOOT_H

#define BOOT_NEXT_STAGE	 0x80200000
#define BOOT_DEVICE_TREE 0x80e00000 /* unless a1 has its place at reset */

#endif
