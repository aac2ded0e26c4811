// SPDX-License-Identifier: Apache-2.0
// Cover points, which register themselves when the SoC is created (rtl/pkg/cover_pkg.sv).
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

// Removes the block of a hart from a path of soc_smp.sv, which has no others for each
// hart; returns the hart, or -1.
static int strip_hart_block(std::string &path)
{
	for (const char *block : {".gen_harts[", ".gen_copies["}) {
		size_t at = path.find(block), number = at + strlen(block);

		if (path.find("soc_smp") == std::string::npos || at == std::string::npos)
			continue;
		int hart = atoi(path.c_str() + number);
		path.erase(at, path.find(']', number) + 1 - at);
		return hart;
	}
	return -1;
}

// Adds a point; its path ends with its own instance.
static void declare_point(std::string path, cover_point point)
{
	path.erase(path.rfind('.'));
	point.hart = strip_hart_block(path);
	point.path = strdup(path.c_str());
	point.name = strdup(point.name);
	point.description = strdup(point.description);
	point.names = strdup(point.names);
	points.push_back(point);
}

extern "C" void cover_declare(const char *name, const char *description, unsigned width,
			      unsigned columns, const char *names)
{
	const VerilatedScope *scope = Verilated::dpiScope();
	VerilatedVar *counts = scope->varFind("count_q");

	if (*names)
		columns = named_columns(names, width);
	if (columns)
		*static_cast<uint32_t *>(scope->varFind("last")->datap()) = columns - 1;
	declare_point(scope->name(),
		      {nullptr, -1, name, description, names, width, columns,
		       static_cast<const uint64_t *>(counts->datap()), &nothing});
}

// Lanes of a byte, seven to a word (rtl/sim/cover_events.sv), on a little-endian host.
extern "C" void cover_declare_event(const char *name, const char *description,
				    const char *group, unsigned number)
{
	std::string path = Verilated::dpiScope()->name();

	path.erase(path.rfind('.'));
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind((path + "." + group).c_str());
	auto *counts = static_cast<const uint64_t *>(scope->varFind("count_q")->datap());
	auto *lanes = static_cast<const uint8_t *>(scope->varFind("lanes_q")->datap());
	declare_point(path + ".", {nullptr, -1, name, description, "", 1, 0,
				   counts + number, lanes + number / 7 * 8 + number % 7});
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
