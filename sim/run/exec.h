/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises the start of a program, wherever it is loaded: the first instruction in
 * U-mode after the kernel has executed its file. */
#ifndef RUN_EXEC_H
#define RUN_EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct exec;

/* Reads an RV64 ELF executable. Returns NULL with a line in `message` on failure; the
 * caller frees the result. */
struct exec *exec_open(const char *path, char *message, size_t size);
void exec_close(struct exec *exec);

/* A machine about to execute an instruction in U-mode. */
struct exec_view {
	uint64_t pc, sp;
	void *user;
	/* Reads memory at a virtual address; returns false if it is not mapped. */
	bool (*read)(void *user, uint64_t address, void *data, size_t size);
};

/* Returns whether this instruction is the program's first. A static program begins at its
 * entry point, at any multiple of a page from its address if it is position-independent,
 * and its code from there to the end of the page is in memory. Otherwise the interpreter
 * begins: the auxiliary vector above sp must have the program's entry point and headers,
 * at a common distance from their addresses, and pages of the program that are in memory
 * must equal the file. */
bool exec_begins(const struct exec *exec, const struct exec_view *view);

/* The programs for which a machine looks. */
enum { EXEC_WATCHES = 3 };
struct exec_watch {
	const struct exec *execs[EXEC_WATCHES];
	unsigned n;
	bool begins[EXEC_WATCHES]; /* the results of exec_watch_check() */
};

/* Returns false if there are too many. */
bool exec_watch_add(struct exec_watch *watch, const struct exec *exec);
/* Checks all. Returns whether one begins. */
bool exec_watch_check(struct exec_watch *watch, const struct exec_view *view);
/* Returns whether this one began at the last look. */
bool exec_watch_begins(const struct exec_watch *watch, const struct exec *exec);

#endif
