// SPDX-License-Identifier: Apache-2.0
// D: expands 16-bit instructions, decodes, and reads registers, with forwarding.
//
// An instruction is taken from F with ready_o and stays here until X takes it, at an
// edge with x_ready_i and without hazard_o. hazard_o: a load-use hazard, it needs a result of
// the instruction in X that is not known before M; or float_hazard_o. The other outputs to
// X are valid with valid_o.
// Operands are forwarded from X or M, else read from the register file, which is written
// at the edge that ends M. Floating-point operands are read in float_unit.sv. The length of
// a copy in M is read there, when all older instructions have written their registers.

module decode #(
  parameter bit Float = 1'b1  // 0: no F and D
) (
  input logic clk_i,
  input logic rst_ni,

  input logic redirect_i,  // drops the instruction in D

  // F, as in fetch.sv
  output logic              ready_o,
  input  logic              valid_i,
  input  soc_pkg::fetched_t fetched_i,

  // The older instructions in X and M; rd 0: no result
  input soc_pkg::unit_e x_unit_i,
  input soc_pkg::rd_t   x_rd_i,
  input logic           x_late_i,  // the value is not known before M
  input logic [63:0]    x_result_i,
  input soc_pkg::unit_e m_unit_i,
  input soc_pkg::rd_t   m_rd_i,
  input logic [63:0]    m_value_i,
  input logic           m_commit_i,

  // Copies
  input  logic        copy_on_i,      // as in decoder.sv
  input  logic        m_copy_i,       // a copy is in M
  output logic [63:0] m_length_o,     // its rd, from its second cycle on

  // Floating point, as in float_unit.sv
  input  logic           float_on_i,
  input  soc_pkg::frm_t  frm_i,
  output logic           is_float_o,
  output soc_pkg::fpu_t  fpu_o,
  output soc_pkg::frm_t  rounding_o,
  input  soc_pkg::rd_t   rd3_i,

  // To X
  input  logic             x_ready_i,
  output logic             valid_o,
  output logic             hazard_o,
  output logic             float_hazard_o,  // hazard of the FPU, or of CSRs that F and D use
  output soc_pkg::rd_t     rs1_o,           // source registers; 0 for none
  output soc_pkg::rd_t     rs2_o,
  output soc_pkg::rd_t     rs3_o,
  output soc_pkg::issued_t issued_o,
  output soc_pkg::unit_e   unit_o,          // UnitAlu if the instruction is bad
  output soc_pkg::rd_t     rd_o
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
  assign ready_o = !valid_q || (x_ready_i && !hazard_o);

  always_ff @(posedge clk_i) begin
    // x1 to x31
    if (m_commit_i && m_rd_i - 6'd1 < 6'd31) regs_q[m_rd_i[4:0]] <= m_value_i;
  end

  always_comb begin
    m_length_o = '0;
    if (m_copy_i) m_length_o = regs_q[m_rd_i[4:0]];
  end

  logic [31:0] expanded, full;
  logic illegal16, illegal, use_imm, use_pc;
  logic is_float;
  soc_pkg::unit_e unit;
  soc_pkg::rd_t rd, rs1, rs2, rs3;
  logic [63:0] imm, a, b;
  soc_pkg::op_t op;
  soc_pkg::bad_e bad;
  expand u_expand (
    .insn_i   (fetched_q.insn[15:0]),
    .insn_o   (expanded),
    .illegal_o(illegal16)
  );
  assign full = fetched_q.insn[1:0] == 2'b11 ? fetched_q.insn : expanded;
  decoder #(
    .Float(Float)
  ) u_decoder (
    .valid_i  (1'b1),
    .insn_i   (full),
    .float_on_i, .frm_i, .copy_on_i,
    .illegal_o(illegal),
    .unit_o   (unit),
    .op_o     (op),
    .word_o   (issued_o.word),
    .rd_o     (rd),
    .rs1_o    (rs1),
    .rs2_o    (rs2),
    .use_imm_o(use_imm),
    .use_pc_o (use_pc),
    .imm_o    (imm),
    .is_float_o(is_float), .fpu_o, .rounding_o, .rs3_o(rs3)
  );

  always_comb begin
    bad = fetched_q.bad;
    unit_o = soc_pkg::UnitAlu;
    rd_o = '0;
    if (fetched_q.bad == soc_pkg::BadNone) begin
      if (illegal || (fetched_q.insn[1:0] != 2'b11 && illegal16)) begin
        bad = soc_pkg::BadIllegal;
      end else begin
        unit_o = unit;
        rd_o = rd;
      end
    end
  end

  // Hazards other than those of rs1 and rs2 with X. A CSR instruction that accesses fcsr
  // (fcsr set) waits for the flags of all older instructions. An instruction of F or D waits
  // for CSR instructions, which may make it illegal, for operands from the FPU, and for an
  // older instruction that would write the same rd later.
  function automatic logic float_waits(input logic fcsr);
    if (fcsr) begin
      float_waits = x_unit_i == soc_pkg::UnitFma || m_unit_i == soc_pkg::UnitFma;
    end else begin
      float_waits = x_unit_i == soc_pkg::UnitCsr || m_unit_i == soc_pkg::UnitCsr ||
                    (x_unit_i == soc_pkg::UnitFma && rd == x_rd_i);
      if (rs3[5] && x_late_i && rs3 == x_rd_i) float_waits = 1'b1;
      if (m_unit_i == soc_pkg::UnitFma && (rs1 == m_rd_i || rs2 == m_rd_i || rs3 == m_rd_i))
        float_waits = 1'b1;
      if (rd3_i != '0 && (rs1 == rd3_i || rs2 == rd3_i || rs3 == rd3_i)) float_waits = 1'b1;
    end
  endfunction

  always_comb begin
    a = '0;
    b = '0;
    hazard_o = 1'b0;
    float_hazard_o = 1'b0;
    if (valid_q) begin
      if (rs1 != '0) begin
        if (rs1 == x_rd_i) begin
          a = x_result_i;
          hazard_o = x_late_i;
        end else if (rs1 == m_rd_i) begin
          a = m_value_i;
        end else begin
          a = regs_q[rs1[4:0]];
        end
      end
      if (rs2 != '0) begin
        if (rs2 == x_rd_i) begin
          b = x_result_i;
          if (x_late_i) hazard_o = 1'b1;
        end else if (rs2 == m_rd_i) begin
          b = m_value_i;
        end else begin
          b = regs_q[rs2[4:0]];
        end
      end
      if (use_pc) a = fetched_q.pc;
      if (use_imm) b = imm;
      if (is_float) begin
        float_hazard_o = float_waits(unit == soc_pkg::UnitCsr);
        if (float_hazard_o) hazard_o = 1'b1;
      end
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
  assign rs3_o = rs3;
  assign is_float_o = is_float;

  `ASSERT_HELD(instruction_stands, valid_o, (x_ready_i && !hazard_o) || redirect_i, fetched_q)
  `ASSERT_IF(bad_writes_nothing, rd_o == '0, bad != soc_pkg::BadNone)

endmodule
