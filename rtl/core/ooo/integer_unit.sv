// SPDX-License-Identifier: Apache-2.0
// The three integer ports: an ALU each, and jumps and branches at the first, multiplications at
// the second, divisions at the third.
//
// An instruction issues with its payload and its operands. Results of the ALUs, and the outcome
// of a jump or branch (branch_port.sv), are combinational; those of the others follow later
// (multiply_pipe.sv, divide_port.sv).

module integer_unit #(
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  input ooo_pkg::issue_t            int0_i,
  input ooo_pkg::work_t             int0_work_i,
  input logic                [63:0] int0_pc_i,
  input logic                [63:0] int0_next_pc_i,
  input logic                [63:0] int0_rs1_i,
  input logic                [63:0] int0_rs2_i,
  input ooo_pkg::history_t          int0_history_i,
  input ooo_pkg::issue_t            int1_i,
  input ooo_pkg::work_t             int1_work_i,
  input logic                [63:0] int1_pc_i,
  input logic                [63:0] int1_rs1_i,
  input logic                [63:0] int1_rs2_i,
  input ooo_pkg::issue_t            int2_i,
  input ooo_pkg::work_t             int2_work_i,
  input logic                [63:0] int2_pc_i,
  input logic                [63:0] int2_rs1_i,
  input logic                [63:0] int2_rs2_i,

  input  logic [Window-1:0] squashed_i,
  output logic              div_free_o,

  output ooo_pkg::result_t        alu0_o,
  output logic             [63:0] alu0_value_o,
  output ooo_pkg::result_t        alu1_o,
  output logic             [63:0] alu1_value_o,
  output ooo_pkg::result_t        alu2_o,
  output logic             [63:0] alu2_value_o,
  output ooo_pkg::result_t        mul_o,
  output logic             [63:0] mul_value_o,
  output ooo_pkg::result_t        div_o,
  output logic             [63:0] div_value_o,

  // branch_port.sv
  output logic                  wrong_o,
  output logic                  again_o,
  output logic           [63:0] target_o,
  output logic                  update_o,
  output ooo_pkg::outcome_t     outcome_o
);

  logic jumps, multiplies, divides;
  logic [63:0] link, result0, a0, b0, a1, b1, a2, b2;
  integer_port u_int0 (
    .valid_i (int0_i.valid),
    .work_i  (int0_work_i),
    .pc_i    (int0_pc_i),
    .rs1_i   (int0_rs1_i),
    .rs2_i   (int0_rs2_i),
    .a_o     (a0),
    .b_o     (b0),
    .result_o(result0)
  );
  integer_port u_int1 (
    .valid_i (int1_i.valid),
    .work_i  (int1_work_i),
    .pc_i    (int1_pc_i),
    .rs1_i   (int1_rs1_i),
    .rs2_i   (int1_rs2_i),
    .a_o     (a1),
    .b_o     (b1),
    .result_o(alu1_value_o)
  );
  integer_port u_int2 (
    .valid_i (int2_i.valid),
    .work_i  (int2_work_i),
    .pc_i    (int2_pc_i),
    .rs1_i   (int2_rs1_i),
    .rs2_i   (int2_rs2_i),
    .a_o     (a2),
    .b_o     (b2),
    .result_o(alu2_value_o)
  );
  branch_port u_branch (
    .valid_i    (int0_i.valid),
    .work_i     (int0_work_i),
    .pc_i       (int0_pc_i),
    .next_pc_i  (int0_next_pc_i),
    .rs1_i      (int0_rs1_i),
    .rs2_i      (int0_rs2_i),
    .history_i  (int0_history_i),
    .wrong_o,
    .again_o,
    .jumps_o    (jumps),
    .target_o,
    .link_o     (link),
    .update_o,
    .outcome_o
  );
  assign multiplies = int1_i.valid && int1_work_i.unit == soc_pkg::UnitMul;
  assign divides = int2_i.valid && int2_work_i.unit == soc_pkg::UnitDiv;
  assign alu0_value_o = jumps ? link : result0;
  assign alu0_o = {18'd0, int0_i.valid && !again_o, int0_i.slot, int0_i.tags.rd};
  assign alu1_o = {18'd0, int1_i.valid && !multiplies, int1_i.slot, int1_i.tags.rd};
  assign alu2_o = {18'd0, int2_i.valid && !divides, int2_i.slot, int2_i.tags.rd};
  multiply_pipe #(
    .Window(Window)
  ) u_multiply (
    .clk_i, .rst_ni,
    .valid_i   (multiplies),
    .issue_i   (int1_i),
    .work_i    (int1_work_i),
    .a_i       (a1),
    .b_i       (b1),
    .squashed_i,
    .result_o  (mul_o),
    .value_o   (mul_value_o)
  );
  divide_port #(
    .Window(Window)
  ) u_divide (
    .clk_i, .rst_ni,
    .free_o    (div_free_o),
    .valid_i   (divides),
    .issue_i   (int2_i),
    .work_i    (int2_work_i),
    .a_i       (a2),
    .b_i       (b2),
    .squashed_i,
    .result_o  (div_o),
    .value_o   (div_value_o)
  );

endmodule
