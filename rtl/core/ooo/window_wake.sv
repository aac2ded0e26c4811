// SPDX-License-Identifier: Apache-2.0
// The slots that wait for operands, and the physical registers that have their value.
//
// A result is known at the clock edge: a slot does not wait from the next cycle on. One of
// the cycle in which a reader is dispatched counts.

module window_wake #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  // Dispatch: lane 0 goes to slot tail_i; registers of lanes without an instruction are 0
  input logic [ Window-1:0] slots_i,
  input logic [        5:0] tail_i,
  input logic [7*Width-1:0] rd_i,
  input logic [7*Width-1:0] rs1_i,
  input logic [7*Width-1:0] rs2_i,
  input logic [7*Width-1:0] rs3_i,

  input logic [32*ooo_pkg::Sources-1:0] results_i,  // ooo_pkg::result_t
  input logic                           rare_i,     // one is from RareSources on

  output logic [Window-1:0] waiting_o
);

  // Physical registers that have their value
  logic [ooo_pkg::Tags-1:0] ready_q, ready;
  always_comb begin
    ready = ready_q;
    for (int source = 0; source < ooo_pkg::RareSources; source++)
      if (results_i[32*source+ooo_pkg::ResultValid])
        ready[results_i[32*source+ooo_pkg::ResultRd+:7]] = 1'b1;
    if (rare_i)
      for (int source = ooo_pkg::RareSources; source < ooo_pkg::Sources; source++)
        if (results_i[32*source+ooo_pkg::ResultValid])
          ready[results_i[32*source+ooo_pkg::ResultRd+:7]] = 1'b1;
    // A new register has no value, which those who read it in the same cycle see.
    for (int lane = 0; lane < Width; lane++)
      if (rd_i[7*lane+:7] != 7'd0) ready[rd_i[7*lane+:7]] = 1'b0;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ready_q <= '1;
    else ready_q <= ready;
  end

  logic [Window-1:0] waiting1, waiting2, waiting3;
  window_operand #(
    .Width(Width),
    .Window(Window)
  ) u_rs1 (
    .clk_i,
    .rst_ni,
    .slots_i,
    .tail_i,
    .tags_i(rs1_i),
    .ready_i(ready),
    .results_i,
    .rare_i,
    .waiting_o(waiting1)
  );
  window_operand #(
    .Width(Width),
    .Window(Window)
  ) u_rs2 (
    .clk_i,
    .rst_ni,
    .slots_i,
    .tail_i,
    .tags_i(rs2_i),
    .ready_i(ready),
    .results_i,
    .rare_i,
    .waiting_o(waiting2)
  );
  window_operand #(
    .Width(Width),
    .Window(Window)
  ) u_rs3 (
    .clk_i,
    .rst_ni,
    .slots_i,
    .tail_i,
    .tags_i(rs3_i),
    .ready_i(ready),
    .results_i,
    .rare_i,
    .waiting_o(waiting3)
  );
  assign waiting_o = waiting1 | waiting2 | waiting3;

  `ASSERT(x0_is_ready, ready_q[0])

endmodule
