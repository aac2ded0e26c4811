// SPDX-License-Identifier: Apache-2.0
// Whether the next edge changes nothing but time, as long as no input changes.
//
// Combinational. Nothing moves when M waits for a line or in WFI, or when the pipe is
// empty and so is the fetch; and when whatever the walker asks for is under way. The
// trace port must already show the class that goes on, so idle_o needs it.

module idle (
  // F
  input logic       f_still_i,
  input logic       f_valid_i,
  input logic [4:0] f_class_i,

  // D, X and M: what they hold, and the class of what they lack
  input logic       d_valid_i,
  input logic [4:0] d_class_i,
  input logic       x_valid_i,
  input logic       x_done_i,
  input logic [4:0] x_class_i,
  input logic       m_valid_i,
  input logic       m_new_i,          // its first cycle there
  input logic       m_mem_i,          // a load or store
  input logic       m_sys_i,          // WFI or the like
  input logic       m_stall_i,
  input logic [4:0] m_class_i,
  input logic [4:0] m_stall_class_i,

  // The L1D waits for the first beat of a line; the walker's requests
  input logic mem_still_i,
  input logic f_walk_i,
  input logic walk_busy_i,
  input logic walk_still_i,  // none that is about to change anything

  // What events.sv remembers stays
  input logic events_still_i,

  // Trace port
  input logic       trace_valid_i,
  input logic       trace_trap_i,
  input logic [4:0] trace_class_i,

  output logic idle_o
);

  logic empty, same_class, waits;
  always_comb begin
    idle_o = 1'b0;
    empty = 1'b0;
    same_class = 1'b0;
    waits = 1'b0;
    if (!trace_valid_i && !trace_trap_i && f_still_i) begin
      empty = !d_valid_i && !x_valid_i && !m_valid_i && !f_valid_i;
      same_class = empty ? d_class_i == f_class_i && x_class_i == f_class_i &&
                               m_class_i == f_class_i && trace_class_i == f_class_i
                         : trace_class_i == m_stall_class_i;
      if (m_sys_i && m_stall_i && !m_new_i) waits = !walk_busy_i || mem_still_i;
      else if (m_mem_i && !m_new_i) waits = mem_still_i && m_stall_i;
      else waits = empty && (mem_still_i || (!walk_busy_i && !f_walk_i));
      idle_o = waits && same_class && x_done_i && (d_valid_i ? 1'b1 : !f_valid_i) &&
               walk_still_i && events_still_i;
    end
  end

endmodule
