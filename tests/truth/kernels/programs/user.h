/* SPDX-License-Identifier: Apache-2.0 */
/* System calls of tasks in U-mode, under the names of the kernel's functions. */
#ifndef USER_H
#define USER_H

#include "kernel.h"

void user_yield(void);
void user_sleep(uint64_t n);
void user_kill(unsigned i);
void user_create(unsigned i, void (*entry)(void));
void user_finish(void) __attribute__((noreturn));

#define port_yield  user_yield
#define task_sleep  user_sleep
#define task_kill   user_kill
#define task_create user_create
#define task_finish user_finish

#endif
