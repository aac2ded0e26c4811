/* SPDX-License-Identifier: Apache-2.0 */
/* Looks for the start of a program in a memory that has its file everywhere:
 * read-exec FILE */
#include <stdio.h>
#include <string.h>

#include "run/exec.h"

enum { MEMORY = 1 << 16 };

static unsigned char memory[2 * MEMORY];

static bool read_memory(void *user, uint64_t address, void *data, size_t size)
{
	(void)user;
	if (size > MEMORY)
		return false;
	memcpy(data, memory + address % MEMORY, size);
	return true;
}

int main(int argc, char **argv)
{
	struct exec_view view = {.read = read_memory};
	char message[256];

	if (argc != 2)
		return 2;
	struct exec *exec = exec_open(argv[1], message, sizeof(message));
	if (!exec)
		return 1;
	memset(memory, 0, sizeof(memory));
	FILE *file = fopen(argv[1], "rb");
	size_t n = file ? fread(memory, 1, MEMORY, file) : 0;
	if (file)
		fclose(file);
	memcpy(memory + MEMORY, memory, MEMORY);
	for (view.sp = 0; view.sp < n; view.sp += 16) {
		view.pc = view.sp * 31;
		exec_begins(exec, &view);
	}
	exec_close(exec);
	return 0;
}
