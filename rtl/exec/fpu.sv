// SPDX-License-Identifier: Apache-2.0
// The floating-point unit: the arithmetic of the F and D extensions.
//
// An instruction is in X while valid_i is high, with stable operands, until ack_i (it
// leaves X at this edge) or kill_i. done_o: it may leave; result_o and flags_o are then
// valid if the instruction completes in X. Singles are NaN-boxed, integers of 32 bits
// sign-extended. A single operand that is not NaN-boxed is read as the canonical NaN.
//
// tag_i, one of the operands, is given back with the result: as tag_o, or as late_tag_o, which
// is 0 without late_valid_o. Results overtake each other, since their latencies differ; a core
// with several instructions in flight tells them by their tags.
//
// Latency in cycles, with the first and the last cycle in the stages named:
//   add, sub, mul, madd and its variants   4: X, M, 3 and 4; one can start in each cycle
//   div, sqrt                              30 double, 15 single, in X; 2 if the result
//                                          follows from a NaN, an infinity or a zero among
//                                          the operands, or is the root of a negative number
//   all others                             1, in X
// Subnormal numbers take no longer.
//
// The pipelined instructions leave X in their first cycle. They stay in M until commit_i or
// kill_i; kill_i also drops the instruction in X, and commit_i is ignored if none of them is
// in M. After M they cannot be stopped: late_valid_o is high in stage 4, with late_result_o
// and late_flags_o. Without an instruction the unit computes nothing.

module fpu #(
  parameter int unsigned TagBits = 6
) (
  input logic clk_i,
  input logic rst_ni,

  input logic               valid_i,
  input logic               kill_i,
  input logic               ack_i,
  input logic [TagBits-1:0] tag_i,
  input soc_pkg::fpu_t      op_i,
  input soc_pkg::rounding_e rounding_i,
  input logic [63:0]        a_i,  // rs1, which may be an integer register
  input logic [63:0]        b_i,
  input logic [63:0]        c_i,

  output logic               done_o,
  output logic [TagBits-1:0] tag_o,
  output logic [63:0]        result_o,
  output soc_pkg::fflags_t   flags_o,

  input  logic               commit_i,
  output logic               late_valid_o,
  output logic [TagBits-1:0] late_tag_o,
  output logic [63:0]        late_result_o,
  output soc_pkg::fflags_t   late_flags_o
);

  logic late, divides, quick, fused;
  assign late = valid_i && op_i.op <= soc_pkg::FpuNmadd;
  assign divides = valid_i && (op_i.op == soc_pkg::FpuDiv || op_i.op == soc_pkg::FpuSqrt);
  assign quick = valid_i && op_i.op > soc_pkg::FpuSqrt;
  assign fused = late && op_i.op >= soc_pkg::FpuMadd;

  logic a_double;
  assign a_double = op_i.is_double ^ (op_i.op == soc_pkg::FpuToFloat);

  logic [63:0] a_bits, b_bits, c_bits;
  fpu_pkg::number_t a, b, c;
  logic [52:0] a_significand, b_significand, c_significand;

  fpu_operand u_a (
    .valid_i,
    .double_i(a_double),
    .bits_i(a_i),
    .bits_o(a_bits),
    .number_o(a),
    .significand_o(a_significand)
  );

  fpu_operand u_b (
    .valid_i,
    .double_i(op_i.is_double),
    .bits_i(b_i),
    .bits_o(b_bits),
    .number_o(b),
    .significand_o(b_significand)
  );

  fpu_operand u_c (
    .valid_i(fused),
    .double_i(op_i.is_double),
    .bits_i(c_i),
    .bits_o(c_bits),
    .number_o(c),
    .significand_o(c_significand)
  );

  fpu_fma #(
    .TagBits(TagBits)
  ) u_fma (
    .clk_i,
    .rst_ni,
    .valid_i(late),
    .kill_i,
    .ack_i,
    .tag_i,
    .op_i(op_i.op),
    .double_i(op_i.is_double),
    .rounding_i,
    .a_i(a),
    .b_i(b),
    .c_i(c),
    .a_significand_i(a_significand),
    .b_significand_i(b_significand),
    .c_significand_i(c_significand),
    .commit_i,
    .late_valid_o,
    .late_tag_o,
    .late_result_o,
    .late_flags_o
  );

  logic divide_done, divide_round;
  logic [63:0] divide_result, divide_significand;
  soc_pkg::fflags_t divide_flags;
  fpu_pkg::unrounded_t divide_unrounded;
  fpu_divide u_divide (
    .clk_i,
    .rst_ni,
    .valid_i(divides),
    .kill_i,
    .ack_i,
    .root_i(op_i.op == soc_pkg::FpuSqrt),
    .double_i(op_i.is_double),
    .a_i(a),
    .b_i(b),
    .a_significand_i(a_significand),
    .b_significand_i(b_significand),
    .done_o(divide_done),
    .result_o(divide_result),
    .flags_o(divide_flags),
    .round_o(divide_round),
    .unrounded_o(divide_unrounded),
    .significand_o(divide_significand)
  );

  logic quick_round;
  logic [63:0] quick_result, quick_significand;
  soc_pkg::fflags_t quick_flags;
  fpu_pkg::unrounded_t quick_unrounded;
  fpu_quick u_quick (
    .valid_i(quick),
    .op_i,
    .rounding_i,
    .bits_i(a_i),
    .a_bits_i(a_bits),
    .b_bits_i(b_bits),
    .a_i(a),
    .b_i(b),
    .a_significand_i(a_significand),
    .result_o(quick_result),
    .flags_o(quick_flags),
    .round_o(quick_round),
    .unrounded_o(quick_unrounded),
    .significand_o(quick_significand)
  );

  // Divisions and conversions share one rounder.
  logic round;
  logic [63:0] rounded;
  soc_pkg::fflags_t rounded_flags;
  assign round = divides ? divide_round : quick_round;
  fpu_round u_round (
    .valid_i(round),
    .rounding_i,
    .number_i(divides ? divide_unrounded : quick_unrounded),
    .significand_i(divides ? divide_significand : quick_significand),
    .result_o(rounded),
    .flags_o(rounded_flags)
  );

  assign done_o = divides ? divide_done : valid_i;
  assign tag_o = tag_i;
  always_comb begin
    result_o = 64'd0;
    flags_o = '0;
    if (round) begin
      result_o = rounded;
      flags_o = rounded_flags;
    end else if (divides) begin
      result_o = divide_result;
      flags_o = divide_flags;
    end else if (quick) begin
      result_o = quick_result;
      flags_o = quick_flags;
    end
  end

  `ASSERT_IF(known_op, op_i.op <= soc_pkg::FpuToFloat, valid_i)
  `ASSERT_IF(known_rounding, rounding_i <= soc_pkg::RoundNearestMax, valid_i)
  `ASSERT_HELD(operands, valid_i, ack_i || kill_i, {tag_i, op_i, rounding_i, a_i, b_i, c_i})
  `ASSERT_IF(leaves_done, done_o, valid_i && ack_i && !kill_i)

endmodule
