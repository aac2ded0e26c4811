// SPDX-License-Identifier: Apache-2.0
// Division and square root of floating-point numbers.
//
// Restoring, two bits per cycle, with a subtracter for each. It subtracts the divisor, or for
// a square root twice the root so far plus its next bit. The operands are taken in the first
// cycle of valid_i, and are stable while valid_i is high. done_o is high from 1 cycle later if
// the result follows from a NaN, an infinity or a zero, or is the root of a negative number,
// else from 29 cycles (double) or 14 cycles (single) later, until ack_i (the instruction
// leaves at this edge) or kill_i. Both are ignored without valid_i. An idle unit computes
// nothing.
//
// With done_o, either round_o is high, and unrounded_o and significand_o are to be rounded,
// or result_o and flags_o are the result.

module fpu_divide (
  input logic clk_i,
  input logic rst_ni,

  input logic             valid_i,
  input logic             kill_i,
  input logic             ack_i,
  input logic             root_i,  // square root of a, else a / b
  input logic             double_i,
  input fpu_pkg::number_t a_i,
  input fpu_pkg::number_t b_i,
  input logic      [52:0] a_significand_i,
  input logic      [52:0] b_significand_i,

  output logic                done_o,
  output logic [63:0]         result_o,
  output soc_pkg::fflags_t    flags_o,
  output logic                round_o,
  output fpu_pkg::unrounded_t unrounded_o,
  output logic [63:0]         significand_o
);

  typedef enum logic [1:0] {
    StIdle = 2'd0,
    StBusy = 2'd1,
    StDone = 2'd2,
    StKnown = 2'd3
  } state_e;

  // Fixed point, with 55 bits after the binary point.
  state_e state_d, state_q;
  logic [57:0] remainder_d, remainder_q;
  logic [57:0] divisor_d, divisor_q;
  logic [55:0] quotient_d, quotient_q;  // or root
  logic [55:0] next_d, next_q;  // one-hot: the next bit of the quotient or root
  logic signed [12:0] exponent_d, exponent_q;
  logic sign_d, sign_q;
  logic nan_d, nan_q;
  logic infinite_d, infinite_q;  // with StKnown and no NaN; else zero
  logic invalid_d, invalid_q;
  logic by_zero_d, by_zero_q;

  logic start, step;
  assign start = state_q == StIdle && valid_i;
  assign step = start || state_q == StBusy;

  logic [5:0] a_zeros, b_zeros;
  logic [52:0] a_normal;
  logic [57:0] first, second;  // the two subtrahends of a cycle
  logic [57:0] between;
  logic [55:0] half_way;
  logic last;

  always_comb begin
    state_d = state_q;
    remainder_d = 58'd0;
    quotient_d = 56'd0;
    next_d = 56'd0;
    first = 58'd0;
    second = 58'd0;
    between = 58'd0;
    half_way = 56'd0;
    last = 1'b0;
    divisor_d = 58'd0;
    exponent_d = 13'd0;
    sign_d = 1'b0;
    nan_d = 1'b0;
    infinite_d = 1'b0;
    invalid_d = 1'b0;
    by_zero_d = 1'b0;
    a_zeros = 6'd0;
    b_zeros = 6'd0;
    a_normal = 53'd0;

    if (state_q == StBusy) begin
      // The remainder stays below twice the subtrahend, so it does not overflow.
      first = root_i ? {1'b0, quotient_q, 1'b0} | {2'd0, next_q} : divisor_q;
      between = {remainder_q[56:0], 1'b0};
      half_way = quotient_q;
      if (remainder_q >= first) begin
        between = remainder_q - first;
        between = {between[56:0], 1'b0};
        half_way = quotient_q | next_q;
      end
      second = root_i ? {1'b0, half_way, 1'b0} | {3'd0, next_q[55:1]} : divisor_q;
      remainder_d = {between[56:0], 1'b0};
      quotient_d = half_way;
      if (between >= second) begin
        remainder_d = between - second;
        remainder_d = {remainder_d[56:0], 1'b0};
        quotient_d = half_way | {1'b0, next_q[55:1]};
      end
      next_d = {2'd0, next_q[55:2]};
      last = double_i ? next_q[1] : next_q[31];
      if (last) state_d = StDone;

    end else if (start) begin
      sign_d = a_i.sign ^ (b_i.sign && !root_i);
      nan_d = a_i.nan || b_i.nan && !root_i;
      invalid_d = a_i.signalling || b_i.signalling && !root_i;
      infinite_d = a_i.infinite;
      if (!nan_d) begin
        if (root_i) begin
          invalid_d = a_i.sign && !a_i.zero;
        end else begin
          invalid_d = a_i.infinite && b_i.infinite || a_i.zero && b_i.zero;
          by_zero_d = b_i.zero && !a_i.infinite && !a_i.zero;
          infinite_d = a_i.infinite || b_i.zero;
        end
        nan_d = invalid_d;
      end

      a_zeros = fpu_pkg::leading_zeros({a_significand_i, 11'd0});
      a_normal = a_significand_i << a_zeros;
      exponent_d = $signed({2'd0, a_i.exponent}) - $signed({7'd0, a_zeros});
      if (root_i) begin
        // An even exponent is halved; for an odd one, whose bit 0 is 0 as the bias is odd, the
        // significand is doubled first.
        remainder_d = exponent_d[0] ? {3'd1, a_normal[51:0], 3'd0} :
                                      {2'd1, a_normal[51:0], 4'd0};
        exponent_d = (exponent_d + $signed({2'd0, fpu_pkg::Bias})) >>> 1;
      end else begin
        b_zeros = fpu_pkg::leading_zeros({b_significand_i, 11'd0});
        remainder_d = {2'd0, a_normal, 3'd0};
        divisor_d = {2'd0, b_significand_i << b_zeros, 3'd0};
        exponent_d = exponent_d - $signed({2'd0, b_i.exponent}) + $signed({7'd0, b_zeros}) +
            $signed({2'd0, fpu_pkg::Bias});
      end
      next_d = {1'b1, 55'd0};
      state_d = StBusy;
      if (nan_d || infinite_d || a_i.zero || b_i.infinite && !root_i) state_d = StKnown;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else if (valid_i) begin
      state_q <= kill_i || ack_i ? StIdle : state_d;
      if (step) begin
        remainder_q <= remainder_d;
        quotient_q <= quotient_d;
        next_q <= next_d;
      end
      if (start) begin
        divisor_q <= divisor_d;
        exponent_q <= exponent_d;
        sign_q <= sign_d;
        nan_q <= nan_d;
        infinite_q <= infinite_d;
        invalid_q <= invalid_d;
        by_zero_q <= by_zero_d;
      end
    end
  end

  assign done_o = state_q == StDone || state_q == StKnown;
  assign round_o = state_q == StDone;

  always_comb begin
    result_o = 64'd0;
    flags_o = '0;
    unrounded_o = '0;
    significand_o = 64'd0;
    if (state_q == StKnown) begin
      flags_o.invalid = invalid_q;
      flags_o.divide = by_zero_q;
      result_o = nan_q ? fpu_pkg::nan(double_i) : fpu_pkg::limit(double_i, sign_q, infinite_q);
    end else if (state_q == StDone) begin
      // A quotient is greater than 1/2, so one shift normalizes it.
      unrounded_o.is_double = double_i;
      unrounded_o.sign = sign_q;
      unrounded_o.exponent = exponent_q;
      significand_o = {quotient_q, 8'd0};
      if (!quotient_q[55]) begin
        unrounded_o.exponent = exponent_q - 13'sd1;
        significand_o = {quotient_q[54:0], 9'd0};
      end
      significand_o[0] = remainder_q != 58'd0;
    end
  end

endmodule
