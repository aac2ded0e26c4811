// SPDX-License-Identifier: Apache-2.0
// Types and functions that the modules of the floating-point unit share.
//
// Internally a number of either format is a sign, an exponent with the bias of binary64, and
// a significand of 53 bits with the leading bit, which is 0 for a subnormal number. The
// exponent of a subnormal number is the least of its format. A binary32 uses the upper 24 bits
// of the significand.

package fpu_pkg;

  localparam logic [10:0] LeastDouble = 11'd1;  // least exponents of the formats
  localparam logic [10:0] LeastSingle = 11'd897;
  localparam logic [10:0] Bias = 11'd1023;

  localparam logic [63:0] NanDouble = 64'h7ff8_0000_0000_0000;
  localparam logic [63:0] NanSingle = 64'hffff_ffff_7fc0_0000;  // NaN-boxed

  // A number without its significand.
  typedef struct packed {
    logic        signalling;  // nan is set, too
    logic        nan;
    logic        infinite;
    logic        zero;
    logic        sign;
    logic [10:0] exponent;
  } number_t;

  // State of a multiply-add, passed from stage to stage. nan, infinite and invalid describe a
  // result that is already known in X; with infinite, sign is that of the result.
  typedef struct packed {
    logic               is_double;
    logic               invalid;
    logic               nan;
    logic               infinite;
    logic               subtract;  // the signs of product and addend differ
    logic               sign;  // of the product, unless infinite
    logic signed [12:0] exponent;  // of the second highest bit of the sum
  } fma_t;

  // A finite number to be rounded, without its significand; the exponent is that of bit 63 of
  // the significand.
  typedef struct packed {
    logic               is_double;
    logic               sign;
    logic signed [12:0] exponent;
  } unrounded_t;

  // Returns the canonical NaN of a format.
  function automatic logic [63:0] nan(input logic double);
    nan = double ? NanDouble : NanSingle;
  endfunction

  // Returns an infinity, or else a zero.
  function automatic logic [63:0] limit(input logic double, input logic sign,
                                        input logic infinite);
    limit = double ? {sign, {11{infinite}}, 52'd0} :
                     {32'hffff_ffff, sign, {8{infinite}}, 23'd0};
  endfunction

  // Returns whether a magnitude is rounded up. odd is its lowest bit, half the bit below that,
  // rest the OR of all further bits.
  function automatic logic rounds_up(input soc_pkg::rounding_e rounding, input logic sign,
                                     input logic odd, input logic half, input logic rest);
    case (rounding)
      soc_pkg::RoundNearestEven: rounds_up = half && (rest || odd);
      soc_pkg::RoundDown: rounds_up = sign && (half || rest);
      soc_pkg::RoundUp: rounds_up = !sign && (half || rest);
      soc_pkg::RoundNearestMax: rounds_up = half;
      default: rounds_up = 1'b0;
    endcase
  endfunction

  // Returns the number of leading zeros of a word, 63 if it is 0.
  function automatic logic [5:0] leading_zeros(input logic [63:0] value);
    logic [63:0] left;
    left = value;
    leading_zeros = 6'd0;
    if (left[63:32] == 32'd0) begin
      left = {left[31:0], 32'd0};
      leading_zeros[5] = 1'b1;
    end
    if (left[63:48] == 16'd0) begin
      left = {left[47:0], 16'd0};
      leading_zeros[4] = 1'b1;
    end
    if (left[63:56] == 8'd0) begin
      left = {left[55:0], 8'd0};
      leading_zeros[3] = 1'b1;
    end
    if (left[63:60] == 4'd0) begin
      left = {left[59:0], 4'd0};
      leading_zeros[2] = 1'b1;
    end
    if (left[63:62] == 2'd0) begin
      left = {left[61:0], 2'd0};
      leading_zeros[1] = 1'b1;
    end
    leading_zeros[0] = !left[63];
  endfunction

endpackage
