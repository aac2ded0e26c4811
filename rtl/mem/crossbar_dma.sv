// SPDX-License-Identifier: Apache-2.0
// The DMA port of the crossbar: requests for lines, each with an id, one transaction for
// each id.
//
// A request is taken in a cycle with valid and ready; its id must be free, that is, its
// answer complete. Requests get their places in this order. A read is answered by 8
// beats of ascending addresses, a write by one beat without data, after which every
// reader gets the new data; answers come in any order, and those of reads may alternate.
// The 8 beats of each write follow its request, in the order of the requests, each with
// the bytes that it writes. The master must deliver them without waiting for any answer.

module crossbar_dma #(
  parameter int unsigned Ids = 1  // at most 8
) (
  input logic clk_i,
  input logic rst_ni,

  // The master
  input  logic                   dma_valid_i,
  output logic                   dma_ready_o,
  input  mem_pkg::crossbar_req_t dma_req_i,
  input  logic                   dma_write_valid_i,
  output logic                   dma_write_ready_o,
  output logic                   dma_rsp_valid_o,
  output mem_pkg::crossbar_rsp_t dma_rsp_o,

  // The transactions, one bit for each id
  input  logic [Ids-1:0]  free_i,
  input  logic [Ids-1:0]  unordered_i,
  output logic [Ids-1:0]  alloc_o,
  output mem_pkg::claim_t claim_o,       // with alloc_o
  input  logic [Ids-1:0]  write_i,       // can take beats
  output logic [Ids-1:0]  write_beat_o,
  input  logic [Ids-1:0]  write_rsp_i,
  output logic [Ids-1:0]  write_rsp_ack_o,

  // A beat of a read, from memory
  input logic [Ids-1:0] beat_i,
  input logic [63:0]    data_i,

  // Writes to memory
  output logic        write_valid_o,
  input  logic        write_ready_i,
  output logic [2:0]  write_id_o,     // whose line
  output logic [2:0]  write_beat_at_o,

  output logic quiescent_o  // no beat is on its way
);

  // The next request must not overtake one that has no place yet.
  logic [Ids-1:0] selected;
  logic accept;
  always_comb begin
    selected = '0;
    if (dma_valid_i) selected = Ids'(8'd1 << dma_req_i.id);
  end
  assign dma_ready_o = unordered_i == '0 && (selected & free_i) != '0;
  assign accept = dma_valid_i && dma_ready_o;
  assign alloc_o = accept ? selected : '0;
  assign claim_o = {dma_req_i.write, 1'b0, dma_req_i.write, dma_req_i.addr[55:6]};

  // The place in the line
  logic unused_offset;
  assign unused_offset = ^dma_req_i.addr[5:0];

  // The ids of writes whose beats have not all come, in order
  logic [2:0] writes_q[8];
  logic [3:0] in_q, out_q;
  logic [2:0] beat_q, head;
  logic any_write, head_ready, push, beat_accept;
  logic [Ids-1:0] head_select;
  assign any_write = in_q != out_q;
  assign push = accept && dma_req_i.write;
  always_comb begin
    head = '0;
    head_select = '0;
    if (any_write) begin
      head = writes_q[out_q[2:0]];
      head_select = Ids'(8'd1 << head);
    end
  end
  assign head_ready = (head_select & write_i) != '0;
  assign write_valid_o = head_ready && dma_write_valid_i;
  assign beat_accept = write_valid_o && write_ready_i;
  assign dma_write_ready_o = head_ready && write_ready_i;
  assign write_beat_o = beat_accept ? head_select : '0;
  assign write_id_o = head;
  assign write_beat_at_o = beat_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q <= 4'd0;
      out_q <= 4'd0;
      beat_q <= 3'd0;
    end else begin
      if (push) in_q <= in_q + 4'd1;
      if (beat_accept) begin
        beat_q <= beat_q + 3'd1;
        if (beat_q == 3'd7) out_q <= out_q + 4'd1;
      end
    end
    if (push) writes_q[in_q[2:0]] <= dma_req_i.id;
  end

  // Answers: beats of reads first
  logic rsp_valid_q;
  mem_pkg::crossbar_rsp_t rsp_d, rsp_q;
  logic [Ids-1:0] answers;
  always_comb begin
    write_rsp_ack_o = '0;
    answers = beat_i;
    rsp_d = '0;
    if (beat_i == '0) begin
      write_rsp_ack_o = write_rsp_i & (~write_rsp_i + 1'b1);
      answers = write_rsp_ack_o;
    end
    if (answers != '0) begin
      rsp_d.data = data_i;
      for (int unsigned i = 0; i < Ids; i++) if (answers[i]) rsp_d.id = 3'(i);
    end
  end
  always_ff @(posedge clk_i) begin
    rsp_valid_q <= rst_ni && answers != '0;
    if (answers != '0) rsp_q <= rsp_d;
  end
  assign dma_rsp_valid_o = rsp_valid_q;
  assign dma_rsp_o = rsp_q;
  assign quiescent_o = !rsp_valid_q && !dma_valid_i;

  `ASSERT_HELD(request_stands, dma_valid_i, dma_ready_o, dma_req_i)

endmodule
