// SPDX-License-Identifier: Apache-2.0
// A transaction of the crossbar: that of one L1D, of one L1I, or of one id of DMA.
//
// It arrives (arrive_i), is placed behind those of the same line that were placed before
// (order_i, older_i), waits until they are done, probes the L1Ds in Targets, and then reads
// the line from memory or writes it. An upgrade ends without reading, unless the line has
// been taken from the L1D in the meantime (lost_i). Its last cycle is that with ends_o and
// beat_i, or with reply_ack_i.

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
  output logic             waits_o,    // it needs done_i
  input  logic [Slots-1:0] done_i,     // transactions done in this cycle

  // Probes, one bit for each L1D
  output logic [Harts-1:0] ask_o,
  input  logic [Harts-1:0] asked_i,  // the probe is sent from the next cycle on
  input  logic [Harts-1:0] mine_i,   // the L1D has a probe of this transaction
  input  logic [Harts-1:0] ack_i,    // the L1D answers
  input  logic [Harts-1:0] kept_i,   // with ack_i: the L1D keeps the line
  output logic             excl_o,   // no other L1D keeps it

  // Data
  output logic read_o,     // wants the line from memory
  input  logic read_ack_i,
  output logic grant_o,    // an upgrade: one beat without data, in this cycle
  output logic write_o,    // takes beats of a write
  input  logic beat_i,     // a beat is answered or written
  output logic ends_o,     // with a beat of an answer it is done
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

  // Next states, and answers of the L1Ds to probes of this transaction, are computed here only,
  // so that they cost nothing while the clock is stopped.
  fsm_e fsm_q;
  mem_pkg::claim_t claim_q;
  logic [Slots-1:0] after_q;
  logic [Harts-1:0] ask_q, left_q;  // probes not sent, not answered
  logic kept_q;
  logic [2:0] beat_q;
  logic last;
  assign last = claim_q.upgrade || beat_q == 3'd7;
  always_ff @(posedge clk_i) begin
    if (arrive_i) begin
      claim_q <= claim_i;
      ask_q <= Targets;
      left_q <= Targets;
      kept_q <= 1'b0;
      beat_q <= 3'd0;
    end else if (lost_i) begin
      claim_q.upgrade <= 1'b0;
    end
    if (!rst_ni) begin
      fsm_q <= StFree;
    end else begin
      case (fsm_q)
        StFree: if (arrive_i) fsm_q <= StArrived;
        StArrived: begin
          after_q <= older_i & ~done_i;
          if (order_i) fsm_q <= (older_i & ~done_i) == '0 ? StProbes : StWaits;
        end
        StWaits: begin
          after_q <= after_q & ~done_i;
          if ((after_q & ~done_i) == '0) fsm_q <= StProbes;
        end
        StProbes: begin
          ask_q <= ask_q & ~asked_i;
          left_q <= left_q & ~(mine_i & ack_i);
          kept_q <= kept_q || (mine_i & ack_i & kept_i) != '0;
          if ((left_q & ~(mine_i & ack_i)) == '0) fsm_q <= claim_q.writes ? StWrites : StReads;
        end
        StReads: if (grant_o || read_ack_i) fsm_q <= StAnswers;
        StAnswers, StWrites: begin
          if (beat_i) begin
            beat_q <= beat_q + 3'd1;
            if (last) fsm_q <= fsm_q == StWrites ? StReplies : StFree;
          end
        end
        default: if (reply_ack_i) fsm_q <= StFree;
      endcase
    end
  end

  assign free_o = fsm_q == StFree;
  assign arrived_o = fsm_q == StArrived;
  assign placed_o = fsm_q >= StWaits;
  assign claim_o = claim_q;
  assign waits_o = fsm_q == StArrived || fsm_q == StWaits;
  assign ends_o = fsm_q == StAnswers && last;
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
  `ASSERT_IF(ack_of_a_probe, fsm_q == StProbes && (mine_i & ack_i & ~(left_q & ~ask_q)) == '0,
             (mine_i & ack_i) != '0)
  `ASSERT_IF(reply_is_asked_for, fsm_q == StReplies, reply_ack_i)

endmodule
