// SPDX-License-Identifier: Apache-2.0
// Adder of a multiply-add, with a count of leading zeros.
//
// Combinational; without valid_i all outputs are 0. Sum and addend have three words; bit 0 of
// the product is at bit 30 of the lowest word. The outputs are the magnitude, its number of
// leading zeros (at most 191), whether its sign differs from that of the product, and whether
// it is a difference of 0.

module fpu_sum (
  input logic        valid_i,
  input logic        subtract_i,  // the addend is subtracted from the product
  input logic [41:0] product_high_i,
  input logic [63:0] product_low_i,
  input logic [63:0] high_i,  // of the addend
  input logic [63:0] mid_i,
  input logic [63:0] low_i,

  output logic [63:0] high_o,
  output logic [63:0] mid_o,
  output logic [63:0] low_o,
  output logic [7:0]  zeros_o,
  output logic        other_sign_o,
  output logic        zero_o
);

  // Parts of 48 bits, the lower three with their carries
  logic [48:0] part_0, part_1, part_2;
  logic [47:0] part_3;

  always_comb begin
    high_o = 64'd0;
    mid_o = 64'd0;
    low_o = 64'd0;
    part_0 = 49'd0;
    part_1 = 49'd0;
    part_2 = 49'd0;
    part_3 = 48'd0;
    zeros_o = 8'd0;
    other_sign_o = 1'b0;
    zero_o = 1'b0;
    if (valid_i) begin
      high_o = high_i;
      mid_o = mid_i;
      low_o = low_i;
      if (subtract_i) begin
        high_o = ~high_o;
        mid_o = ~mid_o;
        low_o = ~low_o;
      end
      part_0 = {1'b0, product_low_i[17:0], 30'd0} + {1'b0, low_o[47:0]} +
          {48'd0, subtract_i};
      part_1 = {1'b0, product_high_i[1:0], product_low_i[63:18]} +
          {1'b0, mid_o[31:0], low_o[63:48]} + {48'd0, part_0[48]};
      part_2 = {9'd0, product_high_i[41:2]} + {1'b0, high_o[15:0], mid_o[63:32]} +
          {48'd0, part_1[48]};
      part_3 = high_o[63:16] + {47'd0, part_2[48]};
      high_o = {part_3, part_2[47:32]};
      mid_o = {part_2[31:0], part_1[47:16]};
      low_o = {part_1[15:0], part_0[47:0]};

      // A sum does not reach the highest bit, so that bit is the sign of a difference.
      if (high_o[63]) begin
        other_sign_o = 1'b1;
        high_o = ~high_o + {63'd0, mid_o == 64'd0 && low_o == 64'd0};
        mid_o = ~mid_o + {63'd0, low_o == 64'd0};
        low_o = 64'd0 - low_o;
      end

      if (high_o != 64'd0) begin
        zeros_o[5:0] = fpu_pkg::leading_zeros(high_o);
      end else if (mid_o != 64'd0) begin
        zeros_o = {2'd1, fpu_pkg::leading_zeros(mid_o)};
      end else begin
        zeros_o = {2'd2, fpu_pkg::leading_zeros(low_o)};
        zero_o = subtract_i && low_o == 64'd0;
      end
    end
  end

endmodule
