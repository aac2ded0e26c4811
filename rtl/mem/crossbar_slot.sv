// SPDX-License-Identifier: Apache-2.0
// A transaction of the crossbar: that of one L1D, of one L1I, or of one id of DMA.
//
// It is allocated (alloc_i), is ordered behind older ones of the same line (order_grant_i,
// older_i), is blocked until they are done, probes the L1Ds in Targets, and then reads the
// line from memory or writes it. An upgrade ends without reading, unless another transaction
// has invalidated the line in the meantime (upgrade_lost_i). Its last cycle is that with
// rsp_last_o and beat_i, or with write_rsp_ack_i.

module crossbar_slot #(
  parameter int unsigned Harts = 2,
  parameter int unsigned Slots = 4,
  parameter logic [Harts-1:0] Targets = '1
) (
  input logic clk_i,
  input logic rst_ni,

  // Request: only while free_o
  output logic            free_o,
  input  logic            alloc_i,
  input  mem_pkg::claim_t claim_i,
  input  logic            upgrade_lost_i,  // the L1D has lost the line

  // Order
  output logic             unordered_o,    // it is not ordered yet
  input  logic             order_grant_i,  // it is ordered at this edge
  input  logic [Slots-1:0] older_i,        // with order_grant_i: those of the same line
  output logic             ordered_o,
  output mem_pkg::line_t   line_o,
  output logic             owns_o,         // the others lose the line
  output logic             blocked_o,      // it needs done_i
  input  logic [Slots-1:0] done_i,         // transactions done in this cycle

  // Probes, one bit for each L1D
  output logic [Harts-1:0] probe_req_o,
  input  logic [Harts-1:0] probe_grant_i,  // the probe is sent from the next cycle on
  input  logic [Harts-1:0] probe_sent_i,   // the L1D has a probe of this transaction
  input  logic [Harts-1:0] probe_ack_i,    // the L1D answers
  input  logic [Harts-1:0] probe_kept_i,   // with probe_ack_i: the L1D keeps the line
  output logic             excl_o,         // no other L1D keeps it

  // Data
  output logic read_o,     // wants the line from memory
  input  logic read_ack_i,
  output logic grant_o,    // an upgrade: one beat without data
  input  logic grant_ack_i,  // with grant_o: in this cycle
  output logic write_o,    // takes beats of a write
  input  logic beat_i,     // a beat is answered or written
  output logic rsp_last_o,     // with a beat of an answer it is done
  output logic write_rsp_o,    // a write is done; one beat without data
  input  logic write_rsp_ack_i,

  output logic quiescent_o  // nothing changes before another transaction ends or memory answers
);

  typedef enum logic [2:0] {
    StFree = 3'd0,
    StUnordered = 3'd1,
    StBlocked = 3'd2,  // for older ones
    StProbe = 3'd3,
    StRead = 3'd4,  // or grants an upgrade
    StRsp = 3'd5,
    StWrite = 3'd6,
    StWriteRsp = 3'd7
  } fsm_e;

  // Next states, and answers of the L1Ds to probes of this transaction, are computed here only,
  // so that they cost nothing while the clock is stopped.
  fsm_e fsm_q;
  mem_pkg::claim_t claim_q;
  logic [Slots-1:0] blockers_q;
  logic [Harts-1:0] probe_req_q, ack_pending_q;  // probes not sent, not answered
  logic kept_q;
  logic [2:0] beat_q;
  logic last;
  assign last = claim_q.upgrade || beat_q == 3'd7;
  always_ff @(posedge clk_i) begin
    if (alloc_i) begin
      claim_q <= claim_i;
      probe_req_q <= Targets;
      ack_pending_q <= Targets;
      kept_q <= 1'b0;
      beat_q <= 3'd0;
    end else if (upgrade_lost_i) begin
      claim_q.upgrade <= 1'b0;
    end
    if (!rst_ni) begin
      fsm_q <= StFree;
    end else begin
      case (fsm_q)
        StFree: if (alloc_i) fsm_q <= StUnordered;
        StUnordered: begin
          blockers_q <= older_i & ~done_i;
          if (order_grant_i) fsm_q <= (older_i & ~done_i) == '0 ? StProbe : StBlocked;
        end
        StBlocked: begin
          blockers_q <= blockers_q & ~done_i;
          if ((blockers_q & ~done_i) == '0) fsm_q <= StProbe;
        end
        StProbe: begin
          probe_req_q <= probe_req_q & ~probe_grant_i;
          ack_pending_q <= ack_pending_q & ~(probe_sent_i & probe_ack_i);
          kept_q <= kept_q || (probe_sent_i & probe_ack_i & probe_kept_i) != '0;
          if ((ack_pending_q & ~(probe_sent_i & probe_ack_i)) == '0)
            fsm_q <= claim_q.writes ? StWrite : StRead;
        end
        StRead: if ((grant_o && grant_ack_i) || read_ack_i) fsm_q <= StRsp;
        StRsp, StWrite: begin
          if (beat_i) begin
            beat_q <= beat_q + 3'd1;
            if (last) fsm_q <= fsm_q == StWrite ? StWriteRsp : StFree;
          end
        end
        default: if (write_rsp_ack_i) fsm_q <= StFree;
      endcase
    end
  end

  assign free_o = fsm_q == StFree;
  assign unordered_o = fsm_q == StUnordered;
  assign ordered_o = fsm_q >= StBlocked;
  assign line_o = claim_q.line;
  assign owns_o = claim_q.owns;
  assign blocked_o = fsm_q == StUnordered || fsm_q == StBlocked;
  assign rsp_last_o = fsm_q == StRsp && last;
  always_comb begin
    probe_req_o = '0;
    if (fsm_q == StProbe) probe_req_o = probe_req_q;
  end
  assign excl_o = claim_q.owns || !kept_q;
  assign read_o = fsm_q == StRead && !claim_q.upgrade;
  assign grant_o = fsm_q == StRead && claim_q.upgrade;
  assign write_o = fsm_q == StWrite;
  assign write_rsp_o = fsm_q == StWriteRsp;
  assign quiescent_o = fsm_q == StFree || fsm_q == StBlocked || fsm_q == StRsp;

  `ASSERT_IF(arrives_once, fsm_q == StFree, alloc_i)
  `ASSERT_IF(beat_in_turn, fsm_q == StRsp || fsm_q == StWrite, beat_i)
  `ASSERT_IF(ack_of_a_probe, fsm_q == StProbe &&
             (probe_sent_i & probe_ack_i & ~(ack_pending_q & ~probe_req_q)) == '0,
             (probe_sent_i & probe_ack_i) != '0)
  `ASSERT_IF(reply_is_asked_for, fsm_q == StWriteRsp, write_rsp_ack_i)

endmodule
