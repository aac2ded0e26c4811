/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses at which image.ld places the device tree and the initramfs. Plain numbers. */
#ifndef LAYOUT_H
#define LAYOUT_H

#define LAYOUT_TREE   0x80e00000
#define LAYOUT_INITRD 0x81000000

#endif
