// SPDX-License-Identifier: Apache-2.0
// A log of instructions in a pipeline for Konata (Kanata 0004), whose lines are in the
// order of time. What happens may be told later, until view_log_write() has written its
// cycle.
#ifndef VERILATED_VIEW_LOG_H
#define VERILATED_VIEW_LOG_H

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>

// An instruction.
struct view_insn {
	uint64_t
	    number; // in the log, in the order of the beginnings; set when it is written
	char stage; // the last one that it has entered; 0: none
	bool has_result;
};
using view_ref = std::shared_ptr<view_insn>;

// A line: a command with the number of its instruction. What it tells else is `text`, or
// for W the number of the other one.
struct view_line {
	char command;
	view_ref insn, other;
	std::string text;
};

struct view_log {
	FILE *file; // NULL: there is no log
	std::multimap<uint64_t, view_line> lines;
	bool has_begun;
	uint64_t cycle; // of the last line that was written
	uint64_t begun, retired;
};

// Begins an instruction of a hart.
view_ref view_log_begin(struct view_log *log, uint64_t cycle, unsigned hart);
// Names it by its address and its bits: 4 bytes if the lowest two bits are set.
void view_log_name(struct view_log *log, uint64_t cycle, const view_ref &insn,
		   uint64_t pc, uint32_t bits);
// Adds a line to what is shown when the mouse is on it.
void view_log_note(struct view_log *log, uint64_t cycle, const view_ref &insn,
		   const std::string &note);
// It enters a stage, if it is not there.
void view_log_enter(struct view_log *log, uint64_t cycle, const view_ref &insn,
		    char stage);
// It waits for the result of another one.
void view_log_depend(struct view_log *log, uint64_t cycle, const view_ref &insn,
		     const view_ref &other);
// It retires, or is flushed.
void view_log_end(struct view_log *log, uint64_t cycle, const view_ref &insn,
		  bool flushed);
// Writes what has happened before this cycle.
void view_log_write(struct view_log *log, uint64_t cycle);

#endif
