// SPDX-License-Identifier: Apache-2.0
// F with the TLB and the L1I that it looks up, for the bench of F.

module front (
  input logic clk_i,
  input logic rst_ni,
  input logic redirect_i,
  input logic flush_i,
  input logic [63:0] redirect_pc_i,
  input logic clear_i,
  input soc_pkg::priv_e priv_i,
  input soc_pkg::space_e space_i,
  input logic [15:0] asid_i,
  input logic tlb_flush_i,
  input soc_pkg::tlb_flush_t tlb_flush_scope_i,
  input logic ready_i,
  output logic valid_o,
  output soc_pkg::fetched_t fetched_o,
  output logic crosses_o,
  output logic quiescent_o,
  output logic dram_o,
  input logic update_i,
  input logic [63:0] update_pc_i,
  input soc_pkg::kind_e update_kind_i,
  input logic update_taken_i,
  input logic [63:0] update_target_i,
  input logic update_push_i,
  input logic [63:0] update_link_i,
  output logic walk_o,
  output soc_pkg::walk_req_t walk_req_o,
  input logic walk_done_i,
  input soc_pkg::walk_req_t walk_for_i,
  input soc_pkg::walk_result_t walk_result_i,
  output logic imem_req_o,
  output logic [55:0] imem_addr_o,
  input logic imem_valid_i,
  input logic [63:0] imem_data_i,
  input logic imem_dram_i
);

  logic [63:0] fetch_pc;
  logic tlb_hit, tlb_drop, translated, single_use, remembered, hit, icache_quiescent;
  logic [31:0] data;
  soc_pkg::tlb_entry_t entry;

  fetch u_fetch (
    .clk_i, .rst_ni, .redirect_i, .redirect_pc_i, .priv_i, .space_i, .asid_i,
    .ready_i, .valid_o, .fetched_o, .crosses_o, .quiescent_o,
    .update_i, .update_pc_i, .update_kind_i, .update_taken_i, .update_target_i,
    .update_push_i, .update_link_i,
    .fetch_pc_o(fetch_pc), .tlb_hit_i(tlb_hit), .tlb_flags_i(entry.flags), .tlb_drop_o(tlb_drop),
    .translated_o(translated), .single_use_o(single_use), .remembered_i(remembered),
    .hit_i(hit), .data_i(data), .icache_quiescent_i(icache_quiescent),
    .walk_o, .walk_req_o, .walk_done_i, .walk_fault_i(walk_result_i.fault),
    .walk_page_fault_i(walk_result_i.page_fault)
  );
  tlb u_itlb (
    .clk_i, .rst_ni, .lookup_i(!remembered), .vpn_i(fetch_pc[63:12]), .space_i, .asid_i,
    .hit_o(tlb_hit), .entry_o(entry), .drop_i(tlb_drop),
    .fill_i(walk_done_i && !walk_result_i.fault), .fill_vpn_i(walk_for_i.va[63:12]),
    .fill_space_i(walk_for_i.space), .fill_asid_i(walk_for_i.asid),
    .fill_result_i(walk_result_i),
    .flush_i(tlb_flush_i), .flush_scope_i(tlb_flush_scope_i)
  );
  icache u_icache (
    .clk_i, .rst_ni, .pc_i(fetch_pc), .remembered_o(remembered), .translated_i(translated),
    .ppn_i(entry.ppn), .single_use_i(single_use), .hit_o(hit), .data_o(data),
    .cancel_i(redirect_i), .flush_i, .clear_i, .quiescent_o(icache_quiescent), .dram_o,
    .imem_req_o, .imem_addr_o, .imem_valid_i, .imem_data_i, .imem_dram_i
  );

endmodule
