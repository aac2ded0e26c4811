/* SPDX-License-Identifier: Apache-2.0 */
/* Starts children and waits for them, yielding meanwhile: family [children]. */
#include "user.h"

int main(int argc, char **argv)
{
	static const char *const commands[] = {"shared_a 30", "shared_b 30",
					       "shared_a 40"};
	uint32_t children = argument(argc, argv, 1, 3);
	long failed = 0, result;

	for (uint32_t i = 0; i < children; i++)
		if (sys_spawn(commands[i % 3]) < 0)
			return 1;
	for (int i = 0; i < 10; i++)
		sys_yield();
	while ((result = sys_wait()) >= 0)
		failed |= result & 0xff;
	if (sys_spawn("no_such_program") >= 0 || sys_spawn((const char *)64) >= 0)
		return 1;
	printf("family: %lu children\n", (unsigned long)children);
	return failed != 0;
}
