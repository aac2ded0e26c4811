/* SPDX-License-Identifier: Apache-2.0 */
/* The names of Linux's system calls on RV64. */
#ifndef TR_SYSCALLS_H
#define TR_SYSCALLS_H

#include <stdint.h>

/* Returns a name such as "write", or NULL for a number that is not of a system call. */
const char *tr_syscall_name(uint64_t number);

#endif
