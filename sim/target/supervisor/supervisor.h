/* SPDX-License-Identifier: Apache-2.0 */
/* Interfaces between the parts of the supervisor. */
#ifndef SUPERVISOR_H
#define SUPERVISOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../frame.h"
#include "abi.h"

#define PAGE_SIZE 4096UL

typedef uint64_t pte_t;

/* A program inside this image: an ELF file. */
struct program {
	const char *name;
	const uint8_t *data;
};
extern const struct program programs[]; /* ends with a NULL name */

struct thread {
	uint32_t state;
	uint32_t pid;
	uint64_t satp;
	uint64_t tp;
	char name[THREAD_NAME_SIZE];
	uint64_t kernel_sp;
	uint64_t user_sp;
	uint64_t context[14];
	/* Private to the supervisor from here on. */
	const struct program *program;
	pte_t *root; /* NULL: only the supervisor's addresses */
	uint32_t parent;
	int32_t status;
} __attribute__((aligned(THREAD_SIZE)));
_Static_assert(sizeof(struct thread) == THREAD_SIZE, "thread layout");
_Static_assert(offsetof(struct thread, state) == THREAD_STATE, "thread layout");
_Static_assert(offsetof(struct thread, pid) == THREAD_PID, "thread layout");
_Static_assert(offsetof(struct thread, satp) == THREAD_SATP, "thread layout");
_Static_assert(offsetof(struct thread, tp) == THREAD_TP, "thread layout");
_Static_assert(offsetof(struct thread, name) == THREAD_NAME, "thread layout");
_Static_assert(offsetof(struct thread, kernel_sp) == THREAD_KERNEL_SP, "thread layout");
_Static_assert(offsetof(struct thread, user_sp) == THREAD_USER_SP, "thread layout");
_Static_assert(offsetof(struct thread, context) == THREAD_CONTEXT, "thread layout");

extern struct thread thread_table[THREAD_COUNT];
__extension__ register struct thread *current __asm__("tp");

/* start.S and entry.S */
extern pte_t kernel_root[512];
extern uint8_t image_end[];
void supervisor_start(void);
void trap_entry(void);
void thread_start(void); /* first code of a user thread: returns through its frame */
void switch_to(struct thread *prev, struct thread *next);
/* Copies between user and supervisor memory. Returns 0, or -1 for a bad address. */
long user_copy(void *to, const void *from, size_t size);
extern const char user_copy_end[], user_copy_fault[];
long sbi_call(uint64_t argument, uint64_t unused, uint64_t function, uint64_t extension);

/* memory.c */
void memory_init(void);
void *page_alloc(void);				    /* zeroed; panics if there is none */
uint64_t space_create(pte_t **root, uint32_t asid); /* returns its satp */
void space_free(pte_t *root);
void space_map(pte_t *root, uint64_t address, void *page, unsigned flags);
bool space_mapped(pte_t *root, uint64_t address);
enum { PTE_R = 2, PTE_W = 4, PTE_X = 8 };

/* program.c */
/* Splits "name argument …" in place. Returns the number of words, at most `most`. */
unsigned split_words(char *text, char **words, unsigned most);
const struct program *program_find(const char *name);
uint64_t program_entry(const struct program *program);
/* Maps the page at `address` for `thread`. Returns false for an invalid access. */
bool program_fault(struct thread *thread, uint64_t address, uint64_t cause);
/* Fills the top of a new stack. Returns the stack pointer. */
uint64_t program_arguments(struct thread *thread, char **words, unsigned count);

/* thread.c */
void thread_init(void); /* makes the caller thread 0, "init" */
/* Starts a program. Returns its pid, or -1. */
long thread_spawn(char *command);
long thread_wait(void); /* pid << 8 | status, or -1 without children */
_Noreturn void thread_exit(int status);
void schedule(void);

/* trap.c */
void timer_init(void);
void trap_handler(struct frame *frame);

/* console.c */
void print(const char *text);
void print_size(const char *text, size_t size);
void print_number(uint64_t value, unsigned radix);
_Noreturn void power_off(int status);
_Noreturn void panic(const char *reason);

#endif
