/* SPDX-License-Identifier: Apache-2.0 */
/* The system calls of Linux on RV64: those of its generic table, and two of its own. Only
 * for syscalls.awk. */
#ifndef TR_SYSCALLS_UNISTD_H
#define TR_SYSCALLS_UNISTD_H

#define __ARCH_WANT_NEW_STAT
#define __ARCH_WANT_SET_GET_RLIMIT
#define __ARCH_WANT_SYS_CLONE3
#define __ARCH_WANT_MEMFD_SECRET
#include <asm-generic/unistd.h>

#define __NR_riscv_hwprobe	(__NR_arch_specific_syscall + 14)
#define __NR_riscv_flush_icache (__NR_arch_specific_syscall + 15)

#endif
