// SPDX-License-Identifier: Apache-2.0
// Divider: quotients and remainders of 64 and 32 bits, signed and unsigned.
//
// Restoring division of magnitudes, one bit a cycle; leading zeros of the dividend
// are passed over. The operands are taken in the first cycle of valid_i, done_o is
// high after as many cycles more as the dividend's magnitude has bits, until ack_i
// (the instruction leaves at this edge) or kill_i; for the divisors 0, 1 and -1,
// which include overflow, it is high at once, in the second cycle. Operands are
// stable while valid_i is high. An idle unit computes nothing.

module divider (
  input logic clk_i,
  input logic rst_ni,

  input logic        valid_i,
  input logic        kill_i,
  input logic        ack_i,
  input logic [ 1:0] op_i,     // funct3[1:0]: div, divu, rem, remu
  input logic        word_i,
  input logic [63:0] a_i,
  input logic [63:0] b_i,

  output logic        done_o,
  output logic [63:0] result_o
);

  logic busy_q, done_q;
  logic [ 5:0] left_q;       // steps after the next one
  logic [63:0] divisor_q;    // magnitude
  logic [63:0] quotient_q;   // and below it, the dividend's bits to come
  logic [63:0] remainder_q;
  logic        negate_q;     // the result

  logic start;
  assign start = valid_i && !busy_q && !done_q;

  // Operands: magnitudes, and the dividend without its leading zeros
  logic [63:0] dividend, divisor, shifted;
  logic a_negative, b_negative, trivial;
  logic [5:0] zeros;
  always_comb begin
    dividend = 64'd0;
    divisor = 64'd0;
    shifted = 64'd0;
    a_negative = 1'b0;
    b_negative = 1'b0;
    trivial = 1'b0;
    zeros = 6'd0;
    if (start) begin
      dividend = a_i;
      divisor = b_i;
      if (word_i) begin
        dividend = {{32{a_i[31] & ~op_i[0]}}, a_i[31:0]};
        divisor = {{32{b_i[31] & ~op_i[0]}}, b_i[31:0]};
      end
      a_negative = dividend[63] & ~op_i[0];
      b_negative = divisor[63] & ~op_i[0];
      if (a_negative) dividend = 64'd0 - dividend;
      if (b_negative) divisor = 64'd0 - divisor;
      trivial = divisor[63:1] == 63'd0 || dividend == 64'd0;

      shifted = dividend;
      zeros[5] = shifted[63:32] == 32'd0;
      if (zeros[5]) shifted = {shifted[31:0], 32'd0};
      zeros[4] = shifted[63:48] == 16'd0;
      if (zeros[4]) shifted = {shifted[47:0], 16'd0};
      zeros[3] = shifted[63:56] == 8'd0;
      if (zeros[3]) shifted = {shifted[55:0], 8'd0};
      zeros[2] = shifted[63:60] == 4'd0;
      if (zeros[2]) shifted = {shifted[59:0], 4'd0};
      zeros[1] = shifted[63:62] == 2'd0;
      if (zeros[1]) shifted = {shifted[61:0], 2'd0};
      zeros[0] = ~shifted[63];
      if (zeros[0]) shifted = {shifted[62:0], 1'd0};
    end
  end

  // One step. The remainder is less than the divisor, so twice it needs a bit more.
  logic [63:0] twice;
  logic fits;
  always_comb begin
    twice = 64'd0;
    fits = 1'b0;
    if (busy_q) begin
      twice = {remainder_q[62:0], quotient_q[63]};
      fits = remainder_q[63] || twice >= divisor_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      left_q <= ~zeros;
      divisor_q <= divisor;
      if (trivial) begin
        quotient_q <= divisor == 64'd0 ? ~64'd0 : dividend;
        remainder_q <= divisor == 64'd0 ? dividend : 64'd0;
      end else begin
        quotient_q <= shifted;
        remainder_q <= 64'd0;
      end
      // The quotient by 0 is -1 whatever the signs
      negate_q <= op_i[1] ? a_negative : (a_negative ^ b_negative) && divisor != 64'd0;
    end else if (busy_q) begin
      left_q <= left_q - 6'd1;
      quotient_q <= {quotient_q[62:0], fits};
      remainder_q <= fits ? twice - divisor_q : twice;
    end

    if (!rst_ni || kill_i || ack_i) begin
      busy_q <= 1'b0;
      done_q <= 1'b0;
    end else if (start) begin
      busy_q <= !trivial;
      done_q <= trivial;
    end else if (busy_q && left_q == 6'd0) begin
      busy_q <= 1'b0;
      done_q <= 1'b1;
    end
  end

  assign done_o = done_q;
  always_comb begin
    result_o = 64'd0;
    if (done_q) begin
      result_o = op_i[1] ? remainder_q : quotient_q;
      if (negate_q) result_o = 64'd0 - result_o;
      if (word_i) result_o = {{32{result_o[31]}}, result_o[31:0]};
    end
  end

endmodule
