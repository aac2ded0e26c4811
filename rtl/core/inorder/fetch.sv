// SPDX-License-Identifier: Apache-2.0
// F: fetches the next instruction, with the L1 instruction cache (64-byte lines; by default
// 16 KiB, 4-way), its TLB and the branch predictor.
//
// valid_o is high with an instruction, or a fault in its place, until ready_i; while it is
// low, walk_o, crosses_o and dram_o give the reason. An instruction that crosses a line
// takes two cycles; so does a 32-bit one in a page that a PMP entry splits, where each
// halfword is checked by itself. Within a line neither tags nor TLB are accessed.
// A redirect does not cancel a refill; other lines hit under it.
// This cache is not probed: before memory answers a refill, it takes modified data from the
// L1D, and fence.i invalidates this cache, so that stale lines are fetched again.

module fetch #(
  parameter int unsigned Sets = 64,  // both powers of two, at least 2;
  parameter int unsigned Ways = 4    // a way has at most 4 KiB
) (
  input logic clk_i,
  input logic rst_ni,

  // Redirects. A flush is a redirect after which translation, privilege or code
  // may differ.
  input logic        redirect_i,
  input logic        flush_i,
  input logic [63:0] redirect_pc_i,
  input logic        clear_i,  // fence.i: invalidates the cache

  // The address space, and flushes of the TLB, as in tlb.sv
  input soc_pkg::priv_e      priv_i,
  input soc_pkg::space_e     space_i,
  input logic [15:0]         asid_i,
  input logic                tlb_flush_i,
  input soc_pkg::tlb_flush_t tlb_flush_scope_i,

  // To D
  input  logic              ready_i,
  output logic              valid_o,
  output soc_pkg::fetched_t fetched_o,
  output logic              crosses_o,    // has the first half, needs the second
  output logic              quiescent_o,  // waits: nothing here changes
  output logic              dram_o,       // the refill in progress comes from DRAM

  // Predictor updates, as in predictor.sv
  input logic           update_i,
  input logic [63:0]    update_pc_i,
  input soc_pkg::kind_e update_kind_i,
  input logic           update_taken_i,
  input logic [63:0]    update_target_i,
  input logic           update_push_i,
  input logic [63:0]    update_link_i,

  // Walker: walk_o is high until walk_done_i, which answers walk_for_i, or a redirect
  output logic                  walk_o,
  output soc_pkg::walk_req_t    walk_req_o,
  input  logic                  walk_done_i,
  input  soc_pkg::walk_req_t    walk_for_i,
  input  soc_pkg::walk_result_t walk_result_i,

  // Memory
  output logic        imem_req_o,
  output logic [55:0] imem_addr_o,
  input  logic        imem_valid_i,
  input  logic [63:0] imem_data_i,
  input  logic        imem_dram_i  // not registered in soc.sv
);

  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned WayBits = $clog2(Ways);
  localparam int unsigned TagBits = 50 - SetBits;

  // Instruction at pc_q; fetch_pc_q is the address to fetch, pc_q + 2 for the second half.
  logic [63:0] pc_q, fetch_pc_q;
  logic second_half_q;
  logic [15:0] first_half_q;
  logic fault_q, fault_page_q;

  // The line of the last fetch.
  logic line_valid_q;
  logic [57:0] line_q;
  logic [WayBits-1:0] line_way_q;

  logic [TagBits-1:0] tag_q[Ways][Sets];
  logic [Sets-1:0] valid_q[Ways];
  logic [31:0] even_q[8*Ways*Sets], odd_q[8*Ways*Sets];  // {set, way, 8 bytes of the line}

  // Refill
  logic fill_q, fill_drop_q;
  logic [2:0] beat_q;
  logic [WayBits-1:0] fill_way_q, victim_q;
  logic [TagBits-1:0] fill_tag_q;
  logic [SetBits-1:0] fill_set_q;

  logic [SetBits-1:0] set;
  assign set = fetch_pc_q[5+SetBits:6];

  logic same_line, tlb_hit, tlb_ok;
  soc_pkg::tlb_entry_t entry;
  assign same_line = line_valid_q && line_q == fetch_pc_q[63:6];

  tlb u_tlb (
    .clk_i,
    .rst_ni,
    .lookup_i     (!same_line),
    .vpn_i        (fetch_pc_q[63:12]),
    .space_i,
    .asid_i,
    .hit_o        (tlb_hit),
    .entry_o      (entry),
    .drop_i       (single_use && (redirect_i || handshake || crosses_o)),
    .fill_i       (walk_done_i && !walk_result_i.fault),
    .fill_vpn_i   (walk_for_i.va[63:12]),
    .fill_space_i (walk_for_i.space),
    .fill_asid_i  (walk_for_i.asid),
    .fill_result_i(walk_result_i),
    .flush_i      (tlb_flush_i),
    .flush_scope_i(tlb_flush_scope_i)
  );
  always_comb begin
    tlb_ok = 1'b0;
    walk_o = 1'b0;
    if (!same_line) begin
      tlb_ok = tlb_hit && entry.flags.x &&
          (priv_i == soc_pkg::PrivU ? entry.flags.user : entry.flags.supervisor);
      walk_o = !tlb_ok && !fault_q;
    end
  end

  // Tags
  logic hit, single_use, miss;
  logic [TagBits-1:0] tag;
  logic [WayBits-1:0] way;
  always_comb begin
    hit = 1'b1;
    way = line_way_q;
    single_use = 1'b0;
    miss = 1'b0;
    tag = '0;
    if (!same_line) begin
      hit = 1'b0;
      way = '0;
      if (tlb_ok) begin
        single_use = entry.flags.single_use;
        tag = TagBits'({entry.ppn, fetch_pc_q[11:6]} >> SetBits);
        for (int unsigned w = 0; w < Ways; w++) begin
          if (!hit) begin
            hit = valid_q[w][set] && tag_q[w][set] == tag;
            way = WayBits'(w);
          end
        end
        miss = !hit;
      end
    end
  end

  // Data
  logic [31:0] even, odd, aligned;
  logic [31:0] word;
  logic [2:0] even_index;
  logic wide, valid;
  assign even_index = fetch_pc_q[5:3] + {2'd0, fetch_pc_q[2]};
  assign even = even_q[{set, way, even_index}];
  assign odd = odd_q[{set, way, fetch_pc_q[5:3]}];
  always_comb begin
    case (fetch_pc_q[2:1])
      2'd0: aligned = even;
      2'd1: aligned = {odd[15:0], even[31:16]};
      2'd2: aligned = odd;
      default: aligned = {even[15:0], odd[31:16]};
    endcase
  end
  assign word = second_half_q ? {aligned[15:0], first_half_q} : aligned;
  assign wide = word[1:0] == 2'b11;
  always_comb begin
    crosses_o = 1'b0;
    if (fetch_pc_q[5:1] == 5'd31 || single_use) crosses_o = hit && !second_half_q && wide;
  end
  assign valid = (hit && !crosses_o) || fault_q;

  // Next address
  logic taken, handshake, predictor_ready;
  logic [63:0] target, next_pc;
  predictor u_predictor (
    .clk_i,
    .rst_ni,
    .pc_i    (pc_q),
    .taken_o (taken),
    .target_o(target),
    .ready_o (predictor_ready),
    .update_i,
    .update_pc_i,
    .update_kind_i,
    .update_taken_i,
    .update_target_i,
    .update_push_i,
    .update_link_i
  );
  assign next_pc = taken ? target : pc_q + (wide ? 64'd4 : 64'd2);
  assign handshake = valid && ready_i;

  soc_pkg::bad_e bad;
  assign valid_o = valid;
  assign fetched_o.pc = pc_q;
  assign fetched_o.next_pc = next_pc;
  assign fetched_o.insn = wide ? word : {16'd0, word[15:0]};
  assign fetched_o.bad = bad;
  always_comb begin
    bad = soc_pkg::BadNone;
    if (fault_q) begin
      case ({fault_page_q, second_half_q})
        2'b00: bad = soc_pkg::BadAccess;
        2'b01: bad = soc_pkg::BadAccessHalf;
        2'b10: bad = soc_pkg::BadPage;
        default: bad = soc_pkg::BadPageHalf;
      endcase
    end
  end

  assign walk_req_o.asid = asid_i;
  assign walk_req_o.access = soc_pkg::AccessFetch;
  assign walk_req_o.size = soc_pkg::SizeHalf;
  assign walk_req_o.priv = priv_i;
  assign walk_req_o.space = space_i;
  assign walk_req_o.va = fetch_pc_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pc_q <= soc_map_pkg::SOC_RESET_PC;
      fetch_pc_q <= soc_map_pkg::SOC_RESET_PC;
      second_half_q <= 1'b0;
      fault_q <= 1'b0;
    end else if (redirect_i) begin
      pc_q <= redirect_pc_i;
      fetch_pc_q <= redirect_pc_i;
      second_half_q <= 1'b0;
      fault_q <= 1'b0;
    end else if (handshake) begin
      pc_q <= next_pc;
      fetch_pc_q <= next_pc;
      second_half_q <= 1'b0;
      fault_q <= 1'b0;
    end else if (crosses_o) begin
      fetch_pc_q <= pc_q + 64'd2;
      second_half_q <= 1'b1;
      first_half_q <= aligned[15:0];
    end else if (walk_done_i && walk_result_i.fault) begin
      fault_q <= 1'b1;
      fault_page_q <= walk_result_i.page_fault;
    end
  end

  // A refill overwrites the victim, which may be the remembered line: forget it.
  logic fill_start;
  assign fill_start = miss && !fill_q && !redirect_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i || fill_start) begin
      line_valid_q <= 1'b0;
    end else if (!same_line && hit && !single_use) begin
      line_valid_q <= 1'b1;
      line_q <= fetch_pc_q[63:6];
      line_way_q <= way;
    end
  end

  logic last_beat;
  assign last_beat = imem_valid_i && beat_q == 3'd7;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= 1'b0;
      imem_req_o <= 1'b0;
      dram_o <= 1'b0;
      victim_q <= '0;
      beat_q <= 3'd0;
    end else if (fill_start) begin
      fill_q <= 1'b1;
      fill_drop_q <= clear_i;
      fill_way_q <= victim_q;
      fill_tag_q <= tag;
      fill_set_q <= set;
      victim_q <= victim_q + 1'b1;
      imem_req_o <= 1'b1;
      dram_o <= 1'b0;
    end else if (fill_q) begin
      imem_req_o <= 1'b0;
      dram_o <= imem_dram_i;
      if (clear_i) fill_drop_q <= 1'b1;
      if (imem_valid_i) begin
        beat_q <= beat_q + 3'd1;
        even_q[{fill_set_q, fill_way_q, beat_q}] <= imem_data_i[31:0];
        odd_q[{fill_set_q, fill_way_q, beat_q}] <= imem_data_i[63:32];
        if (last_beat) fill_q <= 1'b0;
      end
    end
  end
  assign imem_addr_o = {fill_tag_q, fill_set_q, 6'd0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      for (int unsigned w = 0; w < Ways; w++) valid_q[w] <= '0;
    end else if (fill_start) begin
      valid_q[victim_q][set] <= 1'b0;
    end else if (last_beat && !fill_drop_q) begin
      valid_q[fill_way_q][fill_set_q] <= 1'b1;
    end
    if (last_beat) tag_q[fill_way_q][fill_set_q] <= fill_tag_q;
  end

  // Any refill waits for its first beat, no instruction can leave or advance, and no line
  // is to be remembered. Clearing after reset ends with the predictor, which has the most
  // entries.
  assign quiescent_o = predictor_ready && (!fill_q || (!imem_req_o && beat_q == 3'd0)) &&
                   (valid ? !ready_i && (same_line || single_use || fault_q) :
                            !crosses_o && !fill_start);

  `ASSERT_HELD(instruction_stands, valid_o, ready_i || redirect_i,
               {fetched_o.pc, bad == soc_pkg::BadNone ? fetched_o.insn : '0, bad})
  `ASSERT_HELD(walk_stands, walk_o, walk_done_i || redirect_i, walk_req_o)
  `ASSERT_IF(no_answer_with_redirect, !redirect_i, walk_done_i)
  `ASSERT_IF(beat_was_asked_for, fill_q, imem_valid_i)

  `COVER(l1i_refill, "Cycles in which the L1I waits for a line or takes it in", fill_q)

endmodule
