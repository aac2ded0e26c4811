// SPDX-License-Identifier: Apache-2.0
// The floating-point registers, fcsr, and the FPU with its operands.
//
// The clock is that of the core, but may be stopped while clk_req_o is low: D, X and M have
// no instruction of F or D and none that accesses fcsr, and no result is pending. A program
// without such instructions then costs a simulator little. Operands are read at the edge at
// which an instruction leaves D for X. The stages of the FPU are X and M, and two after M,
// called 3 and 4.

module float_unit (
  input  logic clk_i,
  input  logic rst_ni,
  output logic clk_req_o,

  // D: an instruction of F or D, or one that accesses fcsr (d_float_i); its source registers,
  // and its operation
  input  logic           d_valid_i,
  input  logic           d_float_i,
  input  soc_pkg::unit_e d_unit_i,
  input  soc_pkg::fpu_t  d_op_i,
  input  soc_pkg::frm_t  d_rounding_i,  // if legal, a rounding_e
  input  soc_pkg::rd_t   d_rs1_i,
  input  soc_pkg::rd_t   d_rs2_i,
  input  soc_pkg::rd_t   d_rs3_i,

  // It leaves for X, as in decode.sv; d_a_i: the operand if rs1 is an integer register
  input logic        x_ready_i,
  input logic        d_hazard_i,
  input logic [63:0] d_a_i,

  // X, as in execute.sv; x_done_o and x_value_o: the result of an instruction of UnitFpu
  input  logic         x_float_i,     // the instruction is of F or D
  input  logic         x_redirect_i,
  input  logic         x_ack_i,
  input  soc_pkg::rd_t x_rd_i,
  input  logic [63:0]  x_result_i,
  output logic         x_done_o,
  output logic [63:0]  x_value_o,
  output logic [63:0]  x_b_o,         // rs2, the data of a store

  // M, as in retire.sv; m_word_i: a load is of 32 bits
  input logic           m_redirect_i,
  input logic           m_stall_i,
  input logic           m_commit_i,
  input soc_pkg::unit_e m_unit_i,
  input soc_pkg::rd_t   m_rd_i,
  input logic [63:0]    m_value_i,
  input logic           m_word_i,
  output logic           m_dirty_o,  // the instruction makes FS dirty if it commits

  // A CSR instruction in M writes; bits 1:0 of the CSR's address; the fields of fcsr
  input  logic             csr_we_i,
  input  logic [1:0]       csr_addr_i,
  input  logic [7:0]       csr_wdata_i,
  output soc_pkg::frm_t    frm_o,
  output soc_pkg::fflags_t fflags_o,

  // The destination register of stage 3, 0 for none; stage 3 or 4 holds an instruction
  output soc_pkg::rd_t rd3_o,
  output logic         busy_o
);

  // Stages 3 and 4. The register of stage 4 comes from the FPU, as the tag of its result.
  soc_pkg::rd_t rd3_q, rd4;
  logic busy_q;
  assign rd3_o = rd3_q;
  assign busy_o = busy_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rd3_q <= '0;
      busy_q <= 1'b0;
    end else if (busy_q || m_unit_i == soc_pkg::UnitFma) begin
      busy_q <= rd3_q != '0 || (m_unit_i == soc_pkg::UnitFma && m_commit_i);
      rd3_q <= m_unit_i == soc_pkg::UnitFma && m_commit_i ? m_rd_i : '0;
    end
  end

  // X and M hold an instruction of F or D, or one that accesses fcsr; x_fpu_q: the one in X
  // uses the FPU
  logic x_q, x_fpu_q, m_q, m_fcsr_q, m_dirty_q, late_valid;
  logic [63:0] x_a, x_c;
  soc_pkg::fflags_t x_flags, m_flags_q, late_flags;
  soc_pkg::float_t control_q;
  logic [63:0] late_result;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      x_q <= 1'b0;
      x_fpu_q <= 1'b0;
    end else if (m_redirect_i || x_redirect_i || x_ready_i) begin
      x_q <= 1'b0;
      x_fpu_q <= 1'b0;
      if (!m_redirect_i && !x_redirect_i && d_valid_i && !d_hazard_i) begin
        x_q <= d_float_i;
        x_fpu_q <= d_unit_i == soc_pkg::UnitFma || d_unit_i == soc_pkg::UnitFpu;
      end
    end
    if (x_ready_i) control_q <= {d_op_i, d_rounding_i};
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || m_redirect_i) begin
      m_q <= 1'b0;
      m_dirty_q <= 1'b0;
    end else if (!m_stall_i) begin
      m_q <= x_ack_i && x_q;
      m_dirty_q <= x_ack_i && x_q && (x_rd_i[5] || (x_fpu_q && x_flags != '0));
    end
    if (x_ack_i) begin
      m_flags_q <= '0;
      if (x_fpu_q) m_flags_q <= x_flags;
      m_fcsr_q <= x_q && !x_float_i;
    end
  end

  // fcsr. Flags accumulate. A write of fcsr comes after the flags of all older instructions,
  // because D waits for those.
  soc_pkg::frm_t frm_q;
  soc_pkg::fflags_t fflags_q;
  assign frm_o = frm_q;
  assign fflags_o = fflags_q;
  assign m_dirty_o = m_dirty_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      frm_q <= '0;
      fflags_q <= '0;
    end else if (m_q && m_fcsr_q && csr_we_i) begin
      case (csr_addr_i)
        csr_pkg::CsrFflags[1:0]: fflags_q <= csr_wdata_i[4:0];
        csr_pkg::CsrFrm[1:0]: frm_q <= csr_wdata_i[2:0];
        default: begin
          frm_q <= csr_wdata_i[7:5];
          fflags_q <= csr_wdata_i[4:0];
        end
      endcase
    end else begin
      fflags_q <= fflags_q | (m_q && m_commit_i ? m_flags_q : '0) |
                  (late_valid ? late_flags : '0);
    end
  end

  float_registers u_registers (
    .clk_i, .x_ready_i(x_ready_i), .float_i(d_unit_i[3]),
    .rs1_i(d_rs1_i), .rs2_i(d_rs2_i), .rs3_i(d_rs3_i), .integer_i(d_a_i),
    .a_o(x_a), .b_o(x_b_o), .c_o(x_c),
    .x_rd_i, .x_result_i, .m_commit_i, .m_unit_i, .m_rd_i, .m_value_i, .m_word_i,
    .late_valid_i(late_valid), .late_rd_i(rd4), .late_result_i(late_result)
  );

  fpu #(
    .TagBits($bits(x_rd_i))
  ) u_fpu (
    .clk_i, .rst_ni,
    .valid_i(x_fpu_q), .kill_i(m_redirect_i), .ack_i(x_ack_i),
    .tag_i(x_rd_i), .op_i(control_q.op), .rounding_i(control_q.rounding),
    .a_i(x_a), .b_i(x_b_o), .c_i(x_c),
    .done_o(x_done_o), .tag_o(), .result_o(x_value_o), .flags_o(x_flags),
    .commit_i(m_commit_i),
    .late_valid_o(late_valid), .late_tag_o(rd4),
    .late_result_o(late_result), .late_flags_o(late_flags)
  );

  // A stage held such an instruction before the last edge of the clock, so one may hold it now.
  logic awake_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) awake_q <= 1'b0;
    else awake_q <= d_float_i || x_q || m_q || busy_q;
  end
  assign clk_req_o = d_float_i || awake_q;

  `ASSERT(late_in_time, late_valid == (rd4 != '0))

endmodule
