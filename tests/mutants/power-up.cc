// SPDX-License-Identifier: Apache-2.0
// Before anything else runs: registers have random values when the power comes on,
// always the same ones. What the reset forgets then shows.
#include "verilated.h"

namespace {
struct power_up {
	power_up()
	{
		Verilated::randReset(2);
		Verilated::randSeed(1);
	}
} now;
} // namespace
