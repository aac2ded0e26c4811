// SPDX-License-Identifier: Apache-2.0
// Computes TLB entries: walks the Sv39 page table, or uses the address unchanged in a
// physical space, and combines the result with PMP and with whether the address is in
// RAM.
//
// Request: req_valid_i and the operands hold until done_o, which comes in the second
// cycle in a physical space; in Sv39 each level adds two cycles plus the wait for memory.
// Answer: result_o, a fault or an entry, valid only with done_o.
// Memory: mem_req_o and the address hold until mem_ack_i.
// PMP: pmp.sv answers in the same cycle.

module walker (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [63:0] ram_size_i,

  // Request
  input  logic               req_valid_i,
  input  soc_pkg::walk_req_t req_i,
  input  logic               sum_i,
  input  logic               mxr_i,
  input  logic [43:0]        root_i,  // PPN of satp

  // Answer
  output logic                  done_o,
  output soc_pkg::walk_result_t result_o,

  // Page table
  output logic        mem_req_o,
  output logic [55:0] mem_addr_o,
  input  logic        mem_ack_i,
  input  logic [63:0] mem_data_i,

  // PMP
  output logic                pmp_valid_o,
  output soc_pkg::pmp_check_t pmp_check_o,
  input  soc_pkg::pmp_allow_t pmp_allow_i
);

  // A page-table entry
  typedef struct packed {
    logic [9:0]  reserved;
    logic [43:0] ppn;
    logic [1:0]  software;
    logic        d;
    logic        a;
    logic        g;
    logic        u;
    logic        x;
    logic        w;
    logic        r;
    logic        v;
  } pte_t;

  // The current entry and its level. satp counts as an entry of level 3, a physical
  // address as a leaf of level 0 with all permissions.
  soc_pkg::walk_state_e      state_d, state_q;
  logic [ 1:0] level_d, level_q;
  pte_t        pte_d, pte_q;
  logic [55:0] addr_q;

  logic translated, step;
  assign translated = req_i.space == soc_pkg::SpaceSv39;
  assign step = state_q == soc_pkg::WalkStep;

  // Checks of the entry alone
  logic leaf, bad_entry, denied, misaligned_superpage, out_of_range, page_fault;
  logic [43:0] ppn;
  logic [55:0] target;  // of the access, or of the next entry
  logic [63:0] offset;
  logic in_ram;
  always_comb begin
    leaf = 1'b0;
    bad_entry = 1'b0;
    denied = 1'b0;
    misaligned_superpage = 1'b0;
    out_of_range = 1'b0;
    page_fault = 1'b0;
    ppn = 44'd0;
    target = 56'd0;
    offset = 64'd0;
    in_ram = 1'b0;
    pmp_check_o = '0;
    if (step) begin
      ppn = pte_q.ppn;
      leaf = pte_q.r || pte_q.x;
      bad_entry = !pte_q.v || pte_q.reserved != 10'd0 || (pte_q.w && !pte_q.r);
      if (leaf) begin
        case (level_q)
          2'd2: begin
            misaligned_superpage = ppn[17:0] != 18'd0;
            ppn[17:0] = req_i.va[29:12];
          end
          2'd1: begin
            misaligned_superpage = ppn[8:0] != 9'd0;
            ppn[8:0] = req_i.va[20:12];
          end
          default: ;
        endcase
        target = {ppn, req_i.va[11:0]};
        out_of_range = !translated && req_i.va[63:56] != 8'd0;
        case (req_i.access)
          soc_pkg::AccessFetch: denied = !pte_q.x;
          soc_pkg::AccessLoad: denied = !pte_q.r && !mxr_i;
          default: denied = !pte_q.w || !pte_q.d;
        endcase
        if (!pte_q.a) denied = 1'b1;
        if (translated) begin
          if (!pte_q.u) begin
            if (req_i.priv == soc_pkg::PrivU) denied = 1'b1;
          end else if (req_i.priv == soc_pkg::PrivS) begin
            if (req_i.access == soc_pkg::AccessFetch || !sum_i) denied = 1'b1;
          end
        end
      end else begin
        case (level_q)
          2'd3: begin
            target = {ppn, req_i.va[38:30], 3'd0};
            // Non-canonical: not the sign extension of bit 38
            denied = req_i.va[63:38] != {26{req_i.va[38]}};
          end
          2'd2: target = {ppn, req_i.va[29:21], 3'd0};
          2'd1: target = {ppn, req_i.va[20:12], 3'd0};
          default: denied = 1'b1;
        endcase
        if (pte_q.a || pte_q.d || pte_q.u) denied = 1'b1;
      end
      page_fault = bad_entry || denied || misaligned_superpage;
      offset = {8'd0, target} - soc_map_pkg::SOC_RAM_BASE;
      in_ram = offset < ram_size_i;
      pmp_check_o.pa = target;
      pmp_check_o.size = leaf ? req_i.size : soc_pkg::SizeDouble;
      pmp_check_o.machine = req_i.space == soc_pkg::SpaceMachine;
    end
  end

  assign pmp_valid_o = step && !page_fault;

  // Checks of PMP and of the address
  logic access_fault;
  always_comb begin
    access_fault = 1'b0;
    done_o = 1'b0;
    result_o = '0;
    if (step) begin
      if (!leaf) access_fault = !in_ram || !pmp_allow_i.r;
      else begin
        case (req_i.access)
          soc_pkg::AccessFetch: access_fault = out_of_range || !in_ram || !pmp_allow_i.x;
          soc_pkg::AccessLoad: access_fault = out_of_range || !pmp_allow_i.r;
          default: access_fault = out_of_range || !pmp_allow_i.w;
        endcase
      end
      result_o.page_fault = page_fault;
      result_o.fault = page_fault || access_fault;
      done_o = leaf || result_o.fault;
      result_o.entry.ppn = ppn;
      result_o.entry.flags.r = pte_q.r && pmp_allow_i.r;
      result_o.entry.flags.w = pte_q.w && pte_q.d && pmp_allow_i.w;
      result_o.entry.flags.x = pte_q.x && pmp_allow_i.x;
      result_o.entry.flags.xr = pte_q.x && pmp_allow_i.r;
      result_o.entry.flags.user = pte_q.u;
      result_o.entry.flags.supervisor = !pte_q.u || !translated;
      result_o.is_global = pte_q.g;
      result_o.superpage = level_q != 2'd0;
      result_o.entry.flags.device = !in_ram;
      result_o.entry.flags.single_use = pmp_allow_i.split;
    end
  end

  assign mem_req_o = state_q == soc_pkg::WalkRead;
  assign mem_addr_o = addr_q;

  always_comb begin
    state_d = soc_pkg::WalkIdle;
    level_d = 2'd0;
    pte_d   = '0;
    if (req_valid_i) begin
      state_d = state_q;
      level_d = level_q;
      pte_d   = pte_q;
      case (state_q)
        soc_pkg::WalkIdle: begin
          state_d = soc_pkg::WalkStep;
          level_d = translated ? 2'd3 : 2'd0;
          pte_d   = translated ? {10'd0, root_i, 10'h001} : {10'd0, req_i.va[55:12], 10'h0ff};
        end
        soc_pkg::WalkStep: begin
          state_d = done_o ? soc_pkg::WalkIdle : soc_pkg::WalkRead;
          if (!leaf) level_d = level_q - 2'd1;
        end
        soc_pkg::WalkRead:
        if (mem_ack_i) begin
          state_d = soc_pkg::WalkStep;
          pte_d   = mem_data_i;
        end
        default: state_d = soc_pkg::WalkIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= soc_pkg::WalkIdle;
    else if (req_valid_i) state_q <= state_d;
    if (req_valid_i) begin
      level_q <= level_d;
      pte_q   <= pte_d;
      if (step) addr_q <= target;
    end
  end

  `ASSERT_IF(answer_to_a_request, req_valid_i, done_o)
  `ASSERT_IF(fault_has_no_read, !mem_req_o, done_o)

  `COVER(walker_busy, "Cycles in which the walker is busy", state_q != soc_pkg::WalkIdle)

endmodule
