// SPDX-License-Identifier: Apache-2.0
// What a hart shows the simulator beside its ports. The hart and its core have a probe module each,
// an instance u_probe, which has no effect on them: hart/probe_hart.sv has what is the same with
// any core, and core/inorder/probe_inorder.sv the rest for the core in order. They are not the
// probes of the L1D, which are requests of other caches (mem_pkg::probe_t). Simulation only;
// sim/verilated/probe.h is the other side.
//
// They declare signals, which cost a simulation nothing until they are read:
//
//   x, f                       arrays of 32 registers in the order of the specification, read after
//                              commits and set before the first cycle; f, frm, fflags and
//                              float_pending only with F and D
//   mcounteren, mscratch, ...  CSRs, by their names, for checkpoints: struct soc_state of
//                              sim/model/state.h
//   frm, fflags                and float_pending: twice 32 + register, or 0, of a result that is
//                              still being computed
//   priv, satp, data_priv      the mode; satp; the mode of loads and stores
//   pc                         the next instruction, set only; a name may have several signals
//   hpm_event, hpm_on          selections of event counters, {events, set}; those that count
//   pmp_written                the entries of pmpaddr that hold a value
//   reserved, reserved_line    the reservation; address bits 55:6
//   next_valid, next_unit, next_pc, next_insn, next_address, next_b
//                              the instruction that commits next, if next_valid; next_unit, a
//                              unit_e, is not UnitMem without one; the address or operand, and the
//                              data, as result and b of soc_pkg::executed_t
//   oldest, window_count       of a core with a window, which has no x, f and next_* but next_valid
//   slot_pc, slot_insn         and next_unit (the instruction in its head unit): the slot of its
//                              oldest instruction, and how many it has; of each slot
//   values, values_cleared     its physical registers: register n is n after reset, 32 + n one of
//                              floating point; 128 when all were cleared after reset
//   fetch_halfword             the next block to fetch, its address without the lowest bit, set only
//   copy_source                the physical address that the copy reads
//   walks                      a walk is in progress
//   tlb_valid                  the entries of the data TLB
//   l1i_tag, l1i_valid, l1i_even, l1i_odd, l1d_lines, l1d_data
//                              the L1s: arrays of icache.sv, and of dcache.sv or
//                              dcache_nonblocking.sv
//   l1d_state, l1d_clear       what clears the L1D after reset: in order, else out of order
//
// and export the functions that probe.h lists.

`ifdef PROBES
package probe_pkg;

  // Registers a signal; called once for each, from the scope of the probe module. module_name is
  // relative to the parent of that; low and bits are the part of it.
  import "DPI-C" context function void probe_declare(
    input string name,
    input string module_name,
    input string signal,
    input int unsigned low,
    input int unsigned bits
  );

  // A stage of the pipeline, for soc-sim --kanata: its instruction, if valid, and whether this
  // goes to the next stage with the next edge, which is to commit in the last one, or is dropped.
  typedef struct packed {
    logic        valid;
    logic        leaves;
    logic        drops;
    logic [31:0] insn;
    logic [63:0] pc;
  } stage_t;

endpackage
`endif
