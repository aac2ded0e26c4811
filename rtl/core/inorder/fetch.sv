// SPDX-License-Identifier: Apache-2.0
// F: fetches the next instruction from the L1I (icache.sv), by way of the instruction TLB,
// with the branch predictor. Both answer in the same cycle.
//
// valid_o is high with an instruction, or a fault in its place, until ready_i; while it is
// low, walk_o, crosses_o and the L1I give the reason. An instruction that crosses a line
// takes two cycles; so does a 32-bit one in a page that a PMP entry splits, where each
// halfword is checked by itself. Within a line neither tags nor TLB are accessed.
// A redirect does not cancel a refill; other lines hit under it.

module fetch #(
  parameter int unsigned BtbEntries = 256,  // of predictor.sv
  parameter int unsigned BhtEntries = 512,
  parameter int unsigned RasEntries = 8
) (
  input logic clk_i,
  input logic rst_ni,

  input logic        redirect_i,
  input logic [63:0] redirect_pc_i,

  // The address space
  input soc_pkg::priv_e  priv_i,
  input soc_pkg::space_e space_i,
  input logic [15:0]     asid_i,

  // To D
  input  logic              ready_i,
  output logic              valid_o,
  output soc_pkg::fetched_t fetched_o,
  output logic              crosses_o,    // has the first half, needs the second
  output logic              quiescent_o,  // waits: nothing here changes

  // Predictor updates, as in predictor.sv
  input logic           update_i,
  input logic [63:0]    update_pc_i,
  input soc_pkg::kind_e update_kind_i,
  input logic           update_taken_i,
  input logic [63:0]    update_target_i,
  input logic           update_push_i,
  input logic [63:0]    update_link_i,

  // The TLB, as in tlb.sv, and the L1I, as in icache.sv: the address to look up in both
  output logic [63:0]         fetch_pc_o,
  input  logic                tlb_hit_i,
  input  soc_pkg::tlb_flags_t tlb_flags_i,
  output logic                tlb_drop_o,
  output logic                translated_o,
  output logic                single_use_o,
  input  logic                remembered_i,
  input  logic                hit_i,
  input  logic [31:0]         data_i,
  input  logic                icache_quiescent_i,

  // Walker: walk_o is high until walk_done_i, or a redirect
  output logic               walk_o,
  output soc_pkg::walk_req_t walk_req_o,
  input  logic               walk_done_i,
  input  logic               walk_fault_i,
  input  logic               walk_page_fault_i  // else an access fault
);

  // Instruction at pc_q; fetch_pc_q is the address to fetch, pc_q + 2 for the second half.
  logic [63:0] pc_q, fetch_pc_q;
  logic second_half_q;
  logic [15:0] first_half_q;
  logic fault_q, fault_page_q;

  logic tlb_ok, single_use;
  always_comb begin
    tlb_ok = 1'b0;
    single_use = 1'b0;
    walk_o = 1'b0;
    if (!remembered_i) begin
      tlb_ok = tlb_hit_i && tlb_flags_i.x &&
          (priv_i == soc_pkg::PrivU ? tlb_flags_i.user : tlb_flags_i.supervisor);
      single_use = tlb_ok && tlb_flags_i.single_use;
      walk_o = !tlb_ok && !fault_q;
    end
  end
  assign fetch_pc_o = fetch_pc_q;
  assign translated_o = tlb_ok;
  assign single_use_o = single_use;
  assign tlb_drop_o = single_use && (redirect_i || handshake || crosses_o);

  // The instruction, or its first half
  logic [31:0] word;
  logic wide, valid;
  assign word = second_half_q ? {data_i[15:0], first_half_q} : data_i;
  assign wide = word[1:0] == 2'b11;
  always_comb begin
    crosses_o = 1'b0;
    if (fetch_pc_q[5:1] == 5'd31 || single_use) crosses_o = hit_i && !second_half_q && wide;
  end
  assign valid = (hit_i && !crosses_o) || fault_q;

  // Next address
  logic taken, handshake, predictor_ready;
  logic [63:0] target, next_pc;
  predictor #(
    .BtbEntries(BtbEntries),
    .BhtEntries(BhtEntries),
    .RasEntries(RasEntries)
  ) u_predictor (
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
      first_half_q <= data_i[15:0];
    end else if (walk_done_i && walk_fault_i) begin
      fault_q <= 1'b1;
      fault_page_q <= walk_page_fault_i;
    end
  end

  // No instruction can leave or advance, and no line is to be remembered. Clearing after
  // reset ends with the predictor, which has the most entries.
  assign quiescent_o = predictor_ready && icache_quiescent_i &&
                   (valid ? !ready_i && (remembered_i || single_use || fault_q) : !crosses_o);

  `ASSERT_HELD(instruction_stands, valid_o, ready_i || redirect_i,
               {fetched_o.pc, bad == soc_pkg::BadNone ? fetched_o.insn : '0, bad})
  `ASSERT_HELD(walk_stands, walk_o, walk_done_i || redirect_i, walk_req_o)
  `ASSERT_IF(no_answer_with_redirect, !redirect_i, walk_done_i)

endmodule
