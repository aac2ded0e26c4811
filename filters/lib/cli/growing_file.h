/* SPDX-License-Identifier: Apache-2.0 */
/* A file of a folder of tr-profile, which may be writing it: what is there so far, and
 * what is added, arrives in a pipe, which ends when tr-profile has ended, when the file
 * is removed, or when it is told to. */
#ifndef TR_GROWING_FILE_H
#define TR_GROWING_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct tr_growing_file;

/* Returns whether a tr-profile is writing into the folder. */
bool tr_is_profiling(const char *folder);

/* Starts to read the open file `fd`, which stays the caller's, in a thread. Returns NULL
 * when out of memory, or of descriptors or threads. */
struct tr_growing_file *tr_growing_file_open(const char *folder, int fd);
/* Returns the pipe to read from. It is open until the file is closed. */
int tr_growing_file_pipe(const struct tr_growing_file *);
/* Returns the bytes that went into the pipe, once that has ended. */
uint64_t tr_growing_file_size(const struct tr_growing_file *);
/* Ends the pipe behind what was read. Async-signal-safe. */
void tr_growing_file_stop(struct tr_growing_file *);
/* Ends the thread; accepts NULL. */
void tr_growing_file_close(struct tr_growing_file *);

#endif
