// SPDX-License-Identifier: Apache-2.0
// Types and functions that the modules of the floating-point unit share.
//
// Inside, a number of either format is a sign, an exponent with the bias of binary64, and a
// significand of 53 bits with the leading one (0 in a subnormal number, whose exponent is
// the least of its format). A binary32 uses the upper 24 bits of the significand.

package fpu_pkg;

  localparam logic [10:0] LeastDouble = 11'd1;  // exponents of normal numbers
  localparam logic [10:0] LeastSingle = 11'd897;
  localparam logic [10:0] Bias = 11'd1023;

  localparam logic [63:0] NanDouble = 64'h7ff8_0000_0000_0000;
  localparam logic [63:0] NanSingle = 64'hffff_ffff_7fc0_0000;

  // A number, beside its significand.
  typedef struct packed {
    logic        signalling;  // and nan
    logic        nan;
    logic        infinite;
    logic        zero;
    logic        sign;
    logic [10:0] exponent;
  } number_t;

  // A multiply-add on its way from stage to stage. Sign and infinite, nan and invalid are
  // of the result if it is known in X.
  typedef struct packed {
    logic               is_double;
    logic               invalid;
    logic               nan;
    logic               infinite;
    logic               subtract;  // the signs of product and addend differ
    logic               sign;  // of the product
    logic signed [12:0] exponent;  // of the bit below the upper one of the sum
  } fma_t;

  // A finite number to be rounded: bit 63 of the significand, which is beside it, has this
  // exponent.
  typedef struct packed {
    logic               is_double;
    logic               sign;
    logic signed [12:0] exponent;
  } unrounded_t;

  // Whether a magnitude is rounded up: it is odd, and followed by the bit half and, ored, by
  // the bits rest.
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

  // Leading zeros of a word, 63 if it is 0.
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
