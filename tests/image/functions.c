/* SPDX-License-Identifier: Apache-2.0 */
/* A fixture with every kind of function that can be looked up by name. */

int sink(int value);
int plain(int value);
int split(int value);
int weak_one(int value);
int alias_of_plain(int value);
int outlined_copy(int value);
int dead(int value);

/* An inline function that is also called through a pointer. */
static inline int copied(int value)
{
	return value * 3 + 1;
}
int (*volatile pointer)(int);

__attribute__((cold, noinline)) static int complain(int value)
{
	return sink(value) + 7;
}

__attribute__((noinline)) int plain(int value)
{
	return sink(value + 1) ^ value;
}
int alias_of_plain(int value) __attribute__((alias("plain")));

/* The unlikely part goes to a separate section. */
__attribute__((noinline)) int split(int value)
{
	for (int i = 0; i < value; i++) {
		if (__builtin_expect(value == 77, 0))
			value += complain(i) * complain(value);
		value ^= sink(i);
	}
	return value;
}

__attribute__((weak, noinline)) int weak_one(int value)
{
	return sink(value) - 3;
}

int dead(int value)
{
	return sink(value) + sink(value + 1);
}

int main(void)
{
	pointer = copied;
	return plain(1) + split(2) + weak_one(3) + alias_of_plain(4) + pointer(5);
}
