// SPDX-License-Identifier: Apache-2.0
// Which lanes of the decoded group enter the window.
//
// Combinational but for the state of a serial instruction, one that is dispatched to PortHead:
// behind it, none enters until it has left.

module dispatch #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  input logic [   Width-1:0] held_i,   // the group, as in decoded_group.sv
  input logic [   Width-1:0] alone_i,
  input logic [32*Width-1:0] group_i,  // ooo_pkg::dispatch_t of each lane
  input logic [64*Width-1:0] work_i,   // ooo_pkg::work_t

  // What has room: registers and window, and for the lanes up to each the queues
  input  logic             registers_ready_i,
  input  logic             window_ready_i,
  output logic [Width-1:0] load_o,
  output logic [Width-1:0] store_o,
  input  logic [Width-1:0] queue_ready_i,

  // To the window, and the lanes that enter it
  output logic           [32*Width-1:0] dispatch_o,
  output logic           [   Width-1:0] enter_o,
  input  ooo_pkg::slot_t                slot_i,

  // What leaves the window
  input  logic                        redirect_i,
  input  logic           [Window-1:0] squashed_i,
  input  logic                        head_commit_i,
  input  ooo_pkg::slot_t              head_i,
  output logic                        serial_o        // a serial instruction is in the window
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic serial_q, leaves;
  logic [SlotBits-1:0] serial_slot_q;
  always_comb begin
    load_o = '0;
    store_o = '0;
    if (held_i[0])
      for (int lane = 0; lane < Width; lane++) begin
        if (held_i[lane]) begin
          load_o[lane] = work_i[64*lane+ooo_pkg::WorkLoad];
          store_o[lane] = work_i[64*lane+ooo_pkg::WorkStore];
        end
      end
  end

  // Lanes up to the first serial instruction
  logic [Width-1:0] lanes;
  always_comb begin
    lanes = '0;
    enter_o = '0;
    dispatch_o = '0;
    if (held_i[0])
      if (!serial_q && registers_ready_i) begin
        lanes = held_i & queue_ready_i & (alone_i ^ (alone_i - Width'(1)));
        if (window_ready_i && !redirect_i) enter_o = lanes;
        for (int lane = 0; lane < Width; lane++)
          if (lanes[lane]) dispatch_o[32*lane+:32] = group_i[32*lane+:32];
      end
  end

  assign serial_o = serial_q;
  assign leaves = (head_commit_i && head_i[SlotBits-1:0] == serial_slot_q) ||
                  squashed_i[serial_slot_q];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) serial_q <= 1'b0;
    else if (serial_q) serial_q <= !leaves;
    else serial_q <= (enter_o & alone_i) != '0;
    if (!serial_q)
      serial_slot_q <= slot_i[SlotBits-1:0] + SlotBits'(ooo_pkg::count4(4'(enter_o))) -
                       SlotBits'(1);
  end

endmodule
