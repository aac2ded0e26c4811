/* SPDX-License-Identifier: Apache-2.0 */
/* Hexadecimal digits: of all characters, and of EOF, as the C library has them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "base/number.h"

int main(void)
{
	unsigned digits = 0;
	for (int c = EOF; c < 256; c++) {
		const char text[2] = {(char)c, 0};
		const int value = isxdigit(c) ? (int)strtol(text, NULL, 16) : -1;
		CHECK_EQ(tr_hex_digit(c), value);
		/* Of a plain char, which may be negative, too. */
		CHECK_EQ(tr_hex_digit((char)c), value);
		digits += value >= 0;
	}
	CHECK_EQ(digits, 22);
	return check_done();
}
