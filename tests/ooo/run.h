// SPDX-License-Identifier: Apache-2.0
// A run of a program on the core of flat.sv, beside the functional model.
#ifndef OOO_RUN_H
#define OOO_RUN_H

#include <cstdint>
#include <memory>

#include "Vdut.h"
#include "modules/rng.h"
#include "verilated.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // functions with the name of a struct
extern "C" {
#include "model/model.h"
}
#pragma GCC diagnostic pop

#ifndef COMMITS
#define COMMITS 4
#endif

enum { CASES = 28 }; // of cases_o of flat.sv, from its lowest bit on
extern const char *const case_names[CASES];

struct totals {
	uint64_t cycles, instructions, mispredictions, violations;
	uint64_t float_cycles; // in which floating point needs its clock
	uint64_t cases[CASES];
};

// What chaos does at random.
enum chaos {
	NO_FETCH,
	NO_LOAD,
	NO_STORE,
	WAITS,
	PREDICT,
	VIOLATE,
	PROBE,
	EVICT,
	FETCH_ALONE,
	WRITE,
	NO_WALK,
	NO_PAGE,
	PAGE_ALONE,
	PAGE_FAULT,
	INTERRUPT,
	CHAOS_RATES
};
enum { CHAOS_TARGETS = 16 };

struct run {
	VerilatedContext context;
	std::unique_ptr<Vdut> dut;
	struct soc *model = nullptr;
	rng random{1};
	bool chaos = false, check = true;
	unsigned rates[CHAOS_RATES] = {}; // once in so many cycles, or 0: never
	bool stubborn = false; // each block is predicted to jump at its first halfword
	uint64_t targets[CHAOS_TARGETS] =
	    {}; // of predictions: where the program has been
	struct totals sum = {};
	uint64_t last_commit = 0;  // cycle
	uint64_t from = 0, to = 0; // of the window to count
	struct totals before = {}; // it; behind it, what has happened in it
	bool inside = false;
	unsigned fcsr = 0;     // that of the model
	uint64_t reserved = 0; // the line of the last LR, if an SC may succeed
	uint64_t sc_value = 0; // 0 if the core has stored
	bool ended = false;
	uint64_t stop = 0; // the instruction that the core is not to execute
	uint32_t power = 0;
};

// Draws the rates of chaos.
void draw_chaos(struct run *r);
// Sets the inputs of a cycle by the rates.
void set_straps(struct run *r);

// For struct soc_follow: an SC of the model gives what that of the core gives.
bool give_sc(void *run, unsigned hart, uint64_t address, unsigned size, uint64_t *value);

// Checks what has happened in a cycle, and prints the first difference to the model.
// Returns whether the run goes on.
bool after_cycle(struct run *r);

#endif
