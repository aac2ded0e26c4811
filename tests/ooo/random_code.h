// SPDX-License-Identifier: Apache-2.0
// Random programs of RV64IMAFDC for the core on flat memory; of the CSRs they use fcsr.
#ifndef RANDOM_CODE_H
#define RANDOM_CODE_H

#include <cstdint>
#include <vector>

// Returns the halfwords of a program that begins at the reset pc, executes some thousand
// instructions in loops, calls, tables of jumps and straight code, and ends with a store
// to the power-off register. Its data are in the 4 KiB from RANDOM_DATA on.
enum : uint64_t { RANDOM_DATA = 0x80100000 };
std::vector<uint16_t> random_code(uint64_t seed);

// Returns a program of STEADY_TURNS turns of a loop with calls to depth 3, their returns
// and a short loop, all of which can be predicted, one branch that goes either way, one
// call, and a load of what a store with a late address writes.
enum : uint64_t { STEADY_TURNS = 1000 };
std::vector<uint16_t> steady_code();

// Returns a program that comes to an instruction that the core cannot execute, at *pc,
// and continues behind it; of STOPS kinds.
enum { STOPS = 10 };
std::vector<uint16_t> stop_code(unsigned kind, uint64_t *pc);

#endif
