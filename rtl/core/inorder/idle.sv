// SPDX-License-Identifier: Apache-2.0
// Detects that the next edge changes nothing but time, unless an input changes.
//
// Combinational. Nothing changes while M waits for a line or in WFI, or while the pipeline
// is empty and F waits, provided that any request of the walker is in progress. With
// classes_i the bubbles of an empty pipeline must also have the class of the next bubble.
// The first test decides most cycles.

module idle (
  input logic classes_i,  // the classes are needed

  // F
  input logic f_quiescent_i,
  input logic f_valid_i,
  input logic f_dram_i,

  // D, X and M: their instructions, or the classes of their bubbles
  input logic              d_valid_i,
  input class_pkg::class_e d_class_i,
  input logic              x_valid_i,
  input logic              x_done_i,
  input class_pkg::class_e x_class_i,
  input logic              m_valid_i,
  input logic              m_new_i,    // the first cycle of its instruction
  input soc_pkg::unit_e    m_unit_i,
  input logic              m_copy_i,   // a copy is in M
  input logic              m_stall_i,
  input class_pkg::class_e m_class_i,

  // The L1D waits for the first beat of a line; the walker's requests
  input logic mem_quiescent_i,
  input logic f_walk_i,
  input logic walk_busy_i,
  input logic walk_quiescent_i,  // no request changes anything

  // The state of events.sv does not change; the FPU still computes for an instruction that
  // has committed
  input logic events_quiescent_i,
  input logic float_busy_i,

  output logic idle_o
);

  // The class of a bubble from F
  class_pkg::class_e f_class;
  assign f_class = f_walk_i ? class_pkg::ClassFeItlb :
                   f_dram_i ? class_pkg::ClassFeDram : class_pkg::ClassFeL2;

  logic stalled, needs_no_memory;
  always_comb begin
    idle_o = 1'b0;
    stalled  = 1'b0;
    needs_no_memory = 1'b0;  // even if the L1D does not wait
    if (!m_new_i) begin
      if (m_valid_i) begin
        stalled  = m_stall_i && !m_copy_i;
        needs_no_memory = m_unit_i == soc_pkg::UnitSys && !walk_busy_i;
      end else if (!x_valid_i && !d_valid_i && !f_valid_i) begin
        stalled  = !classes_i || (m_class_i == x_class_i && x_class_i == d_class_i &&
                                 d_class_i == f_class);
        needs_no_memory = !walk_busy_i && !f_walk_i;
      end
      if (stalled)
        idle_o = (needs_no_memory || mem_quiescent_i) && f_quiescent_i && x_done_i &&
                 (d_valid_i || !f_valid_i) && walk_quiescent_i && events_quiescent_i &&
                 !float_busy_i;
    end
  end

endmodule
