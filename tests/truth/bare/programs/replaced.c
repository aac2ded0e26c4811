/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that replace weak ones of another file, whose code runs as well. */

int sum(int n);
int sum_base(int n);
int step(int n);
int __generic_step(int n);

static volatile int sink;

__attribute__((noinline, noclone)) int sum(int n)
{
	int all = 0;
	for (int i = 0; i < n; i++)
		all += step(i);
	return all;
}

__attribute__((noinline, noclone)) int step(int n)
{
	sink = n;
	return n + sink;
}

int main(void)
{
	for (int i = 0; i < 50; i++)
		sink = sum(i % 7) + sum_base(i % 5) + __generic_step(i);
	return 0;
}
