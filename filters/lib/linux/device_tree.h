/* SPDX-License-Identifier: Apache-2.0 */
/* The device tree of the machine of sim/soc.h for a Linux kernel: one RV64GC hart, its
 * memory, and the UART, which a kernel may use in place of the console of the SBI. The
 * simulators add the range of the initial RAM disk. */
#ifndef TR_DEVICE_TREE_H
#define TR_DEVICE_TREE_H

#include <stdint.h>

/* Writes the tree into a file. `ram` is the size of the memory in bytes, and `arguments`
 * the kernel's command line. Returns TR_OK, TR_E_NOMEM, or TR_E_IO with errno set. */
int tr_device_tree_write(const char *path, uint64_t ram, const char *arguments);

#endif
