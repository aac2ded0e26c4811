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
    input  soc_pkg::access_e req_access_i,
    input  soc_pkg::size_e req_size_i,
    input  soc_pkg::priv_e req_priv_i,
    input  soc_pkg::space_e req_space_i,
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
    output soc_pkg::size_e pmp_size_o,
    output logic        pmp_machine_o,
    input  logic        pmp_r_i,
    input  logic        pmp_w_i,
    input  logic        pmp_x_i,
    input  logic        pmp_split_i
);

  typedef enum logic [1:0] {
    StIdle = 2'd0,
    StStep = 2'd1,  // an entry is in hand
    StRead = 2'd2  // waits for the next one
  } state_e;

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

  // The entry in hand and its level. satp is taken as an entry of level 3, a
  // physical address as a leaf of level 0 that allows all.
  state_e      state_q;
  logic [ 1:0] level_q;
  pte_t        pte_q;
  logic [55:0] addr_q;

  logic translated, step;
  assign translated = req_space_i == soc_pkg::SpaceSv39;
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
      ppn = pte_q.ppn;
      leaf = pte_q.r || pte_q.x;
      bad_entry = !pte_q.v || pte_q.reserved != 10'd0 || (pte_q.w && !pte_q.r);
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
          soc_pkg::AccessFetch: denied = !pte_q.x;
          soc_pkg::AccessLoad: denied = !pte_q.r && !req_mxr_i;
          default: denied = !pte_q.w || !pte_q.d;
        endcase
        if (!pte_q.a) denied = 1'b1;
        if (translated) begin
          if (!pte_q.u) begin
            if (req_priv_i == soc_pkg::PrivU) denied = 1'b1;
          end else if (req_priv_i == soc_pkg::PrivS) begin
            if (req_access_i == soc_pkg::AccessFetch || !req_sum_i) denied = 1'b1;
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
        if (pte_q.a || pte_q.d || pte_q.u) denied = 1'b1;
      end
      page_fault = bad_entry || denied || crooked;
      offset = {8'd0, target} - soc_map_pkg::SOC_RAM_BASE;
      in_ram = offset < ram_size_i;
    end
  end

  assign pmp_valid_o = step && !page_fault;
  assign pmp_pa_o = target;
  assign pmp_size_o = leaf ? req_size_i : soc_pkg::SizeDouble;
  assign pmp_machine_o = req_space_i == soc_pkg::SpaceMachine;

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
          soc_pkg::AccessFetch: closed = wild || !in_ram || !pmp_x_i;
          soc_pkg::AccessLoad: closed = wild || !pmp_r_i;
          default: closed = wild || !pmp_w_i;
        endcase
      end
      fault_page_o = page_fault;
      fault_o = page_fault || closed;
      done_o = leaf || fault_o;
      ppn_o = ppn;
      r_o = pte_q.r && pmp_r_i;
      w_o = pte_q.w && pte_q.d && pmp_w_i;
      x_o = pte_q.x && pmp_x_i;
      xr_o = pte_q.x && pmp_r_i;
      user_o = pte_q.u;
      super_o = !pte_q.u || !translated;
      global_o = pte_q.g;
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
