/* SPDX-License-Identifier: Apache-2.0 */
/* The same inline functions in another compilation unit. */
#include "inlined.h"

int taste(struct pot *pot)
{
	pour(pot, 4);
	return stir(pot, 2) ^ measure(pot);
}
