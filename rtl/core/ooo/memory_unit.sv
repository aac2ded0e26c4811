// SPDX-License-Identifier: Apache-2.0
// The data side of the out-of-order core: memory_port.sv for the loads and stores of the window,
// lsu.sv for an access of the head unit, the arbitration of what both need, and what commits.
//
// The head unit. It holds head_valid_i with the operands, like retire.sv, until head_done_o or
// head_fault_o. Meanwhile the port makes no access, and its walk is dropped (data_walk_drop_o, a
// cycle later); before that has happened the access does not begin.
//
// The L1D has one access a cycle: of the head unit, else of a load of the port, else of the oldest
// store, which asks for its line as soon as it has an address. store_ready_o: the oldest store
// hits, and is written if store_write_i comes in this cycle; commit_store_i removes it, with
// store_write_i, or if the head unit has executed it. As in the core in order, a store ends the
// reservation. The walker, whose turn comes without any of these, has the cycle after a store that
// has hit and could not commit, and after a load that is to be repeated: it may walk for an older
// one.
//
// A line leaves the L1D when a probe that takes it is acknowledged, and by an eviction.

module memory_unit #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64,
  parameter int unsigned Queue = 16,
  parameter bit Coherent = 1'b0  // other harts have caches: see dcache.sv
) (
  input logic clk_i,
  input logic rst_ni,

  // The loads and stores of the window, as in memory_port.sv
  input  logic [                  Width-1:0] load_i,
  input  logic [                  Width-1:0] store_i,
  output logic [                  Width-1:0] ready_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] load_index_o,
  output logic [Width*ooo_pkg::IndexBits-1:0] store_index_o,
  input  logic [                  Width-1:0] dispatch_i,

  output logic                        free_o,
  input  ooo_pkg::issue_t             issue_i,
  input  ooo_pkg::work_t              work_i,
  input  logic            [63:0]       pc_i,
  input  logic            [63:0]       rs1_i,
  input  logic            [63:0]       rs2_i,
  input  logic            [Window-1:0] squashed_i,

  output ooo_pkg::result_t        result_o,
  output logic             [63:0] value_o,
  output logic                    replay_o,
  output logic                    replay_head_o,
  output logic                    replay_wait_o,
  output ooo_pkg::slot_t          replay_slot_o,
  output logic                    wake_o,
  output logic                    violation_o,
  output ooo_pkg::slot_t          violation_slot_o,
  output logic                    delay_o,
  output ooo_pkg::slot_t          delay_slot_o,
  output ooo_pkg::delay_e         delay_why_o,

  input logic            squash_i,
  input ooo_pkg::index_t squash_load_index_i,
  input ooo_pkg::index_t squash_store_index_i,
  input logic            learn_i,
  input logic [63:0]     learn_pc_i,
  input logic            chaos_violate_i,

  // The head unit, as in lsu.sv
  input  logic               head_valid_i,
  input  soc_pkg::executed_t head_executed_i,
  input  logic [63:0]        head_length_i,
  input  logic               reservation_clear_i,
  output logic               head_done_o,
  output logic [63:0]        head_value_o,
  output logic               head_fault_o,
  output soc_pkg::cause_e    head_cause_o,
  output logic [63:0]        head_address_o,
  output logic               head_copy_o,

  // Commit: lane n is slot head_i + n
  input  ooo_pkg::slot_t             head_i,
  input  logic           [ Window-1:0] committed_i,
  input  logic           [      2:0] commit_loads_i,
  input  logic                       commit_store_i,
  output logic           [Width-1:0] marked_o,
  output logic                       store_waits_o,    // the oldest store waits for its line
  output logic                       store_ready_o,
  input  logic                       store_write_i,

  // What commits, as in trace_port.sv; 0 without trace_i. Of an access of the head unit, in lane 0,
  // valid with head_done_o; of others, with trace_details_i, else 0
  input  logic                trace_i,
  input  logic                trace_details_i,
  output logic [   Width-1:0] commit_load_o,
  output logic [   Width-1:0] commit_store_o,
  output logic [   Width-1:0] commit_device_o,
  output logic [Width*64-1:0] commit_addr_o,
  output logic [Width*64-1:0] commit_wdata_o,

  // Events: a load missed in the L1D, or was forwarded from a store
  output logic miss_o,
  output logic forwarded_o,

  output logic quiescent_o,  // nothing changes here while the L1D and the walker are quiescent

  // State of the hart, as in csr.sv
  input soc_pkg::priv_e    priv_i,    // of data
  input soc_pkg::satp_t    satp_i,
  input soc_pkg::mstatus_t status_i,

  // The data TLB, as in tlb.sv, and the walker, as in ptw_arbiter.sv
  output logic [51:0]           data_vpn_o,
  output logic                  dtlb_lookup_o,
  output soc_pkg::space_e       data_space_o,
  output logic [15:0]           data_asid_o,
  input  logic                  dtlb_hit_i,
  input  soc_pkg::tlb_entry_t   dtlb_entry_i,
  output logic                  dtlb_drop_o,
  output logic                  data_walk_o,
  output soc_pkg::walk_req_t    data_walk_req_o,
  output logic                  data_walk_drop_o,
  input  logic                  data_walk_done_i,
  input  soc_pkg::walk_result_t walk_result_i,
  input  logic                  walk_busy_i,

  // The L1D, as in dcache_nonblocking.sv; its probes, as in reservation.sv, with their acknowledge; a line that
  // it evicts
  output logic            cache_req_o,
  output logic            cache_write_o,
  output logic            cache_store_o,
  output logic            cache_amo_o,
  output logic [55:0]     data_pa_o,
  output logic [63:0]     data_wdata_o,
  output logic [63:0]     cache_wmask_o,
  input  logic            cache_hit_i,
  input  logic            cache_waits_i,
  input  logic [63:0]     cache_rdata_i,
  input  logic            cache_filled_i,
  input  logic            probe_valid_i,
  input  mem_pkg::probe_t probe_i,
  input  logic            probe_ack_i,
  output logic            probe_reserved_o,
  output logic            probe_stall_o,
  output logic            reservation_quiescent_o,
  input  logic            evict_i,
  input  mem_pkg::line_t  evict_line_i,

  // Devices: see devices.sv
  output logic                    device_valid_o,
  output device_pkg::device_req_t device_req_o,
  output logic [63:0]             device_wdata_o,
  input  logic                    device_ready_i,
  input  device_pkg::device_rsp_t device_rsp_i,

  // Copies: see copy_unit.sv
  output logic                              copy_valid_o,
  output mem_pkg::copy_t                    copy_o,
  input  logic                              copy_done_i,
  input  logic [mem_pkg::CopyCountBits-1:0] copy_count_i
);

  // The port
  logic port_busy, port_quiescent, port_store, port_lookup, port_drop, port_walk, port_walk_drop;
  logic [55:0] port_pa, store_addr;
  logic [63:0] port_data, store_data;
  logic [51:0] port_vpn;
  soc_pkg::space_e port_space;
  logic [15:0] port_asid;
  soc_pkg::walk_req_t port_walk_req;
  logic load_req, store_valid, leaves;
  logic [7:0] store_bytes;
  ooo_pkg::result_t result;
  assign leaves = probe_valid_i && probe_ack_i && probe_i.op != mem_pkg::ProbeShare;
  memory_port #(
    .Width (Width),
    .Window(Window),
    .Queue (Queue)
  ) u_port (
    .clk_i, .rst_ni,
    .load_i, .store_i, .ready_o, .load_index_o, .store_index_o, .dispatch_i,
    .free_o, .issue_i, .work_i, .pc_i, .rs1_i, .rs2_i, .squashed_i,
    .result_o(result), .value_o, .store_o(port_store), .store_access_o(prefetches), .pa_o(port_pa), .data_o(port_data),
    .forwarded_o, .replay_o, .replay_head_o, .replay_wait_o, .replay_slot_o, .wake_o, .violation_o, .violation_slot_o,
    .delay_o, .delay_slot_o, .delay_why_o,
    .head_i(head_valid_i), .busy_o(port_busy), .quiescent_o(port_quiescent),
    .priv_i, .satp_i, .status_i,
    .tlb_lookup_o(port_lookup), .tlb_vpn_o(port_vpn), .tlb_space_o(port_space),
    .tlb_asid_o(port_asid), .tlb_hit_i(dtlb_hit_i), .tlb_entry_i(dtlb_entry_i),
    .tlb_drop_o(port_drop),
    .walk_o(port_walk), .walk_req_o(port_walk_req), .walk_drop_o(port_walk_drop),
    .walk_done_i(data_walk_done_i), .walk_result_i,
    .load_req_o(load_req), .load_valid_i(loads && cache_hit_i), .load_data_i(cache_rdata_i),
    .cache_waits_i(loads && cache_waits_i), .cache_filled_i,
    .commit_loads_i, .commit_store_i, .marked_o,
    .store_valid_o(store_valid), .store_addr_o(store_addr), .store_bytes_o(store_bytes),
    .store_data_o(store_data),
    .probe_i(leaves), .probe_line_i(probe_i.addr[55:6]), .evict_i, .evict_line_i,
    .squash_i, .squash_load_index_i, .squash_store_index_i, .learn_i, .learn_pc_i,
    .chaos_violate_i
  );
  assign result_o = result;

  // The head unit
  logic head, head_lookup, head_drop, head_walk, head_load, head_store, head_device;
  logic head_req, head_write, head_writes, head_amo;
  logic [55:0] head_pa;
  logic [63:0] head_wdata, head_wmask, head_address;
  soc_pkg::space_e head_space;
  logic [15:0] head_asid;
  soc_pkg::walk_req_t head_walk_req;
  assign head = head_valid_i && !port_busy;
  lsu #(
    .Coherent(Coherent)
  ) u_lsu (
    .clk_i, .rst_ni,
    .valid_i(head), .executed_i(head_executed_i),
    .done_o(head_done_o), .value_o(head_value_o), .fault_o(head_fault_o),
    .cause_o(head_cause_o),
    .reservation_clear_i(reservation_clear_i || store_write_i), .copy_o(head_copy_o),
    .address_o(head_address), .length_i(head_length_i),
    .load_o(head_load), .store_o(head_store), .device_o(head_device), .pa_o(head_pa),
    .wdata_o(head_wdata),
    .priv_i, .satp_i, .status_i,
    .tlb_lookup_o(head_lookup), .space_o(head_space), .asid_o(head_asid),
    .tlb_hit_i(dtlb_hit_i), .tlb_entry_i(dtlb_entry_i), .tlb_drop_o(head_drop),
    .walk_o(head_walk), .walk_req_o(head_walk_req), .walk_done_i(data_walk_done_i),
    .walk_result_i,
    .device_valid_o, .device_ready_i, .device_rsp_i,
    .copy_valid_o, .copy_req_o(copy_o), .copy_done_i, .copy_count_i,
    .cache_req_o(head_req), .cache_write_o(head_write), .cache_store_o(head_writes),
    .cache_amo_o(head_amo), .cache_wmask_o(head_wmask), .cache_hit_i, .cache_rdata_i,
    .probe_valid_i, .probe_i, .probe_reserved_o, .probe_stall_o, .reservation_quiescent_o
  );
  assign head_address_o = head_address;
  always_comb begin
    device_req_o = '0;
    if (device_valid_o)
      device_req_o = {head_store, head_executed_i.fields.width.size, head_pa};
  end
  assign device_wdata_o = head_executed_i.b;

  // The DTLB and the walker
  always_comb begin
    data_vpn_o = port_vpn;
    dtlb_lookup_o = port_lookup;
    data_space_o = port_space;
    data_asid_o = port_asid;
    if (head) begin
      data_vpn_o = head_address[63:12];
      dtlb_lookup_o = head_lookup;
      data_space_o = head_space;
      data_asid_o = head_asid;
    end
  end
  assign dtlb_drop_o = head ? head_drop : port_drop;
  always_comb begin
    data_walk_o = port_walk;
    data_walk_req_o = port_walk_req;
    if (head) begin
      data_walk_o = head_walk;
      data_walk_req_o = head_walk_req;
    end
  end
  assign data_walk_drop_o = port_walk_drop;

  // The L1D. Loads come first, but not for more than StoreWaits cycles: those of lines that other
  // harts take again and again could ask for ever. A store whose line is on its way asks again when
  // a line comes; meanwhile younger stores ask for theirs as they are executed.
  localparam int unsigned StoreWaits = 7;
  logic store_asks, store_first, store_parked_q, loads, prefetches, prefetch, yields_q, yields;
  logic [2:0] store_waits_q;
  assign yields = walk_busy_i && yields_q;
  assign store_first =
      store_valid && !store_parked_q && store_waits_q == 3'(StoreWaits) && !yields;
  assign loads = load_req && !store_first && !yields;
  assign store_asks = store_valid && !store_parked_q && !loads && !head_valid_i && !yields;
  assign prefetch = prefetches && !store_asks && !yields;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) store_waits_q <= '0;
    else if (!yields) begin
      store_waits_q <= '0;
      if (store_valid && !store_parked_q && load_req && !store_first)
        store_waits_q <= store_waits_q + 3'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || cache_filled_i || commit_store_i || squash_i) store_parked_q <= 1'b0;
    else if (store_asks && !cache_hit_i && cache_waits_i) store_parked_q <= 1'b1;
  end
  assign store_waits_o = store_asks && !cache_hit_i || store_parked_q;
  assign store_ready_o = store_asks && cache_hit_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) yields_q <= 1'b0;
    else
      yields_q <= (store_ready_o && !store_write_i) ||
                  (loads && !head_valid_i && !cache_hit_i && !cache_waits_i);
  end
  always_comb begin
    cache_req_o = loads || store_asks || prefetch;
    cache_write_o = store_asks || prefetch;
    cache_amo_o = 1'b0;
    data_pa_o = loads || prefetch ? port_pa : store_addr;
    if (head) begin
      cache_req_o = head_req;
      cache_write_o = head_write;
      cache_amo_o = head_amo;
      data_pa_o = head_pa;
    end
  end
  // What depends on a hit
  always_comb begin
    cache_store_o = store_write_i;
    data_wdata_o = store_data;
    cache_wmask_o = '0;
    if (store_write_i)
      for (int i = 0; i < 8; i++) cache_wmask_o[8*i+:8] = {8{store_bytes[i]}};
    if (head) begin
      cache_store_o = head_writes;
      data_wdata_o = head_wdata;
      cache_wmask_o = head_wmask;
    end
  end
  assign miss_o = loads && !cache_hit_i;
  assign quiescent_o = port_quiescent && !cache_hit_i && !(store_asks && cache_waits_i) &&
                       !yields_q && store_waits_q == '0 && !device_valid_o && !head_copy_o;

  // What commits
  logic [Width-1:0] record_load, record_store;
  logic [64*Width-1:0] record_addr;
  logic [64*Width-1:0] record_wdata;
  access_record #(
    .Width (Width),
    .Window(Window)
  ) u_record (
    .clk_i, .rst_ni,
    .done_i (result.valid),
    .slot_i (result.slot),
    .store_i(port_store),
    .addr_i (port_pa),
    .data_i (port_data),
    .squashed_i, .trace_i(trace_i && trace_details_i), .head_i,
    .committed_i,
    .load_o (record_load),
    .store_o(record_store),
    .addr_o (record_addr),
    .wdata_o(record_wdata)
  );
  always_comb begin
    commit_load_o = record_load;
    commit_store_o = record_store;
    commit_device_o = '0;
    commit_addr_o = record_addr;
    commit_wdata_o = record_wdata;
    if (head && trace_i) begin
      commit_load_o[0] = head_load;
      commit_store_o[0] = head_store;
      commit_device_o[0] = head_device;
      commit_addr_o[63:0] = {8'd0, head_pa};
      commit_wdata_o[63:0] = head_wdata;
    end
  end

  `ASSERT_IF(oldest_store_uses_its_turn, store_asks, store_first && load_req && !head_valid_i)
  `ASSERT_IF(writes_when_ready, store_ready_o, store_write_i)
  `ASSERT_IF(writes_what_commits, commit_store_i, store_write_i)
  `ASSERT_IF(head_stands, head_valid_i, head && !head_done_o && !head_fault_o)

endmodule
