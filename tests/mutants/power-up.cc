// SPDX-License-Identifier: Apache-2.0
// Before anything else runs: registers have random values when the power comes on,
// drawn by the number in POWER_UP. What the reset forgets then shows.
#include <cstdlib>

#include "verilated.h"

namespace {
struct power_up {
	power_up()
	{
		const char *seed = getenv("POWER_UP");

		Verilated::randReset(2);
		Verilated::randSeed(seed ? atoi(seed) : 1);
	}
} now;
} // namespace
