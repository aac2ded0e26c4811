// SPDX-License-Identifier: Apache-2.0
// The registers f0 to f31, with forwarding to D.
//
// An operand is forwarded from X, from M, or from stage 4 of the FPU (a late result, two
// cycles after M), else read from the register file. Results of X and M are written at the
// edge that ends M, late results at the one that ends stage 4. If both are written at the
// same edge, that of M is younger. Loads of singles are boxed here. decode.sv holds an
// instruction in D until all its operands are known.

module float_registers (
  input logic clk_i,

  // D: at an edge with x_ready_i the instruction leaves for X, unless it has a hazard; float_i:
  // it is of F or D
  input  logic         x_ready_i,
  input  logic         float_i,
  input  soc_pkg::rd_t rs1_i,
  input  soc_pkg::rd_t rs2_i,
  input  soc_pkg::rd_t rs3_i,
  input  logic [63:0]  integer_i,  // rs1, if it is an integer register

  // X: its operands, each valid if the instruction reads that register
  output logic [63:0] a_o,
  output logic [63:0] b_o,
  output logic [63:0] c_o,

  // X: a result that is not late
  input soc_pkg::rd_t x_rd_i,
  input logic [63:0]  x_result_i,

  // M
  input logic           m_commit_i,
  input soc_pkg::unit_e m_unit_i,
  input soc_pkg::rd_t   m_rd_i,
  input logic [63:0]    m_value_i,
  input logic           m_word_i,    // if it is a load: of 32 bits

  // Stage 4 of the FPU, two cycles after M
  input logic         late_valid_i,
  input soc_pkg::rd_t late_rd_i,
  input logic [63:0]  late_result_i
);

  logic [63:0] regs_q[32];

  function automatic logic [63:0] boxed(input logic [63:0] value);
    boxed = m_unit_i == soc_pkg::UnitFloatMem && m_word_i ? {32'hffff_ffff, value[31:0]} : value;
  endfunction

  always_ff @(posedge clk_i) begin
    if (late_valid_i) regs_q[late_rd_i[4:0]] <= late_result_i;
    if (m_commit_i && m_rd_i[5] && m_unit_i != soc_pkg::UnitFma)
      regs_q[m_rd_i[4:0]] <= boxed(m_value_i);
  end

  function automatic logic [63:0] value(input soc_pkg::rd_t register);
    if (register == x_rd_i) value = x_result_i;
    else if (register == m_rd_i) value = boxed(m_value_i);
    else if (register == late_rd_i) value = late_result_i;
    else value = regs_q[register[4:0]];
  endfunction

  always_ff @(posedge clk_i) begin
    if (x_ready_i && float_i) begin
      a_o <= rs1_i[5] ? value(rs1_i) : integer_i;
      b_o <= value(rs2_i);
      c_o <= value(rs3_i);
    end
  end

endmodule
