/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numbers, and puts them into words. */
#ifndef TR_NUMBER_H
#define TR_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Parses an unsigned integer: decimal, or hexadecimal with the prefix 0x or 0X. Returns a
 * pointer to the text after it, or NULL if there is none or it exceeds 64 bits. */
const char *tr_parse_number(const char *text, uint64_t *value);

/* Parses an address: hexadecimal with the prefix 0x or 0X. Without the prefix only 0 to 9
 * are accepted, which are the same in both bases. Returns a pointer to the text after it,
 * or NULL if there is none or it exceeds 64 bits. */
const char *tr_parse_address(const char *text, uint64_t *value);
/* Writes why `text` as a whole is not an address, as in "not an address: "zero"", or, for
 * "80000000", what to write instead. */
void tr_address_trouble(const char *text, char *message, size_t size);

/* Returns the value of a hexadecimal digit of either case; -1 if it is none, as EOF. */
static inline int tr_hex_digit(int c)
{
	const unsigned decimal = (unsigned)c - '0', letter = ((unsigned)c | 0x20) - 'a';
	return decimal < 10 ? (int)decimal : letter < 6 ? (int)letter + 10 : -1;
}

/* Returns what makes the noun of a message plural: "s", but "" for 1. */
static inline const char *tr_plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

#endif
