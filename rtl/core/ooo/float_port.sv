// SPDX-License-Identifier: Apache-2.0
// The port of PortFloat: the FPU with its instructions, and fcsr (float_status.sv).
//
// It takes an instruction in a cycle with free_o; the operands are registered in the cycle of the
// issue, and fpu.sv begins in the next one. Its operation and rounding mode (soc_pkg::float_t)
// are in the lower bits of the immediate. Additions, multiplications and multiply-adds are
// pipelined. Any other instruction keeps the port until it has its result, in a cycle without
// a result of the pipeline. A squash removes instructions of the pipeline, and frees the port in
// the cycle after the next one.
//
// The clock is that of the core, but may be stopped while clk_req_o is low.

module float_port #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic clk_req_o,
  output logic busy_o,     // an instruction has issued, and left no trace yet

  // Dispatch: lane n is in slot slot_i + n, modulo Window
  input logic           [   Width-1:0] dispatch_i,
  input logic           [32*Width-1:0] lanes_i,  // ooo_pkg::dispatch_t
  input ooo_pkg::slot_t                slot_i,

  // Issue
  output logic                         free_o,
  input  ooo_pkg::issue_t              issue_i,
  input  ooo_pkg::work_t               work_i,
  input  logic            [      63:0] rs1_i,
  input  logic            [      63:0] rs2_i,
  input  logic            [      63:0] rs3_i,
  input  logic            [Window-1:0] squashed_i,
  output ooo_pkg::result_t             result_o,
  output logic            [      63:0] value_o,

  // Commit, and writes of fcsr, as in float_status.sv
  input  ooo_pkg::slot_t          head_i,
  input  logic             [ 2:0] commit_count_i,
  output logic                    dirty_o,
  input  logic                    csr_we_i,
  input  logic             [11:0] csr_addr_i,
  input  logic             [ 7:0] csr_wdata_i,
  output soc_pkg::frm_t           frm_o,
  output soc_pkg::fflags_t        fflags_o
);

  localparam int unsigned SlotBits = $clog2(Window);

  // The instruction in X, the first stage of the FPU; it was squashed in an earlier cycle if it is
  // not live.
  logic valid_q, live_q;
  logic [5:0] slot_q;
  logic [6:0] rd_q;
  logic [63:0] a_q, b_q, c_q;
  soc_pkg::float_t control_q;
  // Whether stages M, 3 and 4 of the FPU have an instruction that has not been squashed
  logic live_m_q, live_3_q, live_4_q;
  logic [5:0] slot_m_q, slot_3_q, late_slot;

  logic fused, done, leaves;
  logic [6:0] late_rd;
  assign fused = control_q.op.op <= soc_pkg::FpuNmadd;
  assign leaves = fused || !live_q || done && !live_4_q;
  assign free_o = !valid_q || leaves;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (issue_i.valid) valid_q <= !squashed_i[issue_i.slot[SlotBits-1:0]];
    else if (leaves) valid_q <= 1'b0;
    if (issue_i.valid) begin
      live_q <= 1'b1;
      slot_q <= issue_i.slot;
      rd_q <= issue_i.tags.rd;
      control_q <= work_i.imm[10:0];
      a_q <= rs1_i;
      b_q <= rs2_i;
      c_q <= rs3_i;
    end else if (squashed_i[slot_q[SlotBits-1:0]]) begin
      live_q <= 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      live_m_q <= 1'b0;
      live_3_q <= 1'b0;
      live_4_q <= 1'b0;
    end else begin
      live_m_q <= valid_q && fused && !squashed_i[slot_q[SlotBits-1:0]];
      live_3_q <= live_m_q && !squashed_i[slot_m_q[SlotBits-1:0]];
      live_4_q <= live_3_q && !squashed_i[slot_3_q[SlotBits-1:0]];
    end
    slot_m_q <= slot_q;
    slot_3_q <= slot_m_q;
  end

  // An instruction is killed after its first cycle in X only, when there is none in M: of M the
  // FPU would kill an older one.
  logic late_valid;
  logic [63:0] value, late_value;
  soc_pkg::fflags_t flags, late_flags;
  fpu #(
    .TagBits(13)
  ) u_fpu (
    .clk_i, .rst_ni,
    .valid_i      (valid_q),
    .kill_i       (valid_q && !live_q),
    .ack_i        (leaves),
    .tag_i        ({slot_q, rd_q}),
    .op_i         (control_q.op),
    .rounding_i   (control_q.rounding),
    .a_i          (a_q),
    .b_i          (b_q),
    .c_i          (c_q),
    .done_o       (done),
    /* verilator lint_off PINCONNECTEMPTY */
    .tag_o        (),
    /* verilator lint_on PINCONNECTEMPTY */
    .result_o     (value),
    .flags_o      (flags),
    .commit_i     (1'b1),
    .late_valid_o (late_valid),
    .late_tag_o   ({late_slot, late_rd}),
    .late_result_o(late_value),
    .late_flags_o (late_flags)
  );

  soc_pkg::fflags_t result_flags;
  always_comb begin
    result_o = '0;
    value_o = '0;
    result_flags = '0;
    if (live_4_q) begin
      result_o = {18'd0, 1'b1, late_slot, late_rd};
      value_o = late_value;
      result_flags = late_flags;
    end else if (valid_q && live_q && !fused && done) begin
      result_o = {18'd0, 1'b1, slot_q, rd_q};
      value_o = value;
      result_flags = flags;
    end
  end

  logic status_busy;
  float_status #(
    .Width (Width),
    .Window(Window)
  ) u_status (
    .clk_i, .rst_ni,
    .busy_o      (status_busy),
    .dispatch_i, .lanes_i, .slot_i,
    .valid_i     (result_o.valid),
    .valid_slot_i(result_o.slot),
    .flags_i     (result_flags),
    .squashed_i, .head_i, .commit_count_i, .dirty_o,
    .csr_we_i, .csr_addr_i, .csr_wdata_i, .frm_o, .fflags_o
  );

  // Squashed instructions may stop behind X.
  assign busy_o = valid_q || live_m_q || live_3_q || late_valid;
  assign clk_req_o = issue_i.valid || busy_o || status_busy;

  `ASSERT_IF(issues_when_free, free_o, issue_i.valid)
  `ASSERT_IF(live_is_late, late_valid, live_4_q)

endmodule
