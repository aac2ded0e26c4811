// SPDX-License-Identifier: Apache-2.0
// Finds signals: those that probe modules declare (rtl/pkg/probe_pkg.sv), and others by
// name, in the scopes that Verilator keeps of those that *.vlt name.
#include "probe.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "verilated.h"
#include "verilated_sym_props.h"

namespace
{

// A signal that a probe module has declared; `module` is the path of that.
struct declared {
	std::string module, name;
	struct probe_signal signal;
};

// Never destroyed, because its contents are used until the program ends.
std::vector<declared> &all = *new std::vector<declared>();

const VerilatedVar *find_variable(const std::string &instance, const char *name)
{
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind(instance.c_str());

	return scope ? scope->varFind(name) : nullptr;
}

} // namespace

// Implements probe_pkg::probe_declare().
extern "C" void probe_declare(const char *name, const char *module_name,
			      const char *signal, unsigned low, unsigned bits)
{
	const std::string module = Verilated::dpiScope()->name();
	const std::string parent = module.substr(0, module.rfind('.') + 1);
	const VerilatedVar *variable = find_variable(parent + module_name, signal);

	if (!variable) {
		fprintf(stderr, "soc-sim: %s%s.%s is not public\n", parent.c_str(),
			module_name, signal);
		abort();
	}
	const bool is_part = variable->vltype() == VLVT_WDATA;
	all.push_back({module,
		       name,
		       {static_cast<uint8_t *>(variable->datap()) + low / 8,
			is_part ? bits / 8 : variable->entSize()}});
}

struct probe_signal probe_find(const char *path, const char *module, const char *name)
{
	const VerilatedVar *signal =
	    find_variable(std::string("TOP.") + path + module, name);

	if (!signal)
		return {nullptr, 0};
	return {signal->datap(), signal->vltype() == VLVT_WDATA ? 4 : signal->entSize()};
}

static bool belongs_to_hart(const declared &d, const struct probe *p)
{
	return d.module.compare(0, strlen(p->hart), p->hart) == 0;
}

struct probe_signal probe_named(const struct probe *p, const char *name, unsigned n)
{
	for (const declared &d : all)
		if (belongs_to_hart(d, p) && d.name == name && n-- == 0)
			return d.signal;
	return {nullptr, 0};
}

void probe_set_named(const struct probe *p, const char *name, unsigned i, uint64_t value)
{
	for (const declared &d : all)
		if (belongs_to_hart(d, p) && d.name == name)
			probe_set(&d.signal, i, value);
}

void probe_ask(const struct probe *p)
{
	Verilated::dpiScope(static_cast<const VerilatedScope *>(p->module));
}

void probe_ask_core(const struct probe *p)
{
	Verilated::dpiScope(static_cast<const VerilatedScope *>(p->core_module));
}

// Sets a pointer to a signal whose elements have at least the size of what it points to.
template <class T>
static void set_pointer(const struct probe *p, T *&to, const char *name, unsigned n = 0)
{
	const struct probe_signal s = probe_named(p, name, n);

	if (s.at && s.size < sizeof(T)) {
		fprintf(stderr, "soc-sim: signal %s has %u bytes\n", name, s.size);
		abort();
	}
	to = static_cast<T *>(s.at);
}

void probe_find_hart(struct probe *p, const char *hart)
{
	const std::string path = "TOP." + std::string(hart) + ".";

	if (path.size() >= sizeof(p->hart)) {
		fprintf(stderr, "soc-sim: the path of hart %s is too long\n", hart);
		abort();
	}
	strcpy(p->hart, path.c_str());
	p->module = Verilated::threadContextp()->scopeFind((path + "u_probe").c_str());
	p->core_module = Verilated::threadContextp()->scopeFind(
	    (path + "gen_core.u_core.u_probe").c_str());
	for (unsigned i = 0; i < PROBE_REGISTERS; i++)
		p->registers[i] = probe_named(p, probe_registers[i].name, 0);
	set_pointer(p, p->x, "x");
	set_pointer(p, p->f, "f");
	set_pointer(p, p->frm, "frm");
	set_pointer(p, p->fflags, "fflags");
	set_pointer(p, p->float_pending[0], "float_pending", 0);
	set_pointer(p, p->float_pending[1], "float_pending", 1);
	set_pointer(p, p->priv, "priv");
	set_pointer(p, p->satp, "satp");
	set_pointer(p, p->reserved, "reserved");
	set_pointer(p, p->reserved_line, "reserved_line");
	set_pointer(p, p->copy_source, "copy_source");
	set_pointer(p, p->tlb_valid, "tlb_valid");
	set_pointer(p, p->walks, "walks");
	set_pointer(p, p->next_valid, "next_valid");
	set_pointer(p, p->next_unit, "next_unit");
	set_pointer(p, p->next_insn, "next_insn");
	set_pointer(p, p->next_pc, "next_pc");
	set_pointer(p, p->next_address, "next_address");
	set_pointer(p, p->next_b, "next_b");
	set_pointer(p, p->oldest, "oldest");
	set_pointer(p, p->window_count, "window_count");
	set_pointer(p, p->slot_pc, "slot_pc");
	set_pointer(p, p->slot_insn, "slot_insn");
	set_pointer(p, p->values, "values");
}
