// SPDX-License-Identifier: Apache-2.0
// The LSU with the TLB that it looks up, for the bench of the LSU.

module back (
  input logic clk_i,
  input logic rst_ni,
  input logic valid_i,
  input soc_pkg::executed_t executed_i,
  output logic done_o,
  output logic [63:0] value_o,
  output logic fault_o,
  output soc_pkg::cause_e cause_o,
  input logic reservation_clear_i,
  output logic copy_o,
  output logic [63:0] address_o,
  input logic [63:0] length_i,
  output logic load_o,
  output logic store_o,
  output logic device_o,
  output logic [55:0] pa_o,
  output logic [63:0] wdata_o,
  input soc_pkg::priv_e priv_i,
  input soc_pkg::satp_t satp_i,
  input soc_pkg::mstatus_t status_i,
  input soc_pkg::fence_t fence_i,
  output logic walk_o,
  output soc_pkg::walk_req_t walk_req_o,
  input logic walk_done_i,
  input soc_pkg::walk_req_t walk_for_i,
  input soc_pkg::walk_result_t walk_result_i,
  output logic device_valid_o,
  input logic device_ready_i,
  input device_pkg::device_rsp_t device_rsp_i,
  output logic copy_valid_o,
  output mem_pkg::copy_t copy_req_o,
  input logic copy_done_i,
  input logic [mem_pkg::CopyCountBits-1:0] copy_count_i,
  output logic cache_req_o,
  output logic cache_write_o,
  output logic cache_store_o,
  output logic cache_amo_o,
  output logic [63:0] cache_wmask_o,
  input logic cache_hit_i,
  input logic [63:0] cache_rdata_i,
  input logic probe_valid_i,
  input mem_pkg::probe_t probe_i,
  output logic probe_reserved_o,
  output logic probe_stall_o,
  output logic reservation_quiescent_o
);

  logic tlb_lookup, tlb_hit, tlb_drop;
  soc_pkg::space_e space;
  logic [15:0] asid;
  soc_pkg::tlb_entry_t entry;

  lsu u_lsu (
    .clk_i, .rst_ni,
    .valid_i, .executed_i, .done_o, .value_o, .fault_o, .cause_o, .reservation_clear_i, .copy_o,
    .length_i, .load_o, .store_o, .device_o, .pa_o, .wdata_o, .priv_i, .satp_i, .status_i, .walk_o,
    .walk_req_o, .walk_done_i, .walk_result_i, .device_valid_o, .device_ready_i, .device_rsp_i,
    .copy_valid_o, .copy_req_o, .copy_done_i, .copy_count_i, .cache_req_o, .cache_write_o,
    .cache_store_o, .cache_amo_o, .cache_wmask_o, .cache_hit_i, .cache_rdata_i, .probe_valid_i,
    .probe_i, .probe_reserved_o, .probe_stall_o, .reservation_quiescent_o,
    .address_o, .tlb_lookup_o(tlb_lookup), .space_o(space), .asid_o(asid), .tlb_hit_i(tlb_hit),
    .tlb_entry_i(entry), .tlb_drop_o(tlb_drop)
  );
  tlb u_dtlb (
    .clk_i, .rst_ni, .lookup_i(tlb_lookup), .vpn_i(address_o[63:12]), .space_i(space),
    .asid_i(asid), .hit_o(tlb_hit), .entry_o(entry), .drop_i(tlb_drop),
    .fill_i(walk_done_i && !walk_result_i.fault), .fill_vpn_i(walk_for_i.va[63:12]),
    .fill_space_i(walk_for_i.space), .fill_asid_i(walk_for_i.asid),
    .fill_result_i(walk_result_i),
    .flush_i(fence_i.tlb), .flush_scope_i(fence_i.scope)
  );

endmodule
