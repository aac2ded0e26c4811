// SPDX-License-Identifier: Apache-2.0
// Detects that the next edge changes nothing but time, unless an input of the hart changes.
//
// Combinational. Nothing changes while the oldest instruction waits for a line of the L1D or in WFI,
// or while the window is empty and a block is fetched from memory, if nothing can issue, enter the
// window or commit meanwhile, and any request of the walker is in progress.

module ooo_idle (
  input logic window_quiescent_i,  // as in window.sv
  input logic front_quiescent_i,   // as in decoded_group.sv
  input logic fetch_quiescent_i,   // as in fetch_port.sv
  input logic registers_ready_i,
  input logic div_free_i,
  input logic float_busy_i,
  input logic memory_quiescent_i,  // as in memory_unit.sv
  input logic head_quiescent_i,    // as in head_unit.sv
  input logic redirect_i,
  input logic outcomes_quiescent_i,  // as in outcomes.sv

  // The classes and the events of the next cycle are those of this one
  input logic classes_quiescent_i,
  input logic events_quiescent_i,

  // The L1D, as in dcache_nonblocking.sv; the walker's requests, as in ptw_arbiter.sv
  input logic cache_quiescent_i,
  input logic data_walk_i,
  input logic walk_busy_i,
  input logic walk_quiescent_i,

  output logic idle_o
);

  always_comb begin
    idle_o = 1'b0;
    if (window_quiescent_i)
      idle_o = cache_quiescent_i && front_quiescent_i && fetch_quiescent_i && registers_ready_i && div_free_i &&
               !float_busy_i && memory_quiescent_i && head_quiescent_i && !redirect_i && outcomes_quiescent_i &&
               walk_quiescent_i && (walk_busy_i || !data_walk_i) && classes_quiescent_i &&
               events_quiescent_i;
  end

endmodule
