// SPDX-License-Identifier: Apache-2.0
// The divider with its instruction. It takes one while free_o is high; the operands are
// registered in the cycle of the issue, and divider.sv begins in the next one. A squash of the
// instruction frees the divider.

module divide_port #(
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,

  output logic                    free_o,
  input  logic                    valid_i,
  input  ooo_pkg::issue_t         issue_i,
  input  ooo_pkg::work_t          work_i,
  input  logic             [63:0] a_i,
  input  logic             [63:0] b_i,
  input  logic       [Window-1:0] squashed_i,

  output ooo_pkg::result_t        result_o,
  output logic             [63:0] value_o
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic valid_q, word_q;
  logic [1:0] op_q;  // soc_pkg::div_op_e
  logic [5:0] slot_q;
  logic [6:0] rd_q;
  logic [63:0] a_q, b_q;
  logic done, squashed;
  assign squashed = squashed_i[slot_q[SlotBits-1:0]];
  assign free_o = !valid_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (valid_i) valid_q <= !squashed_i[issue_i.slot[SlotBits-1:0]];
    else if (done || squashed) valid_q <= 1'b0;
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
  logic [63:0] quotient;
  divider u_divider (
    .clk_i,
    .rst_ni,
    .valid_i (valid_q),
    .kill_i  (squashed),
    .ack_i   (done),
    .op_i    (op.div.op),
    .word_i  (word_q),
    .a_i     (a_q),
    .b_i     (b_q),
    .done_o  (done),
    .result_o(quotient)
  );

  always_comb begin
    result_o = '0;
    value_o = '0;
    if (valid_q)
      if (done) begin
        result_o.valid = 1'b1;
        result_o.slot = slot_q;
        result_o.rd = rd_q;
        value_o = quotient;
      end
  end

  `ASSERT_IF(issues_when_free, free_o, valid_i)

endmodule
