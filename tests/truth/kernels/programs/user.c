/* SPDX-License-Identifier: Apache-2.0 */
/* System calls of tasks in U-mode. */
#include "user.h"

static NOINLINE void call(uint64_t number, uint64_t first, uint64_t second)
{
	register uint64_t a0 __asm__("a0") = first;
	register uint64_t a1 __asm__("a1") = second;
	register uint64_t a7 __asm__("a7") = number;

	__asm__ volatile("ecall" : "+r"(a0) : "r"(a1), "r"(a7) : "memory");
}

void user_yield(void)
{
	call(USER_YIELD, 0, 0);
}

void user_sleep(uint64_t n)
{
	call(USER_SLEEP, n, 0);
}

void user_kill(unsigned i)
{
	call(USER_KILL, i, 0);
}

void user_create(unsigned i, void (*entry)(void))
{
	call(USER_CREATE, i, (uint64_t)entry);
}

void user_finish(void)
{
	for (;;)
		call(USER_FINISH, 0, 0);
}
