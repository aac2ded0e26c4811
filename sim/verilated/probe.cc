// SPDX-License-Identifier: Apache-2.0
// Finds signals by name, in the scopes that Verilator keeps of those that peek.vlt names.
#include "probe.h"

#include <cstdio>
#include <cstdlib>
#include <string>

#include "verilated.h"
#include "verilated_sym_props.h"

#define POINTER(member, module, name)                                                    \
	{                                                                                \
		offsetof(struct probe, member), module, name,                            \
		    sizeof(*static_cast<struct probe *>(nullptr)->member)                \
	}
#define FLOATS	    ".gen_float.u_float"
#define RESERVATION ".u_lsu.u_queue.u_reservation"
#define TLB	    ".u_lsu.u_tlb"
#define ARBITER	    ".u_ptw_arbiter"

static const struct {
	size_t at; // in struct probe
	const char *module, *name;
	size_t size; // of an element
} POINTERS[] = {
    POINTER(x, ".u_decode", "regs_q"),
    POINTER(f, FLOATS ".u_registers", "regs_q"),
    POINTER(rd3, FLOATS, "rd3_q"),
    POINTER(rd4, FLOATS ".u_fpu.u_fma", "tag_4_q"),
    POINTER(fflags, FLOATS, "fflags_q"),
    POINTER(frm, FLOATS, "frm_q"),
    POINTER(mip, ".u_retire.u_csr.u_interrupt", "mip_o"),
    POINTER(events_on, PROBE_HPM, "on_q"),
    POINTER(events, PROBE_HPM, "event_q"),
    POINTER(pmp_written, PROBE_PMP, "written_q"),
    POINTER(pmpaddr, PROBE_PMP, "address_q"),
    POINTER(next_valid, ".u_retire", "valid_q"),
    POINTER(next_unit, ".u_retire", "unit_q"),
    POINTER(next, ".u_retire", "executed_q"),
    POINTER(reserved, RESERVATION, "reserved_q"),
    POINTER(reserved_line, RESERVATION, "reserved_line_q"),
    POINTER(source, ".u_lsu.u_queue", "source_q"),
    POINTER(tlb_valid, TLB, "valid_q"),
    POINTER(tlb_global, TLB, "global_q"),
    POINTER(tlb_keys, TLB, "key_q"),
    POINTER(tlb_pages, TLB, "data_q"),
    POINTER(walks, ARBITER, "busy_q"),
    POINTER(walks_fetch, ARBITER, "fetch_q"),
    POINTER(walk_for, ARBITER, "req_q"),
    POINTER(walk_state, ARBITER ".u_walker", "state_q"),
    POINTER(walk_entry, ARBITER ".u_walker", "addr_q"),
    POINTER(line_data, ".u_dcache", "data_q"),
    POINTER(line_fsm, ".u_dcache", "fsm_q"),
    POINTER(line_set, ".u_dcache", "set_q"),
    POINTER(line_way, ".u_dcache", "way_q"),
};

struct probe_signal probe_find(const char *path, const char *module, const char *name)
{
	const std::string instance = std::string("TOP.") + path + module;
	const VerilatedScope *scope =
	    Verilated::threadContextp()->scopeFind(instance.c_str());
	const VerilatedVar *signal = scope ? scope->varFind(name) : nullptr;

	if (!signal)
		return {nullptr, 0};
	return {signal->datap(), signal->vltype() == VLVT_WDATA ? 4 : signal->entSize()};
}

void probe_find_core(struct probe *p, const char *core)
{
	snprintf(p->core, sizeof(p->core), "%s", core);
	for (unsigned i = 0; i < PROBE_REGISTERS; i++)
		p->registers[i] =
		    probe_find(core, probe_registers[i].module, probe_registers[i].name);
	for (const auto &to : POINTERS) {
		struct probe_signal s = probe_find(core, to.module, to.name);

		if (s.at && s.size != to.size) {
			fprintf(stderr, "soc-sim: %s%s.%s has %u bytes\n", core,
				to.module, to.name, s.size);
			abort();
		}
		memcpy(reinterpret_cast<char *>(p) + to.at, &s.at, sizeof(s.at));
	}
}
