// SPDX-License-Identifier: Apache-2.0
// X: computes, resolves branches and jumps, and adds up addresses.
//
// An instruction is taken from D at an edge with take_o, and leaves for M at one with
// ack_o, in its first cycle unless a unit needs more. It then redirects F if D was to
// get another one after it, and teaches the predictor. rd_o, result_o and late_o (only M
// will know the value) are the bypass to D.

module execute (
  input logic clk_i,
  input logic rst_ni,

  // From M: it waits; what is here is not to be executed
  input logic stall_i,
  input logic kill_i,

  // D, as in decode.sv
  output logic        take_o,
  input  logic        valid_i,
  input  logic        hazard_i,
  input  logic [63:0] pc_i,
  input  logic [63:0] next_i,
  input  logic [31:0] insn_i,
  input  soc_pkg::fields_t fields_i,
  input  soc_pkg::bad_e bad_i,
  input  soc_pkg::unit_e unit_i,
  input  soc_pkg::op_t op_i,
  input  logic        word_i,
  input  logic [ 4:0] rd_i,
  input  logic [63:0] a_i,
  input  logic [63:0] b_i,
  input  logic [63:0] imm_i,

  // To M
  output logic        valid_o,
  output logic        done_o,
  output logic        ack_o,
  output logic        late_o,
  output logic [63:0] pc_o,
  output logic [63:0] seq_o,     // of the instruction that follows it
  output logic [31:0] insn_o,
  output soc_pkg::fields_t fields_o,
  output soc_pkg::bad_e bad_o,
  output soc_pkg::unit_e unit_o,
  output soc_pkg::op_t op_o,
  output logic [ 4:0] rd_o,
  output logic [63:0] result_o,
  output logic [63:0] b_o,

  // To F: a redirect to actual_o; updates of the predictor, as in predictor.sv
  output logic        redirect_o,
  output logic [63:0] actual_o,
  output logic        update_o,
  output soc_pkg::kind_e kind_o,
  output logic        taken_o,
  output logic        push_o
);

  logic valid_q, word_q;
  logic [63:0] pc_q, next_q, a_q, b_q, imm_q;
  logic [31:0] insn_q;
  soc_pkg::fields_t fields_q;
  soc_pkg::unit_e unit_q;
  soc_pkg::bad_e bad_q;
  soc_pkg::op_t op_q;
  logic [4:0] rd_q;

  assign take_o = !stall_i && done_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      rd_q <= 5'd0;
      unit_q <= soc_pkg::UnitAlu;
    end else if (kill_i || redirect_o) begin
      valid_q <= 1'b0;
      rd_q <= 5'd0;
      unit_q <= soc_pkg::UnitAlu;
    end else if (take_o) begin
      valid_q <= valid_i && !hazard_i;
      rd_q <= 5'd0;
      unit_q <= soc_pkg::UnitAlu;
      if (valid_i && !hazard_i) begin
        pc_q <= pc_i;
        next_q <= next_i;
        insn_q <= insn_i;
        fields_q <= fields_i;
        word_q <= word_i;
        op_q <= op_i;
        a_q <= a_i;
        b_q <= b_i;
        imm_q <= imm_i;
        bad_q <= bad_i;
        unit_q <= unit_i;
        rd_q <= rd_i;
      end
    end
  end

  logic [63:0] alu_result, mul_result, div_result;
  logic mul_done, div_done;
  alu u_alu (
    .op_i    (op_q.alu),
    .word_i  (word_q),
    .a_i     (a_q),
    .b_i     (b_q),
    .result_o(alu_result)
  );
  multiplier u_multiplier (
    .clk_i,
    .rst_ni,
    .valid_i (unit_q == soc_pkg::UnitMul),
    .kill_i,
    .ack_i   (ack_o),
    .op_i    (op_q.mul.op),
    .word_i  (word_q),
    .a_i     (a_q),
    .b_i     (b_q),
    .done_o  (mul_done),
    .result_o(mul_result)
  );
  divider u_divider (
    .clk_i,
    .rst_ni,
    .valid_i (unit_q == soc_pkg::UnitDiv),
    .kill_i,
    .ack_i   (ack_o),
    .op_i    (op_q.div.op),
    .word_i  (word_q),
    .a_i     (a_q),
    .b_i     (b_q),
    .done_o  (div_done),
    .result_o(div_result)
  );

  logic less;
  logic [63:0] target;
  always_comb begin
    taken_o = 1'b0;
    kind_o = soc_pkg::KindNone;
    push_o = 1'b0;
    done_o = 1'b1;
    less = 1'b0;
    target = '0;
    seq_o = pc_q + (insn_q[1:0] == 2'b11 ? 64'd4 : 64'd2);
    actual_o = seq_o;
    result_o = alu_result;
    case (unit_q)
      soc_pkg::UnitAlu: result_o = alu_result;
      soc_pkg::UnitBranch: begin
        less = op_q.bits[1] ? a_q < b_q : $signed(a_q) < $signed(b_q);
        taken_o = (op_q.bits[2] ? less : a_q == b_q) != op_q.bits[0];
        kind_o = soc_pkg::KindBranch;
        if (taken_o) actual_o = pc_q + imm_q;
      end
      soc_pkg::UnitJump: begin
        taken_o = 1'b1;
        kind_o = soc_pkg::KindJump;
        result_o = seq_o;
        target = (op_q.jump == soc_pkg::JumpJalr ? a_q : pc_q) + imm_q;
        actual_o = {target[63:1], 1'b0};
        // Links and returns, as the manual's table of hints has them.
        push_o = rd_q == 5'd1 || rd_q == 5'd5;
        if (op_q.jump == soc_pkg::JumpJalr && (fields_q.rs1 == 5'd1 || fields_q.rs1 == 5'd5) &&
            rd_q != fields_q.rs1)
          kind_o = soc_pkg::KindReturn;
      end
      soc_pkg::UnitMul: begin
        done_o = mul_done;
        result_o = mul_result;
      end
      soc_pkg::UnitDiv: begin
        done_o = div_done;
        result_o = div_result;
      end
      soc_pkg::UnitMem: result_o = a_q + imm_q;
      soc_pkg::UnitCsr: result_o = op_q.csr.immediate ? imm_q : a_q;
      default: result_o = a_q;
    endcase
  end
  assign ack_o = valid_q && take_o;
  assign redirect_o = ack_o && actual_o != next_q && bad_q == soc_pkg::BadNone;
  assign update_o = ack_o && !kill_i && (kind_o != soc_pkg::KindNone || redirect_o);

  assign late_o = unit_q == soc_pkg::UnitMem || unit_q == soc_pkg::UnitCsr;
  assign valid_o = valid_q;
  assign pc_o = pc_q;
  assign insn_o = insn_q;
  assign fields_o = fields_q;
  assign bad_o = bad_q;
  assign unit_o = unit_q;
  assign op_o = op_q;
  assign rd_o = rd_q;
  assign b_o = b_q;

endmodule
