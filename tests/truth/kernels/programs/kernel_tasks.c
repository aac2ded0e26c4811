/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of the port xv6.S that stay in the kernel. */
#include "xv6.h"

void tasks_begin(void)
{
}

NOINLINE void task_begin(void)
{
	port_enable(true);
	task_self()->entry();
	task_finish();
}

void port_yield(void)
{
	kernel_yield();
}
