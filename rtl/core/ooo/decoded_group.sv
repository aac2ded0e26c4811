// SPDX-License-Identifier: Apache-2.0
// The front of the core: fetch, extraction, and decoding of a group of up to Width instructions,
// which is held until it is dispatched.
//
// A block that is fetched in cycle n is extracted and decoded in cycle n + 1 or later, and its
// instructions are in the group in the cycle after that. Valid lanes are filled from lane 0 on.
// Those of leave_i, from lane 0 on, are dispatched at the clock edge; the others move down. If
// all leave, the next group follows in the next cycle. A redirect empties group and blocks.
//
// The ports of the L1I, of outcomes and of chaos are those of block_fetch.sv.

module decoded_group #(
  parameter int unsigned Width = 4,  // 1 to 4
  parameter int unsigned BtbSets = 256,
  parameter int unsigned Counters = 4096,
  parameter int unsigned Branches = 1024,
  parameter int unsigned Targets = 128,
  parameter int unsigned Ras = 8,
  parameter bit Float = 1'b1
) (
  input logic clk_i,
  input logic rst_ni,

  output logic               fetch_req_o,
  output logic [63:0]        fetch_pc_o,
  input  logic               fetch_valid_i,
  input  logic [127:0]       fetch_data_i,
  input  soc_pkg::bad_e      fetch_bad_i,
  input  logic               fetch_partial_i,
  input  ooo_pkg::halfword_t fetch_last_i,

  // As in decode_lane.sv
  input logic          float_on_i,
  input soc_pkg::frm_t frm_i,
  input logic          copy_on_i,

  // The group
  output logic [   Width-1:0] held_o,       // lanes with an instruction
  output logic [   Width-1:0] alone_o,      // of these, those that commit alone
  output logic [32*Width-1:0] dispatch_o,   // ooo_pkg::dispatch_t
  output logic [64*Width-1:0] work_o,       // ooo_pkg::work_t
  output logic [32*Width-1:0] insn_o,       // raw
  output logic [64*Width-1:0] pc_o,
  output logic [64*Width-1:0] next_pc_o,    // as predicted
  output logic [64*Width-1:0] extracted_o,  // ooo_pkg::extracted_t
  input  logic [   Width-1:0] leave_i,

  output logic quiescent_o,  // nothing changes without a block, a redirect, or leave_i

  input logic               redirect_i,
  input logic [63:1]        redirect_pc_i,
  input logic               redirect_plain_i,
  input ooo_pkg::snapshot_t redirect_snapshot_i,
  input logic               redirect_outcome_i,
  input ooo_pkg::outcome_t  outcome_i,

  input logic                     train_i,
  input ooo_pkg::outcome_t        trained_i,
  input logic              [63:0] trained_target_i,

  input logic               chaos_predict_i,
  input logic               chaos_taken_i,
  input ooo_pkg::halfword_t chaos_last_i,
  input logic [63:1]        chaos_target_i
);

  logic ready, push, push_ready, push_jumps, push_partial;
  ooo_pkg::halfword_t push_last;
  logic [63:1] push_pc, push_target;
  ooo_pkg::snapshot_t push_snapshot;
  block_fetch #(
    .BtbSets (BtbSets),
    .Counters(Counters),
    .Branches(Branches),
    .Targets (Targets),
    .Ras     (Ras)
  ) u_fetch (
    .clk_i,
    .rst_ni,
    .ready_o        (ready),
    .fetch_req_o,
    .fetch_pc_o,
    .fetch_valid_i,
    .fetch_bad_i,
    .fetch_partial_i,
    .fetch_last_i,
    .push_o         (push),
    .push_ready_i   (push_ready),
    .push_pc_o      (push_pc),
    .push_jumps_o   (push_jumps),
    .push_partial_o (push_partial),
    .push_last_o    (push_last),
    .push_target_o  (push_target),
    .push_snapshot_o(push_snapshot),
    .redirect_i,
    .redirect_pc_i,
    .redirect_plain_i,
    .redirect_snapshot_i,
    .redirect_outcome_i,
    .outcome_i,
    .train_i,
    .trained_i,
    .trained_target_i,
    .chaos_predict_i,
    .chaos_taken_i,
    .chaos_last_i,
    .chaos_target_i
  );

  logic take;
  logic [Width-1:0] valid;
  logic [32*Width-1:0] insn, dispatch;
  logic [64*Width-1:0] pc, next_pc, extracted, work;
  extract #(
    .Width(Width)
  ) u_extract (
    .clk_i,
    .rst_ni,
    .redirect_i,
    .push_i         (push),
    .ready_o        (push_ready),
    .push_pc_i      (push_pc),
    .push_data_i    (fetch_data_i),
    .push_bad_i     (fetch_bad_i),
    .push_jumps_i   (push_jumps),
    .push_partial_i (push_partial),
    .push_last_i    (push_last),
    .push_target_i  (push_target),
    .push_snapshot_i(push_snapshot),
    .take_i         (take),
    .valid_o        (valid),
    .insn_o         (insn),
    .pc_o           (pc),
    .next_pc_o      (next_pc),
    .extracted_o    (extracted)
  );

  for (genvar lane = 0; lane < Width; lane++) begin : gen_lane
    decode_lane #(
      .Float(Float)
    ) u_decode (
      .valid_i    (valid[lane]),
      .insn_i     (insn[32*lane+:32]),
      .extracted_i(extracted[64*lane+:64]),
      .float_on_i,
      .frm_i,
      .copy_on_i,
      .dispatch_o (dispatch[32*lane+:32]),
      .work_o     (work[64*lane+:64])
    );
  end

  logic [2:0] leaving;
  assign leaving = ooo_pkg::count4(4'(leave_i));
  assign take = held_o == leave_i && !redirect_i;
  assign quiescent_o = ready && valid == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || redirect_i) begin
      held_o <= '0;
      alone_o <= '0;
      dispatch_o <= '0;
    end else if (take) begin
      held_o <= valid;
      for (int lane = 0; lane < Width; lane++)
        alone_o[lane] <= dispatch[32*lane+ooo_pkg::DispatchAlone];
      dispatch_o <= dispatch;
    end else if (leave_i != '0) begin
      held_o <= held_o >> leaving;
      alone_o <= alone_o >> leaving;
      dispatch_o <= dispatch_o >> {leaving, 5'd0};
    end
  end
  always_ff @(posedge clk_i) begin
    if (valid != '0) begin
      work_o <= work;
      insn_o <= insn;
      pc_o <= pc;
      next_pc_o <= next_pc;
      extracted_o <= extracted;
    end else if (!take && leave_i != '0) begin
      work_o <= work_o >> {leaving, 6'd0};
      insn_o <= insn_o >> {leaving, 5'd0};
      pc_o <= pc_o >> {leaving, 6'd0};
      next_pc_o <= next_pc_o >> {leaving, 6'd0};
      extracted_o <= extracted_o >> {leaving, 6'd0};
    end
  end

  `ASSERT(leaves_in_order, (leave_i & ~held_o) == '0 && (leave_i & (leave_i + 1'b1)) == '0)

endmodule
