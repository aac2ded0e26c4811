// SPDX-License-Identifier: Apache-2.0
// Fused multiply-add, also used for addition, subtraction and multiplication.
//
// Pipelined, one instruction per cycle. The stages:
//   X  computes the sign of the product, the distance by which the addend is shifted right,
//      and results that do not depend on significands (NaNs, infinities); the instruction
//      leaves X with ack_i
//   M  multiplies, and shifts the addend; the instruction leaves M with commit_i, or is
//      dropped with kill_i
//   3  adds, and counts leading zeros
//   4  normalizes and rounds; late_valid_o is high with the result, and late_tag_o is the tag
//      of the instruction, else 0
// Each stage computes only while it holds an instruction. 3 and 4 do not stall.
//
// The sum has three words of 64 bits. From the highest bit these are: a sign, the significand
// of the addend if it is not shifted, two bits, the product, and 30 more. The addend is
// shifted right from there; bits lost on the right are ORed into the lowest bit. An addend
// far above the product is not shifted: then the product is less than a quarter of the
// addend's lowest bit, so its exact position does not matter. Subnormal operands need no
// normalization: if bits of the addend are lost, at most one factor is subnormal, and the
// product is at least 2^52 of its lowest bits.

module fpu_fma #(
  parameter int unsigned TagBits = 6
) (
  input logic clk_i,
  input logic rst_ni,

  input logic                 valid_i,
  input logic                 kill_i,
  input logic                 ack_i,
  input logic [TagBits-1:0]   tag_i,
  input soc_pkg::fpu_op_e     op_i,
  input logic                 double_i,
  input soc_pkg::rounding_e   rounding_i,
  input fpu_pkg::number_t     a_i,
  input fpu_pkg::number_t     b_i,
  input fpu_pkg::number_t     c_i,
  input logic          [52:0] a_significand_i,
  input logic          [52:0] b_significand_i,
  input logic          [52:0] c_significand_i,

  input  logic               commit_i,
  output logic               late_valid_o,
  output logic [TagBits-1:0] late_tag_o,
  output logic [63:0]        late_result_o,
  output soc_pkg::fflags_t   late_flags_o
);

  localparam logic [52:0] One = {1'b1, 52'd0};

  // Stage X
  fpu_pkg::number_t x_b, x_c;
  logic [52:0] x_b_significand, x_c_significand;
  logic x_sign_c, x_zero;  // sign of the addend; the product is 0
  logic signed [12:0] x_exponent, x_distance;
  logic [7:0] x_shift;
  fpu_pkg::fma_t x_control;

  always_comb begin
    x_b = '0;
    x_c = '0;
    x_b_significand = 53'd0;
    x_c_significand = 53'd0;
    x_sign_c = 1'b0;
    x_zero = 1'b0;
    x_exponent = 13'd0;
    x_distance = 13'd0;
    x_shift = 8'd0;
    x_control = '0;

    if (valid_i) begin
      x_b = b_i;
      x_b_significand = b_significand_i;
      x_c = c_i;
      x_c_significand = c_significand_i;
      x_control.is_double = double_i;
      x_control.sign = a_i.sign ^ b_i.sign;
      x_sign_c = c_i.sign;
      case (op_i)
        soc_pkg::FpuAdd, soc_pkg::FpuSub: begin
          x_b = '0;
          x_b.exponent = fpu_pkg::Bias;
          x_b_significand = One;
          x_c = b_i;
          x_c_significand = b_significand_i;
          x_control.sign = a_i.sign;
          x_sign_c = b_i.sign ^ (op_i == soc_pkg::FpuSub);
        end
        soc_pkg::FpuMul: begin
          x_c = '0;
          x_c.zero = 1'b1;
          x_c.exponent = double_i ? fpu_pkg::LeastDouble : fpu_pkg::LeastSingle;
          x_c_significand = 53'd0;
          x_sign_c = x_control.sign;
        end
        soc_pkg::FpuMsub: x_sign_c = !c_i.sign;
        soc_pkg::FpuNmsub: x_control.sign = !x_control.sign;
        soc_pkg::FpuNmadd: begin
          x_control.sign = !x_control.sign;
          x_sign_c = !c_i.sign;
        end
        default: ;
      endcase
      x_control.subtract = x_control.sign ^ x_sign_c;

      // Exponent of the second highest bit of the sum, if the product determines it; by how
      // much that of the addend is less
      x_zero = a_i.zero || x_b.zero;
      x_exponent = $signed({2'd0, a_i.exponent}) + $signed({2'd0, x_b.exponent}) -
          $signed({2'd0, fpu_pkg::Bias}) + 13'sd56;
      x_distance = x_exponent - $signed({2'd0, x_c.exponent});
      if (x_zero || x_distance < 0) begin
        x_control.exponent = $signed({2'd0, x_c.exponent});
      end else begin
        x_control.exponent = x_exponent;
        x_shift = x_distance > 13'sd192 ? 8'd192 : x_distance[7:0];
      end

      if (a_i.infinite && x_b.zero || a_i.zero && x_b.infinite) begin
        x_control.nan = 1'b1;
        x_control.invalid = 1'b1;
      end else if (a_i.nan || x_b.nan || x_c.nan) begin
        x_control.nan = 1'b1;
        x_control.invalid = a_i.signalling || x_b.signalling || x_c.signalling;
      end else if (a_i.infinite || x_b.infinite) begin
        x_control.nan = x_c.infinite && x_control.subtract;
        x_control.invalid = x_control.nan;
        x_control.infinite = 1'b1;
      end else if (x_c.infinite) begin
        x_control.sign = x_sign_c;
        x_control.infinite = 1'b1;
      end
    end
  end

  logic m_valid_q, valid_3_q, valid_4_q;
  logic [TagBits-1:0] m_tag_q, tag_3_q, tag_4_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      m_valid_q <= 1'b0;
      valid_3_q <= 1'b0;
      valid_4_q <= 1'b0;
      tag_3_q   <= '0;
      tag_4_q   <= '0;
    end else begin
      m_valid_q <= !kill_i && (valid_i && ack_i || m_valid_q && !commit_i);
      valid_3_q <= m_valid_q && commit_i && !kill_i;
      valid_4_q <= valid_3_q;
      tag_3_q   <= m_valid_q && commit_i && !kill_i ? m_tag_q : '0;
      tag_4_q   <= tag_3_q;
    end
  end

  fpu_pkg::fma_t m_control_q;
  soc_pkg::rounding_e m_rounding_q;
  logic [7:0] m_shift_q;
  logic [52:0] m_a_q, m_b_q, m_c_q;
  always_ff @(posedge clk_i) begin
    if (valid_i && ack_i) begin
      m_tag_q <= tag_i;
      m_control_q <= x_control;
      m_rounding_q <= rounding_i;
      m_shift_q <= x_shift;
      m_a_q <= a_significand_i;
      m_b_q <= x_b_significand;
      m_c_q <= x_c_significand;
    end
  end

  // Stage M: the product, from products of halves, and the aligned addend
  logic [63:0] m_low_low, m_low_high, m_high_low, m_middle;
  logic [41:0] m_product_high;
  logic [63:0] m_first, m_second;  // words of the addend

  always_comb begin
    m_low_low = 64'd0;
    m_low_high = 64'd0;
    m_high_low = 64'd0;
    m_middle = 64'd0;
    m_product_high = 42'd0;
    m_first = 64'd0;
    m_second = 64'd0;
    if (m_valid_q) begin
      m_low_low = {32'd0, m_a_q[31:0]} * {32'd0, m_b_q[31:0]};
      m_low_high = {32'd0, m_a_q[31:0]} * {43'd0, m_b_q[52:32]};
      m_high_low = {43'd0, m_a_q[52:32]} * {32'd0, m_b_q[31:0]};
      m_middle = {32'd0, m_low_low[63:32]} + {32'd0, m_low_high[31:0]} +
          {32'd0, m_high_low[31:0]};
      m_product_high = {21'd0, m_a_q[52:32]} * {21'd0, m_b_q[52:32]} +
          {10'd0, m_low_high[63:32]} + {10'd0, m_high_low[63:32]} + {10'd0, m_middle[63:32]};
      m_first = {1'b0, m_c_q, 10'd0} >> m_shift_q[5:0];
      if (m_shift_q[5:0] != 6'd0) m_second = {1'b0, m_c_q, 10'd0} << (6'd0 - m_shift_q[5:0]);
    end
  end

  fpu_pkg::fma_t control_3_q;
  soc_pkg::rounding_e rounding_3_q;
  logic [41:0] product_high_q;
  logic [63:0] product_low_q, addend_high_q, addend_mid_q, addend_low_q;
  always_ff @(posedge clk_i) begin
    if (m_valid_q && commit_i) begin
      control_3_q <= m_control_q;
      rounding_3_q <= m_rounding_q;
      product_high_q <= m_product_high;
      product_low_q <= {m_middle[31:0], m_low_low[31:0]};
      addend_high_q <= 64'd0;
      addend_mid_q <= 64'd0;
      addend_low_q <= 64'd0;
      case (m_shift_q[7:6])
        2'd0: begin
          addend_high_q <= m_first;
          addend_mid_q <= m_second;
        end
        2'd1: begin
          addend_mid_q <= m_first;
          addend_low_q <= m_second;
        end
        2'd2: addend_low_q <= {m_first[63:1], m_first[0] || m_second != 64'd0};
        default: addend_low_q <= {63'd0, m_c_q != 53'd0};
      endcase
    end
  end

  // Stage 3
  logic [63:0] high, mid, low;
  logic [7:0] zeros;
  logic other, zero;
  fpu_sum u_sum (
    .valid_i(valid_3_q),
    .subtract_i(control_3_q.subtract),
    .product_high_i(product_high_q),
    .product_low_i(product_low_q),
    .high_i(addend_high_q),
    .mid_i(addend_mid_q),
    .low_i(addend_low_q),
    .high_o(high),
    .mid_o(mid),
    .low_o(low),
    .zeros_o(zeros),
    .other_sign_o(other),
    .zero_o(zero)
  );

  fpu_pkg::fma_t control_4_q;
  soc_pkg::rounding_e rounding_4_q;
  logic sign_4_q;
  logic [7:0] zeros_4_q;
  logic [63:0] high_4_q, mid_4_q, low_4_q;
  always_ff @(posedge clk_i) begin
    if (valid_3_q) begin
      control_4_q <= control_3_q;
      rounding_4_q <= rounding_3_q;
      // A difference of 0 is negative when rounding down; infinities keep their sign.
      if (control_3_q.infinite) sign_4_q <= control_3_q.sign;
      else if (zero) sign_4_q <= rounding_3_q == soc_pkg::RoundDown;
      else sign_4_q <= control_3_q.sign ^ other;
      zeros_4_q <= zeros;
      high_4_q <= high;
      mid_4_q <= mid;
      low_4_q <= low;
    end
  end

  // Stage 4. The shift is limited, so that the exponent is at least the least of the format.
  logic signed [12:0] room;
  logic [7:0] shift;
  logic [63:0] upper, next, significand;
  fpu_pkg::unrounded_t unrounded;

  always_comb begin
    room = 13'd0;
    shift = 8'd0;
    upper = 64'd0;
    next = 64'd0;
    significand = 64'd0;
    unrounded = '0;
    if (valid_4_q) begin
      room = control_4_q.exponent + 13'sd1 -
          $signed({2'd0, control_4_q.is_double ? fpu_pkg::LeastDouble : fpu_pkg::LeastSingle});
      shift = room < $signed({5'd0, zeros_4_q}) ? room[7:0] : zeros_4_q;
      case (shift[7:6])
        2'd0: begin
          upper = high_4_q;
          next = {mid_4_q[63:1], mid_4_q[0] || low_4_q != 64'd0};
        end
        2'd1: begin
          upper = mid_4_q;
          next = low_4_q;
        end
        default: upper = low_4_q;
      endcase
      significand = upper << shift[5:0];
      if (shift[5:0] != 6'd0) significand = significand | next >> (6'd0 - shift[5:0]);
      significand[0] = significand[0] || (next << shift[5:0]) != 64'd0;
      unrounded.is_double = control_4_q.is_double;
      unrounded.sign = sign_4_q;
      unrounded.exponent = control_4_q.exponent + 13'sd1 - $signed({5'd0, shift});
    end
  end

  logic [63:0] rounded;
  soc_pkg::fflags_t rounded_flags;
  fpu_round #(
    .Small(1'b0)
  ) u_round (
    .valid_i(valid_4_q),
    .rounding_i(rounding_4_q),
    .number_i(unrounded),
    .significand_i(significand),
    .result_o(rounded),
    .flags_o(rounded_flags)
  );

  assign late_valid_o = valid_4_q;
  assign late_tag_o = tag_4_q;
  always_comb begin
    late_result_o = rounded;
    late_flags_o = rounded_flags;
    if (valid_4_q && (control_4_q.nan || control_4_q.infinite)) begin
      late_flags_o = '0;
      late_flags_o.invalid = control_4_q.invalid;
      late_result_o = control_4_q.nan ? fpu_pkg::nan(control_4_q.is_double) :
                                      fpu_pkg::limit(control_4_q.is_double, sign_4_q, 1'b1);
    end
  end

  `ASSERT_IF(room_in_m, commit_i || !m_valid_q, valid_i && ack_i && !kill_i)
  `ASSERT_IF(drops_or_commits, !(commit_i && kill_i), m_valid_q)

endmodule
