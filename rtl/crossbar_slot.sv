// SPDX-License-Identifier: Apache-2.0
// A transaction of the crossbar: that of one L1D, of one L1I, or of one id of DMA.
//
// It arrives (arrive_i), is placed behind those of the same line that were placed before
// (order_i, older_i), waits until they are done, probes the L1Ds in Targets, and then reads
// the line from memory or writes it. An upgrade ends without reading, unless the line has
// been taken from the L1D in the meantime (lost_i). done_o is high in the last cycle.

module crossbar_slot #(
  parameter int unsigned Harts = 2,
  parameter int unsigned Slots = 4,
  parameter logic [Harts-1:0] Targets = '1
) (
  input logic clk_i,
  input logic rst_ni,

  // Request: only while free_o
  output logic            free_o,
  input  logic            arrive_i,
  input  mem_pkg::claim_t claim_i,
  input  logic            lost_i,    // the L1D has lost the line

  // Order
  output logic             arrived_o,  // it has no place yet
  input  logic             order_i,    // it gets its place at this edge
  input  logic [Slots-1:0] older_i,    // with order_i: those of the same line
  output logic             placed_o,
  output mem_pkg::claim_t  claim_o,
  input  logic [Slots-1:0] done_i,     // transactions done in this cycle
  output logic             done_o,

  // Probes, one bit for each L1D
  output logic [Harts-1:0] ask_o,
  input  logic [Harts-1:0] asked_i,  // the probe is sent from the next cycle on
  input  logic [Harts-1:0] ack_i,
  input  logic [Harts-1:0] kept_i,   // with ack_i: the L1D keeps the line
  output logic             excl_o,   // no other L1D keeps it

  // Data
  output logic read_o,     // wants the line from memory
  input  logic read_ack_i,
  output logic grant_o,    // an upgrade: one beat without data, in this cycle
  output logic write_o,    // takes beats of a write
  input  logic beat_i,     // a beat is answered or written
  output logic reply_o,    // a write is done; one beat without data
  input  logic reply_ack_i,

  output logic still_o  // nothing changes before another transaction ends or memory answers
);

  typedef enum logic [2:0] {
    StFree = 3'd0,
    StArrived = 3'd1,
    StWaits = 3'd2,  // for older ones
    StProbes = 3'd3,
    StReads = 3'd4,  // or grants an upgrade
    StAnswers = 3'd5,
    StWrites = 3'd6,
    StReplies = 3'd7
  } fsm_e;

  fsm_e fsm_d, fsm_q;
  mem_pkg::claim_t claim_q;
  logic [Slots-1:0] after_d, after_q;
  logic [Harts-1:0] ask_d, ask_q, left_d, left_q;  // probes not sent, not answered
  logic kept_d, kept_q;
  logic [2:0] beat_d, beat_q;

  logic last, begins;
  assign last = claim_q.upgrade || beat_q == 3'd7;
  always_comb begin
    fsm_d = fsm_q;
    after_d = after_q;
    ask_d = ask_q;
    left_d = left_q;
    kept_d = kept_q;
    beat_d = beat_q;
    begins = 1'b0;
    case (fsm_q)
      StFree: if (arrive_i) fsm_d = StArrived;
      StArrived: begin
        after_d = older_i & ~done_i;
        begins = order_i && after_d == '0;
        if (order_i) fsm_d = StWaits;
      end
      StWaits: begin
        after_d = after_q & ~done_i;
        begins = after_d == '0;
      end
      StProbes: begin
        ask_d = ask_q & ~asked_i;
        left_d = left_q & ~ack_i;
        kept_d = kept_q || (ack_i & kept_i) != '0;
        if (left_d == '0) fsm_d = claim_q.writes ? StWrites : StReads;
      end
      StReads: if (grant_o || read_ack_i) fsm_d = StAnswers;
      StAnswers, StWrites: begin
        if (beat_i) begin
          beat_d = beat_q + 3'd1;
          if (last) fsm_d = fsm_q == StWrites ? StReplies : StFree;
        end
      end
      default: if (reply_ack_i) fsm_d = StFree;
    endcase
    if (begins) begin
      fsm_d = StProbes;
      ask_d = Targets;
      left_d = Targets;
      kept_d = 1'b0;
      beat_d = 3'd0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) fsm_q <= StFree;
    else if (arrive_i || fsm_q != StFree) fsm_q <= fsm_d;
    if (arrive_i) claim_q <= claim_i;
    else if (lost_i) claim_q.upgrade <= 1'b0;
    if (fsm_q != StFree) begin
      after_q <= after_d;
      ask_q <= ask_d;
      left_q <= left_d;
      kept_q <= kept_d;
      beat_q <= beat_d;
    end
  end

  assign free_o = fsm_q == StFree;
  assign arrived_o = fsm_q == StArrived;
  assign placed_o = fsm_q >= StWaits;
  assign claim_o = claim_q;
  assign done_o = (fsm_q == StAnswers && beat_i && last) || (fsm_q == StReplies && reply_ack_i);
  always_comb begin
    ask_o = '0;
    if (fsm_q == StProbes) ask_o = ask_q;
  end
  assign excl_o = claim_q.owns || !kept_q;
  assign read_o = fsm_q == StReads && !claim_q.upgrade;
  assign grant_o = fsm_q == StReads && claim_q.upgrade;
  assign write_o = fsm_q == StWrites;
  assign reply_o = fsm_q == StReplies;
  assign still_o = fsm_q == StFree || fsm_q == StWaits || fsm_q == StAnswers;

  `ASSERT_IF(arrives_once, fsm_q == StFree, arrive_i)
  `ASSERT_IF(beat_in_turn, fsm_q == StAnswers || fsm_q == StWrites, beat_i)
  `ASSERT_IF(ack_of_a_probe, fsm_q == StProbes && (ack_i & ~(left_q & ~ask_q)) == '0, ack_i != '0)

endmodule
