// SPDX-License-Identifier: Apache-2.0
// Gives registers random values at power-on, before anything else runs. They are seeded
// by POWER_UP, so that registers missing from the reset are found.
#include <cstdlib>

#include "verilated.h"

namespace
{
struct power_up {
	power_up()
	{
		const char *seed = getenv("POWER_UP");

		Verilated::randReset(2);
		Verilated::randSeed(seed ? atoi(seed) : 1);
	}
} now;
} // namespace
