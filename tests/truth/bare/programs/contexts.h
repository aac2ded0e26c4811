/* SPDX-License-Identifier: Apache-2.0 */
/* Stack switches by the program itself. */
#ifndef CONTEXTS_H
#define CONTEXTS_H

#include <stdint.h>

struct context {
	uint64_t x[32]; /* x[0] is the pc */
};

void coroutine_switch(uint64_t *from, uint64_t to);
void context_swap(struct context *save, const struct context *load);
void context_set(const struct context *load) __attribute__((noreturn));
void context_start(void);
uint64_t call_on_stack(uint64_t (*function)(uint64_t), uint64_t argument, uint64_t *top);
uint64_t call_on_stack_by_t0(uint64_t (*function)(uint64_t), uint64_t argument,
			     uint64_t *top);

/* Enables timer interrupts. */
void interrupts_begin(void);
void on_interrupt(uint64_t cause);

#endif
