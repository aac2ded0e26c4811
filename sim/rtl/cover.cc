// SPDX-License-Identifier: Apache-2.0
// Cover points, as each declares itself when the SoC is made (rtl/cover_pkg.sv).
#include "cover.h"

#include <cstring>
#include <vector>

#include "verilated.h"
#include "verilated_sym_props.h"

// Never destroyed: it holds what stays to the end.
static std::vector<cover_point> &points = *new std::vector<cover_point>();

// Columns of a histogram by names: those of the values that have one, and one for the rest.
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
			  static_cast<const uint64_t *>(counts->datap())});
}

size_t cover_points(const struct cover_point **all)
{
	*all = points.data();
	return points.size();
}

uint8_t *cover_switch(void)
{
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind("TOP.cover_pkg");

	if (points.empty())
		return nullptr;
	return static_cast<uint8_t *>(scope->varFind("on")->datap());
}
