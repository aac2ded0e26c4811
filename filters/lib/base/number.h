/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text that people write. */
#ifndef TR_NUMBER_H
#define TR_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* A whole number at `text`: decimal, or hexadecimal behind 0x or 0X. Returns what
 * follows it; NULL if there is none or it is beyond 64 bits. */
const char *tr_parse_number(const char *text, uint64_t *value);

/* An address, hexadecimal behind 0x or 0X; of others only 0 to 9, which are the same in
 * any base. Returns as above. */
const char *tr_parse_address(const char *text, uint64_t *value);
/* Why `text` is no address by itself: "not an address: "zero"", or what to write in
 * place of "80000000". */
void tr_address_trouble(const char *text, char *message, size_t size);

#endif
