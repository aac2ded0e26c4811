/* SPDX-License-Identifier: Apache-2.0 */
/* The names of system calls, made from the kernel's headers by syscalls.awk. */
#include "timeline/syscalls.h"

#include <stddef.h>

static const char *const names[] = {
#include "timeline/syscalls.inc"
};

const char *tr_syscall_name(uint64_t number)
{
	return number < sizeof(names) / sizeof(names[0]) ? names[number] : NULL;
}
