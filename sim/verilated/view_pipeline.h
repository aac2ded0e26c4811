// SPDX-License-Identifier: Apache-2.0
// The instructions in a hart, which follow what its core shows of each cycle.
#ifndef VERILATED_VIEW_PIPELINE_H
#define VERILATED_VIEW_PIPELINE_H

#include <memory>

#include "probe.h"
#include "view_log.h"

struct view_pipeline {
	virtual ~view_pipeline() = default;
	// Looks at the core in a cycle, and what it does at the edge that ends it.
	virtual void look(uint64_t cycle) = 0;
	// Flushes all instructions, as when no more cycles are looked at.
	virtual void leave(uint64_t cycle) = 0;
	// Returns the first cycle of which something may still be told, after that which
	// was looked at.
	virtual uint64_t told_from(uint64_t cycle) const = 0;
};

// Of the core in order, whose stages have an instruction each, and of one with a window.
std::unique_ptr<view_pipeline> view_stages_new(const struct probe *probe, unsigned hart,
					       struct view_log *log);
std::unique_ptr<view_pipeline> view_window_new(const struct probe *probe, unsigned hart,
					       struct view_log *log);

#endif
