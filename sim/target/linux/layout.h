/* SPDX-License-Identifier: Apache-2.0 */
/* Where Linux finds its initramfs; its device tree tells it. Plain numbers. */
#ifndef LAYOUT_H
#define LAYOUT_H

#define LAYOUT_INITRD 0x81000000

#endif
