// SPDX-License-Identifier: Apache-2.0
// Attaches trace_sink.sv to each instance of a core with RVFI, whose files stay as they are.

bind small_core trace_sink #(
  .XLEN(32),
  .HasCause(1'b1)
) u_trace_sink (
  .clk_i,
  .hart_i(HartId),
  .valid_i(rvfi_valid),
  .trap_i(rvfi_trap),
  .intr_i(rvfi_intr),
  .mode_i(rvfi_mode),
  .insn_i(rvfi_insn),
  .pc_rdata_i(rvfi_pc_rdata),
  .pc_wdata_i(rvfi_pc_wdata),
  .rd_addr_i(rvfi_rd_addr),
  .rd_wdata_i(rvfi_rd_wdata),
  .satp_i('0),
  .cause_i(rvfi_cause),
  .cycle_i('0)
);
