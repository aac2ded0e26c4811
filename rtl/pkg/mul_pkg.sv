// SPDX-License-Identifier: Apache-2.0
// The product of multipliers.

package mul_pkg;

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

endpackage
