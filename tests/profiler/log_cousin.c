/* SPDX-License-Identifier: Apache-2.0 */
/* Has functions of the same names as log_family, and others. Writes a byte when it has
 * made its calls, and stays.
 *
 *	log_cousin STEPS
 */
#include <unistd.h>

#include "linux/programs/check.h"

KEEP static unsigned other_step(unsigned value)
{
	return value ^ 5;
}

KEEP static unsigned one_step(unsigned value)
{
	return other_step(value) + other_step(value / 2);
}

KEEP static unsigned do_steps(unsigned steps)
{
	unsigned value = 1;

	for (unsigned i = 0; i < steps; i++)
		value += one_step(value);
	return value;
}

int main(int argc, char **argv)
{
	CHECK(argc == 2);
	unsigned char byte = (unsigned char)do_steps((unsigned)atoi(argv[1]));

	CHECK(write(STDOUT_FILENO, &byte, 1) == 1);
	for (;;)
		pause();
}
