// SPDX-License-Identifier: Apache-2.0
// The operands of an instruction that issues to an integer port, and the result of the ALU.
//
// Combinational; all is 0 without valid_i.

module integer_port (
  input  logic                  valid_i,
  input  ooo_pkg::work_t        work_i,
  input  logic           [63:0] pc_i,
  input  logic           [63:0] rs1_i,
  input  logic           [63:0] rs2_i,
  output logic           [63:0] a_o,
  output logic           [63:0] b_o,
  output logic           [63:0] result_o
);

  always_comb begin
    a_o = '0;
    b_o = '0;
    if (valid_i) begin
      a_o = work_i.use_pc ? pc_i : rs1_i;
      b_o = work_i.use_imm ? {{32{work_i.imm[31]}}, work_i.imm} : rs2_i;
    end
  end

  soc_pkg::op_t op;
  assign op.bits = work_i.op;
  alu u_alu (
    .op_i  (op.alu),
    .word_i(work_i.word),
    .a_i   (a_o),
    .b_i   (b_o),
    .result_o
  );

endmodule
