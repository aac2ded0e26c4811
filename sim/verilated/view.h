// SPDX-License-Identifier: Apache-2.0
// What soc-sim-view draws of each cycle: a waveform (FST) of all signals, and the
// instructions in the pipeline as a log for Konata (view_log.h), a thread for each hart.
// In other builds of the simulator nothing here is called.
#ifndef VERILATED_VIEW_H
#define VERILATED_VIEW_H

#include <cstdint>
#include <cstdio>

// 1: it can draw waveforms and stages.
#ifndef VIEW
#define VIEW 0
#endif

struct rtl;
struct view;

// Opens the waveform, and writes the log to a file that remains the caller's; either may
// be NULL. Returns NULL if memory runs out.
struct view *view_new(const struct rtl *r, const char *wave, FILE *kanata);
// Called before and after each clock edge, with the cycles since reset at that time.
// Cycles that are skipped have no edge.
void view_before(struct view *v, uint64_t cycle);
void view_after(struct view *v, uint64_t cycle);
void view_free(struct view *v);

#endif
