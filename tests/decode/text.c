/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembles instructions, for text.sh.
 *
 *     decode-text XLEN < lines "ADDRESS BITS" in hexadecimal */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "annotate/disassemble.h"

int main(int argc, char **argv)
{
	const unsigned isa = argc > 1 ? (unsigned)atoi(argv[1]) : 64;
	char line[128], text[TR_DISASSEMBLED];
	while (fgets(line, sizeof(line), stdin)) {
		char *end;
		const uint64_t pc = strtoull(line, &end, 16);
		const uint64_t bits = strtoull(end, NULL, 16);
		const uint8_t code[] = {(uint8_t)bits, (uint8_t)(bits >> 8),
					(uint8_t)(bits >> 16), (uint8_t)(bits >> 24)};
		tr_disassemble(code, (bits & 3) == 3 ? 4 : 2, isa, pc, text);
		puts(text);
	}
	return 0;
}
