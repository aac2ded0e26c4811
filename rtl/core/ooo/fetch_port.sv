// SPDX-License-Identifier: Apache-2.0
// The way of a fetch block from the L1I (icache.sv, with Bytes 16) to block_fetch.sv, by way of
// the instruction TLB. Both answer in the same cycle, and the data go from the L1I to extract.sv
// directly.
//
// A request stands until its answer, fetch_valid_o, or a redirect. While there is none, nothing
// is walked and no line is requested. Within the line that the L1I remembers, neither tags nor
// TLB are accessed. A redirect does not cancel a refill; other lines hit under it.
//
// A walk that faults makes the block bad, as is each one that is requested before the next
// redirect. In a page that a PMP entry splits, each halfword is checked by itself: an entry of
// single use is good for the first halfword of the block, and dropped with the answer or the
// redirect.

module fetch_port (
  input logic clk_i,
  input logic rst_ni,

  input logic redirect_i,

  // The address space
  input soc_pkg::priv_e  priv_i,
  input soc_pkg::space_e fetch_space_i,
  input logic [15:0]     fetch_asid_i,

  // block_fetch.sv
  input  logic               fetch_req_i,
  input  logic [63:0]        fetch_pc_i,
  output logic               fetch_valid_o,
  output soc_pkg::bad_e      fetch_bad_o,      // BadNone, BadAccess or BadPage
  output logic               fetch_partial_o,
  output ooo_pkg::halfword_t fetch_last_o,

  output logic quiescent_o,  // waits: nothing here changes

  // The TLB, as in tlb.sv, and the L1I, as in icache.sv: the address to look up in both
  output logic [63:0]         fetch_pc_o,
  input  logic                itlb_hit_i,
  input  soc_pkg::tlb_flags_t itlb_flags_i,
  output logic                itlb_drop_o,
  output logic                fetch_translated_o,
  output logic                fetch_single_use_o,
  input  logic                fetch_remembered_i,
  input  logic                fetch_hit_i,
  input  logic                icache_quiescent_i,

  // Walker: fetch_walk_o is high until fetch_walk_done_i, or a redirect
  output logic                  fetch_walk_o,
  output soc_pkg::walk_req_t    fetch_walk_req_o,
  input  logic                  fetch_walk_done_i,
  input  soc_pkg::walk_result_t walk_result_i
);

  logic fault_q, fault_page_q;  // of a walk since the last redirect

  logic tlb_ok, single_use;
  always_comb begin
    tlb_ok = 1'b0;
    single_use = 1'b0;
    fetch_walk_o = 1'b0;
    if (fetch_req_i && !fetch_remembered_i && !fault_q) begin
      tlb_ok = itlb_hit_i && itlb_flags_i.x &&
          (priv_i == soc_pkg::PrivU ? itlb_flags_i.user : itlb_flags_i.supervisor);
      single_use = tlb_ok && itlb_flags_i.single_use;
      fetch_walk_o = !tlb_ok;
    end
  end
  assign fetch_pc_o = fetch_pc_i;
  assign fetch_translated_o = tlb_ok;
  assign fetch_single_use_o = single_use;
  assign itlb_drop_o = single_use && (redirect_i || fetch_hit_i);

  always_comb begin
    fetch_valid_o = 1'b0;
    fetch_bad_o = soc_pkg::BadNone;
    fetch_partial_o = 1'b0;
    fetch_last_o = '0;
    if (fetch_req_i) begin
      fetch_valid_o = fetch_hit_i || fault_q;
      if (fault_q) fetch_bad_o = fault_page_q ? soc_pkg::BadPage : soc_pkg::BadAccess;
      if (single_use) begin
        fetch_partial_o = 1'b1;
        fetch_last_o = fetch_pc_i[3:1];
      end
    end
  end

  assign fetch_walk_req_o.asid = fetch_asid_i;
  assign fetch_walk_req_o.access = soc_pkg::AccessFetch;
  assign fetch_walk_req_o.size = soc_pkg::SizeHalf;
  assign fetch_walk_req_o.priv = priv_i;
  assign fetch_walk_req_o.space = fetch_space_i;
  assign fetch_walk_req_o.va = fetch_pc_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || redirect_i) begin
      fault_q <= 1'b0;
    end else if (fetch_walk_done_i && walk_result_i.fault) begin
      fault_q <= 1'b1;
      fault_page_q <= walk_result_i.page_fault;
    end
  end

  assign quiescent_o = icache_quiescent_i && !fetch_valid_o;

  `ASSERT_HELD(request_stands, fetch_req_i, fetch_valid_o || redirect_i, fetch_pc_i)
  `ASSERT_HELD(walk_stands, fetch_walk_o, fetch_walk_done_i || redirect_i, fetch_walk_req_o)
  `ASSERT_IF(answer_to_a_walk, fetch_walk_o && !redirect_i, fetch_walk_done_i)

endmodule
