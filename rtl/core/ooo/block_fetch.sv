// SPDX-License-Identifier: Apache-2.0
// Fetch of a block of 16 bytes a cycle, from the pc to the end of the aligned block, with the
// prediction of its successor.
//
// While fetch_req_o is high, fetch_pc_o is to be read; fetch_valid_i answers in the same cycle,
// with the aligned 16 bytes around it, which go to extract.sv directly, or, in fetch_bad_i, that
// none can be read. Without an answer the request stays, or a redirect replaces it.
// fetch_partial_i: the bytes behind halfword fetch_last_i must be requested by themselves. An
// answer is pushed to extract.sv in its cycle.
//
// A redirect takes effect in the next cycle; the answer in its own cycle is dropped. With
// redirect_plain_i the first block is not predicted to jump, nor is the next one if that has a
// single halfword, so that an instruction is fetched whole. After a bad block nothing is fetched
// until a redirect.
//
// redirect_outcome_i: a jump or branch with this outcome causes the redirect, which is to its
// target; else an instruction does that is no jump. train_i trains the predictor with another
// outcome, or the same.
//
// chaos_predict_i, for tests, replaces a prediction.

module block_fetch #(
  parameter int unsigned BtbSets = 256,
  parameter int unsigned Counters = 4096,
  parameter int unsigned Branches = 1024,
  parameter int unsigned Targets = 128,
  parameter int unsigned Ras = 8
) (
  input logic clk_i,
  input logic rst_ni,

  output logic ready_o,  // as in block_predictor.sv

  // The L1I
  output logic               fetch_req_o,
  output logic [63:0]        fetch_pc_o,
  input  logic               fetch_valid_i,
  input  soc_pkg::bad_e      fetch_bad_i,
  input  logic               fetch_partial_i,
  input  ooo_pkg::halfword_t fetch_last_i,

  // extract.sv
  output logic               push_o,
  input  logic               push_ready_i,
  output logic [63:1]        push_pc_o,
  output logic               push_jumps_o,
  output logic               push_partial_o,
  output ooo_pkg::halfword_t push_last_o,
  output logic [63:1]        push_target_o,
  output ooo_pkg::snapshot_t push_snapshot_o,

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

  logic [63:1] pc_q, next_pc;
  logic plain_q, stopped_q, single;

  logic predictor_ready, known_taken, chaos;
  logic [2:0] known_last;
  logic [63:0] known_target;
  logic [1:0] redirect_kind;
  assign redirect_kind = redirect_outcome_i ? outcome_i.kind : soc_pkg::KindNone;
  logic [38:0] link;
  assign link = outcome_i.last + 39'd1;
  block_predictor #(
    .BtbSets (BtbSets),
    .Counters(Counters),
    .Branches(Branches),
    .Targets (Targets),
    .Ras     (Ras)
  ) u_predictor (
    .clk_i,
    .rst_ni,
    .ready_o            (predictor_ready),
    .lookup_i           (fetch_req_o && !plain_q),
    .pc_i               ({pc_q, 1'b0}),
    .taken_o            (known_taken),
    .last_o             (known_last),
    .target_o           (known_target),
    .snapshot_o         (push_snapshot_o),
    .advance_i          (push_o && push_jumps_o && !chaos),
    .redirect_i,
    .redirect_snapshot_i,
    .redirect_kind_i    (redirect_kind),
    .redirect_push_i    (redirect_outcome_i && outcome_i.push),
    .redirect_taken_i   (redirect_outcome_i && outcome_i.taken),
    .redirect_pc_i      ({24'd0, outcome_i.last, 1'b0}),
    .redirect_target_i  ({redirect_pc_i, 1'b0}),
    .redirect_link_i    ({24'd0, link, 1'b0}),
    .update_i           (train_i),
    .update_history_i   (trained_i.history),
    .update_kind_i      (trained_i.kind),
    .update_push_i      (trained_i.push),
    .update_indirect_i  (trained_i.indirect),
    .update_taken_i     (trained_i.taken),
    .update_long_i      (trained_i.wide),
    .update_pc_i        ({24'd0, trained_i.last, 1'b0}),
    .update_target_i    (trained_target_i)
  );

  assign ready_o = predictor_ready;
  assign fetch_req_o = predictor_ready && push_ready_i && !stopped_q;
  assign fetch_pc_o = {pc_q, 1'b0};
  assign push_o = fetch_req_o && fetch_valid_i;
  assign push_pc_o = pc_q;
  assign chaos = chaos_predict_i && !plain_q;
  assign single = pc_q[3:1] == (fetch_partial_i ? fetch_last_i : 3'd7);

  logic taken;
  ooo_pkg::halfword_t last;
  always_comb begin
    taken = known_taken;
    last = known_last;
    push_target_o = known_target[63:1];
    if (chaos) begin
      taken = chaos_taken_i;
      last = chaos_last_i < pc_q[3:1] ? pc_q[3:1] : chaos_last_i;
      push_target_o = chaos_target_i;
    end
    push_jumps_o = taken && !(fetch_partial_i && last > fetch_last_i) &&
                   fetch_bad_i == soc_pkg::BadNone;
    push_partial_o = fetch_partial_i && !(push_jumps_o && last != fetch_last_i);
    push_last_o = push_jumps_o ? last : fetch_last_i;
    next_pc = {pc_q[63:4], 3'd7} + 63'd1;
    if (push_partial_o) next_pc = {pc_q[63:4], fetch_last_i} + 63'd1;
    if (push_jumps_o) next_pc = push_target_o;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pc_q <= soc_map_pkg::SOC_RESET_PC[63:1];
      plain_q <= 1'b0;
      stopped_q <= 1'b0;
    end else if (redirect_i) begin
      pc_q <= redirect_pc_i;
      plain_q <= redirect_plain_i;
      stopped_q <= 1'b0;
    end else if (push_o) begin
      pc_q <= next_pc;
      plain_q <= plain_q && single;
      stopped_q <= fetch_bad_i != soc_pkg::BadNone;
    end
  end

  `ASSERT_IF(answer_reaches_the_pc, fetch_last_i >= pc_q[3:1], push_o && fetch_partial_i)

endmodule
