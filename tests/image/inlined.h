/* SPDX-License-Identifier: Apache-2.0 */
/* Inline functions that call one another, for several compilation units. */
#ifndef INLINED_H
#define INLINED_H

struct pot {
	volatile int value;
	int limit;
};

static inline void pour(struct pot *pot, int value)
{
	pot->value = pot->value * 3 + value;
}

static inline int measure(const struct pot *pot)
{
	int value = pot->value;
	return value < pot->limit ? value : pot->limit - value;
}

static inline int stir(struct pot *pot, int times)
{
	int sum = 0;
	for (int i = 0; i < times; i++) {
		pour(pot, i);
		sum += measure(pot);
	}
	return sum;
}

int taste(struct pot *pot);

#endif
