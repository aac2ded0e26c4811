/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text that people write. */
#ifndef TR_NUMBER_H
#define TR_NUMBER_H

#include <stdint.h>

/* A whole number at `text`: decimal, or hexadecimal behind 0x or 0X. Returns what
 * follows it; NULL if there is none or it is beyond 64 bits. */
const char *tr_parse_number(const char *text, uint64_t *value);

#endif
