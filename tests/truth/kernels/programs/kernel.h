/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of a small kernel. Its port saves and restores their registers, and switches. */
#ifndef KERNEL_H
#define KERNEL_H

#ifndef HARTS
#define HARTS 1
#endif

/* The boot's stack of each hart, the first one's at stack_top. */
#define BOOT_STACK_SHIFT 11

/* Offsets in struct task. */
#define TASK_SP	     0
#define TASK_CONTEXT 8
#define TASK_SAVED   128

#ifdef __ASSEMBLER__
#include "kernel.inc"
#else

#include "../../bare/programs/work.h"
#include "../areas.h"

struct task {
	uint64_t sp;	      /* while it is not running */
	uint64_t context[15]; /* for a port that does not save them on the stack */
	/* A port that saves registers only after core_choose() clears it before, and sets
	 * it after that: until then other harts do not choose the task. */
	volatile uint64_t saved;
	void (*entry)(void);
	uint64_t wake;		 /* tick */
	volatile unsigned state; /* enum task_state */
	volatile bool is_doomed; /* killed while it was running */
};
enum task_state { TASK_OVER, TASK_READY, TASK_RUNNING };
enum { TASK_COUNT = HARTS + 6, TASK_WORDS = 512 };

/* The first HARTS tasks idle, one on each hart. */
extern struct task tasks[TASK_COUNT];
#ifdef USER
extern uint64_t user_stacks[TASK_COUNT][TASK_WORDS];
/* System calls, and what they do in the kernel. */
enum { USER_YIELD = 1, USER_SLEEP, USER_KILL, USER_CREATE, USER_FINISH };
void user_call(uint64_t number, uint64_t first, uint64_t second);
#endif
extern struct task *volatile currents[HARTS]; /* NULL: none yet */
extern volatile uint64_t ticks;

/* Functions of the port. */

/* Called on each hart after reset. */
void kernel_main(unsigned hart);

/* Prepares a stack on which `entry` starts, and sets what the task needs for that. */
void port_prepare(struct task *task, uint64_t *top, void (*entry)(void));
/* Lets another task run. */
void port_yield(void);
#ifdef SIGNALS
/* Lets a task that is not running first handle a signal. */
void port_signal(unsigned i);
#endif
/* Disables interrupts, and returns whether they were enabled. */
bool port_disable(void);
void port_enable(bool on);
unsigned port_hart(void);
/* Sets the hart's next timer interrupt to the next step of mtime. */
void port_timer(void);
/* Sets or clears the hart's software interrupt. */
void port_software(bool on);

/* core.c */

/* Lists a stack for the comparison. */
void core_area(const void *begin, const void *end, uint32_t task, enum area_kind kind);
/* Lists the boot's stack. */
void core_boot_area(enum area_kind kind);
/* Creates the tasks. Without `idles` their first ones are left out. */
void core_begin(bool idles);
/* Lets the other harts leave core_wait(). */
void core_go(void);
void core_wait(void);
/* Sets the hart's current task to the next one: the idle one, or NULL if there is none,
 * if no other is ready. */
void core_choose(void);
/* The hart has left its current task, and has none. */
void core_leave(void);
/* Handles a timer interrupt, except that it does not choose. */
void core_tick(void);
void core_software(void);
uint64_t *task_stack_top(const struct task *task);
/* For tasks. */
struct task *task_self(void);
/* Returns whether its stack can be used for another one. */
bool task_is_over(unsigned i);
void task_create(unsigned i, void (*entry)(void));
void task_kill(unsigned i);
#ifdef SIGNALS
void task_signal(unsigned i);
#endif
void task_sleep(uint64_t n);
void task_finish(void) __attribute__((noreturn));

/* jobs.c: the first functions of the tasks. */
enum { JOBS = TASK_COUNT - HARTS };
extern void (*const jobs[JOBS])(void);

#endif
#endif
