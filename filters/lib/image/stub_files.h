/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a program that the run-time profiler counts (prof-files(5)): data.bin,
 * datag.bin if it is there, and injected.o. */
#ifndef TR_STUB_FILES_H
#define TR_STUB_FILES_H

#include "image/image.h"
#include "stubs/stubs.h"

enum { TR_STUB_PLANS = 2 }; /* with local and with global indexes */

struct tr_stub_files;

/* Opens a folder. Returns TR_OK, TR_E_NOMEM, TR_E_IO, TR_E_TRUNCATED, TR_E_UNSUPPORTED or
 * TR_E_CORRUPT. On failure *files is set (unless TR_E_NOMEM) and has the message; close
 * it. */
int tr_stub_files_open(struct tr_stub_files **files, const char *folder);
void tr_stub_files_close(struct tr_stub_files *files);
/* Returns the message of a failed call, as in "mul/data.bin: byte 16: ...". */
const char *tr_stub_files_message(const struct tr_stub_files *files);
const char *tr_stub_files_folder(const struct tr_stub_files *files);

/* Checks that the stubs are of this program: its build-id, and the code that entries
 * replace. Returns TR_OK or TR_E_CORRUPT (the message is set). */
int tr_stub_files_check(struct tr_stub_files *files, const struct tr_image *program);

/* Returns a plan; the one with global indexes differs only in these, and is NULL without
 * datag.bin. They live as long as the files. */
const struct tr_stubs *tr_stub_files_plan(const struct tr_stub_files *files,
					  unsigned nth);
/* Returns the code of injected.o, before it is placed. */
const uint8_t *tr_stub_files_code(const struct tr_stub_files *files);

/* Returns true if the instruction at `offset` in the code is the second one of a far jump
 * that stands for a direct one. */
bool tr_stub_files_is_direct(const struct tr_stub_files *files, uint32_t offset);

#endif
