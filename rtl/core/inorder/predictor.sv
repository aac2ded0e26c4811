// SPDX-License-Identifier: Apache-2.0
// Branch prediction: BTB, BHT of two-bit counters, return stack (RAS).
//
// The lookup is combinational on the address of an instruction; the BTB has its
// kind and target. All state changes as the instruction leaves X, so wrong paths have
// no effect. After reset BTB and BHT are cleared, one entry per cycle. A stored counter
// of 0 means weakly taken, since the BTB only has branches that have been taken.

module predictor #(
  parameter int unsigned BtbEntries = 256,  // all powers of two, at least 2
  parameter int unsigned BhtEntries = 512,
  parameter int unsigned RasEntries = 8
) (
  input logic clk_i,
  input logic rst_ni,

  // Lookup
  input  logic [63:0] pc_i,
  output logic        taken_o,
  output logic [63:0] target_o,
  output logic        ready_o,  // clearing is done

  // Outcome of a jump or branch, or of another instruction predicted as one
  input logic           update_i,
  input logic [63:0]    update_pc_i,
  input soc_pkg::kind_e update_kind_i,
  input logic           update_taken_i,
  input logic [63:0]    update_target_i,
  input logic           update_push_i,  // a call; update_link_i is the return address
  input logic [63:0]    update_link_i
);

  localparam int unsigned BtbBits = $clog2(BtbEntries);
  localparam int unsigned BhtBits = $clog2(BhtEntries);
  localparam int unsigned RasBits = $clog2(RasEntries);
  localparam int unsigned TagBits = 29 - BtbBits;
  localparam int unsigned ClearBits = BtbBits > BhtBits ? BtbBits : BhtBits;

  typedef struct packed {
    logic [TagBits-1:0] tag;  // pc[29:BtbBits+1]
    logic [38:0]        target;  // bits 39:1
    logic [1:0]         kind;  // soc_pkg::kind_e
  } btb_entry_t;

  logic [TagBits+40:0] btb_q[BtbEntries];  // btb_entry_t
  logic [1:0] bht_q[BhtEntries];
  logic [63:0] ras_q[RasEntries];
  logic [RasBits-1:0] top_q;
  logic [ClearBits:0] clear_q;  // entries cleared since reset; the upper bit: all of them

  assign ready_o = clear_q[ClearBits];

  btb_entry_t entry;
  logic [TagBits-1:0] tag;
  assign tag = pc_i[29:BtbBits+1];

  always_comb begin
    taken_o = 1'b0;
    entry = btb_q[pc_i[BtbBits:1]];
    target_o = {{24{entry.target[38]}}, entry.target, 1'b0};
    if (entry.tag == tag) begin
      case (entry.kind)
        soc_pkg::KindNone: taken_o = 1'b0;
        soc_pkg::KindBranch: taken_o = !bht_q[pc_i[BhtBits:1]][1];
        soc_pkg::KindReturn: begin
          taken_o = 1'b1;
          target_o = ras_q[top_q];
        end
        default: taken_o = 1'b1;
      endcase
    end
  end

  logic [1:0] count, count_d;
  always_comb begin
    count = 2'd0;
    count_d = 2'd0;
    if (update_i) begin
      count = bht_q[update_pc_i[BhtBits:1]] ^ 2'd2;
      count_d = count;
      if (update_taken_i && count != 2'd3) count_d = count + 2'd1;
      if (!update_taken_i && count != 2'd0) count_d = count - 2'd1;
    end
  end

  logic [RasBits-1:0] top_d;
  always_comb begin
    top_d = top_q;
    if (update_kind_i == soc_pkg::KindReturn) top_d = top_d - 1'b1;
    if (update_push_i) top_d = top_d + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clear_q <= '0;
      top_q <= '0;
    end else if (!clear_q[ClearBits]) begin
      clear_q <= clear_q + 1'b1;
      btb_q[clear_q[BtbBits-1:0]] <= '0;
      bht_q[clear_q[BhtBits-1:0]] <= '0;
    end else if (update_i) begin
      if (update_kind_i == soc_pkg::KindBranch) bht_q[update_pc_i[BhtBits:1]] <= count_d ^ 2'd2;
      if (update_taken_i || update_kind_i == soc_pkg::KindNone)
        btb_q[update_pc_i[BtbBits:1]] <=
            {update_pc_i[29:BtbBits+1], update_target_i[39:1], update_kind_i};
      top_q <= top_d;
      if (update_push_i) ras_q[top_d] <= update_link_i;
    end
  end

`ifdef ASSERTIONS
  logic jumps;
  assign jumps = update_kind_i == soc_pkg::KindJump || update_kind_i == soc_pkg::KindReturn;
`endif
  `ASSERT_HELD(cleared_once, ready_o, 1'b0, ready_o)
  `ASSERT_IF(jump_is_taken, update_taken_i, update_i && jumps)
  `ASSERT_IF(call_is_a_jump, jumps, update_i && update_push_i)
  `ASSERT_IF(taken_is_known, entry.tag == tag && entry.kind != soc_pkg::KindNone, taken_o)
  `ASSERT_IF(counts_up, count_d == 2'd3 || count_d == count + 2'd1, update_i && update_taken_i)
  `ASSERT_IF(counts_down, count_d == 2'd0 || count_d == count - 2'd1, update_i && !update_taken_i)

endmodule
