/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in text that people write. */
#include "base/number.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

const char *tr_parse_number(const char *text, uint64_t *value)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *digits = is_hex ? text + 2 : text;
	size_t count = strspn(digits, is_hex ? "0123456789abcdefABCDEF" : "0123456789");
	errno = 0;
	*value = strtoull(digits, NULL, is_hex ? 16 : 10);
	return count && !errno ? digits + count : NULL;
}
