// SPDX-License-Identifier: Apache-2.0
// D: expands 16-bit instructions, decodes, and reads registers, with forwarding.
//
// An instruction is taken from F with ready_o and stays here until X takes it, at an
// edge with take_i and without hazard_o. hazard_o: a load-use hazard, it needs a value
// that X holds and only M knows. The other outputs to X are valid with valid_o.
// Operands are forwarded from X or M, else read from the register file, which is written
// at the edge that ends M.

module decode (
  input logic clk_i,
  input logic rst_ni,

  input logic redirect_i,  // drops the instruction in D

  // F, as in fetch.sv
  output logic              ready_o,
  input  logic              valid_i,
  input  soc_pkg::fetched_t fetched_i,

  // The older instructions in X and M; rd 0: no result
  input logic [4:0]  x_rd_i,
  input logic        x_late_i,  // the value is known only in M
  input logic [63:0] x_result_i,
  input logic [4:0]  m_rd_i,
  input logic [63:0] m_value_i,
  input logic        m_commit_i,

  // To X
  input  logic             take_i,
  output logic             valid_o,
  output logic             hazard_o,
  output logic [4:0]       rs1_o,   // source registers; 0 for none
  output logic [4:0]       rs2_o,
  output soc_pkg::issued_t issued_o,
  output soc_pkg::unit_e   unit_o,  // UnitAlu if the instruction is bad
  output logic [4:0]       rd_o
);

  logic valid_q;
  soc_pkg::fetched_t fetched_q;
  logic [63:0] regs_q[32];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
    end else if (redirect_i) begin
      valid_q <= 1'b0;
    end else if (ready_o) begin
      valid_q <= valid_i;
      if (valid_i) fetched_q <= fetched_i;
    end
  end
  assign ready_o = !valid_q || (take_i && !hazard_o);

  always_ff @(posedge clk_i) begin
    if (m_commit_i && m_rd_i != 5'd0) regs_q[m_rd_i] <= m_value_i;
  end

  logic [31:0] expanded, full;
  logic illegal16, illegal, use_imm, use_pc;
  soc_pkg::unit_e unit;
  logic [4:0] rd, rs1, rs2;
  logic [63:0] imm, a, b;
  soc_pkg::op_t op;
  soc_pkg::bad_e bad;
  expand u_expand (
    .insn_i   (fetched_q.insn[15:0]),
    .insn_o   (expanded),
    .illegal_o(illegal16)
  );
  assign full = fetched_q.insn[1:0] == 2'b11 ? fetched_q.insn : expanded;
  decoder u_decoder (
    .insn_i   (full),
    .illegal_o(illegal),
    .unit_o   (unit),
    .op_o     (op),
    .word_o   (issued_o.word),
    .rd_o     (rd),
    .rs1_o    (rs1),
    .rs2_o    (rs2),
    .use_imm_o(use_imm),
    .use_pc_o (use_pc),
    .imm_o    (imm)
  );

  always_comb begin
    bad = fetched_q.bad;
    unit_o = soc_pkg::UnitAlu;
    rd_o = 5'd0;
    if (fetched_q.bad == soc_pkg::BadNone) begin
      if (illegal || (fetched_q.insn[1:0] != 2'b11 && illegal16)) begin
        bad = soc_pkg::BadIllegal;
      end else begin
        unit_o = unit;
        rd_o = rd;
      end
    end
  end

  always_comb begin
    a = '0;
    b = '0;
    hazard_o = 1'b0;
    if (valid_q) begin
      if (rs1 != 5'd0) begin
        if (rs1 == x_rd_i) begin
          a = x_result_i;
          hazard_o = x_late_i;
        end else if (rs1 == m_rd_i) begin
          a = m_value_i;
        end else begin
          a = regs_q[rs1];
        end
      end
      if (rs2 != 5'd0) begin
        if (rs2 == x_rd_i) begin
          b = x_result_i;
          if (x_late_i) hazard_o = 1'b1;
        end else if (rs2 == m_rd_i) begin
          b = m_value_i;
        end else begin
          b = regs_q[rs2];
        end
      end
      if (use_pc) a = fetched_q.pc;
      if (use_imm) b = imm;
    end
  end

  assign valid_o = valid_q;
  assign issued_o.pc = fetched_q.pc;
  assign issued_o.next_pc = fetched_q.next_pc;
  assign issued_o.insn = fetched_q.insn;
  assign issued_o.fields = full[31:12];
  assign issued_o.bad = bad;
  assign issued_o.op.bits = op.bits;
  assign issued_o.a = a;
  assign issued_o.b = b;
  assign issued_o.imm = imm;
  assign rs1_o = rs1;
  assign rs2_o = rs2;

  `ASSERT_HELD(instruction_stands, valid_o, (take_i && !hazard_o) || redirect_i, fetched_q)
  `ASSERT_IF(bad_writes_nothing, rd_o == 5'd0, bad != soc_pkg::BadNone)

endmodule
