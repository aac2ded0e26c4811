// SPDX-License-Identifier: Apache-2.0
// Which of the oldest instructions may commit, beside what the window knows: a store when the
// L1D writes it, one a cycle; a load when it is not marked (memory_queue.sv).
//
// Combinational but for the masks of loads and stores, which are entered at dispatch. flush_o:
// the oldest instruction is a load that is marked; the core squashes at it.

module commit_control #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,

  // Dispatch: lane n is in slot slot_i + n, modulo Window
  input logic           [Width-1:0] dispatch_i,
  input logic           [Width-1:0] load_i,
  input logic           [Width-1:0] store_i,
  input ooo_pkg::slot_t             slot_i,

  // Commit: lane n is slot head_i + n
  input  ooo_pkg::slot_t             head_i,
  input  logic                       empty_i,
  input  logic           [Width-1:0] marked_i,  // the oldest loads
  input  logic                       store_ready_i,  // the oldest store can be written
  output logic           [Width-1:0] hold_o,
  output logic                       flush_o,
  input  logic           [Width-1:0] commit_i,
  output logic           [      2:0] loads_o,  // of these
  output logic                       store_o  // of these
);

  function automatic logic [Window-1:0] to_slots(input logic [Width-1:0] lanes);
    to_slots = Window'(ooo_pkg::rotate_left(64'(lanes), slot_i, 6'(Window)));
  endfunction
  function automatic logic [Width-1:0] to_lanes(input logic [Window-1:0] slots);
    to_lanes = Width'(ooo_pkg::rotate_right(64'(slots), head_i, 6'(Window)));
  endfunction

  logic [Window-1:0] loads_q, stores_q, entered;
  assign entered = to_slots(dispatch_i);
  always_ff @(posedge clk_i) begin
    if (dispatch_i != '0) begin
      loads_q <= loads_q & ~entered | to_slots(load_i & dispatch_i);
      stores_q <= stores_q & ~entered | to_slots(store_i & dispatch_i);
    end
  end

  logic [Width-1:0] loads, stores, first, marked;
  logic [Width-1:0] left;  // marks of the loads that are left
  assign loads = to_lanes(loads_q);
  assign stores = to_lanes(stores_q);
  assign first = stores & -stores;
  always_comb begin
    marked = '0;
    left = marked_i;
    if (marked_i != '0)
      for (int lane = 0; lane < Width; lane++)
        if (loads[lane]) begin
          marked[lane] = left[0];
          left = left >> 1;
        end
    hold_o = marked | stores & ~(store_ready_i ? first : '0);
  end
  assign flush_o = marked[0] && !empty_i;

  assign loads_o = ooo_pkg::count4(4'(loads) & 4'(commit_i));
  assign store_o = (first & commit_i) != '0;

endmodule
