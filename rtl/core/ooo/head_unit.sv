// SPDX-License-Identifier: Apache-2.0
// The head of the window: executes, one at a time, the instructions that only the oldest can
// execute, and takes traps.
//
// These are instructions of PortHead, and loads and stores that the memory port has deferred.
// One that issues is in retire.sv from the next cycle on, as in M of a core in order, and leaves
// it with commit_o, in the cycle of its result, or by a trap. free_o: another may issue.
//
// An interrupt that is pending holds the commit of the oldest instruction (hold_o), which then
// enters retire.sv in its stead, and is interrupted there; if the interrupt is gone by then, the
// window goes on as if nothing had been.
//
// redirect_o: all that is younger leaves, or with trap_o all, and the core fetches at
// redirect_pc_o. That is also so after a write of a CSR by which instructions are decoded, and
// after a store here, since younger loads may have been executed without it.

module head_unit (
  input logic clk_i,
  input logic rst_ni,

  // The oldest instruction, which may issue. Its payload and registers are read if read_o
  input  ooo_pkg::slot_t           head_i,
  input  logic                     empty_i,
  input  ooo_pkg::issue_t          issue_i,
  output logic                     free_o,
  output logic                     read_o,
  input  ooo_pkg::work_t           work_i,
  input  logic              [31:0] insn_i,
  input  logic              [63:0] pc_i,
  input  ooo_pkg::extracted_t      extracted_i,
  input  logic              [63:0] rs1_i,
  input  logic              [63:0] rs2_i,
  input  logic              [63:0] rs3_i,

  // The instruction in retire.sv: valid_o, and what it does
  output logic               valid_o,
  output soc_pkg::executed_t executed_o,
  output soc_pkg::unit_e     unit_o,
  output logic               waits_o,     // in WFI
  output logic               quiescent_o, // nothing changes here without what it waits for

  // Its end
  output logic                    hold_o,
  output logic                    commit_o,
  output ooo_pkg::result_t        result_o,
  output logic             [63:0] value_o,
  output logic                    redirect_o,
  output logic             [63:0] redirect_pc_o,
  output ooo_pkg::snapshot_t      redirect_snapshot_o,
  output ooo_pkg::index_t         redirect_load_index_o,   // of the first that leaves
  output ooo_pkg::index_t         redirect_store_index_o,
  output soc_pkg::fence_t         fence_o,

  // A load, store, LR, SC, AMO or copy, as in lsu.sv
  output logic            mem_o,
  output logic [63:0]     length_o,
  input  logic            mem_done_i,
  input  logic [63:0]     mem_value_i,
  input  logic            mem_fault_i,
  input  soc_pkg::cause_e mem_cause_i,
  input  logic [63:0]     mem_address_i,

  // CSRs and privilege, as in csr.sv
  output logic              csr_valid_o,
  output soc_pkg::xret_e    xret_o,
  input  logic [63:0]       csr_rdata_i,
  input  logic              csr_illegal_i,
  input  logic              csr_flush_i,
  input  logic              csr_satp_we_i,
  input  logic              csr_we_i,
  input  logic [63:0]       csr_target_i,
  input  logic              irq_i,
  input  csr_pkg::irq_e     irq_cause_i,
  input  logic              wake_i,
  input  soc_pkg::priv_e    priv_i,
  input  soc_pkg::mstatus_t status_i,

  // A trap, of that instruction
  output logic                 trap_o,
  output soc_pkg::trap_cause_t cause_o,
  output logic [63:0]          tval_o
);

  // What enters: the instruction that issues, or the oldest for an interrupt
  logic valid, stand_in, enter;
  logic [3:0] unit;  // soc_pkg::unit_e
  soc_pkg::executed_t executed;
  assign stand_in = irq_i && !empty_i && !valid && !issue_i.valid;
  assign enter = issue_i.valid || stand_in;
  assign read_o = enter;
  assign free_o = !valid;
  assign hold_o = irq_i || valid;

  logic [3:0] op;  // soc_pkg::op_t
  logic [2:0] bad;  // soc_pkg::bad_e
  logic [63:0] imm, result, next_pc;
  always_comb begin
    unit = soc_pkg::UnitAlu;
    op = '0;
    bad = soc_pkg::BadNone;
    imm = '0;
    result = '0;
    if (issue_i.valid) begin
      imm = {{32{work_i.imm[31]}}, work_i.imm};
      unit = work_i.unit;
      op = work_i.op;
      bad = extracted_i.bad;
      result = rs1_i;
      if (unit[2:0] == soc_pkg::UnitMem[2:0]) result = rs1_i + imm;
      if (unit == soc_pkg::UnitCsr && op[2]) result = imm;  // soc_pkg::csr_t
    end
  end
  assign next_pc = pc_i + (work_i.wide ? 64'd4 : 64'd2);
  always_comb begin
    executed = '0;
    if (enter)
      executed = {
        {op, bad, insn_i[31:15], work_i.width}, insn_i, rs2_i, result, next_pc, pc_i
      };
  end

  // The rest of the instruction in retire.sv
  logic stand_in_q, store_q;
  ooo_pkg::slot_t slot_q;
  ooo_pkg::tag_t rd_q;
  ooo_pkg::index_t load_index_q, store_index_q;
  ooo_pkg::snapshot_t snapshot_q;
  logic [63:0] length_q;
  always_ff @(posedge clk_i) begin
    if (enter) begin
      stand_in_q <= stand_in;
      slot_q <= head_i;
      rd_q <= issue_i.tags.rd;
      store_q <= work_i.store;
      load_index_q <= work_i.load_index;
      store_index_q <= work_i.store_index;
      snapshot_q <= extracted_i.snapshot;
      length_q <= rs3_i;
    end
  end
  assign length_o = length_q;

  logic is_new, stall, commit, redirect;
  logic [63:0] value;
  soc_pkg::executed_t uop;
  soc_pkg::unit_e m_unit;
  retire u_retire (
    .clk_i, .rst_ni,
    .ack_i         (enter),
    .executed_i    (executed),
    .unit_i        (unit),
    .rd_i          (6'd0),
    .valid_o       (valid),
    .new_o         (is_new),
    /* verilator lint_off PINCONNECTEMPTY */
    .rd_o          (),
    /* verilator lint_on PINCONNECTEMPTY */
    .executed_o    (uop),
    .unit_o        (m_unit),
    .mem_o, .mem_done_i, .mem_value_i, .mem_fault_i, .mem_cause_i, .mem_address_i,
    .stall_o       (stall),
    .commit_o      (commit),
    .value_o       (value),
    .redirect_o    (redirect),
    .redirect_pc_o,
    .fence_o,
    .float_b_i     (rs2_i),
    .csr_valid_o, .xret_o, .csr_rdata_i, .csr_illegal_i, .csr_flush_i, .csr_satp_we_i,
    .csr_target_i, .irq_i, .irq_cause_i, .wake_i, .priv_i, .status_i,
    .trap_o, .cause_o, .tval_o
  );
  assign valid_o = valid;
  assign executed_o = uop;
  assign unit_o = m_unit;
  assign quiescent_o = valid ? stall && !is_new : !enter;
  assign waits_o = stall && m_unit == soc_pkg::UnitSys;

  // CSRs by which instructions are decoded: fcsr and its fields, mstatus and sstatus
  logic decodes;
  assign decodes = {uop.fields.amo, uop.fields.aq_rl, uop.fields.rs2[4:2]} == 10'd0 ||
                   {uop.fields.amo, uop.fields.aq_rl, uop.fields.rs2} == csr_pkg::CsrMstatus ||
                   {uop.fields.amo, uop.fields.aq_rl, uop.fields.rs2} == csr_pkg::CsrSstatus;
  assign commit_o = commit && !stand_in_q;
  assign redirect_snapshot_o = snapshot_q;
  assign redirect_load_index_o = load_index_q;
  assign redirect_store_index_o = store_index_q + {4'd0, commit_o && store_q};
  always_comb begin
    redirect_o = redirect;
    if (commit_o) begin
      if (store_q) redirect_o = 1'b1;
      if (m_unit == soc_pkg::UnitCsr && csr_we_i && decodes) redirect_o = 1'b1;
    end
  end

  always_comb begin
    result_o = '0;
    value_o = '0;
    if (commit_o) begin
      result_o.valid = 1'b1;
      result_o.slot = slot_q;
      result_o.rd = rd_q;
      value_o = value;
      if (m_unit == soc_pkg::UnitFloatMem && uop.fields.width.size == soc_pkg::SizeWord)
        value_o = {32'hffff_ffff, value[31:0]};
    end
  end

  `ASSERT_IF(issues_when_free, !valid, issue_i.valid)
  `ASSERT_IF(stays_the_oldest, slot_q == head_i, commit_o)

endmodule
