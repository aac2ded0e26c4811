// SPDX-License-Identifier: Apache-2.0
// The data side of the out-of-order core with its DTLB and a small L1D, for the bench of
// memory_unit.sv.

module data_side (
  input logic clk_i,
  input logic rst_ni,
  input logic [3:0] load_i,
  input logic [3:0] store_i,
  output logic [3:0] ready_o,
  output logic [19:0] load_index_o,
  output logic [19:0] store_index_o,
  input logic [3:0] dispatch_i,
  output logic free_o,
  input ooo_pkg::issue_t issue_i,
  input ooo_pkg::work_t work_i,
  input logic [63:0] rs1_i,
  input logic [63:0] rs2_i,
  input logic [63:0] squashed_i,
  output ooo_pkg::result_t result_o,
  output logic [63:0] value_o,
  output logic replay_o,
  output logic replay_head_o,
  output logic replay_wait_o,
  output ooo_pkg::slot_t replay_slot_o,
  output logic wake_o,
  output logic violation_o,
  output ooo_pkg::slot_t violation_slot_o,
  output logic delay_o,
  output ooo_pkg::slot_t delay_slot_o,
  output ooo_pkg::delay_e delay_why_o,
  input logic squash_i,
  input ooo_pkg::index_t squash_load_index_i,
  input ooo_pkg::index_t squash_store_index_i,
  input logic head_valid_i,
  input soc_pkg::executed_t head_executed_i,
  input logic reservation_clear_i,
  output logic head_done_o,
  output logic [63:0] head_value_o,
  output logic head_fault_o,
  output soc_pkg::cause_e head_cause_o,
  output logic [63:0] head_address_o,
  input ooo_pkg::slot_t head_i,
  input logic [2:0] commit_count_i,
  input logic [2:0] commit_loads_i,
  input logic commit_store_i,
  output logic [3:0] marked_o,
  output logic store_waits_o,
  output logic store_ready_o,
  input logic store_write_i,
  input logic trace_i,
  input logic trace_details_i,
  output logic [3:0] commit_load_o,
  output logic [3:0] commit_store_o,
  output logic [3:0] commit_device_o,
  output logic [4*64-1:0] commit_addr_o,
  output logic [4*64-1:0] commit_wdata_o,
  output logic miss_o,
  output logic forwarded_o,
  output logic quiescent_o,
  output logic cache_req_o,
  output logic cache_write_o,
  output logic [55:0] cache_addr_o,
  output logic cache_hit_o,
  output logic cache_waits_o,
  output logic cache_filled_o,
  input soc_pkg::fence_t fence_i,
  output logic data_walk_o,
  output soc_pkg::walk_req_t data_walk_req_o,
  output logic data_walk_drop_o,
  input logic data_walk_done_i,
  input soc_pkg::walk_req_t walk_for_i,
  input soc_pkg::walk_result_t walk_result_i,
  input logic walk_busy_i,
  input logic table_req_i,
  input logic [55:0] table_addr_i,
  output logic table_ack_o,
  output logic [63:0] cache_rdata_o,
  output logic dmem_req_valid_o,
  output mem_pkg::line_req_t dmem_req_o,
  input logic dmem_rsp_valid_i,
  input mem_pkg::line_rsp_t dmem_rsp_i,
  output logic wb_valid_o,
  output mem_pkg::writeback_t wb_o,
  input logic probe_valid_i,
  input mem_pkg::probe_t probe_i,
  output logic probe_ack_o,
  output logic evict_o,
  output mem_pkg::line_t evict_line_o,
  output logic device_valid_o,
  output device_pkg::device_req_t device_req_o,
  output logic [63:0] device_wdata_o,
  input logic device_ready_i,
  input device_pkg::device_rsp_t device_rsp_i
);

  logic [51:0] vpn;
  logic lookup, tlb_hit, drop, req, write, store, amo, hit, waits, filled;
  soc_pkg::space_e space;
  logic [15:0] asid;
  soc_pkg::tlb_entry_t entry;
  logic [55:0] pa;
  logic [63:0] wdata, wmask, rdata;
  soc_pkg::satp_t satp;
  assign satp = {1'b1, 3'd0, 16'd5, 44'd0};
  assign cache_rdata_o = rdata;
  assign cache_req_o = req;
  assign cache_write_o = write;
  assign cache_addr_o = pa;
  assign cache_hit_o = hit;
  assign cache_waits_o = waits;
  assign cache_filled_o = filled;

  logic [3:0] commits;
  logic [63:0] committed;
  assign commits = ~(4'hf << commit_count_i);
  assign committed = ooo_pkg::rotate_left(64'(commits), head_i, '0);

  memory_unit u_unit (
    .clk_i, .rst_ni,
    .load_i, .store_i, .ready_o, .load_index_o, .store_index_o, .dispatch_i, .free_o, .issue_i,
    .work_i, .pc_i('0), .rs1_i, .rs2_i, .squashed_i, .result_o, .value_o, .replay_o,
    .replay_head_o, .replay_wait_o, .replay_slot_o, .wake_o, .quiescent_o, .violation_o,
    .violation_slot_o, .delay_o, .delay_slot_o, .delay_why_o, .squash_i, .squash_load_index_i,
    .squash_store_index_i, .learn_i(1'b0), .learn_pc_i('0), .chaos_violate_i(1'b0),
    .head_valid_i, .head_executed_i, .head_length_i('0), .reservation_clear_i, .head_done_o,
    .head_value_o, .head_fault_o, .head_cause_o, .head_address_o, .head_copy_o(),
    .head_i, .committed_i(committed), .commit_loads_i, .commit_store_i, .marked_o, .store_waits_o,
    .store_ready_o, .store_write_i, .trace_i, .trace_details_i, .commit_load_o, .commit_store_o,
    .commit_device_o,
    .commit_addr_o, .commit_wdata_o, .miss_o, .forwarded_o,
    .priv_i(soc_pkg::PrivS), .satp_i(satp), .status_i('0),
    .data_vpn_o(vpn), .dtlb_lookup_o(lookup), .data_space_o(space), .data_asid_o(asid),
    .dtlb_hit_i(tlb_hit), .dtlb_entry_i(entry), .dtlb_drop_o(drop), .data_walk_o,
    .data_walk_req_o, .data_walk_drop_o, .data_walk_done_i, .walk_result_i, .walk_busy_i,
    .cache_req_o(req), .cache_write_o(write), .cache_store_o(store), .cache_amo_o(amo),
    .data_pa_o(pa), .data_wdata_o(wdata), .cache_wmask_o(wmask), .cache_hit_i(hit),
    .cache_waits_i(waits), .cache_rdata_i(rdata), .cache_filled_i(filled),
    .probe_valid_i, .probe_i, .probe_ack_i(probe_ack_o), .probe_reserved_o(), .probe_stall_o(), .reservation_quiescent_o(),
    .evict_i(evict_o), .evict_line_i(evict_line_o),
    .device_valid_o, .device_req_o, .device_wdata_o, .device_ready_i, .device_rsp_i,
    .copy_valid_o(), .copy_o(), .copy_done_i(1'b0), .copy_count_i('0)
  );
  tlb u_dtlb (
    .clk_i, .rst_ni, .lookup_i(lookup), .vpn_i(vpn), .space_i(space), .asid_i(asid),
    .hit_o(tlb_hit), .entry_o(entry), .drop_i(drop),
    .fill_i(data_walk_done_i && !walk_result_i.fault), .fill_vpn_i(walk_for_i.va[63:12]),
    .fill_space_i(walk_for_i.space), .fill_asid_i(walk_for_i.asid),
    .fill_result_i(walk_result_i), .flush_i(fence_i.tlb), .flush_scope_i(fence_i.scope)
  );
  dcache_nonblocking #(
    .Sets(4),
    .Ways(2),
    .Misses(2)
  ) u_dcache (
    .clk_i, .rst_ni, .req_i(req), .write_i(write), .store_i(store), .amo_i(amo), .addr_i(pa),
    .wdata_i(wdata), .wmask_i(wmask), .hit_o(hit), .waits_o(waits), .rdata_o(rdata),
    .filled_o(filled),
    .table_req_i, .table_addr_i, .table_ack_o, .quiescent_o(), .dram_o(), .evict_o, .evict_line_o,
    .dmem_req_valid_o, .dmem_req_o, .dmem_rsp_valid_i, .dmem_rsp_i, .dmem_rsp_ready_o(),
    .dmem_dram_i(1'b0), .wb_valid_o, .wb_o, .wb_ready_i(1'b1), .probe_valid_i, .probe_i,
    .probe_stall_i(1'b0), .probe_ack_o, .probe_kept_o()
  );

endmodule
