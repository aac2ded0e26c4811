// SPDX-License-Identifier: Apache-2.0
// Multiplier: both halves of the 128-bit product, and the 32-bit product.
//
// Two cycles: the operands are taken in the first cycle of valid_i, done_o is high
// from the second until ack_i (the instruction leaves at this edge) or kill_i; both are
// ignored without valid_i. Operands must be stable while valid_i is high. An idle unit
// computes nothing.

module multiplier (
  input logic clk_i,
  input logic rst_ni,

  input logic             valid_i,
  input logic             kill_i,
  input logic             ack_i,
  input soc_pkg::mul_op_e op_i,
  input logic             word_i,
  input logic [63:0]      a_i,
  input logic [63:0]      b_i,

  output logic        done_o,
  output logic [63:0] result_o
);

  logic done_q;
  logic [63:0] result_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else if (valid_i) begin
      done_q <= !kill_i && !ack_i;
      if (!done_q) result_q <= mul_pkg::product(op_i, word_i, a_i, b_i);
    end
  end

  assign done_o = done_q;
  assign result_o = result_q;

endmodule
