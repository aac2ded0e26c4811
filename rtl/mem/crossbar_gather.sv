// SPDX-License-Identifier: Apache-2.0
// The DMA port of soc.sv in front of that of crossbar.sv.
//
// Requests are pulses, as in README.md: reads and writes with an id each, and beats of the
// lines to write. They wait here, so masters need no ready, and the crossbar needs fewer
// transactions than there are ids. A line to write is ready with its last beat; the bytes
// that did not come are not written. Lines that are ready leave in their order, before
// reads, which leave in theirs: received frames must not wait for frames to send. Each takes
// a transaction of the crossbar from then until its answer. A request is at the crossbar in
// the second cycle after it came, or after its last beat.
//
// busy_o is high if the next edge changes something; it depends on the requests and on
// registers of the crossbar only.

module crossbar_gather #(
  parameter int unsigned Ids = 1,  // transactions of the crossbar, at most 8
  parameter int unsigned IdBits = mem_pkg::DmaIdBits  // of identifiers that the masters have
) (
  input logic clk_i,
  input logic rst_ni,

  // The masters
  input  logic                          req_valid_i,
  input  mem_pkg::dma_req_t             req_i,
  input  logic                          beat_valid_i,
  input  mem_pkg::dma_beat_t            beat_i,
  output logic                          rsp_valid_o,
  output mem_pkg::dma_rsp_t             rsp_o,
  output logic                          done_valid_o,
  output logic [mem_pkg::DmaIdBits-1:0] done_id_o,

  // The crossbar
  output logic                    dma_valid_o,
  input  logic                    dma_ready_i,
  output mem_pkg::crossbar_req_t  dma_req_o,
  output logic                    dma_write_valid_o,
  input  logic                    dma_write_ready_i,
  output mem_pkg::crossbar_word_t dma_write_o,
  input  logic                    dma_rsp_valid_i,
  input  mem_pkg::crossbar_rsp_t  dma_rsp_i,

  output logic busy_o
);

  localparam int unsigned Lines = 1 << IdBits;  // each way

  // The bytes of the lines to write, by id
  logic [IdBits-1:0] req_id, beat_id;
  assign req_id = req_i.id[IdBits-1:0];
  assign beat_id = beat_i.id[IdBits-1:0];
  logic [63:0] words_q[8*Lines];  // {line, beat}
  logic [63:0] masks_q[Lines];
  logic [63:0] mask;
  logic line_start;  // the line begins with this beat
  assign line_start = req_valid_i && req_i.write && req_id == beat_id;
  always_comb begin
    mask = '0;
    if (beat_valid_i) begin
      if (!line_start) mask = masks_q[beat_id];
      mask = mask | 64'(beat_i.strb) << {beat_i.beat, 3'd0};
    end
  end
  always_ff @(posedge clk_i) begin
    if (req_valid_i && req_i.write) masks_q[req_id] <= '0;
    if (beat_valid_i) begin
      masks_q[beat_id] <= mask;
      words_q[{beat_id, beat_i.beat}] <= beat_i.data;
    end
  end

  // The lines to read, and those that are ready to be written, in their order
  logic [49:0] read_lines_q[Lines], write_lines_q[Lines];  // by id
  logic [IdBits-1:0] reads_q[Lines], writes_q[Lines];
  logic [IdBits:0] reads_in_q, reads_out_q, writes_in_q, writes_out_q;
  logic read_push, write_push, any_read, any_write;
  assign read_push = req_valid_i && !req_i.write;
  assign write_push = beat_valid_i && beat_i.last;
  assign any_read = reads_in_q != reads_out_q;
  assign any_write = writes_in_q != writes_out_q;

  // The next of them, and a transaction for it
  logic out_valid_q, can_issue, issue, writes;
  logic [Ids-1:0] free_q, alloc, dealloc;
  logic [IdBits-1:0] id;
  mem_pkg::crossbar_req_t out_d, out_q;
  assign can_issue = (any_read || any_write) && (!out_valid_q || dma_ready_i);
  assign issue = can_issue && free_q != '0;
  assign writes = any_write;
  always_comb begin
    alloc = '0;
    id = '0;
    out_d = '0;
    if (issue) begin
      alloc = free_q & (~free_q + 1'b1);
      id = writes ? writes_q[writes_out_q[IdBits-1:0]] : reads_q[reads_out_q[IdBits-1:0]];
      out_d.write = writes;
      for (int unsigned i = 0; i < Ids; i++) if (alloc[i]) out_d.id = 3'(i);
      out_d.addr = {writes ? write_lines_q[id] : read_lines_q[id], 6'd0};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      reads_in_q <= '0;
      reads_out_q <= '0;
      writes_in_q <= '0;
      writes_out_q <= '0;
      out_valid_q <= 1'b0;
    end else begin
      if (read_push) reads_in_q <= reads_in_q + 1'b1;
      if (write_push) writes_in_q <= writes_in_q + 1'b1;
      if (issue && !writes) reads_out_q <= reads_out_q + 1'b1;
      if (issue && writes) writes_out_q <= writes_out_q + 1'b1;
      out_valid_q <= issue || (out_valid_q && !dma_ready_i);
    end
    if (read_push) reads_q[reads_in_q[IdBits-1:0]] <= req_id;
    if (read_push) read_lines_q[req_id] <= req_i.addr[55:6];
    if (write_push) writes_q[writes_in_q[IdBits-1:0]] <= beat_id;
    if (req_valid_i && req_i.write) write_lines_q[req_id] <= req_i.addr[55:6];
    if (issue) out_q <= out_d;
  end
  assign dma_valid_o = out_valid_q;
  assign dma_req_o = out_q;

  // The beats of the writes, in the order of the requests
  logic [IdBits-1:0] sends_q[8];
  logic [3:0] sends_in_q, sends_out_q;
  logic [2:0] beat_q;
  logic send_valid, beat_sent;
  logic [IdBits-1:0] send_id;
  assign send_valid = sends_in_q != sends_out_q;
  assign send_id = sends_q[sends_out_q[2:0]];
  assign beat_sent = send_valid && dma_write_ready_i;
  assign dma_write_valid_o = send_valid;
  always_comb begin
    dma_write_o = '0;
    if (send_valid) begin
      dma_write_o.strb = 8'(masks_q[send_id] >> {beat_q, 3'd0});
      dma_write_o.data = words_q[{send_id, beat_q}];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      sends_in_q <= 4'd0;
      sends_out_q <= 4'd0;
      beat_q <= 3'd0;
    end else begin
      if (issue && writes) sends_in_q <= sends_in_q + 4'd1;
      if (beat_sent) beat_q <= beat_q + 3'd1;
      if (beat_sent && beat_q == 3'd7) sends_out_q <= sends_out_q + 4'd1;
    end
    if (issue && writes) sends_q[sends_in_q[2:0]] <= id;
  end

  // The transactions: whose they are, and the beats that a read has had
  logic [IdBits:0] owners_q[8];  // {write, id}
  logic [Ids*3-1:0] rsp_beats_q;
  logic [IdBits:0] owner;
  logic [2:0] rsp_beats;
  assign owner = owners_q[dma_rsp_i.id];
  always_comb begin
    rsp_beats = '0;
    dealloc = '0;
    if (dma_rsp_valid_i) begin
      rsp_beats = rsp_beats_q[3*dma_rsp_i.id+:3];
      if (owner[IdBits] || rsp_beats == 3'd7) dealloc = Ids'(8'd1 << dma_rsp_i.id);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) free_q <= '1;
    else if (issue || dma_rsp_valid_i) free_q <= (free_q & ~alloc) | dealloc;
    for (int unsigned i = 0; i < Ids; i++) begin
      if (alloc[i]) rsp_beats_q[3*i+:3] <= 3'd0;
      else if (dma_rsp_valid_i && dma_rsp_i.id == 3'(i)) rsp_beats_q[3*i+:3] <= rsp_beats + 3'd1;
    end
    if (issue) owners_q[out_d.id] <= {writes, id};
  end
  assign rsp_valid_o = dma_rsp_valid_i && !owner[IdBits];
  assign rsp_o = {done_id_o, dma_rsp_i.data};
  assign done_valid_o = dma_rsp_valid_i && owner[IdBits];
  always_comb begin
    done_id_o = '0;
    done_id_o[IdBits-1:0] = owner[IdBits-1:0];
  end

  // In a block of its own, as quiescent_o in crossbar.sv
  always_comb begin
    busy_o = req_valid_i || beat_valid_i || out_valid_q || send_valid || dma_rsp_valid_i;
    if ((any_read || any_write) && free_q != '0) busy_o = 1'b1;
  end

  `ASSERT_IF(room_for_a_read, reads_in_q - reads_out_q != (IdBits + 1)'(Lines), read_push)
  `ASSERT_IF(room_for_a_write, writes_in_q - writes_out_q != (IdBits + 1)'(Lines), write_push)
  `ASSERT_IF(answer_was_asked_for, (free_q & Ids'(8'd1 << dma_rsp_i.id)) == '0, dma_rsp_valid_i)

endmodule
