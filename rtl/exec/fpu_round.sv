// SPDX-License-Identifier: Apache-2.0
// Rounds a finite number and packs it.
//
// Combinational; without valid_i all outputs are 0. Bit 63 of the significand is 1, unless
// the exponent is the least of the format; bit 0 may be a sticky bit. Tininess is detected
// after rounding: to the precision of the format, with an unbounded exponent. Without Small,
// exponents below the least do not occur.

module fpu_round #(
  parameter bit Small = 1'b1
) (
  input logic                valid_i,
  input soc_pkg::rounding_e  rounding_i,
  input fpu_pkg::unrounded_t number_i,
  input logic [63:0]         significand_i,

  output logic [63:0]      result_o,
  output soc_pkg::fflags_t flags_o
);

  logic double, sign;
  assign double = number_i.is_double;
  assign sign = number_i.sign;

  logic signed [12:0] above;  // the exponent minus the least of the format
  logic [12:0] below;
  logic [63:0] significand;
  logic [10:0] field;  // exponent field of the result
  logic [63:0] kept, infinity;
  logic half, rest, up, tiny, overflow;
  // To detect tininess, with half as one more kept bit: the others are all 1; rest
  logic ones, next_rest;

  always_comb begin
    above = 13'd0;
    below = 13'd0;
    significand = 64'd0;
    field = 11'd0;
    kept = 64'd0;
    infinity = 64'd0;
    half = 1'b0;
    rest = 1'b0;
    up = 1'b0;
    tiny = 1'b0;
    overflow = 1'b0;
    ones = 1'b0;
    next_rest = 1'b0;
    result_o = 64'd0;
    flags_o = '0;

    if (valid_i) begin
      above = number_i.exponent -
          $signed({2'd0, double ? fpu_pkg::LeastDouble : fpu_pkg::LeastSingle});
      significand = significand_i;
      if (Small && above < 0) begin
        below = 13'd0 - above;
        if (below > 13'd63) begin
          significand = {63'd0, |significand_i};
        end else begin
          significand = significand_i >> below[5:0];
          significand[0] = significand[0] |
              (significand_i << (6'd0 - below[5:0])) != 64'd0;
        end
        above = 13'd0;
      end

      // A carry out of the fraction increments the exponent field.
      if (significand[63]) field = above[10:0] + 11'd1;
      if (double) begin
        infinity = {12'h7ff, 52'd0};
        kept = {1'b0, field, significand[62:11]};
        ones = &significand[62:11];
        half = significand[10];
        next_rest = |significand[8:0];
        rest = significand[9] || next_rest;
        up = fpu_pkg::rounds_up(rounding_i, sign, significand[11], half, rest);
        tiny = !(ones && half &&
                 fpu_pkg::rounds_up(rounding_i, sign, 1'b1, significand[9], next_rest));
        overflow = above > 13'sd2045;
      end else begin
        infinity = {33'd0, 8'hff, 23'd0};
        kept = {33'd0, field[7:0], significand[62:40]};
        ones = &significand[62:40];
        half = significand[39];
        next_rest = |significand[37:0];
        rest = significand[38] || next_rest;
        up = fpu_pkg::rounds_up(rounding_i, sign, significand[40], half, rest);
        tiny = !(ones && half &&
                 fpu_pkg::rounds_up(rounding_i, sign, 1'b1, significand[38], next_rest));
        overflow = above > 13'sd253;
      end
      kept = kept + {63'd0, up};
      if (overflow || kept == infinity) begin
        flags_o.overflow = 1'b1;
        flags_o.inexact = 1'b1;
        kept = infinity;
        if (!fpu_pkg::rounds_up(rounding_i, sign, 1'b1, 1'b1, 1'b1)) kept = kept - 64'd1;
      end else if (half || rest) begin
        flags_o.inexact = 1'b1;
        flags_o.underflow = !significand[63] && tiny;
      end
      result_o = double ? {sign, kept[62:0]} : {32'hffff_ffff, sign, kept[30:0]};
    end
  end

endmodule
