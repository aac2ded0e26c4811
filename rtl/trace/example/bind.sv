// SPDX-License-Identifier: Apache-2.0
// Attaches trace_sink.sv to each instance of a core with RVFI, whose files stay as they are.
// Names are those of the core. Its states tell why a cycle has no commit.

bind small_core small_reasons u_reasons (
  .clk_i,
  .lost_class_i(state_q == Fetch || state_q == FetchHigh ? 5'd1 : state_q == Execute ? 5'd2 :
                state_q == Muldiv ? 5'd3 : state_q == Memory ? 5'd4 : 5'd5),
  .fetched_i(mem_ack_i && (state_q == Fetch || state_q == FetchHigh)),
  .second_i(state_q == FetchHigh),
  .memory_i(state_q == Memory),
  .done_i(state_q == Memory && mem_ack_i),
  .load_i(is_load),
  .address_i(address),
  .lost_class_o(),
  .counters_o(),
  .split_o(),
  .load_o(),
  .load_addr_o(),
  .load_cycles_o()
);

bind small_core trace_sink #(
  .XLEN(32),
  .HasCause(1'b1),
  .Classes("frontend.fetch,core.execute,core.muldiv,memory,idle"),
  .Counters("fetches,loads,stores"),
  .NCounters(3),
  .Flags("split"),
  .HasLoad(1'b1)
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
  .cycle_i('0),
  .lost_class_i(u_reasons.lost_class_o),
  .counters_i(u_reasons.counters_o),
  .flags_i(u_reasons.split_o),
  .load_i(u_reasons.load_o),
  .load_addr_i(u_reasons.load_addr_o),
  .load_cycles_i(u_reasons.load_cycles_o)
);
