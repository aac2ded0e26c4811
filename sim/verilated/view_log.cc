// SPDX-License-Identifier: Apache-2.0
#include "view_log.h"

#include <cinttypes>

static void add_line(struct view_log *log, uint64_t cycle, char command,
		     const view_ref &insn, const std::string &text)
{
	log->lines.insert({cycle, {command, insn, nullptr, text}});
}

view_ref view_log_begin(struct view_log *log, uint64_t cycle, unsigned hart)
{
	const view_ref insn = std::make_shared<view_insn>();

	add_line(log, cycle, 'I', insn, std::to_string(hart));
	return insn;
}

void view_log_name(struct view_log *log, uint64_t cycle, const view_ref &insn,
		   uint64_t pc, uint32_t bits)
{
	char text[32];

	if ((bits & 3) == 3)
		snprintf(text, sizeof(text), "0\t%" PRIx64 ": %08x", pc, bits);
	else
		snprintf(text, sizeof(text), "0\t%" PRIx64 ": %04x", pc, bits & 0xffff);
	add_line(log, cycle, 'L', insn, text);
}

void view_log_note(struct view_log *log, uint64_t cycle, const view_ref &insn,
		   const std::string &note)
{
	add_line(log, cycle, 'L', insn, "1\t" + note + "\\n");
}

void view_log_enter(struct view_log *log, uint64_t cycle, const view_ref &insn,
		    char stage)
{
	if (insn->stage != stage)
		add_line(log, cycle, 'S', insn, std::string("0\t") + stage);
	insn->stage = stage;
}

void view_log_depend(struct view_log *log, uint64_t cycle, const view_ref &insn,
		     const view_ref &other)
{
	log->lines.insert({cycle, {'W', insn, other, ""}});
}

void view_log_end(struct view_log *log, uint64_t cycle, const view_ref &insn,
		  bool flushed)
{
	add_line(log, cycle, 'R', insn, flushed ? "1" : "0");
}

static void write_line(struct view_log *log, const view_line &line)
{
	if (line.command == 'I')
		line.insn->number = log->begun++;
	fprintf(log->file, "%c\t%" PRIu64 "\t", line.command, line.insn->number);
	if (line.command == 'I')
		fprintf(log->file, "%" PRIu64 "\t", line.insn->number);
	else if (line.command == 'W')
		fprintf(log->file, "%" PRIu64 "\t0", line.other->number);
	else if (line.command == 'R')
		fprintf(log->file, "%" PRIu64 "\t",
			line.text == "0" ? log->retired++ : 0);
	fprintf(log->file, "%s\n", line.text.c_str());
}

static void pass_time(struct view_log *log, uint64_t cycle)
{
	if (!log->has_begun)
		fprintf(log->file, "Kanata\t0004\nC=\t%" PRIu64 "\n", cycle);
	else if (cycle > log->cycle)
		fprintf(log->file, "C\t%" PRIu64 "\n", cycle - log->cycle);
	log->has_begun = true;
	log->cycle = cycle;
}

void view_log_write(struct view_log *log, uint64_t cycle)
{
	const auto end = log->lines.lower_bound(cycle);

	for (auto at = log->lines.begin(); at != end; ++at) {
		pass_time(log, at->first);
		write_line(log, at->second);
	}
	log->lines.erase(log->lines.begin(), end);
}
