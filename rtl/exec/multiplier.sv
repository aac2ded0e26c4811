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

  // Returns the product, from unsigned products of the halves; middle is their sum at bit
  // 32. A negative operand counts 2^64 too much, so the other one is subtracted from the
  // upper half.
  function automatic logic [63:0] product(input soc_pkg::mul_op_e op, input logic word,
                                          input logic [63:0] a, input logic [63:0] b);
    logic [63:0] low_low, low_high, high_low, middle;
    low_low = {32'd0, a[31:0]} * {32'd0, b[31:0]};
    low_high = {32'd0, a[31:0]} * {32'd0, b[63:32]};
    high_low = {32'd0, a[63:32]} * {32'd0, b[31:0]};
    middle = {32'd0, low_low[63:32]} + {32'd0, low_high[31:0]} + {32'd0, high_low[31:0]};
    if (word) begin
      product = {{32{low_low[31]}}, low_low[31:0]};
    end else if (op == soc_pkg::MulLow) begin
      product = {middle[31:0], low_low[31:0]};
    end else begin
      product = {32'd0, a[63:32]} * {32'd0, b[63:32]} + {32'd0, low_high[63:32]} +
          {32'd0, high_low[63:32]} + {32'd0, middle[63:32]};
      if (a[63] && op != soc_pkg::MulHighU) product = product - b;
      if (b[63] && op == soc_pkg::MulHigh) product = product - a;
    end
  endfunction

  logic done_q;
  logic [63:0] result_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) done_q <= 1'b0;
    else if (valid_i) begin
      done_q <= !kill_i && !ack_i;
      if (!done_q) result_q <= product(op_i, word_i, a_i, b_i);
    end
  end

  assign done_o = done_q;
  assign result_o = result_q;

endmodule
