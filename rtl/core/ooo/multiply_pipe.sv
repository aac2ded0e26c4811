// SPDX-License-Identifier: Apache-2.0
// A multiplier that takes an instruction a cycle: the operands are registered in the cycle of
// the issue, and the product is the result of the next one.
//
// An instruction whose slot is in squashed_i in the cycle of its issue has no result; one that
// is squashed in the next cycle still has it, which is harmless.

module multiply_pipe #(
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  input logic                    valid_i,
  input ooo_pkg::issue_t         issue_i,
  input ooo_pkg::work_t          work_i,
  input logic             [63:0] a_i,
  input logic             [63:0] b_i,
  input logic       [Window-1:0] squashed_i,

  output ooo_pkg::result_t        result_o,
  output logic             [63:0] value_o
);

  logic valid_q, word_q;
  logic [1:0] op_q;  // soc_pkg::mul_op_e
  logic [5:0] slot_q;
  logic [6:0] rd_q;
  logic [63:0] a_q, b_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else valid_q <= valid_i && !squashed_i[issue_i.slot[$clog2(Window)-1:0]];
    if (valid_i) begin
      word_q <= work_i.word;
      op_q <= work_i.op[1:0];
      slot_q <= issue_i.slot;
      rd_q <= issue_i.tags.rd;
      a_q <= a_i;
      b_q <= b_i;
    end
  end

  soc_pkg::op_t op;
  assign op.bits = {2'd0, op_q};
  always_comb begin
    result_o = '0;
    value_o = '0;
    if (valid_q) begin
      result_o.valid = 1'b1;
      result_o.slot = slot_q;
      result_o.rd = rd_q;
      value_o = mul_pkg::product(op.mul.op, word_q, a_q, b_q);
    end
  end

endmodule
