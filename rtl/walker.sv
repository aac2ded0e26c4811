// SPDX-License-Identifier: Apache-2.0
// Finds what a TLB lacks: walks the Sv39 page table, or takes the address as it is
// in a physical space, and joins the result with PMP and with what is at that
// address (RAM or not).
//
// Request: req_valid_i and the operands hold until done_o, which comes in the second
// cycle in a physical space; in Sv39 each level adds two cycles plus the wait for memory.
// Answer: fault_o, or an entry, valid with done_o only.
// Memory: mem_req_o and the address hold until mem_ack_i.
// The check side goes to pmp.sv, which answers in the same cycle.

module walker (
    input logic        clk_i,
    input logic        rst_ni,
    input logic [63:0] ram_size_i,

    // Request
    input  logic        req_valid_i,
    input  logic [63:0] req_va_i,
    input  logic [ 1:0] req_access_i,
    input  logic [ 1:0] req_size_i,    // log2 bytes
    input  logic [ 1:0] req_priv_i,
    input  logic [ 1:0] req_space_i,
    input  logic        req_sum_i,
    input  logic        req_mxr_i,
    input  logic [43:0] req_root_i,    // PPN of satp
    output logic        busy_o,

    // Answer
    output logic        done_o,
    output logic        fault_o,
    output logic        fault_page_o,  // a page fault; else an access fault
    output logic [43:0] ppn_o,         // of the 4 KiB page
    output logic        r_o,
    output logic        w_o,
    output logic        x_o,
    output logic        xr_o,          // readable with MXR, since executable
    output logic        user_o,
    output logic        super_o,
    output logic        global_o,      // set in physical spaces
    output logic        large_o,       // part of a superpage
    output logic        device_o,      // not RAM
    output logic        once_o,        // for this access only

    // Page table
    output logic        mem_req_o,
    output logic [55:0] mem_addr_o,
    input  logic        mem_ack_i,
    input  logic [63:0] mem_data_i,

    // PMP
    output logic        pmp_valid_o,
    output logic [55:0] pmp_pa_o,
    output logic [ 1:0] pmp_size_o,
    output logic        pmp_machine_o,
    input  logic        pmp_r_i,
    input  logic        pmp_w_i,
    input  logic        pmp_x_i,
    input  logic        pmp_split_i
);

  localparam logic [1:0] StIdle = 2'd0;
  localparam logic [1:0] StStep = 2'd1;  // an entry is in hand
  localparam logic [1:0] StRead = 2'd2;  // waits for the next one

  // Bits of a page-table entry
  localparam int unsigned PteV = 0;
  localparam int unsigned PteR = 1;
  localparam int unsigned PteW = 2;
  localparam int unsigned PteX = 3;
  localparam int unsigned PteU = 4;
  localparam int unsigned PteG = 5;
  localparam int unsigned PteA = 6;
  localparam int unsigned PteD = 7;

  // The entry in hand and its level. satp is taken as an entry of level 3, a
  // physical address as a leaf of level 0 that allows all.
  logic [ 1:0] state_q;
  logic [ 1:0] level_q;
  logic [63:0] pte_q;
  logic [55:0] addr_q;

  logic translated, step;
  assign translated = req_space_i == soc_pkg::SPACE_SV39;
  assign step = state_q == StStep;

  // What the entry alone tells
  logic leaf, bad_entry, denied, crooked, wild, page_fault;
  logic [43:0] ppn;
  logic [55:0] target;  // of the access, or of the next entry
  logic [63:0] offset;
  logic in_ram;
  always_comb begin
    leaf = 1'b0;
    bad_entry = 1'b0;
    denied = 1'b0;
    crooked = 1'b0;
    wild = 1'b0;
    page_fault = 1'b0;
    ppn = 44'd0;
    target = 56'd0;
    offset = 64'd0;
    in_ram = 1'b0;
    if (step) begin
      ppn = pte_q[53:10];
      leaf = pte_q[PteR] || pte_q[PteX];
      bad_entry = !pte_q[PteV] || pte_q[63:54] != 10'd0 || (pte_q[PteW] && !pte_q[PteR]);
      if (leaf) begin
        case (level_q)
          2'd2: begin
            crooked   = ppn[17:0] != 18'd0;
            ppn[17:0] = req_va_i[29:12];
          end
          2'd1: begin
            crooked  = ppn[8:0] != 9'd0;
            ppn[8:0] = req_va_i[20:12];
          end
          default: ;
        endcase
        target = {ppn, req_va_i[11:0]};
        wild   = !translated && req_va_i[63:56] != 8'd0;
        case (req_access_i)
          soc_pkg::ACCESS_FETCH: denied = !pte_q[PteX];
          soc_pkg::ACCESS_LOAD: denied = !pte_q[PteR] && !req_mxr_i;
          default: denied = !pte_q[PteW] || !pte_q[PteD];
        endcase
        if (!pte_q[PteA]) denied = 1'b1;
        if (translated) begin
          if (!pte_q[PteU]) begin
            if (req_priv_i == soc_pkg::PRIV_U) denied = 1'b1;
          end else if (req_priv_i == soc_pkg::PRIV_S) begin
            if (req_access_i == soc_pkg::ACCESS_FETCH || !req_sum_i) denied = 1'b1;
          end
        end
      end else begin
        case (level_q)
          2'd3: begin
            target = {ppn, req_va_i[38:30], 3'd0};
            // Not the extension of bit 38
            denied = req_va_i[63:38] != {26{req_va_i[38]}};
          end
          2'd2: target = {ppn, req_va_i[29:21], 3'd0};
          2'd1: target = {ppn, req_va_i[20:12], 3'd0};
          default: denied = 1'b1;
        endcase
        if (pte_q[PteA] || pte_q[PteD] || pte_q[PteU]) denied = 1'b1;
      end
      page_fault = bad_entry || denied || crooked;
      offset = {8'd0, target} - soc_map_pkg::SOC_RAM_BASE;
      in_ram = offset < ram_size_i;
    end
  end

  assign pmp_valid_o = step && !page_fault;
  assign pmp_pa_o = target;
  assign pmp_size_o = leaf ? req_size_i : 2'd3;
  assign pmp_machine_o = req_space_i == soc_pkg::SPACE_MACHINE;

  // What PMP and the address add
  logic closed;
  always_comb begin
    closed = 1'b0;
    done_o = 1'b0;
    fault_o = 1'b0;
    fault_page_o = 1'b0;
    ppn_o = 44'd0;
    r_o = 1'b0;
    w_o = 1'b0;
    x_o = 1'b0;
    xr_o = 1'b0;
    user_o = 1'b0;
    super_o = 1'b0;
    global_o = 1'b0;
    large_o = 1'b0;
    device_o = 1'b0;
    once_o = 1'b0;
    if (step) begin
      if (!leaf) closed = !in_ram || !pmp_r_i;
      else begin
        case (req_access_i)
          soc_pkg::ACCESS_FETCH: closed = wild || !in_ram || !pmp_x_i;
          soc_pkg::ACCESS_LOAD: closed = wild || !pmp_r_i;
          default: closed = wild || !pmp_w_i;
        endcase
      end
      fault_page_o = page_fault;
      fault_o = page_fault || closed;
      done_o = leaf || fault_o;
      ppn_o = ppn;
      r_o = pte_q[PteR] && pmp_r_i;
      w_o = pte_q[PteW] && pte_q[PteD] && pmp_w_i;
      x_o = pte_q[PteX] && pmp_x_i;
      xr_o = pte_q[PteX] && pmp_r_i;
      user_o = pte_q[PteU];
      super_o = !pte_q[PteU] || !translated;
      global_o = pte_q[PteG];
      large_o = level_q != 2'd0;
      device_o = !in_ram;
      once_o = pmp_split_i;
    end
  end

  assign mem_req_o = state_q == StRead;
  assign mem_addr_o = addr_q;
  assign busy_o = state_q != StIdle;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) state_q <= StIdle;
    else if (req_valid_i) begin
      case (state_q)
        StIdle: state_q <= StStep;
        StStep: state_q <= done_o ? StIdle : StRead;
        StRead: if (mem_ack_i) state_q <= StStep;
        default: state_q <= StIdle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (req_valid_i) begin
      case (state_q)
        StIdle: begin
          level_q <= translated ? 2'd3 : 2'd0;
          pte_q   <= translated ? {10'd0, req_root_i, 10'h001} : {10'd0, req_va_i[55:12], 10'h0ff};
        end
        StStep: begin
          if (!leaf) level_q <= level_q - 2'd1;
          addr_q <= target;
        end
        StRead: if (mem_ack_i) pte_q <= mem_data_i;
        default: ;
      endcase
    end
  end

  `COVER(walker_busy, "Cycles in which the walker is at work", state_q != StIdle)

endmodule
