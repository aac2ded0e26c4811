// SPDX-License-Identifier: Apache-2.0
// The walker for both TLBs, and PMP: takes their requests, M first.
//
// A request stands until its done_o, when the results hold for one cycle; one of F until
// F is redirected, which drops it: its walk ends without an answer. One at a time, kept
// with its operands. 3 cycles for a physical address, else as in walker.sv.

module walk_port (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [63:0] ram_size_i,

  // Requests of F
  input  logic        redirect_i,
  input  logic        f_walk_i,
  input  logic [63:0] f_va_i,
  input  soc_pkg::priv_e f_priv_i,
  input  soc_pkg::space_e f_space_i,
  output logic        f_done_o,

  // Requests of M
  input  logic        m_walk_i,
  input  logic [63:0] m_va_i,
  input  soc_pkg::access_e m_access_i,
  input  soc_pkg::size_e m_size_i,
  input  soc_pkg::priv_e m_priv_i,
  input  soc_pkg::space_e m_space_i,
  output logic        m_done_o,

  // State of the hart
  input logic        sum_i,
  input logic        mxr_i,
  input logic [43:0] root_i,

  // Results, for both
  output logic        fault_o,
  output logic        fault_page_o,
  output logic [43:0] ppn_o,
  output soc_pkg::tlb_flags_t flags_o,
  output logic        global_o,
  output logic        large_o,

  // For idle.sv: a request is under way, and what there is changes nothing by itself
  output logic busy_o,
  output logic still_o,

  // Reads of page tables, as in walker.sv
  output logic        mem_req_o,
  output logic [55:0] mem_addr_o,
  input  logic        mem_ack_i,
  input  logic [63:0] mem_data_i,

  // CSRs of PMP, as in pmp.sv
  input  logic        pmp_we_i,
  input  logic [11:0] pmp_addr_i,
  input  logic [63:0] pmp_wdata_i,
  output logic [63:0] pmp_rdata_o
);

  logic busy_q, fetch_q, drop_q, done, walker_busy;
  logic [63:0] va_q;
  soc_pkg::access_e access_q;
  soc_pkg::size_e size_q;
  soc_pkg::priv_e priv_q;
  soc_pkg::space_e space_q;
  logic may_r, may_w, may_x, may_xr, may_u, may_s, device, once;
  logic pmp_valid, pmp_machine, pmp_r, pmp_w, pmp_x, pmp_split;
  logic [55:0] pmp_pa;
  soc_pkg::size_e pmp_size;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else if (busy_q) begin
      if (done) busy_q <= 1'b0;
      if (redirect_i) drop_q <= 1'b1;
    end else if (m_walk_i || (f_walk_i && !redirect_i)) begin
      busy_q <= 1'b1;
      drop_q <= 1'b0;
      fetch_q <= !m_walk_i;
      va_q <= m_walk_i ? m_va_i : f_va_i;
      access_q <= m_walk_i ? m_access_i : soc_pkg::AccessFetch;
      size_q <= m_walk_i ? m_size_i : soc_pkg::SizeHalf;
      priv_q <= m_walk_i ? m_priv_i : f_priv_i;
      space_q <= m_walk_i ? m_space_i : f_space_i;
    end
  end
  assign m_done_o = done && !fetch_q;
  assign f_done_o = done && fetch_q && !drop_q;
  assign flags_o = {once, device, may_s, may_u, may_xr, may_x, may_w, may_r};
  assign busy_o = busy_q;
  assign still_o = busy_q ? mem_req_o || !walker_busy : !f_walk_i;

  walker u_walker (
    .clk_i,
    .rst_ni,
    .ram_size_i,
    .req_valid_i  (busy_q),
    .req_va_i     (va_q),
    .req_access_i (access_q),
    .req_size_i   (size_q),
    .req_priv_i   (priv_q),
    .req_space_i  (space_q),
    .req_sum_i    (sum_i),
    .req_mxr_i    (mxr_i),
    .req_root_i   (root_i),
    .busy_o       (walker_busy),
    .done_o       (done),
    .fault_o,
    .fault_page_o,
    .ppn_o,
    .r_o          (may_r),
    .w_o          (may_w),
    .x_o          (may_x),
    .xr_o         (may_xr),
    .user_o       (may_u),
    .super_o      (may_s),
    .global_o,
    .large_o,
    .device_o     (device),
    .once_o       (once),
    .mem_req_o,
    .mem_addr_o,
    .mem_ack_i,
    .mem_data_i,
    .pmp_valid_o  (pmp_valid),
    .pmp_pa_o     (pmp_pa),
    .pmp_size_o   (pmp_size),
    .pmp_machine_o(pmp_machine),
    .pmp_r_i      (pmp_r),
    .pmp_w_i      (pmp_w),
    .pmp_x_i      (pmp_x),
    .pmp_split_i  (pmp_split)
  );
  pmp u_pmp (
    .clk_i,
    .rst_ni,
    .we_i     (pmp_we_i),
    .addr_i   (pmp_addr_i),
    .wdata_i  (pmp_wdata_i),
    .rdata_o  (pmp_rdata_o),
    .valid_i  (pmp_valid),
    .pa_i     (pmp_pa),
    .size_i   (pmp_size),
    .machine_i(pmp_machine),
    .r_o      (pmp_r),
    .w_o      (pmp_w),
    .x_o      (pmp_x),
    .split_o  (pmp_split)
  );

endmodule
