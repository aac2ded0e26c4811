// SPDX-License-Identifier: Apache-2.0
// Cover points, which register themselves when the SoC is created (rtl/cover_pkg.sv).
#include "cover.h"

#include <cstring>
#include <vector>

#include "verilated.h"
#include "verilated_sym_props.h"

// Never destroyed, because its contents are used until the program ends.
static std::vector<cover_point> &points = *new std::vector<cover_point>();
static const uint8_t nothing = 0;

// Returns the columns of a histogram with names: one per named value, and one for all
// others.
static unsigned named_columns(const char *names, unsigned width)
{
	uint64_t values = UINT64_C(1) << (width < 32 ? width : 32);
	uint64_t named = 1;

	for (; *names; names++)
		named += *names == ',';
	return static_cast<unsigned>(named < values ? named + 1 : values);
}

extern "C" void cover_declare(const char *name, const char *description, unsigned width,
			      unsigned columns, const char *names)
{
	const VerilatedScope *scope = Verilated::dpiScope();
	std::string path = scope->name();
	VerilatedVar *counts = scope->varFind("count_q");

	if (*names)
		columns = named_columns(names, width);
	if (columns)
		*static_cast<uint32_t *>(scope->varFind("last")->datap()) = columns - 1;
	path.erase(path.rfind('.'));
	points.push_back({strdup(path.c_str()), strdup(name), strdup(description),
			  strdup(names), width, columns,
			  static_cast<const uint64_t *>(counts->datap()), &nothing});
}

// Lanes of a byte, seven to a word (rtl/cover_events.sv), on a little-endian host.
extern "C" void cover_declare_event(const char *name, const char *description,
				    const char *group, unsigned number)
{
	std::string path = Verilated::dpiScope()->name();

	path.erase(path.rfind('.'));
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind((path + "." + group).c_str());
	auto *counts = static_cast<const uint64_t *>(scope->varFind("count_q")->datap());
	auto *lanes = static_cast<const uint8_t *>(scope->varFind("lanes_q")->datap());
	points.push_back({strdup(path.c_str()), strdup(name), strdup(description),
			  strdup(""), 1, 0, counts + number,
			  lanes + number / 7 * 8 + number % 7});
}

size_t cover_points(const struct cover_point **all)
{
	*all = points.data();
	return points.size();
}

uint8_t *cover_clock(void)
{
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind("TOP.cover_pkg");

	if (points.empty())
		return nullptr;
	return static_cast<uint8_t *>(scope->varFind("clk")->datap());
}
