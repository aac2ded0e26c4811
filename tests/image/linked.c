/* SPDX-License-Identifier: Apache-2.0 */
/* A shared object whose functions are known from calls, pointers and jumps alone once it
 * is stripped. */
long outside(long value);
long other_outside(long value);

__attribute__((noipa)) static long called(long value)
{
	long sum = 0;

	for (long i = 0; i < value; i++)
		if (i % 3)
			sum += i * value;
		else
			sum -= outside(i);
	return sum;
}

__attribute__((noipa)) static long pointed(long value)
{
	return value > 9 ? other_outside(value) + 1 : value * 5;
}

/* Reached by a jump only. */
__attribute__((noipa)) static long last(long value)
{
	return outside(value) * 3 + 1;
}

long (*volatile linked_pointer)(long) = pointed;

__attribute__((visibility("default"))) long linked_first(long value)
{
	long sum = called(value) + linked_pointer(value);

	return last(sum);
}
