// SPDX-License-Identifier: Apache-2.0
// Page-table walks for both TLBs: arbitrates their requests, M first.
//
// A request is held until its done_o, with which result_o is valid for one cycle, and
// req_o, the request that it answers. It may be withdrawn in any cycle, by its drop in that
// cycle: then it is not accepted, or its walk ends without an answer. One request at a time
// is in progress, its operands registered. 3 cycles in a physical space, else as in walker.sv.

module ptw_arbiter (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [63:0] ram_size_i,

  // Requests of F
  input  logic               f_walk_i,
  input  logic               f_drop_i,
  input  soc_pkg::walk_req_t f_req_i,
  output logic               f_done_o,

  // Requests of M
  input  logic               m_walk_i,
  input  logic               m_drop_i,
  input  soc_pkg::walk_req_t m_req_i,
  output logic               m_done_o,

  // State of the hart
  input soc_pkg::mstatus_t status_i,
  input logic [43:0]       root_i,

  // The result, for both
  output soc_pkg::walk_req_t    req_o,
  output soc_pkg::walk_result_t result_o,

  // For idle.sv: a request is in progress; no request changes anything
  output logic busy_o,
  output logic quiescent_o,

  // Reads of page tables, as in walker.sv
  output logic        mem_req_o,
  output logic [55:0] mem_addr_o,
  input  logic        mem_ack_i,
  input  logic [63:0] mem_data_i,

  // Checks by the PMP, as in walker.sv
  output logic                pmp_valid_o,
  output soc_pkg::pmp_check_t pmp_check_o,
  input  soc_pkg::pmp_allow_t pmp_allow_i
);

  logic busy_q, fetch_q, kill_q, m_asks, dropped, done;
  soc_pkg::walk_req_t req_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else if (busy_q) begin
      if (done) busy_q <= 1'b0;
      if (dropped) kill_q <= 1'b1;
    end else if (m_asks || (f_walk_i && !f_drop_i)) begin
      busy_q <= 1'b1;
      kill_q <= 1'b0;
      fetch_q <= !m_asks;
      req_q <= m_asks ? m_req_i : f_req_i;
    end
  end
  assign m_asks = m_walk_i && !m_drop_i;
  assign dropped = fetch_q ? f_drop_i : m_drop_i;
  always_comb begin
    m_done_o = 1'b0;
    if (done) m_done_o = !fetch_q && !kill_q && !m_drop_i;
  end
  always_comb begin
    f_done_o = 1'b0;
    if (done) f_done_o = fetch_q && !kill_q && !f_drop_i;
  end
  assign req_o = req_q;
  assign busy_o = busy_q;
  assign quiescent_o = busy_q ? mem_req_o && !mem_ack_i : !f_walk_i;

  walker u_walker (
    .clk_i,
    .rst_ni,
    .ram_size_i,
    .req_valid_i(busy_q),
    .req_i      (req_q),
    .sum_i      (status_i.sum),
    .mxr_i      (status_i.mxr),
    .root_i,
    .done_o     (done),
    .result_o,
    .mem_req_o,
    .mem_addr_o,
    .mem_ack_i,
    .mem_data_i,
    .pmp_valid_o,
    .pmp_check_o,
    .pmp_allow_i
  );

  `ASSERT(one_answer, $onehot0({f_done_o, m_done_o}))
  `ASSERT_IF(dropped_walk_has_no_answer, !f_done_o && !m_done_o, kill_q && busy_q)
  `ASSERT_HELD(walk_stands, busy_q, done, req_q)
  `ASSERT_HELD(read_stands, mem_req_o, mem_ack_i, mem_addr_o)

endmodule
