// SPDX-License-Identifier: Apache-2.0
// Multiplies and divides, a bit in a cycle.
//
// The operands are taken with start_i; busy_o is high in the next 32 cycles, and result_o is
// valid in the cycle after the last of them. The work is done on magnitudes.

module small_muldiv (
  input logic clk_i,
  input logic rst_ni,

  input  logic        start_i,
  input  logic [ 2:0] funct3_i,  // held until the result is taken
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic        busy_o,
  output logic [31:0] result_o
);

  logic [63:0] acc_q, acc_d;  // product; or remainder and quotient
  logic [31:0] b_q;
  logic [5:0] left_q;
  logic negate_q, negate_rem_q;

  logic divides, a_signed, b_signed, a_negative, b_negative;
  assign divides = funct3_i[2];
  // MULH, MULHSU, DIV and REM take a as signed, MULH, DIV and REM b as well.
  assign a_signed = divides ? !funct3_i[0] : funct3_i[1:0] == 2'd1 || funct3_i[1:0] == 2'd2;
  assign b_signed = divides ? !funct3_i[0] : funct3_i[1:0] == 2'd1;
  assign a_negative = a_signed && a_i[31];
  assign b_negative = b_signed && b_i[31];

  logic [32:0] sum, difference;
  assign sum = {1'b0, acc_q[63:32]} + (acc_q[0] ? {1'b0, b_q} : 33'd0);
  assign difference = {1'b0, acc_q[62:31]} - {1'b0, b_q};

  always_comb begin
    if (!divides) acc_d = {sum, acc_q[31:1]};
    else if (acc_q[63] || !difference[32]) acc_d = {difference[31:0], acc_q[30:0], 1'b1};
    else acc_d = {acc_q[62:0], 1'b0};
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= 6'd0;
    else if (start_i) begin
      left_q <= 6'd32;
      acc_q <= {32'd0, a_negative ? -a_i : a_i};
      b_q <= b_negative ? -b_i : b_i;
      // A quotient by zero is all ones whatever the signs.
      negate_q <= a_negative != b_negative && !(divides && b_i == 32'd0);
      negate_rem_q <= a_negative;
    end else if (left_q != 6'd0) begin
      left_q <= left_q - 6'd1;
      acc_q <= acc_d;
    end
  end

  logic [63:0] product;
  logic [31:0] quotient, remainder;
  assign product = negate_q ? -acc_q : acc_q;
  assign quotient = negate_q ? -acc_q[31:0] : acc_q[31:0];
  assign remainder = negate_rem_q ? -acc_q[63:32] : acc_q[63:32];

  always_comb begin
    unique case (funct3_i)
      3'd0: result_o = product[31:0];
      3'd1, 3'd2, 3'd3: result_o = product[63:32];
      3'd4, 3'd5: result_o = quotient;
      default: result_o = remainder;
    endcase
  end

  assign busy_o = left_q != 6'd0;

endmodule
