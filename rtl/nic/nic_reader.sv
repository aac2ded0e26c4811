// SPDX-License-Identifier: Apache-2.0
// Reads the fragments of frames by DMA, and packs them into words.
//
// A fragment is read line by line; up to DmaLines requests are in flight, also for later
// fragments and frames. Lines may arrive in any order, and beats of several lines may be
// mixed. An entry leaves SEND with the request for its last line.
//
// word_o is a word of a frame in a cycle with word_valid_o, which needs ready_i; the last
// one comes with done_o, and with empty_o if the frame has no bytes. Then also all requests
// of the frame have been read: requests_o is their number. csum_o belongs to word_o.
// While enable_i is low no request begins; what is in flight is read and, at the end,
// abort_o discards an unfinished frame.

module nic_reader (
  input logic clk_i,
  input logic rst_ni,
  input logic enable_i,

  // SEND
  input  logic           send_valid_i,
  input  nic_pkg::send_t send_i,
  output logic           send_pop_o,

  // DMA
  output logic                          req_valid_o,
  output logic [mem_pkg::DmaLineBits-1:0] req_id_o,
  output logic [47:0]                   req_addr_o,
  input  logic                          req_ready_i,
  input  logic                          rsp_valid_i,
  input  logic [mem_pkg::DmaLineBits-1:0] rsp_line_i,
  input  logic [63:0]                   rsp_data_i,

  // Words
  output logic           word_valid_o,
  output nic_pkg::link_t word_o,
  output logic           empty_o,
  output nic_pkg::csum_t csum_o,
  output logic           abort_o,
  input  logic           ready_i,
  output logic           done_o,
  output logic [15:0]    requests_o,

  output logic in_flight_o,  // a line is in flight or a frame unfinished
  output logic busy_o        // the next edge changes something
);

  localparam int unsigned Lines = mem_pkg::DmaLines;
  localparam int unsigned IdBits = mem_pkg::DmaLineBits;

  // A line in flight: bytes [low, low + bytes) of it belong to the fragment. It may have no
  // bytes, without a request.
  localparam int unsigned SlotBits = 43;
  typedef struct packed {
    logic [nic_pkg::CsumBits-1:0] csum;
    logic                         first;     // of the frame
    logic                         ends;      // the fragment
    logic                         last;      // ends the frame
    logic [5:0]                   low;
    logic [6:0]                   bytes;
  } slot_t;

  logic [SlotBits-1:0] slots_q[Lines];  // slot_t
  logic [63:0] lines_q[8*Lines];  // {line, beat}
  logic [Lines*4-1:0] arrived_q;  // beats of each line
  logic [IdBits-1:0] head_q, tail_q;
  logic [IdBits:0] used_q;

  // Requests
  logic started_q, frame_open_q;  // within a fragment; the next fragment continues a frame
  logic [47:0] next_q, addr;
  logic [14:0] remaining_q, remaining;
  logic [6:0] line_space, bytes;
  logic issue, ends;
  slot_t slot_d;
  assign addr = started_q ? next_q : send_i.addr;
  assign remaining = started_q ? remaining_q : send_i.length;
  assign line_space = 7'd64 - {1'b0, addr[5:0]};
  assign ends = remaining <= {8'd0, line_space};
  assign bytes = ends ? remaining[6:0] : line_space;
  assign req_valid_o = send_valid_i && enable_i && !used_q[IdBits] && remaining != 15'd0;
  assign issue = send_valid_i && enable_i && !used_q[IdBits] && (remaining == 15'd0 || req_ready_i);
  assign req_id_o = tail_q;
  assign req_addr_o = {addr[47:6], 6'd0};
  assign send_pop_o = issue && ends;
  always_comb begin
    slot_d.csum  = send_i.csum;
    slot_d.first = !started_q && !frame_open_q;
    slot_d.ends  = ends;
    slot_d.last  = ends && !send_i.partial;
    slot_d.low   = addr[5:0];
    slot_d.bytes = bytes;
  end

  always_ff @(posedge clk_i) begin
    if (issue) begin
      slots_q[tail_q] <= slot_d;
      tail_q <= tail_q + 1'b1;
      started_q <= !ends;
      next_q <= addr + {41'd0, bytes};
      remaining_q <= remaining - {8'd0, bytes};
      if (ends) frame_open_q <= send_i.partial;
    end
    if (!rst_ni) tail_q <= '0;
    if (!rst_ni || !enable_i) begin
      started_q <= 1'b0;
      frame_open_q  <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rsp_valid_i) begin
      lines_q[{rsp_line_i, arrived_q[4*rsp_line_i+:3]}] <= rsp_data_i;
      arrived_q[4*rsp_line_i+:4] <= arrived_q[4*rsp_line_i+:4] + 4'd1;
    end
    if (issue) arrived_q[4*tail_q+:4] <= 4'd0;
  end

  // The beat of the oldest line that is next
  logic line_start_q;  // the first of its line
  logic [2:0] beat_q, beat, byte_offset;
  logic [6:0] left_q, left;
  logic [3:0] beat_bytes, arrived;
  logic step, line_done;
  logic [63:0] data;
  slot_t slot;
  assign slot = slots_q[head_q];
  assign beat = line_start_q ? slot.low[5:3] : beat_q;
  assign byte_offset = line_start_q ? slot.low[2:0] : 3'd0;
  assign left = line_start_q ? slot.bytes : left_q;
  assign beat_bytes = left < 7'd8 - {4'd0, byte_offset} ? left[3:0] : 4'd8 - {1'b0, byte_offset};
  assign line_done = left == {3'd0, beat_bytes};
  // The line keeps its place until all of its beats have arrived.
  assign arrived = arrived_q[4*head_q+:4];
  assign step = used_q != '0 && ready_i && !flush_q &&
                (left == 7'd0 || (line_done ? arrived[3] : arrived > {1'b0, beat}));
  assign data = lines_q[{head_q, beat}] >> {byte_offset, 3'd0};

  // Bytes not yet sent, 8 at most
  logic flush_q, frame_q;  // the rest of the frame is next; a frame has begun
  logic [63:0] partial_q;
  logic [3:0] partial_bytes_q;
  logic [4:0] partial_bytes;
  logic [127:0] merged;
  assign partial_bytes = {1'b0, partial_bytes_q} + {1'b0, beat_bytes};
  always_comb begin
    merged = '0;
    for (int unsigned i = 0; i < 8; i++) if (4'(i) < beat_bytes) merged[8*i+:8] = data[8*i+:8];
    merged = merged << {partial_bytes_q, 3'd0};
    merged[63:0] = merged[63:0] | partial_q;
  end

  logic [15:0] requests_q;
  nic_pkg::csum_t csum_q;
  always_ff @(posedge clk_i) begin
    if (step) begin
      line_start_q <= line_done;
      beat_q <= beat + 3'd1;
      left_q <= left - {3'd0, beat_bytes};
      partial_q <= partial_bytes > 5'd8 ? merged[127:64] : merged[63:0];
      partial_bytes_q <= partial_bytes > 5'd8 ? 4'(partial_bytes - 5'd8) : partial_bytes[3:0];
      frame_q <= 1'b1;
      if (line_start_q && slot.first) csum_q <= slot.csum;
      if (line_done) begin
        head_q <= head_q + 1'b1;
        flush_q <= slot.last;
        if (slot.ends) requests_q <= requests_q + 16'd1;
      end
    end
    if (done_o || abort_o || !rst_ni) begin
      flush_q <= 1'b0;
      frame_q <= 1'b0;
      partial_q <= '0;
      partial_bytes_q <= 4'd0;
      requests_q <= 16'd0;
    end
    used_q <= used_q + (IdBits + 1)'(issue) - (IdBits + 1)'(step && line_done);
    if (!rst_ni) begin
      used_q  <= '0;
      head_q  <= '0;
      line_start_q <= 1'b1;
    end
  end

  assign done_o = flush_q && ready_i;
  assign abort_o = !enable_i && frame_q && !flush_q && used_q == '0;
  assign word_valid_o = (step && partial_bytes > 5'd8) || done_o;
  assign empty_o = partial_bytes_q == 4'd0;
  assign requests_o = requests_q;
  assign csum_o = csum_q;
  always_comb begin
    word_o.last = flush_q;
    word_o.bytes = flush_q ? partial_bytes_q[2:0] - 3'd1 : 3'd7;
    word_o.data = flush_q ? partial_q : merged[63:0];
  end

  assign in_flight_o = used_q != '0 || frame_q;
  assign busy_o = issue || req_valid_o || step || done_o || abort_o;

  `ASSERT_IF(beat_was_asked_for, used_q != '0 && !arrived_q[4*rsp_line_i+3], rsp_valid_i)
  `COVER(nic_reader_requests, "Lines that the reader of the network interface requests",
         req_valid_o && req_ready_i)
  `COVER_HISTOGRAM(nic_reader_lines, "Lines that the reader has in flight", used_q, 8)

endmodule
