/* SPDX-License-Identifier: Apache-2.0 */
/* A fixture of inlined calls: nested, in several pieces, and in the cold part of a
 * function. */
#include "inlined.h"

__attribute__((cold, noinline)) static void spill(struct pot *pot)
{
	pour(pot, 77);
}

__attribute__((noinline)) static int cook(struct pot *pot, int times)
{
	int sum = stir(pot, times);
	if (__builtin_expect(measure(pot) == 77, 0)) {
		spill(pot);
		pour(pot, sum);
		sum += stir(pot, 3);
	}
	return sum + measure(pot);
}

int main(void)
{
	struct pot pot = {1, 100};
	return cook(&pot, 5) + taste(&pot) + measure(&pot);
}

void _start(void)
{
	main();
}
