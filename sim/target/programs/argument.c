/* SPDX-License-Identifier: Apache-2.0 */
/* Parses numeric arguments of a program. */
#include "user.h"

#include <stdlib.h>

uint32_t argument(int argc, char **argv, int index, uint32_t fallback)
{
	return index < argc ? (uint32_t)strtoul(argv[index], NULL, 10) : fallback;
}
