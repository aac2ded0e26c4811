// SPDX-License-Identifier: Apache-2.0
// Unpacks an operand, and finds which kind of number it is.
//
// Combinational; without valid_i all outputs are 0. A binary32 that is not NaN-boxed is read
// as the canonical NaN. bits_o is the number as it was read; the upper half of a binary32 is 0.

module fpu_operand (
  input logic        valid_i,
  input logic        double_i,
  input logic [63:0] bits_i,

  output logic [63:0]      bits_o,
  output fpu_pkg::number_t number_o,
  output logic [52:0]      significand_o
);

  logic [10:0] exponent;  // the field of the encoding
  logic [51:0] fraction;
  logic first, last, none;  // exponent all zeros, all ones; fraction 0

  always_comb begin
    bits_o = 64'd0;
    number_o = '0;
    significand_o = 53'd0;
    exponent = 11'd0;
    fraction = 52'd0;
    first = 1'b0;
    last = 1'b0;
    none = 1'b0;

    if (valid_i) begin
      if (double_i) begin
        bits_o = bits_i;
        exponent = bits_i[62:52];
        fraction = bits_i[51:0];
        last = exponent == 11'h7ff;
        number_o.sign = bits_i[63];
      end else begin
        bits_o[31:0] = &bits_i[63:32] ? bits_i[31:0] : fpu_pkg::NanSingle[31:0];
        exponent = {3'd0, bits_o[30:23]};
        fraction = {bits_o[22:0], 29'd0};
        last = exponent[7:0] == 8'hff;
        number_o.sign = bits_o[31];
      end
      first = exponent == 11'd0;
      none = fraction == 52'd0;

      number_o.zero = first && none;
      number_o.infinite = last && none;
      number_o.nan = last && !none;
      number_o.signalling = last && !none && !fraction[51];
      number_o.exponent = exponent + {10'd0, first} +
          (double_i ? 11'd0 : fpu_pkg::LeastSingle - 11'd1);
      significand_o = {!first, fraction};
    end
  end

endmodule
