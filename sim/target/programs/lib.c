/* SPDX-License-Identifier: Apache-2.0 */
/* Line-buffered stdout, and the end of a program. Linked right after crt0, with its data
 * first in the data segment, for the same reason. */
#include "user.h"

static char line[128];
static size_t held;

static int flush(FILE *file)
{
	(void)file;
	if (held > 0)
		sys_write(line, held);
	held = 0;
	return 0;
}

static int put(char c, FILE *file)
{
	line[held++] = c;
	if (c == '\n' || held == sizeof(line))
		flush(file);
	return (unsigned char)c;
}

static FILE console = FDEV_SETUP_STREAM(put, NULL, flush, _FDEV_SETUP_WRITE);
FILE *const stdout = &console;

void program_exit(int status)
{
	flush(stdout);
	sys_exit(status);
}
