// SPDX-License-Identifier: Apache-2.0
// Divider: quotients and remainders of 64 and 32 bits, signed and unsigned.
//
// Restoring division of magnitudes, one bit per cycle, without the leading zeros of the
// dividend. The operands are taken in the first cycle of valid_i. After it, and one more
// cycle for each significant bit of the dividend's magnitude, done_o is high until ack_i
// (the instruction leaves at this edge) or kill_i; both are ignored without valid_i. With a
// dividend of 0 or a divisor of magnitude 0 or 1 (which includes overflow) the first cycle
// is enough. Operands must be stable while valid_i is high. An idle unit computes nothing.

module divider (
  input logic clk_i,
  input logic rst_ni,

  input logic             valid_i,
  input logic             kill_i,
  input logic             ack_i,
  input soc_pkg::div_op_e op_i,
  input logic             word_i,
  input logic [63:0]      a_i,
  input logic [63:0]      b_i,

  output logic        done_o,
  output logic [63:0] result_o
);

  typedef enum logic [1:0] {
    StIdle = 2'd0,
    StBusy = 2'd1,
    StDone = 2'd2
  } state_e;

  state_e state_d, state_q;
  logic [63:0] quotient_d, quotient_q;  // below the remaining bits of the dividend
  logic [63:0] remainder_d, remainder_q;
  logic [63:0] divisor_d, divisor_q;  // magnitude
  logic [5:0] left_d, left_q;  // steps left after the next one
  logic negate_d, negate_q;  // negate the result

  logic remainder, is_unsigned;
  assign {remainder, is_unsigned} = op_i;

  logic start, step;
  assign start = state_q == StIdle && valid_i;
  assign step = start || state_q == StBusy;

  always_comb begin
    state_d = state_q;
    quotient_d = 64'd0;
    remainder_d = 64'd0;
    divisor_d = 64'd0;
    left_d = 6'd0;
    negate_d = 1'b0;

    if (state_q == StBusy) begin
      // The shift cannot overflow: the remainder is formed from at most 63 bits.
      quotient_d = {quotient_q[62:0], 1'b0};
      remainder_d = {remainder_q[62:0], quotient_q[63]};
      if (remainder_d >= divisor_q) begin
        quotient_d[0] = 1'b1;
        remainder_d = remainder_d - divisor_q;
      end
      left_d = left_q - 6'd1;
      if (left_q == 6'd0) state_d = StDone;

    end else if (start) begin
      quotient_d = a_i;
      divisor_d = b_i;
      if (word_i) begin
        quotient_d = {{32{a_i[31] & ~is_unsigned}}, a_i[31:0]};
        divisor_d = {{32{b_i[31] & ~is_unsigned}}, b_i[31:0]};
      end
      negate_d = quotient_d[63] & ~is_unsigned;
      if (negate_d) quotient_d = 64'd0 - quotient_d;
      if (divisor_d[63] & ~is_unsigned) begin
        divisor_d = 64'd0 - divisor_d;
        if (!remainder) negate_d = ~negate_d;
      end

      if (divisor_d == 64'd0) begin
        remainder_d = quotient_d;
        quotient_d = ~64'd0;
        if (!remainder) negate_d = 1'b0;
        state_d = StDone;
      end else if (divisor_d == 64'd1 || quotient_d == 64'd0) begin
        state_d = StDone;
      end else begin
        left_d = 6'd63;
        if (quotient_d[63:32] == 32'd0) begin
          quotient_d = {quotient_d[31:0], 32'd0};
          left_d[5] = 1'b0;
        end
        if (quotient_d[63:48] == 16'd0) begin
          quotient_d = {quotient_d[47:0], 16'd0};
          left_d[4] = 1'b0;
        end
        if (quotient_d[63:56] == 8'd0) begin
          quotient_d = {quotient_d[55:0], 8'd0};
          left_d[3] = 1'b0;
        end
        if (quotient_d[63:60] == 4'd0) begin
          quotient_d = {quotient_d[59:0], 4'd0};
          left_d[2] = 1'b0;
        end
        if (quotient_d[63:62] == 2'd0) begin
          quotient_d = {quotient_d[61:0], 2'd0};
          left_d[1] = 1'b0;
        end
        if (!quotient_d[63]) begin
          quotient_d = {quotient_d[62:0], 1'b0};
          left_d[0] = 1'b0;
        end
        state_d = StBusy;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else if (valid_i) begin
      state_q <= kill_i || ack_i ? StIdle : state_d;
      if (step) begin
        quotient_q <= quotient_d;
        remainder_q <= remainder_d;
        left_q <= left_d;
      end
      if (start) begin
        divisor_q <= divisor_d;
        negate_q <= negate_d;
      end
    end
  end

  assign done_o = state_q == StDone;
  always_comb begin
    result_o = 64'd0;
    if (state_q == StDone) begin
      result_o = remainder ? remainder_q : quotient_q;
      if (negate_q) result_o = 64'd0 - result_o;
      if (word_i) result_o = {{32{result_o[31]}}, result_o[31:0]};
    end
  end

endmodule
