// SPDX-License-Identifier: Apache-2.0
// fetch_port.sv with the TLB and the L1I that it looks up, for its bench. A small L1I soon
// overwrites the line that it remembers.

module block_front #(
  parameter int unsigned Sets = 4,  // of icache.sv
  parameter int unsigned Ways = 2
) (
  input logic clk_i,
  input logic rst_ni,
  input logic redirect_i,
  input logic flush_i,
  input logic clear_i,
  input soc_pkg::priv_e priv_i,
  input soc_pkg::space_e space_i,
  input logic [15:0] asid_i,
  input logic tlb_flush_i,
  input soc_pkg::tlb_flush_t tlb_flush_scope_i,
  input logic fetch_req_i,
  input logic [63:0] fetch_pc_i,
  output logic fetch_valid_o,
  output soc_pkg::bad_e fetch_bad_o,
  output logic fetch_partial_o,
  output ooo_pkg::halfword_t fetch_last_o,
  output logic [127:0] data_o,
  output logic quiescent_o,
  output logic remembered_o,
  output logic dram_o,
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
  logic tlb_hit, tlb_drop, translated, single_use, hit, icache_quiescent;
  soc_pkg::tlb_entry_t entry;

  fetch_port u_fetch_port (
    .clk_i, .rst_ni, .redirect_i, .priv_i, .fetch_space_i(space_i), .fetch_asid_i(asid_i),
    .fetch_req_i, .fetch_pc_i, .fetch_valid_o, .fetch_bad_o, .fetch_partial_o, .fetch_last_o,
    .quiescent_o,
    .fetch_pc_o(fetch_pc), .itlb_hit_i(tlb_hit), .itlb_flags_i(entry.flags),
    .itlb_drop_o(tlb_drop), .fetch_translated_o(translated), .fetch_single_use_o(single_use),
    .fetch_remembered_i(remembered_o), .fetch_hit_i(hit), .icache_quiescent_i(icache_quiescent),
    .fetch_walk_o(walk_o), .fetch_walk_req_o(walk_req_o), .fetch_walk_done_i(walk_done_i),
    .walk_result_i
  );
  tlb u_itlb (
    .clk_i, .rst_ni, .lookup_i(!remembered_o), .vpn_i(fetch_pc[63:12]), .space_i, .asid_i,
    .hit_o(tlb_hit), .entry_o(entry), .drop_i(tlb_drop),
    .fill_i(walk_done_i && !walk_result_i.fault), .fill_vpn_i(walk_for_i.va[63:12]),
    .fill_space_i(walk_for_i.space), .fill_asid_i(walk_for_i.asid),
    .fill_result_i(walk_result_i),
    .flush_i(tlb_flush_i), .flush_scope_i(tlb_flush_scope_i)
  );
  icache #(
    .Sets(Sets),
    .Ways(Ways),
    .Bytes(16)
  ) u_icache (
    .clk_i, .rst_ni, .pc_i(fetch_pc), .remembered_o, .translated_i(translated),
    .ppn_i(entry.ppn), .single_use_i(single_use), .hit_o(hit), .data_o,
    .cancel_i(redirect_i), .flush_i, .clear_i, .quiescent_o(icache_quiescent), .dram_o,
    .imem_req_o, .imem_addr_o, .imem_valid_i, .imem_data_i, .imem_dram_i
  );

endmodule
