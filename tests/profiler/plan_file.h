/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the files of a plan for the tests. */
#ifndef PLAN_FILE_H
#define PLAN_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Reads FOLDER/NAME. Returns its bytes, which the caller frees, with their number in
 * *size, or NULL. */
uint8_t *read_plan_file(const char *folder, const char *name, size_t *size);

#endif
